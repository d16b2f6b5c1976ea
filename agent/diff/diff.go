// Package diff writes the difference of two texts as a unified diff.
package diff

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/aymanbagabas/go-udiff/lcs"
)

// Null names the side of a file that is not there.
const Null = "/dev/null"

// context is how many equal lines stand around a change.
const context = 3

// Unified is the difference of before and after, with three lines of context;
// from and to name the two sides. It is empty when they are equal.
func Unified(from, to, before, after string) string {
	if before == after {
		return ""
	}
	out, err := udiff.ToUnified(from, to, before, edits(before, after), context)
	if err != nil {
		// The edits fit the text that they were made of.
		return fmt.Sprintf("--- %s\n+++ %s\n", from, to)
	}
	return out
}

// edits are the changes by whole lines: each distinct line counts as one
// character of an alphabet of its own.
func edits(before, after string) []udiff.Edit {
	ids := map[string]rune{}
	a, b := lines(before), lines(after)
	var out []udiff.Edit
	at, line := 0, 0 // the byte where line of before begins
	offset := func(n int) int {
		for ; line < n; line++ {
			at += len(a[line])
		}
		return at
	}
	for _, d := range lcs.DiffRunes(letters(a, ids), letters(b, ids)) {
		start := offset(d.Start)
		end := offset(d.End)
		out = append(out, udiff.Edit{Start: start, End: end, New: strings.Join(b[d.ReplStart:d.ReplEnd], "")})
	}
	return out
}

// lines are the lines of a text with their ends.
func lines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

func letters(list []string, ids map[string]rune) []rune {
	out := make([]rune, len(list))
	for i, s := range list {
		id, known := ids[s]
		if !known {
			id = rune(len(ids))
			ids[s] = id
		}
		out[i] = id
	}
	return out
}

// Count is how many lines a unified diff adds and removes.
func Count(unified string) (added, removed int) {
	for line := range strings.SplitSeq(unified, "\n") {
		switch {
		case strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		case strings.HasPrefix(line, "+"):
			added++
		case strings.HasPrefix(line, "-"):
			removed++
		}
	}
	return added, removed
}
