package markdown

import (
	"strings"
	"unicode/utf8"
)

// blockKind is what a block begins as; it decides what may continue it over a
// blank line.
type blockKind uint8

const (
	kindText blockKind = iota
	kindList
	kindQuote
	kindCode // fenced
	kindMath
	kindTable
)

// scanner cuts a text into blocks, line by line. It keeps its place, so that
// text that is appended later costs nothing for what was there before.
type scanner struct {
	pos     int // start of the first line that was not scanned
	start   int // start of the open block
	kind    blockKind
	inBlock bool
	blank   bool   // a blank line came, the next one decides
	fence   string // marker of the open fence
	fenceAt int    // start of the line that opened it
	lines   int    // of the open block
	midLine bool   // what was scanned last was not the end of its line
	ends    []int  // ends of the finished blocks
}

// maxBlock is how long a block of prose may grow, in bytes, before the next
// line begins another: an open block is rendered again while it grows, and one
// that never ends would hold up the keyboard. No paragraph is that long.
const (
	maxBlock = 32 << 10
	maxLine  = maxBlock / 8 // longer lines are looked at in pieces
)

// scan reads the complete lines of text from where it stopped; with last set
// the unfinished line counts as complete, too.
func (s *scanner) scan(text string, last bool) {
	for s.pos < len(text) {
		end := strings.IndexByte(text[s.pos:], '\n') + 1
		switch rest := len(text) - s.pos; {
		case (end == 0 || end > maxLine) && rest > maxLine:
			end = cut(text[s.pos : s.pos+maxLine])
		case end == 0 && !last:
			return
		case end == 0:
			end = rest
		}
		if s.midLine {
			s.more(s.pos)
		} else {
			s.line(text[s.pos:s.pos+end], s.pos)
		}
		s.midLine = text[s.pos+end-1] != '\n'
		s.pos += end
	}
}

// cut returns where a line without an end is divided: behind its last blank,
// else between two characters.
func cut(line string) int {
	if i := strings.LastIndexByte(line, ' '); i >= 0 {
		return i + 1
	}
	end := len(line)
	for end > 1 && len(line)-end < utf8.UTFMax && !utf8.RuneStart(line[end-1]) {
		end--
	}
	return max(end-1, 1) // before the character that may be incomplete
}

// full tells whether the open block may not grow beyond at. A table would lose
// its head, code its fence.
func (s *scanner) full(at int) bool {
	return s.inBlock && s.fence == "" && s.kind != kindTable && at-s.start >= maxBlock
}

// more goes on with a line whose beginning was scanned: whatever it looks like,
// it begins nothing but the next piece of a block that is full.
func (s *scanner) more(at int) {
	if s.full(at) {
		s.ends = append(s.ends, at)
		s.start, s.kind, s.lines = at, kindText, 1
	}
}

func (s *scanner) line(line string, at int) {
	body := strings.TrimRight(line, " \t\r\n")
	trimmed := strings.TrimLeft(body, " \t")
	if s.fence != "" {
		s.lines++
		if closes(trimmed, s.fence) {
			s.fence = ""
		}
		return
	}
	if trimmed == "" {
		s.blank = s.inBlock
		return
	}
	if s.blank && !s.continues(body, trimmed) || s.full(at) {
		s.ends = append(s.ends, at)
		s.inBlock = false
	}
	s.blank = false
	if !s.inBlock {
		s.start, s.inBlock, s.kind, s.lines = at, true, kindOf(trimmed), 0
	}
	if s.kind == kindText && startsItem(body, trimmed, false) {
		s.kind = kindList // a blank line after it does not end it at once
	}
	s.lines++
	if f := fenceOf(trimmed); f != "" && !(f == "$$" && strings.Count(trimmed, "$$") > 1) {
		s.fence, s.fenceAt = f, at
	}
}

// continues tells whether a line after a blank one still belongs to the open
// block.
func (s *scanner) continues(body, trimmed string) bool {
	if s.kind != kindList {
		return false
	}
	return len(body) > len(trimmed)+1 || strings.HasPrefix(body, "\t") || isItem(trimmed)
}

func kindOf(trimmed string) blockKind {
	switch f := fenceOf(trimmed); {
	case f == "$$":
		return kindMath
	case f != "":
		return kindCode
	case isItem(trimmed):
		return kindList
	case strings.HasPrefix(trimmed, ">"):
		return kindQuote
	case strings.HasPrefix(trimmed, "|"):
		return kindTable
	}
	return kindText
}

// fenceOf returns the marker that a line opens, empty for none.
func fenceOf(trimmed string) string {
	for _, c := range []byte{'`', '~'} {
		n := 0
		for n < len(trimmed) && trimmed[n] == c {
			n++
		}
		if n >= 3 && !(c == '`' && strings.IndexByte(trimmed[n:], '`') >= 0) {
			return trimmed[:n]
		}
	}
	if strings.HasPrefix(trimmed, "$$") {
		return "$$"
	}
	return ""
}

// closes tells whether a line ends the fence that marker opened.
func closes(trimmed, marker string) bool {
	if marker == "$$" {
		return strings.HasSuffix(trimmed, "$$")
	}
	n := 0
	for n < len(trimmed) && trimmed[n] == marker[0] {
		n++
	}
	return n >= len(marker) && strings.TrimSpace(trimmed[n:]) == ""
}

// isItem tells whether a line begins a list item.
func isItem(trimmed string) bool {
	if trimmed == "" {
		return false
	}
	switch trimmed[0] {
	case '-', '*', '+':
		return len(trimmed) == 1 || trimmed[1] == ' ' || trimmed[1] == '\t'
	}
	n := 0
	for n < len(trimmed) && n < 9 && trimmed[n] >= '0' && trimmed[n] <= '9' {
		n++
	}
	if n == 0 || n == len(trimmed) || trimmed[n] != '.' && trimmed[n] != ')' {
		return false
	}
	return n+1 == len(trimmed) || trimmed[n+1] == ' '
}

// Split cuts a finished text into its blocks. Joined they are the text.
func Split(text string) []string {
	var s scanner
	s.scan(text, true)
	var out []string
	from := 0
	for _, end := range append(s.ends, len(text)) {
		if end > from {
			out = append(out, text[from:end])
			from = end
		}
	}
	return out
}
