// Package secret takes secrets out of texts: the values of loaded variables
// whose names say that they are secret, strings that have the shape of a known
// kind of key, credentials of HTTP headers, passwords in URLs and private key
// blocks. It changes nothing else, and it reads no file.
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

// placeholder reports whether value stands where a key belongs, in an example.
func placeholder(value string) bool {
	return strings.Trim(value, ".*xX…-") == "" ||
		(strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">")) ||
		strings.HasPrefix(value, "${")
}

// Redact returns s with every secret masked: the first six and the last four
// characters stay of a long one, nothing of a short one. A text without
// secrets is returned as it is.
func (r *Redactor) Redact(s string) string {
	var out strings.Builder
	kept := 0 // s[:kept] is in out
	for i := 0; i < len(s); {
		at := r.secretAt(s, i)
		if at.to == at.from {
			i++
			continue
		}
		out.WriteString(s[kept:at.from])
		out.WriteString(at.mask(s))
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
	hide     bool // nothing of it stays readable, however long it is
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
			return at
		}
	}
	if len(st.kinds) == 0 || (i > 0 && isKeyByte(s[i-1])) {
		// The middle of a word is not the start of a key.
		return span{}
	}
	for _, k := range st.kinds {
		if strings.HasPrefix(s[i:], k.prefix) {
			if n := k.length(s[i:]); n > 0 {
				return span{from: i, to: i + n}
			}
		}
	}
	return span{}
}

// longEnough is how long a secret must be for parts of it to stay readable:
// ten characters are shown, so at least as many must be hidden.
const longEnough = 20

func (at span) mask(s string) string {
	secret := s[at.from:at.to]
	if at.hide || len(secret) < longEnough {
		return "***"
	}
	return secret[:6] + "..." + secret[len(secret)-4:]
}
