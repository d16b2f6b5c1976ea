// Package slash is the menu of slash commands: it finds and ranks commands for
// what is typed, and draws the list with an explanation of the highlighted
// entry.
package slash

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"hermes/agent/event"
)

// tier is how well a command matches, best first.
type tier uint8

const (
	exactName tier = iota
	exactAlias
	prefix
	wordStart
	substring
	subsequence
	description
	none
)

// match is a command that fits what is typed.
type match struct {
	cmd   event.Command
	tier  tier
	score int   // of the fuzzy match, within subsequence
	at    []int // byte offsets in the name of the letters that matched
	alias string
	order int // in the catalogue
}

// rank returns the commands that fit query (without its slash), best first:
// exact name, exact alias, prefix, start of a word, substring, subsequence,
// description; ties by shorter name, then by the order of the catalogue.
func rank(cmds []event.Command, query string) []match {
	q := strings.ToLower(query)
	var out []match
	for i, c := range cmds {
		if m := fit(c, q); m.tier != none {
			m.order = i
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b match) int {
		return cmp.Or(
			cmp.Compare(a.tier, b.tier),
			cmp.Compare(b.score, a.score),
			cmp.Compare(len(a.cmd.Name), len(b.cmd.Name)),
			cmp.Compare(a.order, b.order),
		)
	})
	return out
}

// Complete returns the commands that fit query (without its slash) in the
// order of the menu.
func Complete(cmds []event.Command, query string) []event.Command {
	found := rank(cmds, query)
	out := make([]event.Command, len(found))
	for i, m := range found {
		out[i] = m.cmd
	}
	return out
}

func fit(c event.Command, q string) match {
	m := match{cmd: c, tier: none}
	if q == "" {
		m.tier = prefix
		return m
	}
	m.tier, m.at, m.score = fitName(c.Name, q)
	for _, alias := range c.Aliases {
		t, _, score := fitName(alias, q)
		if t == exactName {
			t = exactAlias
		}
		if t < m.tier {
			m.tier, m.score, m.at, m.alias = t, score, nil, alias
		}
	}
	if m.tier == none && utf8.RuneCountInString(q) > 1 && strings.Contains(strings.ToLower(c.Description), q) {
		m.tier = description
	}
	return m
}

// fitName matches one name; at are the offsets of the letters that matched.
func fitName(name, q string) (t tier, at []int, score int) {
	low := strings.ToLower(name)
	switch i := strings.Index(low, q); {
	case low == q:
		return exactName, run(0, q), 0
	case i == 0:
		return prefix, run(0, q), 0
	case i > 0:
		if w := wordIndex(low, q); w >= 0 {
			return wordStart, run(w, q), 0
		}
		return substring, run(i, q), 0
	}
	found := fuzzy.Find(q, []string{low})
	if len(found) == 0 {
		return none, nil, 0
	}
	return subsequence, found[0].MatchedIndexes, found[0].Score
}

// wordIndex returns where q begins a word of name, -1 when nowhere.
func wordIndex(name, q string) int {
	for i := 1; i+len(q) <= len(name); i++ {
		before := rune(name[i-1])
		if !unicode.IsLetter(before) && !unicode.IsDigit(before) && before < utf8.RuneSelf && strings.HasPrefix(name[i:], q) {
			return i
		}
	}
	return -1
}

func run(from int, q string) []int {
	at := make([]int, len(q))
	for i := range at {
		at[i] = from + i
	}
	return at
}

// Find returns the command that a name or an alias stands for.
func Find(cmds []event.Command, name string) (event.Command, bool) {
	name = strings.ToLower(name)
	for _, c := range cmds {
		if strings.ToLower(c.Name) == name {
			return c, true
		}
	}
	for _, c := range cmds {
		for _, a := range c.Aliases {
			if strings.ToLower(a) == name {
				return c, true
			}
		}
	}
	return event.Command{}, false
}

// Parse splits a draft into the name of a command and its argument. ok is
// false when it is no command: another first letter, or a first word with a
// second slash, which is a path.
func Parse(draft string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(draft, "/")
	if !ok {
		return "", "", false
	}
	name, args = rest, ""
	if i := strings.IndexAny(rest, " \t\n"); i >= 0 {
		name, args = rest[:i], rest[i+1:]
	}
	if strings.Contains(name, "/") {
		return "", "", false
	}
	return name, args, true
}

// NeedsArgument tells whether a command cannot run without one: its hint
// begins with <.
func NeedsArgument(c event.Command) bool { return strings.HasPrefix(strings.TrimSpace(c.Args), "<") }
