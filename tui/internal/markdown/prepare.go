package markdown

import (
	"strings"

	"github.com/alecthomas/chroma/v2/lexers"
)

// prepare makes one block fit for glamour: languages that are not known become
// plain text, raw HTML becomes text, and what is not closed yet is closed.
func prepare(block string) string {
	var b strings.Builder
	fence, indentedCode := "", kindOf(strings.TrimLeft(block, " \t\n")) != kindList
	ticks := 0
	for line := range strings.SplitAfterSeq(block, "\n") {
		trimmed := strings.TrimSpace(line)
		switch f := fenceOf(trimmed); {
		case fence != "":
			if closes(trimmed, fence) {
				fence = ""
			}
			b.WriteString(line)
		case f != "" && f != "$$":
			fence = f
			b.WriteString(fenceLine(line, f))
		case indentedCode && strings.HasPrefix(line, "    "):
			b.WriteString(line)
		case f == "$$" || trimmed == "":
			ticks = 0
			b.WriteString(line)
		default:
			ticks = escapeHTML(&b, line, ticks)
		}
	}
	if fence != "" {
		if s := b.String(); !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(fence)
	}
	return b.String()
}

// fenceLine keeps the info string of a fence only if its language is known.
func fenceLine(line, fence string) string {
	at := strings.Index(line, fence) + len(fence)
	lang, _, _ := strings.Cut(strings.TrimSpace(line[at:]), " ")
	if lang != "" && lexers.Get(lang) != nil {
		return line[:at] + lang + "\n"
	}
	return line[:at] + "text\n"
}

// escapeHTML writes a line with a backslash before what would be raw HTML.
// ticks is the length of the code span that is open, 0 for none; the new one
// is returned.
func escapeHTML(b *strings.Builder, line string, ticks int) int {
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == '\\' && ticks == 0 && i+1 < len(line) && line[i+1] != '\n':
			b.WriteByte(c)
			i++
			c = line[i]
		case c == '`':
			n := i
			for n < len(line) && line[n] == '`' {
				n++
			}
			b.WriteString(line[i:n])
			switch {
			case ticks == 0:
				ticks = n - i
			case ticks == n-i:
				ticks = 0
			}
			i = n - 1
			continue
		case c == '<' && ticks == 0 && opensHTML(line[i+1:]):
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return ticks
}

// opensHTML tells whether what follows a < is a tag rather than a link in
// angle brackets or a comparison.
func opensHTML(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0]
	if c == '/' || c == '!' || c == '?' {
		return true
	}
	if c|0x20 < 'a' || c|0x20 > 'z' {
		return false
	}
	end := strings.IndexAny(rest, "> \t\n")
	if end < 0 || rest[end] != '>' {
		return true
	}
	return !strings.ContainsAny(rest[:end], ":@")
}
