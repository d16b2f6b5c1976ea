package files

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// window numbers the lines of text from offset on, at most limit of them and
// at most maxChars characters.
func window(text string, offset, limit, maxChars int) readResult {
	if text == "" {
		return readResult{Content: "1|"}
	}
	lines := strings.Split(text, "\n")
	total := len(lines)
	if lines[total-1] == "" {
		total-- // the last line ends with a newline
	}
	res := readResult{TotalLines: total}
	if offset > total {
		res.Hint = fmt.Sprintf("offset %d is past the end: the file has %d lines", offset, total)
		return res
	}
	last := min(offset-1+limit, total)
	var b strings.Builder
	chars := 0
	for i := offset - 1; i < last; i++ {
		line := fmt.Sprintf("%d|%s", i+1, cutLine(lines[i]))
		n := utf8.RuneCountInString(line) + 1
		if chars+n > maxChars && i > offset-1 {
			last = i
			res.NextOffset = last + 1
			break
		}
		if i > offset-1 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		chars += n
	}
	if last < len(lines) {
		// The reference numbers what follows the last line's end, too.
		fmt.Fprintf(&b, "\n%d|", last+1)
	}
	res.Content = b.String()
	if last < total {
		res.Truncated = true
		res.Hint = fmt.Sprintf("Use offset=%d to continue reading (showing %d-%d of %d lines)", last+1, offset, last, total)
	}
	return res
}

func cutLine(s string) string {
	s = strings.TrimSuffix(s, "\r")
	if len(s) <= maxLineChars || utf8.RuneCountInString(s) <= maxLineChars {
		return s
	}
	return string([]rune(s)[:maxLineChars]) + lineCutMarker
}
