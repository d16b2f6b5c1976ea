package render

import "strings"

// Ellipsis is the usual tail of a truncated text, one cell wide.
const Ellipsis = "…"

// Truncate shortens s to at most width cells. When something is cut, tail
// stands at the end, in the style of the text before it; a tail that is wider
// than width is itself cut. The result ends in the default style.
func Truncate(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	if Width(s) <= width {
		return closed(s)
	}
	tailWidth := Width(tail)
	if tailWidth > width {
		return Truncate(tail, width, "")
	}
	var b strings.Builder
	style := appendCut(&b, s, 0, prefixWidth(s, width-tailWidth))
	b.WriteString(tail)
	b.Write(AppendTransition(nil, style, Style{}))
	return b.String()
}

// prefixWidth returns the width of the longest prefix of whole clusters of s
// that is at most limit wide.
func prefixWidth(s string, limit int) int {
	x := 0
	for len(s) > 0 {
		var seg Segment
		if seg, s = Next(s); x+seg.Width > limit {
			break
		}
		x += seg.Width
	}
	return x
}

// Pad appends blanks until s covers width cells; a wider s is returned as it is.
func Pad(s string, width int) string {
	if n := width - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// PadLeft is Pad with the blanks before s.
func PadLeft(s string, width int) string {
	if n := width - Width(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

// Fit returns s in exactly width cells: truncated with an ellipsis or padded.
func Fit(s string, width int) string {
	return Pad(Truncate(s, width, Ellipsis), width)
}

// Cut returns the cells from (inclusive) to to (exclusive) of s, with the style
// that they have there. Half of a wide character becomes a blank, so the
// result is exactly to-from cells wide unless s ends before.
func Cut(s string, from, to int) string {
	if from >= to {
		return ""
	}
	var b strings.Builder
	style := appendCut(&b, s, from, to)
	b.Write(AppendTransition(nil, style, Style{}))
	return b.String()
}

// appendCut writes the cells from (inclusive) to to (exclusive) of s and
// returns the style in force at the end of what it wrote.
func appendCut(b *strings.Builder, s string, from, to int) (written Style) {
	var style Style
	x := 0
	put := func(text string) {
		if written != style {
			b.Write(AppendTransition(nil, written, style))
			written = style
		}
		b.WriteString(text)
	}
	for len(s) > 0 && x < to {
		var seg Segment
		seg, s = Next(s)
		switch seg.Kind {
		case SGR, Link:
			style = style.Apply(seg.Text)
		case Cluster:
			end := x + seg.Width
			switch {
			case end > to || (x < from && end > from):
				put(" ")
			case x >= from && (seg.Width > 0 || x > from):
				put(seg.Text)
			}
			x = end
		case Control:
		}
	}
	return written
}

// closed returns s with its style reset at the end when it has one there.
func closed(s string) string {
	if strings.IndexByte(s, esc) < 0 {
		return s
	}
	style := styleAfter(Style{}, s)
	if style == (Style{}) {
		return s
	}
	return s + string(AppendTransition(nil, style, Style{}))
}

// styleAfter returns the style in force after s, which begins in style.
func styleAfter(style Style, s string) Style {
	for {
		i := strings.IndexByte(s, esc)
		if i < 0 {
			return style
		}
		var seg Segment
		seg, s = Next(s[i:])
		if seg.Kind == SGR || seg.Kind == Link {
			style = style.Apply(seg.Text)
		}
	}
}
