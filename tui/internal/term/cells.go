package term

import (
	"unicode"
	"unicode/utf8"

	"hermes/tui/internal/render"
)

// cell is one place of the screen. The second half of a wide character has
// width 0 and no text.
type cell struct {
	text  string
	width uint8
	style render.Style
}

var blank = cell{text: " ", width: 1}

// parser turns styled lines into cells.
type parser struct {
	profile Profile
	links   bool
}

// parse appends exactly w cells of line to row. A wide character that would
// straddle the edge becomes a blank; what does not print is left out.
func (p *parser) parse(row []cell, line string, w int) []cell {
	var raw, style render.Style
	start := len(row)
	for len(line) > 0 && len(row)-start < w {
		var seg render.Segment
		seg, line = render.Next(line)
		switch seg.Kind {
		case render.SGR, render.Link:
			raw = raw.Apply(seg.Text)
			style = p.style(raw)
		case render.Control:
			if seg.Text == "\t" {
				row = append(row, blankIn(style))
			}
		case render.Cluster:
			row = appendCluster(row, seg, style, w-(len(row)-start))
		}
	}
	for len(row)-start < w {
		row = append(row, blank)
	}
	return row
}

// appendCluster appends the cells of one cluster; room is what is left of the
// row, at least 1.
func appendCluster(row []cell, seg render.Segment, style render.Style, room int) []cell {
	switch {
	case seg.Width == 0:
		return row
	case seg.Text == " " || seg.Width > room:
		return append(row, blankIn(style))
	case seg.Width == 1:
		return append(row, cell{seg.Text, 1, style})
	}
	return append(row, cell{seg.Text, 2, style}, cell{"", 0, style})
}

// blankIn is a blank in the part of style that shows on one.
func blankIn(s render.Style) cell {
	s.Attr &= render.Reverse | render.Strike | render.Overline
	if s.Attr == 0 && s.Line == 0 {
		s.FG = render.Default
	}
	if s.Line == 0 {
		s.UL = render.Default
	}
	return cell{" ", 1, s}
}

// style is what the terminal is asked for when a line asks for s.
func (p *parser) style(s render.Style) render.Style {
	if s.Link != "" && (!p.links || !cleanLink(s.Link)) {
		s.Link = ""
	}
	return p.profile.reduce(s)
}

// maxLink is the longest hyperlink target that terminals take (VTE's limit).
const maxLink = 2083

// cleanLink reports whether a target may stand in an OSC 8 sequence.
func cleanLink(link string) bool {
	for i := 0; i < len(link); i++ {
		if link[i] <= 0x20 || link[i] >= 0x7f {
			return false
		}
	}
	return len(link) <= maxLink
}

// disputed reports whether terminals that do not cluster graphemes draw text
// in another number of cells than ours: emoji sequences, flags, variation
// selectors, conjuncts. A letter with combining marks is the same everywhere.
func disputed(text string) bool {
	_, n := utf8.DecodeRuneInString(text)
	for _, r := range text[n:] {
		if r == 0xfe0f || r == 0xfe0e || !unicode.In(r, unicode.Mn, unicode.Me) {
			return true
		}
	}
	return false
}
