package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"hermes/tui/internal/render"
)

// Source is the text of the item that has the focus, as it came: an answer's
// Markdown, a call's result, what the user wrote.
func (m *Model) Source() string {
	from, to := m.focus, m.focus
	if m.mark >= 0 {
		from, to = min(m.mark, m.focus), max(m.mark, m.focus)
	}
	var parts []string
	for i := max(from, 0); i <= to && i < len(m.entries); i++ {
		if s := strings.TrimRight(source(m.entries[i].item), "\n"); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n\n")
}

// Answer returns the nth answer from the end, 1 for the last; ok is false when
// there are not so many. What a model said between its calls is a part of the
// answer that follows.
func (m *Model) Answer(n int) (text string, ok bool) {
	for i := len(m.entries) - 1; i >= 0; i-- {
		if a, is := m.entries[i].item.(*answer); is && strings.TrimSpace(a.stream.Text()) != "" {
			if n--; n == 0 {
				return strings.TrimRight(a.stream.Text(), "\n"), true
			}
		}
	}
	return "", false
}

// source is the text of an item, empty for those that are only drawn.
func source(it item) string {
	switch it := it.(type) {
	case *user:
		return it.text
	case *answer:
		return it.stream.Text()
	case *reasoning:
		return it.text.String()
	case *output:
		return it.text
	case *card:
		return it.source()
	}
	return ""
}

// source is what a call gave: the change, the error, the result.
func (c *card) source() string {
	if c.done == nil {
		return c.text
	}
	switch {
	case c.done.Diff != "":
		return c.done.Diff
	case c.done.Err != "" && c.done.Preview != "":
		return c.done.Err + "\n" + c.done.Preview
	case c.done.Err != "":
		return c.done.Err
	}
	return c.done.Preview
}

// shownSource is everything of the source that rows of the item show, and how
// many rows stand before it.
func shownSource(it item) (text string, before int) {
	switch it := it.(type) {
	case *card:
		text := it.source()
		var pretty bytes.Buffer
		if it.open && json.Indent(&pretty, []byte(it.call.Args), "", "  ") == nil {
			text = pretty.String() + "\n" + text
		}
		return text, 1
	case *reasoning, *output:
		return source(it), 1
	}
	return source(it), 0
}

// sourceOf returns the text of the marked cells in rows first to last of entry
// i.
func (m *Model) sourceOf(i int, rows []string, first, last int) string {
	margin, _, _ := margins(m.view.width)
	text, before := shownSource(m.entries[i].item)
	if m.entries[i].gap {
		before++
	}
	if o, ok := m.entries[i].item.(*output); ok && o.pre {
		margin = 0
	}
	if _, ok := m.entries[i].item.(*user); !ok && text == "" {
		margin, before = 0, 0
	}
	var drawn []string
	for r := first; r <= last && r < before; r++ {
		drawn = append(drawn, m.cells(i, r, rows[r], 0))
	}
	if last < before {
		return trimmed(drawn)
	}
	at := max(first, before)
	var head, marked []string // of the source: before the marked cells, and they
	for r := before; r < at; r++ {
		head = append(head, ansi.Strip(render.Cut(rows[r], margin, m.view.width)))
	}
	if from, _, ok := m.sel.columns(i, at, m.view.width); ok && from > margin {
		head = append(head, ansi.Strip(render.Cut(rows[at], margin, from)))
	}
	for r := at; r <= last; r++ {
		marked = append(marked, m.cells(i, r, rows[r], margin))
	}
	if found, ok := align(text, head, marked); ok {
		return strings.Join(append(drawn, found), "\n")
	}
	return trimmed(append(drawn, marked...))
}

// cells is what is marked of a row, from a column on.
func (m *Model) cells(entry, row int, text string, margin int) string {
	from, to, ok := m.sel.columns(entry, row, m.view.width)
	if !ok {
		return ""
	}
	return strings.TrimRight(ansi.Strip(render.Cut(text, max(from, margin), to)), " ")
}

// trimmed joins rows without the blank ones at both ends and without the blanks
// that all of them begin with.
func trimmed(rows []string) string {
	for len(rows) > 0 && strings.TrimSpace(rows[0]) == "" {
		rows = rows[1:]
	}
	for len(rows) > 0 && strings.TrimSpace(rows[len(rows)-1]) == "" {
		rows = rows[:len(rows)-1]
	}
	least := -1
	for _, r := range rows[min(1, len(rows)):] {
		if n := len(r) - len(strings.TrimLeft(r, " ")); r != "" && (least < 0 || n < least) {
			least = n
		}
	}
	out := make([]string, len(rows))
	for i, r := range rows {
		n := min(max(least, 0), len(r)-len(strings.TrimLeft(r, " ")))
		out[i] = r[n:]
	}
	if len(out) > 0 {
		out[0] = strings.TrimLeft(out[0], " ")
	}
	return strings.Join(out, "\n")
}

// How far a word of the screen may stand in the source behind the one before
// it: the target of a link may lie between. Signs are often the screen's own.
const (
	wordReach = 600
	signReach = 12
)

// align finds what is marked on the screen in the source. Layout changes blanks
// and takes marks away, so words are followed through both; ok is false when
// one that is marked is not found.
func align(text string, head, marked []string) (found string, ok bool) {
	at := 0
	for _, row := range head {
		for _, w := range tokens(row) {
			if i := follow(text[at:], w); i >= 0 {
				at += i + len(w)
			}
		}
	}
	from, to := -1, at
	for _, row := range marked {
		for _, w := range tokens(row) {
			i := follow(text[to:], w)
			if i < 0 {
				if isWord(w) {
					return "", false
				}
				continue
			}
			if from < 0 {
				from = to + i
			}
			to += i + len(w)
		}
	}
	if from < 0 {
		return "", false
	}
	return text[from:to], true
}

func follow(text, w string) int {
	reach := signReach
	if isWord(w) {
		reach = wordReach
	}
	return strings.Index(text[:min(len(text), reach+len(w))], w)
}

func isWord(w string) bool {
	for _, r := range w {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return false
}

// tokens splits a row into words and single signs.
func tokens(row string) []string {
	var out []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, row[start:end])
			start = -1
		}
	}
	for i, r := range row {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			if start < 0 {
				start = i
			}
			continue
		}
		flush(i)
		if !unicode.IsSpace(r) {
			out = append(out, string(r))
		}
	}
	flush(len(row))
	return out
}
