package markdown

import "strings"

// Stream is one answer that grows.
type Stream struct {
	text strings.Builder
	scan scanner
	done bool

	look   int // revision that the cache was rendered in
	width  int
	rows   []string // of the finished blocks, with the blank rows between
	blocks int      // how many blocks are in rows
	tail   tail
}

// tail caches the rows of the open block, so that a frame in which no text
// came costs nothing.
type tail struct {
	text string
	rows []string
}

// Append adds text.
func (s *Stream) Append(text string) {
	s.text.WriteString(text)
	s.scan.scan(s.text.String(), false)
}

// Set replaces the whole text, as when a plugin transformed it.
func (s *Stream) Set(text string) {
	*s = Stream{}
	s.Append(text)
}

// Finish says that no text follows.
func (s *Stream) Finish() {
	s.done = true
	s.scan.scan(s.text.String(), true)
}

// Text is what came so far.
func (s *Stream) Text() string { return s.text.String() }

// Rows renders what came so far to rows of at most width cells. The slice is
// valid until the next call.
func (s *Stream) Rows(r *Renderer, width int) []string {
	if s.look != r.look.Rev || s.width != width {
		s.look, s.width, s.rows, s.blocks, s.tail = r.look.Rev, width, nil, 0, tail{}
	}
	text := s.text.String()
	for s.blocks < len(s.scan.ends) {
		s.rows = join(s.rows, r.Block(s.block(text, s.blocks), width))
		s.blocks++
	}
	from := 0
	if n := len(s.scan.ends); n > 0 {
		from = s.scan.ends[n-1]
	}
	open := text[from:]
	if open == "" {
		return s.rows
	}
	if s.tail.text != open && (s.done || worth(s.tail.text, open)) {
		// Cut as if it ended here, so that it looks like a text that does.
		s.tail = tail{open, r.text(open, width)}
	}
	return join(s.rows[:len(s.rows):len(s.rows)], s.tail.rows)
}

// worth limits how often a block without a safe boundary is rendered again:
// beyond lazyFrom bytes only when it grew by a part of its length, so that the
// cost of a long one stays in proportion to it.
func worth(was, is string) bool {
	const lazyFrom, part = 16 << 10, 32
	return len(is) < lazyFrom || len(is)-len(was) >= len(is)/part || !strings.HasPrefix(is, was)
}

func (s *Stream) block(text string, i int) string {
	from := 0
	if i > 0 {
		from = s.scan.ends[i-1]
	}
	return text[from:s.scan.ends[i]]
}

// join puts a blank row between two blocks.
func join(rows, block []string) []string {
	if len(block) == 0 {
		return rows
	}
	if len(rows) > 0 {
		rows = append(rows, "")
	}
	return append(rows, block...)
}
