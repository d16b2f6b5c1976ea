package term

import (
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// hold is why the decoder waits for more bytes.
type hold uint8

const (
	holdNone hold = iota
	// holdEsc: a lone ESC is the key, or the start of a sequence.
	holdEsc
	// holdIntro: ESC and an introducer are a sequence, or Alt and that letter.
	holdIntro
	// holdSequence: a sequence that is not complete; it never becomes text.
	holdSequence
	// holdRune: a UTF-8 sequence that is not complete.
	holdRune
	// holdTail: after ESC was taken for the key, what may be the rest of a
	// sequence whose first byte it was.
	holdTail
	// holdPaste: inside a bracketed paste.
	holdPaste
	// holdPasteEnd: after the end marker, which may be part of what was pasted.
	holdPasteEnd
)

// patience is how long each may last before expire decides. A person who
// presses Esc waits no longer than 30 ms for it; replies may be cut into
// pieces by slow links, and the numbers above a key's are for those.
func (h hold) patience() time.Duration {
	return [...]time.Duration{
		holdNone:     0,
		holdEsc:      30 * time.Millisecond,
		holdIntro:    300 * time.Millisecond,
		holdSequence: 2500 * time.Millisecond,
		holdRune:     200 * time.Millisecond,
		holdTail:     100 * time.Millisecond,
		holdPaste:    5 * time.Second,
		holdPasteEnd: 20 * time.Millisecond,
	}[h]
}

// Limits of what is held back.
const (
	maxCSI    = 256     // bytes of a control sequence
	maxString = 1 << 20 // bytes of a control string: clipboard answers are long
)

// decoder turns input bytes into messages. It does no input itself and has no
// clock: feed gives it what was read, and when the patience of held is over
// without more input, expire decides what the held bytes were. Cutting the
// input differently gives the same messages, but that text which was read at
// once is one message.
type decoder struct {
	buf  []byte // not decided yet
	held hold
	// scanned is how far the control string at the front of buf was searched
	// for its end.
	scanned int
	// escaped is set after ESC was taken for the key, until the next input.
	escaped bool

	paste    []byte // what was pasted so far
	pasting  bool
	pasteEnd int // where in paste the end marker was found, or -1

	out []tea.Msg
}

func newDecoder() *decoder { return &decoder{pasteEnd: -1} }

// feed takes what was read and returns the messages that are certain.
func (d *decoder) feed(b []byte) []tea.Msg {
	if len(b) == 0 {
		return nil
	}
	d.out = nil
	if d.pasting {
		d.paste = append(d.paste, b...)
		d.scanPaste(len(b))
	} else {
		d.buf = append(d.buf, b...)
	}
	d.run()
	return d.out
}

// expire decides what the held bytes are: no more are coming.
func (d *decoder) expire() []tea.Msg {
	d.out = nil
	switch held := d.held; held {
	case holdNone:
		return nil
	case holdEsc:
		d.key("esc", 0)
		if len(d.buf) == 2 { // ESC ESC
			d.key("esc", 0)
			d.drop(1)
		}
		d.drop(1)
		d.escaped = len(d.buf) == 0
	case holdIntro:
		r := rune(d.buf[1])
		d.drop(2)
		d.runeKey(r, Alt)
	case holdSequence, holdRune:
		d.drop(len(d.buf))
	case holdTail:
		d.escaped = false
	case holdPaste:
		d.endPaste(len(d.paste))
	case holdPasteEnd:
		d.endPaste(d.pasteEnd)
	}
	d.held = holdNone
	d.run()
	return d.out
}

// run decodes as much of buf as is certain.
func (d *decoder) run() {
	d.held = holdNone
	for !d.pasting && len(d.buf) > 0 {
		if d.escaped && d.tail() {
			return
		}
		d.escaped = false
		n := d.step()
		if n == 0 {
			return
		}
		d.drop(n)
	}
	switch {
	case d.pasteEnd >= 0:
		d.held = holdPasteEnd
	case d.pasting:
		d.held = holdPaste
	}
}

func (d *decoder) drop(n int) {
	d.buf = d.buf[:copy(d.buf, d.buf[n:])]
	d.scanned = 0
}

func (d *decoder) emit(m tea.Msg) {
	if m != nil {
		d.out = append(d.out, m)
	}
}

// step decodes one element at the front of buf and returns its length; 0 means
// that it is not complete, and held says what is missing. Starting a paste
// moves the rest of buf to it.
func (d *decoder) step() int {
	switch c := d.buf[0]; {
	case c == esc:
		return d.stepEscape()
	case c < 0x20 || c == del:
		d.controlKey(c, 0)
		return 1
	}
	return d.stepText()
}

// stepText takes a run of printable text.
func (d *decoder) stepText() int {
	var runes []rune
	n := 0
	for n < len(d.buf) && d.buf[n] >= 0x20 && d.buf[n] != del {
		if !utf8.FullRune(d.buf[n:]) {
			break
		}
		r, size := utf8.DecodeRune(d.buf[n:])
		if r == utf8.RuneError && size == 1 {
			if intro, ok := c1Intro(d.buf[n]); ok && n == 0 {
				return d.stepC1(intro)
			} else if ok {
				break
			}
		} else if r >= 0xa0 || r < del {
			runes = append(runes, r)
		}
		n += size
	}
	d.text(runes)
	if n == 0 {
		d.held = holdRune
	}
	return n
}

// c1Intro returns the 7-bit form of an 8-bit introducer.
func c1Intro(c byte) (byte, bool) {
	switch c {
	case 0x9b, 0x9d, 0x90, 0x98, 0x9e, 0x9f:
		return c - 0x40, true
	}
	return 0, false
}

// stepC1 rewrites an 8-bit introducer at the front of buf to its 7-bit form.
func (d *decoder) stepC1(intro byte) int {
	rest := d.buf[1:]
	d.buf = append([]byte{esc, intro}, rest...)
	return d.stepEscape()
}

// text emits printable runes as one key press. Several are marked as Paste:
// Bubble Tea names a key by its text, and somebody who types "enter" faster
// than it is read has not pressed that key.
func (d *decoder) text(runes []rune) {
	switch {
	case len(runes) == 0:
	case len(runes) == 1 && runes[0] == ' ':
		d.emit(tea.KeyMsg{Type: tea.KeySpace, Runes: runes})
	default:
		d.emit(tea.KeyMsg{Type: tea.KeyRunes, Runes: runes, Paste: len(runes) > 1})
	}
}

// stepEscape decodes what begins with ESC.
func (d *decoder) stepEscape() int {
	if len(d.buf) == 1 {
		d.held = holdEsc
		return 0
	}
	switch c := d.buf[1]; c {
	case '[', 'O', ']', 'P', '_':
		if len(d.buf) == 2 {
			d.held = holdIntro
			return 0
		}
		switch c {
		case '[':
			return d.stepCSI()
		case 'O':
			return d.stepSS3()
		}
		return d.stepString()
	case esc:
		return d.stepEscEsc()
	default:
		if c < 0x20 || c == del {
			d.controlKey(c, Alt)
			return 2
		}
	}
	if !utf8.FullRune(d.buf[1:]) {
		d.held = holdRune
		return 0
	}
	r, size := utf8.DecodeRune(d.buf[1:])
	if r == utf8.RuneError && size == 1 {
		return 1 + size
	}
	d.runeKey(r, Alt)
	return 1 + size
}

// stepEscEsc decodes ESC ESC: the key twice, the key and a sequence, or Alt and
// a cursor key as some terminals send it.
func (d *decoder) stepEscEsc() int {
	if len(d.buf) == 2 {
		d.held = holdEsc
		return 0
	}
	if c := d.buf[2]; c == '[' || c == 'O' {
		// Look at the sequence as if the first ESC were not there.
		probe := decoder{buf: d.buf[1:], pasteEnd: -1}
		n := probe.stepEscape()
		if n == 0 {
			if d.held = probe.held; d.held == holdIntro {
				d.held = holdEsc
			}
			return 0
		}
		if k, ok := plainKey(probe.out); ok {
			k.Alt = true
			d.emit(k)
			return 1 + n
		}
	}
	d.key("esc", 0)
	return 1
}

// plainKey returns the only message when it is a cursor or editing key.
func plainKey(out []tea.Msg) (tea.KeyMsg, bool) {
	if len(out) != 1 {
		return tea.KeyMsg{}, false
	}
	k, ok := out[0].(tea.KeyMsg)
	return k, ok && !k.Alt && k.Type < 0 && k.Type != tea.KeyRunes
}

// tail handles input after an ESC that was taken for the key, because the rest
// did not come in time: what looks like the rest of a report is dropped with
// it. It returns true when more input is needed to tell.
func (d *decoder) tail() (wait bool) {
	switch lateReport(d.buf) {
	case reportNot:
		return false
	case reportCut:
		d.held = holdTail
		return true
	case reportWhole:
	}
	d.buf = append([]byte{esc}, d.buf...)
	return false
}

// stepString decodes a control string: ESC, one of ] P _, text, ST or BEL.
func (d *decoder) stepString() int {
	if !stringBegins(d.buf[1], d.buf[2]) {
		d.runeKey(rune(d.buf[1]), Alt)
		return 2
	}
	for i := max(d.scanned, 2); i < len(d.buf); i++ {
		switch c := d.buf[i]; {
		case c == bel || c == 0x9c && !insideRune(d.buf[:i]):
			d.stringReply(d.buf[1], d.buf[2:i])
			return i + 1
		case c == esc:
			if i+1 == len(d.buf) {
				d.scanned = i
				d.held = holdSequence
				return 0
			}
			if d.buf[i+1] == '\\' {
				d.stringReply(d.buf[1], d.buf[2:i])
				return i + 2
			}
			return i // broken off: the next sequence begins
		case c < 0x20 && c != '\t':
			return i // a key that was pressed after a string that never ended
		}
	}
	if len(d.buf) > maxString {
		return len(d.buf)
	}
	d.scanned = len(d.buf)
	d.held = holdSequence
	return 0
}

// stringBegins tells the start of a control string from Alt and a letter, by
// what terminals send: colours and titles (OSC), settings and names (DCS),
// graphics (APC).
func stringBegins(intro, c byte) bool {
	switch intro {
	case ']':
		return c >= '0' && c <= '9' || c == 'l' || c == 'L'
	case 'P':
		return c >= 0x20 && c < 0x40
	}
	return c == 'G'
}

// insideRune reports whether the byte after b continues a UTF-8 sequence.
func insideRune(b []byte) bool {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			return c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-i:])
		}
	}
	return false
}
