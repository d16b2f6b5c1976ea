package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of cells that s covers in one row. Styles, links
// and control characters count nothing; a newline does not start a new row
// (see MaxWidth).
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= del {
			// Step back one byte: what follows may extend the last letter.
			if i > 0 {
				i--
				n--
			}
			return n + slowWidth(s[i:])
		}
		n++
	}
	return n
}

func slowWidth(s string) int {
	n := 0
	for len(s) > 0 {
		var seg Segment
		seg, s = Next(s)
		n += seg.Width
	}
	return n
}

// ClusterWidth returns the width of one grapheme cluster without any sequence.
func ClusterWidth(cluster string) int {
	return min(ansi.GraphemeWidth.StringWidth(cluster), 2)
}

// MaxWidth returns the width of the widest line of s.
func MaxWidth(s string) int {
	w := 0
	for line := range strings.SplitSeq(s, "\n") {
		w = max(w, Width(line))
	}
	return w
}
