// Package injection looks for texts that try to give the model orders of their
// own: in files that become part of the prompt, in memory, in skills, in
// results of tools. It only names what it finds; what follows is the caller's:
// context files are left out, memory is refused, results are marked
// (contract/core §3.6).
package injection

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Scope says how much is looked for. A wider scope holds the narrower ones.
type Scope int

// Scopes.
const (
	// All is for any text: orders to drop the rules, exfiltration.
	All Scope = iota
	// Context is for what becomes part of the prompt: context files, memory,
	// results of tools. It adds changes of role and remote control.
	Context
	// Strict is for what is stored for good: writes of memory, installed
	// skills. It adds back doors, configuration and secrets.
	Strict
)

// MaxScan is how many characters of a text are looked at.
const MaxScan = 65_536

// threat is one pattern.
type threat struct {
	id string
	// hint stands in every text that fits, in lower case; "" for none.
	hint  string
	scope Scope
	re    *regexp.Regexp
}

// Scan returns the ids of what was found, in the order of the table, invisible
// characters first; nil when the text is clean.
func Scan(text string, scope Scope) []string {
	text = head(text)
	lower := strings.ToLower(text)
	var found []string
	if r := invisible(text); r != 0 {
		found = append(found, fmt.Sprintf("invisible_unicode_U+%04X", r))
	}
	for _, t := range threats() {
		if t.scope <= scope && strings.Contains(lower, t.hint) && t.re.MatchString(text) {
			found = append(found, t.id)
		}
	}
	return found
}

// Message is the refusal for the first finding, "" for a clean text: what the
// model reads when it wants to store such a text.
func Message(text string, scope Scope) string {
	text = head(text)
	lower := strings.ToLower(text)
	if r := invisible(text); r != 0 {
		return fmt.Sprintf("Blocked: content contains invisible unicode character U+%04X (possible injection).", r)
	}
	for _, t := range threats() {
		if t.scope <= scope && strings.Contains(lower, t.hint) && t.re.MatchString(text) {
			return fmt.Sprintf("Blocked: content matches threat pattern '%s'. Content is injected into the system prompt and must not contain injection or exfiltration payloads.", t.id)
		}
	}
	return ""
}

// File is text as it may enter the prompt, which it does whole or not at all:
// name is what the model is told instead of it.
func File(name, text string) string {
	found := Scan(text, Context)
	if len(found) == 0 {
		return text
	}
	return fmt.Sprintf("[BLOCKED: %s contained potential prompt injection (%s). Content not loaded.]", name, strings.Join(found, ", "))
}

// head is the part of a text that is looked at.
func head(text string) string {
	if len(text) <= MaxScan {
		return text
	}
	n := 0
	for i := range text {
		if n == MaxScan {
			return text[:i]
		}
		n++
	}
	return text
}

// invisible returns the first character that hides text from a reader: zero
// width, direction, joining, a byte order mark inside. A mark at the very
// beginning is how some editors write files, and joiners hold emoji together.
func invisible(text string) rune {
	text = strings.TrimPrefix(text, "\uFEFF")
	var before rune
	for i, r := range text {
		switch {
		case r == '\u200D':
			next, _ := utf8.DecodeRuneInString(text[i+3:])
			if emoji(before) && emoji(next) {
				break
			}
			return r
		case r == '\u200B', r == '\u200C', r >= '\u202A' && r <= '\u202E', r == '\u2060', r >= '\u2062' && r <= '\u2064',
			r >= '\u2066' && r <= '\u2069', r == '\uFEFF':
			return r
		}
		before = r
	}
	return 0
}

// emoji reports whether r may stand beside a joiner in an emoji: pictures,
// their modifiers and the variation selector.
func emoji(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2190 && r <= 0x2BFF || r == 0xFE0F
}
