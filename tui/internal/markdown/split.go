package markdown

import "strings"

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
	ends    []int  // ends of the finished blocks
}

// scan reads the complete lines of text from where it stopped; with last set
// the unfinished line counts as complete, too.
func (s *scanner) scan(text string, last bool) {
	for s.pos < len(text) {
		end := strings.IndexByte(text[s.pos:], '\n')
		if end < 0 {
			if !last {
				return
			}
			end = len(text) - s.pos
		} else {
			end++
		}
		s.line(text[s.pos:s.pos+end], s.pos)
		s.pos += end
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
	if s.blank && !s.continues(body, trimmed) {
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
