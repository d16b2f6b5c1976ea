// Package edit replaces a passage of a text that a model quotes from memory:
// the quote is looked for exactly, and then ever more tolerantly, and the new
// text is fitted to the place where it goes (contract/core §2.5, patch).
package edit

import (
	"errors"
	"fmt"
	"strings"
)

// Change is a replacement that was made.
type Change struct {
	Text  string // the whole text afterwards
	Count int    // how many passages were replaced
	End   int    // the byte of Text at which the last of what was put in ends
	// Strategy names the way the passage was found: exact, line_trimmed,
	// whitespace_normalized, indentation_flexible, escape_normalized,
	// trimmed_boundary, unicode_normalized, block_anchor, context_aware.
	Strategy string
}

// Errors of Replace that callers tell apart.
var (
	// ErrNoMatch says that the passage is nowhere.
	//lint:ignore ST1005 the reference's sentence
	ErrNoMatch = errors.New("Could not find a match for old_string in the file")
	// ErrEmpty and ErrSame refuse what changes nothing.
	ErrEmpty = errors.New("old_string cannot be empty")
	ErrSame  = errors.New("old_string and new_string are identical")
)

// AmbiguousError says that the passage is in more places than one.
type AmbiguousError struct{ Count int }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("Found %d matches for old_string. Provide more context to make it unique, or use replace_all=True.", e.Count)
}

// EscapedError says that both strings carry a backslash that the file does not
// have: the call was escaped once too often, and the new text with it.
type EscapedError struct{ Quote string } // ' or "

func (e *EscapedError) Error() string {
	return fmt.Sprintf(`Escape-drift detected: old_string and new_string have a backslash before %s, the file has none there. The arguments were probably escaped twice. Read the place with read_file and send both strings without the added backslashes.`, e.Quote)
}

// Replace replaces old by next in text: the one passage that fits, or every
// one when all is set.
func Replace(text, old, next string, all bool) (Change, error) {
	return replace(text, old, next, func(found []span) []span {
		if len(found) > 1 && !all {
			return nil
		}
		return found
	})
}

// ReplaceFrom replaces one passage: of several, the first that begins at the
// byte from or after it, else the last.
func ReplaceFrom(text, old, next string, from int) (Change, error) {
	return replace(text, old, next, func(found []span) []span {
		for _, m := range found {
			if m.from >= from {
				return []span{m}
			}
		}
		return found[len(found)-1:]
	})
}

// replace is Replace with the choice among the passages as a function, which
// returns none when it cannot choose.
func replace(text, old, next string, choose func([]span) []span) (Change, error) {
	switch {
	case old == "":
		return Change{}, ErrEmpty
	case old == next:
		return Change{}, ErrSame
	}
	for _, s := range ladder {
		found := s.find(text, old)
		if len(found) == 0 {
			continue
		}
		n := len(found)
		if found = choose(found); len(found) == 0 {
			return Change{}, &AmbiguousError{n}
		}
		f := fitter{old: old, next: next, asIs: s.name == "exact" || s.name == "escape_normalized", typography: s.name == "unicode_normalized"}
		if s.name != "exact" {
			if err := escaped(text, found, old, next); err != nil {
				return Change{}, err
			}
			f.next = controls(text, found, old, next)
		}
		found = apart(found)
		out, end := splice(text, found, f)
		return Change{out, len(found), end, s.name}, nil
	}
	return Change{}, ErrNoMatch
}

// apart leaves out passages that overlap an earlier one.
func apart(found []span) []span {
	out, end := found[:0:0], -1
	for _, m := range found {
		if m.from >= end {
			out, end = append(out, m), m.to
		}
	}
	return out
}

// splice puts the new text, fitted, in the place of each passage. end is where
// the last of it ends.
func splice(text string, found []span, f fitter) (out string, end int) {
	var b strings.Builder
	at := 0
	for _, m := range found {
		b.WriteString(text[at:m.from])
		b.WriteString(f.fit(text[:m.from], text[m.from:m.to]))
		at = m.to
	}
	end = b.Len()
	b.WriteString(text[at:])
	return b.String(), end
}
