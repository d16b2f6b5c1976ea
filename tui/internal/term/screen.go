package term

import (
	"strconv"
	"unicode/utf8"

	"hermes/tui/internal/render"
)

// screen knows what the terminal shows and writes the difference to a new
// frame. It is pure: bytes are appended to a buffer, nothing is written.
type screen struct {
	parser
	// sync brackets frames (mode 2026); clusters tells that the terminal
	// measures grapheme clusters as we do (mode 2027).
	sync, clusters bool
	// full asks for the next frame to be drawn from an empty screen.
	full bool

	w, h  int
	lines []string // the frame that is shown
	rows  [][]cell // and its cells
	spare []cell

	x, y    int // where the terminal's cursor is; x is -1 when unknown
	visible bool
	style   render.Style
	title   string

	body  []byte
	moved int // rows that the frame changed
}

func newScreen(p Profile, links bool) *screen {
	return &screen{parser: parser{profile: p, links: links}, full: true, x: -1}
}

// draw appends what turns the screen into f at w by h cells. Nothing is
// appended when nothing changes.
func (s *screen) draw(b []byte, f *Frame, w, h int) []byte {
	s.body, s.moved = s.body[:0], 0
	if s.full || w != s.w || h != s.h {
		s.clear(w, h)
	}
	for y := range h {
		line := ""
		if y < len(f.Lines) {
			line = f.Lines[y]
		}
		if line == s.lines[y] {
			continue
		}
		s.lines[y] = line
		s.spare = s.parse(s.spare[:0], line, w)
		before := len(s.body)
		s.row(y, s.rows[y], s.spare)
		if len(s.body) > before {
			s.moved++
		}
		s.rows[y], s.spare = s.spare, s.rows[y]
	}
	s.setStyle(render.Style{})
	return s.finish(b, f)
}

// clear empties the screen, which is then w by h.
func (s *screen) clear(w, h int) {
	s.full = false
	s.w, s.h = w, h
	s.body = append(s.body, "\x1b[m\x1b[H\x1b[2J"...)
	s.style, s.x, s.y = render.Style{}, 0, 0
	s.moved = h
	s.lines = make([]string, h)
	s.rows = make([][]cell, h)
	cells := make([]cell, w*h)
	for i := range cells {
		cells[i] = blank
	}
	for y := range s.rows {
		s.rows[y] = cells[y*w : (y+1)*w : (y+1)*w]
	}
}

// row writes the cells of row y that differ.
func (s *screen) row(y int, old, now []cell) {
	end := len(now) // of what is not blank
	for end > 0 && now[end-1] == blank {
		end--
	}
	force := 0 // cells before this one may have been painted over
	for x := 0; x < len(now); x++ {
		if now[x].width == 0 || (x >= force && old[x] == now[x]) {
			continue
		}
		if x >= end && s.eraseRest(x, y, old) {
			return
		}
		s.move(x, y)
		s.setStyle(now[x].style)
		if !s.clusters && disputed(now[x].text) {
			force = s.putDisputed(x, now[x])
			continue
		}
		s.put(now[x])
	}
}

// eraseLimit is from how many cells on erasing is shorter than blanks.
const eraseLimit = 4

// eraseRest blanks the row from x on, if that is shorter than writing blanks.
func (s *screen) eraseRest(x, y int, old []cell) bool {
	last := len(old)
	for last > x && old[last-1] == blank {
		last--
	}
	if last-x < eraseLimit {
		return false
	}
	s.move(x, y)
	s.setStyle(render.Style{})
	s.body = append(s.body, "\x1b[K"...)
	return true
}

// put writes a cell at the cursor.
func (s *screen) put(c cell) {
	s.body = append(s.body, c.text...)
	s.x += int(c.width)
	if s.x >= s.w {
		s.x = -1 // terminals differ on where the cursor is now
	}
}

// putDisputed writes a cluster of which the terminal may think that it is
// narrower or wider than we do: its cells are blanked first, and the cells that
// it may cover beyond its own are written again. It returns where those end.
func (s *screen) putDisputed(x int, c cell) int {
	if c.width > 1 {
		s.body = append(s.body, "  "...)
		s.x = -1
		s.move(x, s.y)
	}
	s.body = append(s.body, c.text...)
	s.x = -1
	return x + 2*utf8.RuneCountInString(c.text)
}

// move brings the cursor to a cell.
func (s *screen) move(x, y int) {
	switch {
	case s.x == x && s.y == y:
		return
	case s.x >= 0 && s.y == y && x > s.x:
		s.body = appendCSI(s.body, x-s.x, 'C')
	case s.y == y && x == 0:
		s.body = append(s.body, '\r')
	case s.y == y:
		s.body = appendCSI(s.body, x+1, 'G')
	default:
		s.body = append(s.body, "\x1b["...)
		if x > 0 || y > 0 {
			s.body = strconv.AppendInt(s.body, int64(y+1), 10)
		}
		if x > 0 {
			s.body = append(s.body, ';')
			s.body = strconv.AppendInt(s.body, int64(x+1), 10)
		}
		s.body = append(s.body, 'H')
	}
	s.x, s.y = x, y
}

// appendCSI appends a sequence with one parameter, which 1 needs not.
func appendCSI(b []byte, n int, final byte) []byte {
	b = append(b, "\x1b["...)
	if n != 1 {
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return append(b, final)
}

func (s *screen) setStyle(to render.Style) {
	s.body = render.AppendTransition(s.body, s.style, to)
	s.style = to
}

// finish wraps the body into what goes before and after it: title, cursor and
// synchronized output.
func (s *screen) finish(b []byte, f *Frame) []byte {
	// A cursor that jumps over several rows would be seen doing so.
	hide := s.visible && (!f.Cursor.Visible || (!s.sync && s.moved > 1))
	if f.Cursor.Visible {
		s.move(min(max(f.Cursor.X, 0), s.w-1), min(max(f.Cursor.Y, 0), s.h-1))
	}
	title := f.Title != "" && f.Title != s.title
	show := f.Cursor.Visible && (!s.visible || hide)
	if len(s.body) == 0 && !hide && !show && !title {
		return b
	}
	if s.sync {
		b = append(b, "\x1b[?2026h"...)
	}
	if hide {
		b = append(b, "\x1b[?25l"...)
	}
	b = append(b, s.body...)
	if title {
		if s.title == "" {
			b = append(b, pushTitle...)
		}
		s.title = f.Title
		b = appendTitle(b, f.Title)
	}
	if show {
		b = append(b, "\x1b[?25h"...)
	}
	s.visible = f.Cursor.Visible
	if s.sync {
		b = append(b, "\x1b[?2026l"...)
	}
	return b
}
