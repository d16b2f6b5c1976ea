// Package secret takes secrets out of texts: the values of loaded variables
// whose names say that they are secret, strings that have the shape of a known
// kind of key, credentials of HTTP headers, passwords in URLs and private key
// blocks. It changes nothing else, and it reads no file.
//
// There are three passes (contract/core §3.5). Redact is for everything that
// is shown, stored or sent. RedactFile is for what read_file returns: a mask
// that cannot be taken for the key when the model writes the file back.
// RedactStrict is for what lists names and values, such as the output of env:
// every value whose name says that it is secret goes too.
package secret

import (
	"sort"
	"strings"
)

// minValue is how long a variable's value must be to count (decision D56):
// shorter ones stand in ordinary words by chance.
const minValue = 8

// Redactor masks secrets; NewRedactor makes one. It is immutable and safe for
// concurrent use.
type Redactor struct {
	values map[byte][]string // by first byte, longest first
	starts [256]start        // what may begin with a byte, for speed
}

// start says what may begin with a byte.
type start struct {
	value   bool
	kinds   []kind
	context func(s string, i int) span // see contexts
}

// NewRedactor returns a redactor for the secret variables of environ, entries
// as in os.Environ.
func NewRedactor(environ []string) *Redactor {
	r := &Redactor{values: map[byte][]string{}}
	seen := map[string]bool{}
	for _, e := range environ {
		name, value, ok := strings.Cut(e, "=")
		value = strings.TrimSpace(value)
		if !ok || len(value) < minValue || seen[value] || !IsSecretName(name) || placeholder(value) {
			continue
		}
		seen[value] = true
		r.values[value[0]] = append(r.values[value[0]], value)
	}
	for _, k := range kinds {
		st := &r.starts[k.prefix[0]]
		st.kinds = append(st.kinds, k)
	}
	for b, f := range contexts() {
		r.starts[b].context = f
	}
	for b, list := range r.values {
		r.starts[b].value = true
		sort.Slice(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
	}
	return r
}

// IsSecretName reports whether a variable of that name holds a secret.
func IsSecretName(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// placeholder reports whether value stands where a key belongs, in an example,
// or is a mask already.
func placeholder(value string) bool {
	if strings.Trim(value, ".*xX…-_") == "" || strings.Contains(value, "***") || strings.Contains(value, "...") {
		return true
	}
	if strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">") {
		return true
	}
	lower := strings.ToLower(value)
	for _, begin := range []string{"$", "your-", "your_", "my-key", "changeme", "change-me", "«redacted", "[redacted", "%", "{{"} {
		if strings.HasPrefix(lower, begin) {
			return true
		}
	}
	return false
}

// pass says how much is taken out and what stands in its place.
type pass int

const (
	plain pass = iota
	file
	strict
)

// Redact returns s with every secret masked: the first six and the last four
// characters stay of a long one, nothing of a short one. A text without
// secrets is returned as it is.
func (r *Redactor) Redact(s string) string { return r.redact(form(s), plain) }

// RedactFile is for the content of files that the model may write back:
// «redacted:sk-…» stands where a key was.
func (r *Redactor) RedactFile(s string) string { return r.redact(s, file) }

// RedactStrict masks also the values of everything that is named like a
// secret, in the notation of environments, INI, YAML and JSON.
func (r *Redactor) RedactStrict(s string) string {
	return assignments(r.redact(queries(form(s)), strict))
}

// RedactOutput is for what a shell command printed: commands that list the
// environment get the strict pass.
func (r *Redactor) RedactOutput(output, command string) string {
	if IsEnvDump(command) {
		return r.RedactStrict(output)
	}
	return r.Redact(output)
}

func (r *Redactor) redact(s string, p pass) string {
	var out strings.Builder
	kept := 0 // s[:kept] is in out
	for i := 0; i < len(s); {
		at := r.secretAt(s, i)
		if at.to == at.from {
			i++
			continue
		}
		out.WriteString(s[kept:at.from])
		out.WriteString(at.mask(s, p))
		i, kept = at.to, at.to
	}
	if kept == 0 {
		return s
	}
	out.WriteString(s[kept:])
	return out.String()
}

// span is where a secret lies; empty when there is none.
type span struct {
	from, to int
	prefix   string // of a known kind of key
	with     string // what stands in its place; "" goes by the length
}

// secretAt returns the secret that s[i] begins or announces.
func (r *Redactor) secretAt(s string, i int) span {
	st := &r.starts[s[i]]
	if st.value {
		for _, v := range r.values[s[i]] {
			if strings.HasPrefix(s[i:], v) {
				return span{from: i, to: i + len(v)}
			}
		}
	}
	if st.context != nil {
		if at := st.context(s, i); at.to-at.from >= 4 && !placeholder(s[at.from:at.to]) {
			if at.with == "" {
				at.prefix = prefixOf(s[at.from:at.to])
			}
			return at
		}
	}
	if len(st.kinds) == 0 || (i > 0 && isNameByte(s[i-1]) && !escaped(s, i)) {
		// The middle of a word is not the start of a key.
		return span{}
	}
	for _, k := range st.kinds {
		if strings.HasPrefix(s[i:], k.prefix) {
			if n := k.length(s[i:]); n > 0 {
				return span{from: i, to: i + n, prefix: k.prefix}
			}
		}
	}
	return span{}
}

// prefixOf is the prefix of the kind of key that secret is, "" when it is none.
func prefixOf(secret string) string {
	for _, k := range kinds {
		if strings.HasPrefix(secret, k.prefix) && k.length(secret) == len(secret) {
			return k.prefix
		}
	}
	return ""
}

// escaped reports whether the letter before s[i] is an escape of JSON, as in
// "line\nsk-…".
func escaped(s string, i int) bool {
	return i > 1 && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0
}

// longEnough is how long a secret must be for parts of it to stay readable, as
// in the reference.
const longEnough = 18

func (at span) mask(s string, p pass) string {
	secret := s[at.from:at.to]
	switch {
	case at.with != "":
		return at.with
	case p == file:
		return "«redacted:" + at.prefix + "…»" // of a header or a variable: without a prefix
	case len(secret) < longEnough:
		return hidden
	}
	return shorten(secret)
}

const hidden = "***"

// shorten keeps what tells keys apart; secret has longEnough characters.
func shorten(secret string) string { return secret[:6] + "..." + secret[len(secret)-4:] }
