package demo

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"
)

// accepts reports whether v may be sent for s. It is the last gate before a
// call leaves: whatever the reading of the prompt came to, a call that breaks
// its schema is not made.
func (s *schema) accepts(v any) bool {
	if len(s.enum) > 0 && !inEnum(s.enum, v) {
		return false
	}
	if len(s.anyOf) > 0 {
		ok := false
		for _, a := range s.anyOf {
			ok = ok || a.accepts(v)
		}
		if !ok {
			return false
		}
	}
	switch v := v.(type) {
	case string:
		return s.is("string") && s.acceptsString(v)
	case json.Number:
		return s.acceptsNumber(v)
	case bool:
		return s.is("boolean")
	case []any:
		return s.is("array") && s.acceptsArray(v)
	case *object:
		return s.is("object") && s.acceptsObject(v)
	}
	return false
}

func inEnum(enum []any, v any) bool {
	for _, e := range enum {
		if encode(e) == encode(v) {
			return true
		}
	}
	return false
}

func (s *schema) acceptsString(v string) bool {
	if !s.within("minLength", "maxLength", int64(utf8.RuneCountInString(v))) {
		return false
	}
	if s.pattern == "" {
		return true
	}
	// Patterns are ECMA expressions; one that Go cannot read is left to the
	// tool, which checks again.
	re, err := regexp.Compile(s.pattern)
	return err != nil || re.MatchString(v)
}

func (s *schema) acceptsNumber(v json.Number) bool {
	whole := !strings.ContainsAny(v.String(), ".eE")
	if !s.is("number") && (!s.is("integer") || !whole) {
		return false
	}
	r := rat(v.String())
	if r == nil {
		return len(s.bounds) == 0
	}
	if b := s.bounds["minimum"]; b != nil && r.Cmp(b) < 0 {
		return false
	}
	if b := s.bounds["maximum"]; b != nil && r.Cmp(b) > 0 {
		return false
	}
	if b := s.bounds["exclusiveMinimum"]; b != nil && r.Cmp(b) <= 0 {
		return false
	}
	if b := s.bounds["exclusiveMaximum"]; b != nil && r.Cmp(b) >= 0 {
		return false
	}
	if b := s.bounds["multipleOf"]; b != nil && b.Sign() > 0 {
		return new(big.Rat).Quo(r, b).IsInt()
	}
	return true
}

func (s *schema) acceptsArray(v []any) bool {
	if !s.within("minItems", "maxItems", int64(len(v))) {
		return false
	}
	if s.items == nil {
		return true
	}
	for _, e := range v {
		if !s.items.accepts(e) {
			return false
		}
	}
	return true
}

func (s *schema) acceptsObject(v *object) bool {
	for name := range s.required {
		if _, ok := v.vals[name]; !ok {
			return false
		}
	}
	known := map[string]*schema{}
	for _, p := range s.props {
		known[p.name] = p.s
	}
	for _, k := range v.keys {
		p, ok := known[k]
		if !ok && s.closed {
			return false
		}
		if ok && !p.accepts(v.vals[k]) {
			return false
		}
	}
	return true
}

func (s *schema) within(lo, hi string, n int64) bool {
	r := new(big.Rat).SetInt64(n)
	if b := s.bounds[lo]; b != nil && r.Cmp(b) < 0 {
		return false
	}
	b := s.bounds[hi]
	return b == nil || r.Cmp(b) <= 0
}
