package demo

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// schema is the part of a JSON Schema that says what a value may be.
type schema struct {
	types    []string // empty: any
	enum     []any
	def      any // default, nil when there is none
	desc     string
	pattern  string
	props    []property
	required map[string]bool
	items    *schema
	anyOf    []*schema
	bounds   map[string]*big.Rat // minimum, maximum, exclusive…, min/max of lengths
	examples []any
	closed   bool // additionalProperties: false
}

type property struct {
	name string
	s    *schema
}

// maxSchemaDepth bounds nesting and reference chains, so that a schema that
// refers to itself ends.
const maxSchemaDepth = 10

// readSchema reads the parameters of a tool; ok is false when they are no
// JSON object.
func readSchema(raw json.RawMessage) (*schema, bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return &schema{}, true
	}
	v, _, err := decode(string(raw))
	root, ok := v.(*object)
	if err != nil || !ok {
		return nil, false
	}
	return buildSchema(root, root, 0), true
}

func buildSchema(root, o *object, depth int) *schema {
	s := &schema{required: map[string]bool{}, bounds: map[string]*big.Rat{}}
	if depth > maxSchemaDepth {
		return s
	}
	if ref, ok := o.get("$ref").(string); ok {
		if target := resolve(root, ref); target != nil {
			s = buildSchema(root, target, depth+1)
		}
	}
	s.readTypes(o)
	s.readText(o)
	s.readBounds(o)
	if p, ok := o.get("properties").(*object); ok {
		for _, k := range p.keys {
			if po, ok := p.vals[k].(*object); ok {
				s.props = append(s.props, property{k, buildSchema(root, po, depth+1)})
			} else {
				s.props = append(s.props, property{k, &schema{}})
			}
		}
	}
	if req, ok := o.get("required").([]any); ok {
		for _, r := range req {
			if name, ok := r.(string); ok {
				s.required[name] = true
			}
		}
	}
	if items, ok := o.get("items").(*object); ok {
		s.items = buildSchema(root, items, depth+1)
	}
	if b, ok := o.get("additionalProperties").(bool); ok && !b {
		s.closed = true
	}
	s.readAlternatives(root, o, depth)
	return s
}

// readAlternatives reads anyOf and oneOf, and merges what is only a nullable or
// referenced schema: that is how Python's model libraries write optional
// parameters and enumerations.
func (s *schema) readAlternatives(root, o *object, depth int) {
	if all, ok := o.get("allOf").([]any); ok && len(all) == 1 {
		if ao, ok := all[0].(*object); ok {
			s.merge(buildSchema(root, ao, depth+1))
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		alts, _ := o.get(key).([]any)
		for _, a := range alts {
			ao, ok := a.(*object)
			if !ok || ao.get("type") == "null" {
				continue
			}
			s.anyOf = append(s.anyOf, buildSchema(root, ao, depth+1))
		}
	}
	if len(s.anyOf) == 1 {
		only := s.anyOf[0]
		s.anyOf = nil
		s.merge(only)
	}
}

// merge takes over what s does not say itself.
func (s *schema) merge(o *schema) {
	if len(s.types) == 0 {
		s.types = o.types
	}
	if s.enum == nil {
		s.enum = o.enum
	}
	if s.desc == "" {
		s.desc = o.desc
	}
	if s.pattern == "" {
		s.pattern = o.pattern
	}
	if s.items == nil {
		s.items = o.items
	}
	if s.props == nil {
		s.props, s.required, s.closed = o.props, o.required, o.closed
	}
	if s.anyOf == nil {
		s.anyOf = o.anyOf
	}
	if s.examples == nil {
		s.examples = o.examples
	}
	for k, v := range o.bounds {
		if s.bounds[k] == nil {
			s.bounds[k] = v
		}
	}
}

func (s *schema) readTypes(o *object) {
	switch t := o.get("type").(type) {
	case string:
		s.types = []string{strings.ToLower(t)}
	case []any:
		s.types = nil
		for _, e := range t {
			if name, ok := e.(string); ok && name != "null" {
				s.types = append(s.types, strings.ToLower(name))
			}
		}
	}
	if e, ok := o.get("enum").([]any); ok {
		s.enum = e
	}
	if c, ok := o.vals["const"]; ok {
		s.enum = []any{c}
	}
	if d := o.get("default"); d != nil {
		s.def = d
	}
}

func (s *schema) readText(o *object) {
	if d, ok := o.get("description").(string); ok {
		s.desc = d
	}
	if t, ok := o.get("title").(string); ok && s.desc == "" {
		s.desc = t
	}
	if p, ok := o.get("pattern").(string); ok {
		s.pattern = p
	}
	if ex, ok := o.get("examples").([]any); ok {
		s.examples = append(s.examples, ex...)
	}
	if ex := o.get("example"); ex != nil {
		s.examples = append(s.examples, ex)
	}
}

func (s *schema) readBounds(o *object) {
	for _, k := range []string{
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"minLength", "maxLength", "minItems", "maxItems", "multipleOf",
	} {
		if n, ok := o.get(k).(json.Number); ok {
			if r := rat(n.String()); r != nil {
				s.bounds[k] = r
			}
		}
	}
}

// rat reads a decimal number, nil when it is none or so large that the exact
// value would cost much memory.
func rat(s string) *big.Rat {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if exp, err := strconv.Atoi(s[i+1:]); err != nil || exp > 1000 || exp < -1000 {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	return r
}

// resolve follows a reference inside the same document.
func resolve(root *object, ref string) *object {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	cur := root
	for _, part := range strings.Split(path, "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		next, ok := cur.get(part).(*object)
		if !ok {
			return nil
		}
		cur = next
	}
	return cur
}

// is reports whether a value of that type is allowed; an unspecified type
// allows all.
func (s *schema) is(typ string) bool {
	if len(s.types) == 0 {
		if len(s.anyOf) == 0 {
			return len(s.props) == 0 || typ == "object"
		}
		for _, a := range s.anyOf {
			if a.is(typ) {
				return true
			}
		}
		return false
	}
	for _, t := range s.types {
		if t == typ || (typ == "integer" && t == "number") {
			return true
		}
	}
	return false
}

// numeric reports whether the parameter is declared as a number.
func (s *schema) numeric() bool { return s.declares("number") || s.declares("integer") }

// declares reports whether the schema names the type itself, rather than
// leaving it open.
func (s *schema) declares(typ string) bool {
	for _, t := range s.types {
		if t == typ {
			return true
		}
	}
	for _, a := range s.anyOf {
		if a.declares(typ) {
			return true
		}
	}
	return false
}
