package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks a letter keeps. Real text needs up to
// three or four; stacks of hundreds slow every terminal down.
const maxMarks = 8

// sanitizer builds the clean text of Sanitize.
type sanitizer struct {
	how Clean
	b   []byte

	lineStart int   // offset in b of the current line
	style     Style // in force in the input
	written   Style // in force at the end of b

	col, colEnd int  // display column at offset colEnd of b
	restart     bool // a carriage return waits for the text after it
	marks       int  // combining marks in a row

	// For backspace: where the characters of the line begin, kept only when
	// the text has a backspace, and whether the line has styles.
	track  bool
	chars  []int
	styled bool
}

// step consumes something from the front of text, which is not empty, and
// returns its length.
func (s *sanitizer) step(text string) int {
	c := text[0]
	switch {
	case c >= 0x20 && c < del:
		n := 1
		for n < len(text) && text[n] >= 0x20 && text[n] < del {
			n++
		}
		s.put(text[:n])
		return n
	case c >= utf8.RuneSelf:
		return s.stepRune(text)
	case c == esc:
		return s.stepEscape(text)
	}
	s.control(text)
	return 1
}

// control handles one C0 control character or DEL at the front of text.
func (s *sanitizer) control(text string) {
	switch c := text[0]; c {
	case '\n':
		s.newline()
	case '\t':
		s.tab()
	case '\r':
		rest := strings.TrimLeft(text, "\r")
		switch {
		case strings.HasPrefix(rest, "\n"): // CR LF is one line end
		case s.how&Overwrite != 0:
			s.restart = true
		case len(rest) == len(text)-1 && rest != "":
			s.newline()
		}
	case '\b':
		if s.how&Overwrite != 0 {
			s.backspace()
			return
		}
		s.show(rune(c))
	default:
		s.show(rune(c))
	}
}

// stepRune handles a rune that is not ASCII, or a byte that is not UTF-8.
func (s *sanitizer) stepRune(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && n == 1 {
		if text[0] < 0xa0 { // an 8-bit control character
			return s.stepC1(rune(text[0]), text, 1)
		}
		s.put("\uFFFD")
		return 1
	}
	switch {
	case r < 0xa0:
		return s.stepC1(r, text, n)
	case r == '\u2028' || r == '\u2029':
		s.newline()
	case hidden(r):
		s.show(r)
	case unicode.In(r, unicode.Mn, unicode.Me):
		s.marks++
		if s.marks <= maxMarks {
			s.put(text[:n])
		}
		return n
	default:
		s.put(text[:n])
	}
	s.marks = 0
	return n
}

// hidden reports whether r reorders or hides text. The joiners U+200C and
// U+200D are part of words and emoji and stay.
func hidden(r rune) bool {
	switch {
	case r == 0xad, r == 0x61c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f,
		r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff,
		r >= 0xfff9 && r <= 0xfffb, r == 0xe0001:
		return true
	}
	return false
}

// stepC1 handles a control character of 0x80 to 0x9f that takes size bytes.
func (s *sanitizer) stepC1(c rune, text string, size int) int {
	switch c {
	case 0x9b: // CSI
		n, _ := csiLen(text, size)
		return n
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f: // DCS, SOS, OSC, PM, APC
		return s.controlString(text, size)
	case 0x85:
		s.newline()
	default:
		s.show(c)
	}
	return size
}

func (s *sanitizer) stepEscape(text string) int {
	if s.how&Visible != 0 {
		s.show(esc)
		return 1
	}
	n, kind := escapeLen(text)
	switch {
	case kind == SGR && s.how&KeepSGR != 0:
		s.style = s.style.Apply(text[:n])
	case len(text) > 1 && strings.IndexByte("]PX^_", text[1]) >= 0:
		return s.controlString(text, 2)
	}
	return n
}

// controlString returns how much of a control string is dropped.
func (s *sanitizer) controlString(text string, from int) int {
	n, ok := stringLen(text, from)
	if !ok && s.how&Growing != 0 && strings.IndexFunc(text[from:], unicode.IsControl) < 0 {
		return len(text) // its end may still come
	}
	return n
}

// put appends text that prints.
func (s *sanitizer) put(text string) {
	if s.restart {
		s.startOver()
	}
	mark := len(s.b)
	if s.written != s.style {
		s.b = AppendTransition(s.b, s.written, s.style)
		s.written = s.style
		s.styled = true
	}
	if s.track {
		s.chars = append(s.chars, mark) // with its style
		for i := range text {
			if i > 0 {
				s.chars = append(s.chars, len(s.b)+i)
			}
		}
	}
	s.b = append(s.b, text...)
}

// show puts a picture of a control character, if such are wanted.
func (s *sanitizer) show(c rune) {
	switch {
	case s.how&Visible == 0:
	case c < 0x20:
		s.put(string(rune(0x2400) + c))
	case c == del:
		s.put("\u2421")
	default:
		s.put(fmt.Sprintf("⟨U+%04X⟩", c))
	}
}

func (s *sanitizer) newline() {
	s.restart = false
	s.marks = 0
	if s.how&OneLine != 0 {
		s.put(" ")
		return
	}
	// Every line is complete in itself: callers split at newlines.
	s.b = append(AppendTransition(s.b, s.written, Style{}), '\n')
	s.written = Style{}
	s.beginLine()
}

func (s *sanitizer) beginLine() {
	s.lineStart, s.colEnd, s.col = len(s.b), len(s.b), 0
	s.chars, s.styled = s.chars[:0], false
}

// startOver drops the current line: a carriage return was followed by text.
func (s *sanitizer) startOver() {
	s.restart = false
	s.b = s.b[:s.lineStart]
	s.written = Style{} // newline left the default style
	s.beginLine()
}

// backspace drops the last character of the current line.
func (s *sanitizer) backspace() {
	if len(s.chars) == 0 {
		return
	}
	last := s.chars[len(s.chars)-1]
	s.chars = s.chars[:len(s.chars)-1]
	if s.styled {
		// Styles set since then stay in force: they are written again.
		s.written = styleAfter(Style{}, string(s.b[s.lineStart:last]))
	}
	s.b = s.b[:last]
	if s.colEnd > last {
		s.col, s.colEnd = 0, s.lineStart
	}
}

func (s *sanitizer) tab() {
	if s.how&OneLine != 0 {
		s.put(" ")
		return
	}
	if s.restart {
		s.startOver()
	}
	s.col += Width(string(s.b[s.colEnd:]))
	s.colEnd = len(s.b)
	s.put(strings.Repeat(" ", TabWidth-s.col%TabWidth))
}

func (s *sanitizer) finish() string {
	return string(AppendTransition(s.b, s.written, Style{}))
}
