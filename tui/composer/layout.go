package composer

import "strings"

// layout is the buffer wrapped to a width.
type layout struct {
	width int
	rows  []span // at least one
}

// span is a row: the atoms [from, to), without the line end.
type span struct{ from, to int }

// wrap breaks the buffer into rows. It breaks anywhere: the caret must not
// jump while a word grows. A row keeps one cell for the caret after its end.
func (b *buffer) wrap(width int) layout {
	width = max(width, 2)
	l := layout{width: width}
	from, x := 0, 0
	for i, a := range b.atoms {
		if a.text == "\n" && a.chip == "" {
			l.rows = append(l.rows, span{from, i})
			from, x = i+1, 0
			continue
		}
		w := min(a.width, width)
		if x+w > width {
			l.rows = append(l.rows, span{from, i})
			from, x = i, 0
		}
		x += w
	}
	l.rows = append(l.rows, span{from, len(b.atoms)})
	if x >= width { // the caret needs a cell of its own
		l.rows = append(l.rows, span{len(b.atoms), len(b.atoms)})
	}
	return l
}

// at returns the row and column of the caret.
func (l *layout) at(b *buffer) (row, col int) {
	for row = len(l.rows) - 1; row > 0 && l.rows[row].from > b.caret; row-- {
	}
	for i := l.rows[row].from; i < b.caret && i < l.rows[row].to; i++ {
		col += min(b.atoms[i].width, l.width)
	}
	return row, col
}

// seek returns the caret for a row and a wanted column.
func (l *layout) seek(b *buffer, row, col int) int {
	s := l.rows[row]
	x := 0
	for i := s.from; i < s.to; i++ {
		w := min(b.atoms[i].width, l.width)
		if x+(w+1)/2 > col {
			return i
		}
		x += w
	}
	// The end of a row that goes on in the next one is the start of that one.
	if row+1 < len(l.rows) && l.rows[row+1].from == s.to && s.to > s.from {
		return s.to - 1
	}
	return s.to
}

// row returns the text of a row as it is shown.
func (l *layout) row(b *buffer, row int, chip func(string) string) string {
	var s strings.Builder
	for i := l.rows[row].from; i < l.rows[row].to; i++ {
		if a := b.atoms[i]; a.chip != "" {
			s.WriteString(chip(a.chip))
		} else {
			s.WriteString(a.text)
		}
	}
	return s.String()
}
