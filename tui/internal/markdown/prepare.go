package markdown

import (
	"strings"

	"github.com/alecthomas/chroma/v2/lexers"
)

// prepare makes one block fit for glamour: languages that are not known become
// plain text, raw HTML becomes text, and what is not closed yet is closed.
func (r *Renderer) prepare(block string) string {
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
			b.WriteString(r.fenceLine(line, f))
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
func (r *Renderer) fenceLine(line, fence string) string {
	at := strings.Index(line, fence) + len(fence)
	lang, _, _ := strings.Cut(strings.TrimSpace(line[at:]), " ")
	if r.knows(lang) {
		return line[:at] + lang + "\n"
	}
	return line[:at] + "text\n"
}

// knows tells whether there is highlighting for a language. The answer is
// kept: looking for one that does not exist takes milliseconds.
func (r *Renderer) knows(lang string) bool {
	if lang == "" {
		return false
	}
	known, ok := r.langs[lang]
	if !ok {
		const enough = 64 // an answer with more languages than that is garbage
		if r.langs == nil || len(r.langs) > enough {
			r.langs = map[string]bool{}
		}
		known = lexers.Get(lang) != nil
		r.langs[lang] = known
	}
	return known
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
