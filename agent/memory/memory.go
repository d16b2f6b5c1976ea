// Package memory is the form of the two files in which a model keeps what it
// wants to know in every session: entries of any text, a mark between them.
package memory

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Mark stands between the entries of a file.
const Mark = "\n§\n"

// What the files hold when the configuration says nothing, in characters
// (contract/core §2.5).
const (
	NotesLimit = 2200 // MEMORY.md
	UserLimit  = 1375 // USER.md
)

// Parse returns the entries of a file without the white space around them.
// Empty entries and repeated ones are left out, as the reference does.
func Parse(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.TrimPrefix(text, "\uFEFF")
	var out []string
	for e := range strings.SplitSeq(text, Mark) {
		if e = strings.TrimSpace(e); e != "" && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// Join is the text of a file with these entries.
func Join(entries []string) string { return strings.Join(entries, Mark) }

// Chars is the size of a file with these entries, in characters.
func Chars(entries []string) int { return utf8.RuneCountInString(Join(entries)) }
