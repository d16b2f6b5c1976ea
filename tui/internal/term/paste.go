package term

import (
	"bytes"
	"strings"
)

// Markers of a bracketed paste.
const (
	pasteStart = "\x1b[200~"
	pasteStop  = "\x1b[201~"
)

// beginPaste moves what follows the start marker, which is n bytes long, from
// buf to the paste.
func (d *decoder) beginPaste(n int) int {
	d.pasting = true
	d.paste = append(d.paste[:0], d.buf[n:]...)
	d.pasteEnd = -1
	d.scanPaste(len(d.paste))
	return len(d.buf)
}

// scanPaste looks for the end of the paste in the last n bytes of it, and what
// may begin before them. Not every terminal filters the end marker out of a
// clipboard: of several that arrive in one burst the last one counts, so that
// a hostile clipboard cannot press keys.
func (d *decoder) scanPaste(n int) {
	from := max(len(d.paste)-n-len(pasteStop)+1, 0)
	if i := bytes.LastIndex(d.paste[from:], []byte(pasteStop)); i >= 0 {
		d.pasteEnd = from + i
	}
}

// endPaste delivers the first n bytes of the paste; what follows the end
// marker is input again.
func (d *decoder) endPaste(n int) {
	d.emit(PasteMsg{Text: pasteText(d.paste[:n])})
	d.buf = append(d.buf[:0], d.paste[min(n+len(pasteStop), len(d.paste)):]...)
	d.scanned = 0
	d.paste = nil
	d.pasting, d.pasteEnd = false, -1
}

// pasteText returns what was pasted as clean text: line ends are \n, markers
// and control characters other than newline and tab are gone.
func pasteText(b []byte) string {
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	clean := true
	for _, c := range b {
		if c < 0x20 && c != '\n' && c != '\t' || c >= del {
			clean = false
			break
		}
	}
	if clean {
		return string(b)
	}
	b = bytes.ReplaceAll(b, []byte(pasteStart), nil)
	b = bytes.ReplaceAll(b, []byte(pasteStop), nil)
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r >= 0x20 && r < del || r >= 0xa0 {
			return r
		}
		return -1
	}, strings.ToValidUTF8(string(b), "\uFFFD"))
}
