package render

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// Wrap breaks s into lines of at most width cells, where Unicode's line
// breaking rules (UAX #14) allow it: at blanks and hyphens, between Chinese
// characters but not before closing or after opening punctuation. A word that
// is wider than a line is broken between clusters. Blanks at a soft break are
// dropped, blanks at the start of a line are kept.
//
// Each line is complete in itself: the style that is in force where it begins
// is set again, and it ends in the default style. A cluster of two cells does
// not appear at width 1; it is replaced by a blank.
func Wrap(s string, width int) []string {
	return wrap(s, width, breakOffsets)
}

// WrapHang is Wrap for text that is laid out in lines: where a line goes on, it
// stands below its own beginning. A line whose indent takes more than half of
// the width goes on at the left.
func WrapHang(s string, width int) []string {
	width = max(width, 1)
	var (
		out   []string
		style Style
		cells []cell
	)
	for line := range strings.SplitSeq(s, "\n") {
		cells, style = appendCells(cells[:0], line, style, width)
		markBreaks(cells, breakOffsets)
		n := blanksBefore(cells)
		// One cell would be too few for a cluster of two.
		if n > width/2 || width-n < 2 || cellsWidth(cells) <= width {
			n = 0
		}
		from := len(out)
		out = appendLines(out, cells[n:], width-n)
		for i := from; n > 0 && i < len(out); i++ {
			out[i] = strings.Repeat(" ", n) + out[i]
		}
	}
	return out
}

// blanksBefore counts the blanks that a line begins with.
func blanksBefore(cells []cell) int {
	n := 0
	for n < len(cells) && cells[n].text == " " {
		n++
	}
	return n
}

// WrapHard breaks s after exactly width cells wherever that falls, and keeps
// every blank: for code and raw output.
func WrapHard(s string, width int) []string {
	return wrap(s, width, nil)
}

// cell is a cluster with its style.
type cell struct {
	text  string
	width int
	style Style
	// brk tells that a line may end after this cluster.
	brk bool
}

func wrap(s string, width int, breaks func(string) []int) []string {
	width = max(width, 1)
	var (
		out   []string
		style Style
		cells []cell
	)
	for line := range strings.SplitSeq(s, "\n") {
		if style == (Style{}) && Width(line) <= width && strings.IndexByte(line, esc) < 0 {
			out = append(out, dropControls(line))
			continue
		}
		cells, style = appendCells(cells[:0], line, style, width)
		if breaks == nil {
			out = appendChunks(out, cells, width)
			continue
		}
		markBreaks(cells, breaks)
		out = appendLines(out, cells, width)
	}
	return out
}

// appendCells splits line into clusters with their styles. Clusters that do
// not fit into a row at all become blanks.
func appendCells(cells []cell, line string, style Style, width int) ([]cell, Style) {
	cells = slices.Grow(cells, len(line))
	for len(line) > 0 {
		var seg Segment
		seg, line = Next(line)
		switch seg.Kind {
		case SGR, Link:
			style = style.Apply(seg.Text)
		case Cluster:
			if seg.Width > width {
				seg.Text, seg.Width = " ", 1
			}
			cells = append(cells, cell{text: seg.Text, width: seg.Width, style: style})
		case Control:
		}
	}
	return cells, style
}

// dropControls removes control characters other than those of styles.
func dropControls(s string) string {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] != del && s[i] != 0xc2 {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		var seg Segment
		seg, s = Next(s)
		if seg.Kind != Control {
			b.WriteString(seg.Text)
		}
	}
	return b.String()
}

// markBreaks sets brk on the clusters after which a line may end.
func markBreaks(cells []cell, breaks func(string) []int) {
	var b strings.Builder
	for i := range cells {
		b.WriteString(cells[i].text)
	}
	offsets := breaks(b.String())
	pos := 0
	for i := range cells {
		pos += len(cells[i].text)
		for len(offsets) > 0 && offsets[0] < pos {
			offsets = offsets[1:]
		}
		cells[i].brk = len(offsets) > 0 && offsets[0] == pos
	}
}

// breakOffsets returns the byte offsets in plain text at which a line may end.
func breakOffsets(text string) []int {
	var out []int
	pos, state := 0, -1
	for len(text) > 0 {
		var segment string
		segment, text, _, state = uniseg.FirstLineSegmentInString(text, state)
		pos += len(segment)
		out = append(out, pos)
	}
	return out
}

// appendLines fills lines of at most width cells. Cells are taken by segments,
// each up to the next place where a line may end.
func appendLines(out []string, cells []cell, width int) []string {
	start, x, blank := 0, 0, true // the open line begins at start and is x wide
	for i := 0; i < len(cells); {
		end := i
		for end < len(cells)-1 && !cells[end].brk {
			end++
		}
		end++
		word := trimBlanks(cells[i:end])
		if x+cellsWidth(word) > width && !blank {
			out = append(out, encode(trimBlanks(cells[start:i])))
			start, x, blank = i, 0, true
		}
		// What is still too wide is broken between clusters.
		for j := range word {
			if x+word[j].width > width {
				out = append(out, encode(trimTo(cells[start:i+j], width)))
				start, x = i+j, 0
			}
			x += word[j].width
		}
		blank = blank && len(word) == 0
		x += cellsWidth(cells[i+len(word) : end])
		i = end
	}
	return append(out, encode(trimTo(cells[start:], width)))
}

// appendChunks cuts cells into lines that are as full as they can be.
func appendChunks(out []string, cells []cell, width int) []string {
	start, x := 0, 0
	for i := range cells {
		if x+cells[i].width > width {
			out = append(out, encode(cells[start:i]))
			start, x = i, 0
		}
		x += cells[i].width
	}
	return append(out, encode(cells[start:]))
}

// trimBlanks returns cells without the blanks at the end.
func trimBlanks(cells []cell) []cell {
	for len(cells) > 0 && cells[len(cells)-1].text == " " {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// trimTo drops blanks at the end until cells fit.
func trimTo(cells []cell, width int) []cell {
	for w := cellsWidth(cells); w > width && len(cells) > 0 && cells[len(cells)-1].text == " "; {
		w--
		cells = cells[:len(cells)-1]
	}
	return cells
}

func cellsWidth(cells []cell) int {
	w := 0
	for i := range cells {
		w += cells[i].width
	}
	return w
}

// encode returns cells as a styled string that ends in the default style.
func encode(cells []cell) string {
	var (
		b     []byte
		style Style
	)
	for i := range cells {
		b = AppendTransition(b, style, cells[i].style)
		style = cells[i].style
		b = append(b, cells[i].text...)
	}
	return string(AppendTransition(b, style, Style{}))
}
