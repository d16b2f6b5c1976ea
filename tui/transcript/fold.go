package transcript

import (
	"strings"

	"hermes/agent/locale"
	"hermes/tui/internal/look"
)

// wrapper breaks a text into rows of at most width cells.
type wrapper func(text string, width int) []string

// wholeLines counts the lines of a text that the first rows of it show in
// full: what is folded away is told in lines of the text, since the rows depend
// on the width of the screen.
func wholeLines(lines []string, wrap wrapper, width, rows int) int {
	for i, line := range lines {
		rows -= max(len(wrap(line, width)), 1)
		if rows < 0 {
			return i
		}
	}
	return len(lines)
}

// wholeLastLines is wholeLines for the last rows.
func wholeLastLines(lines []string, wrap wrapper, width, rows int) int {
	for i := range lines {
		rows -= max(len(wrap(lines[len(lines)-1-i], width)), 1)
		if rows < 0 {
			return i
		}
	}
	return len(lines)
}

// more says how many lines are not shown.
func more(c *canvas, n int) string {
	return c.Glyph.More + " " + c.N(n, locale.UIMoreLine1, locale.UIMoreLines)
}

// cutAt shortens the beginning of a longer text to its last whole line, or to
// its last whole word where a line is very long.
func cutAt(text string) string {
	const most = 2 // at most one half goes
	for _, sep := range []string{"\n", " "} {
		if i := strings.LastIndex(text, sep); i >= len(text)/most {
			return text[:i]
		}
	}
	return text
}

// cutNote says that a result was longer than what an event carries.
func cutNote(c *canvas, shown, size int) string {
	return c.Glyph.More + " " + c.T(locale.UIShownOf, look.Bytes(shown), look.Bytes(size))
}
