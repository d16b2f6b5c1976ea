package render

import "strings"

// TabWidth is the distance of tab stops in cells. Terminals use 8; 4 keeps
// indented code inside narrow panes.
const TabWidth = 4

// Clean chooses what Sanitize does beyond removing every control sequence.
type Clean uint8

// Choices; they can be combined.
const (
	// KeepSGR keeps colours and attributes (CSI … m), re-encoded; every line
	// ends in the default style.
	KeepSGR Clean = 1 << iota
	// Overwrite gives carriage return and backspace the meaning that they have
	// in the output of tools: the line starts over, the last character goes.
	// Otherwise a lone carriage return is a line end and backspace is dropped.
	Overwrite
	// Growing says that more text will follow: a sequence that is not complete
	// at the end is held back instead of being shown as text.
	Growing
	// Visible shows control characters as pictures (␛, ␇, ⟨U+202E⟩) instead of
	// dropping them: for commands that a user is asked to approve.
	Visible
	// OneLine turns line ends into blanks: for names, titles and cells.
	OneLine
)

// Sanitize returns text that did not originate in this program in a form that
// is safe to draw. Newlines stay and tabs are expanded; every other C0 and C1
// control character and every CSI, OSC, DCS, APC, PM and SOS sequence is
// dropped, in its 7-bit and 8-bit form, also when it is not terminated: then
// only its introducer goes and what follows is plain text. Characters that
// reorder or hide text (bidirectional controls, zero width spaces) are dropped
// and invalid UTF-8 becomes U+FFFD.
func Sanitize(text string, how Clean) string {
	if plainText(text, how&OneLine != 0) {
		return text
	}
	s := sanitizer{how: how, b: make([]byte, 0, len(text))}
	s.track = how&Overwrite != 0 && strings.IndexByte(text, '\b') >= 0
	for len(text) > 0 {
		text = text[s.step(text):]
	}
	return s.finish()
}

// StripAll returns text without any sequence, style or control character but
// newlines; tabs are expanded.
func StripAll(text string) string { return Sanitize(text, 0) }

// Line returns text as one line for names, titles and table cells.
func Line(text string) string { return strings.TrimSpace(Sanitize(text, OneLine)) }

// plainText reports whether nothing in text can need cleaning.
func plainText(text string, oneLine bool) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c < 0x20 && (c != '\n' || oneLine)) || c >= del {
			return false
		}
	}
	return true
}
