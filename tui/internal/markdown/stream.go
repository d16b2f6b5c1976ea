package markdown

import "strings"

// Stream is one answer that grows.
type Stream struct {
	text strings.Builder
	scan scanner
	done bool

	look   int // revision that the cache was rendered in
	width  int
	margin int
	rows   []string // of the finished blocks, with the blank rows between
	blocks int      // how many blocks are in rows
	tail   tail
}

// tail caches the rows of the open block, so that a frame in which no text
// came costs nothing.
type tail struct {
	text string
	rows []string
	from int  // where the block begins
	done bool // the rows are those of the finished text

	// A long fence that is still open is rendered in groups of lines, since
	// only its end changes: groups are the rows of those before upTo, an
	// offset in the block, and of the fence that opens at fenceAt. Highlighting begins afresh in each group; once the
	// fence closes the block is rendered as one.
	groups  []string
	upTo    int
	fenceAt int
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

// Rows renders what came so far to rows of at most width cells, with margin
// blanks before each. The slice is valid until the next call.
func (s *Stream) Rows(r *Renderer, width, margin int) []string {
	if s.look != r.look.Rev || s.width != width || s.margin != margin {
		s.look, s.width, s.margin, s.rows, s.blocks, s.tail = r.look.Rev, width, margin, nil, 0, tail{}
	}
	pad := strings.Repeat(" ", margin)
	text := s.text.String()
	for s.blocks < len(s.scan.ends) {
		s.rows = join(s.rows, padded(r.finished(r.Block, s.block(text, s.blocks), width), pad))
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
	if s.tail.from != from || s.tail.done != s.done {
		s.tail = tail{from: from, done: s.done} // nothing of another block holds here
	}
	if s.tail.text != open && (s.done || worth(s.tail.text, open)) {
		// Cut as if it ended here, so that it looks like a text that does.
		s.tail.text, s.tail.rows = open, padded(s.openRows(r, open, from, width), pad)
	}
	return join(s.rows[:len(s.rows):len(s.rows)], s.tail.rows)
}

// groupLines is how many lines of an open fence are rendered as one.
const groupLines = 40

// openRows renders the open block, which begins at from.
func (s *Stream) openRows(r *Renderer, open string, from, width int) []string {
	if s.done {
		return r.finished(r.text, open, width)
	}
	at := s.scan.fenceAt - from
	if s.scan.fence == "" || s.scan.fence == "$$" || at < 0 || strings.HasPrefix(open[at:], " ") {
		s.tail.groups, s.tail.upTo = nil, 0
		return r.text(open, width)
	}
	lineEnd := at + strings.IndexByte(open[at:], '\n') + 1
	if lineEnd == at { // the line that opens the fence is not whole yet
		return r.text(open, width)
	}
	marker := open[at:lineEnd]
	if s.tail.upTo == 0 || s.tail.fenceAt != s.scan.fenceAt {
		// What stands before the fence in this block, and its first group.
		end := groupEnd(open, lineEnd)
		if end < 0 {
			return r.text(open, width)
		}
		s.tail.groups, s.tail.upTo, s.tail.fenceAt = r.text(open[:end], width), end, s.scan.fenceAt
	}
	for end := groupEnd(open, s.tail.upTo); end >= 0; end = groupEnd(open, s.tail.upTo) {
		s.tail.groups = append(s.tail.groups, r.text(marker+open[s.tail.upTo:end], width)...)
		s.tail.upTo = end
	}
	rest := r.text(marker+open[s.tail.upTo:], width)
	return append(s.tail.groups[:len(s.tail.groups):len(s.tail.groups)], rest...)
}

// groupEnd returns the end of the group of lines that begins at from, -1 when
// it is not whole. A group does not end before a blank line: blank rows at the
// end of a block are not drawn.
func groupEnd(text string, from int) int {
	end := from
	for n := 0; ; n++ {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return -1
		}
		if n >= groupLines && strings.TrimSpace(text[end:end+i]) != "" {
			return end
		}
		end += i + 1
	}
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

// padded returns rows with pad before those that are not empty.
func padded(rows []string, pad string) []string {
	if pad == "" {
		return rows
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		if row != "" {
			out[i] = pad + row
		}
	}
	return out
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
