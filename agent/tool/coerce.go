package tool

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"hermes/agent/tool/internal/ojson"
)

// Coerce brings args, a JSON object, nearer to the types that the schema of a
// tool's parameters asks for, as the reference does (contract/plugins §7.2):
// text that is a number, a boolean, a list or an object becomes one; a bare
// value becomes a list of one where a list is wanted. Whatever does not fit
// passes unchanged, as do unknown keys. When nothing changes, args itself is
// returned.
func Coerce(args, parameters json.RawMessage) json.RawMessage {
	if len(parameters) == 0 {
		return args
	}
	obj, err := ojson.Parse(args)
	if err != nil || obj.Kind != ojson.Object {
		return args
	}
	schema, err := ojson.Parse(parameters)
	if err != nil {
		return args
	}
	c := coercer{}
	props := schema.Get("properties")
	for i, f := range obj.Fields {
		if s := props.Get(f.Key); s != nil {
			obj.Fields[i].Value = c.top(f.Value, s)
		}
	}
	if !c.changed {
		return args
	}
	return obj.JSON()
}

type coercer struct{ changed bool }

// maxCoerceDepth bounds nesting, so that a schema or value cannot exhaust the
// stack.
const maxCoerceDepth = 64

// top coerces a parameter itself: scalars too.
func (c *coercer) top(v, schema *ojson.Value) *ojson.Value {
	if v.Kind == ojson.String {
		if out := c.text(v.Text, schema); out != nil {
			c.changed = true
			v = out
		}
	}
	if wantsList(v, schema) {
		c.changed = true
		v = &ojson.Value{Kind: ojson.Array, Items: []*ojson.Value{v}}
	}
	return c.nested(v, schema, maxCoerceDepth)
}

// wantsList reports whether v is a bare value, a mapping too, where the schema
// wants a list and nothing else; several types leave the value to the handler.
func wantsList(v, schema *ojson.Value) bool {
	return v.Kind != ojson.Null && v.Kind != ojson.Array && schema.Get("type").IsString("array")
}

// text turns a text into what the schema wants; nil means that it stays text.
func (c *coercer) text(s string, schema *ojson.Value) *ojson.Value {
	if strings.EqualFold(strings.TrimSpace(s), "null") && nullable(schema) {
		return &ojson.Value{}
	}
	for _, t := range types(schema) {
		if t == "string" {
			return nil
		}
		if v := fromText(s, t); v != nil {
			return v
		}
	}
	if len(types(schema)) > 0 {
		return nil
	}
	for _, branch := range branches(schema) {
		for _, t := range types(branch) {
			if t == "string" {
				return nil
			}
		}
	}
	for _, branch := range branches(schema) {
		for _, t := range types(branch) {
			if t == "array" || t == "object" {
				if v := fromText(s, t); v != nil {
					return v
				}
			}
		}
	}
	return nil
}

var (
	integerText = lazy(`^[+-]?\d{1,300}$`)
	numberText  = lazy(`^[+-]?(\d{1,300}\.?\d{0,300}|\.\d{1,300})([eE][+-]?\d{1,3})?$`)
)

// fromText reads s as a value of JSON Schema type t, nil when it is none.
func fromText(s, t string) *ojson.Value {
	s = strings.TrimSpace(s)
	switch t {
	case "integer", "number":
		return number(s, t == "integer")
	case "boolean":
		switch strings.ToLower(s) {
		case "true", "false":
			return &ojson.Value{Kind: ojson.Bool, Text: strings.ToLower(s)}
		}
	case "array", "object":
		v, err := ojson.Parse([]byte(s))
		if err == nil && (v.Kind == ojson.Array) == (t == "array") && (v.Kind == ojson.Array || v.Kind == ojson.Object) {
			return v
		}
	case "null":
		if strings.EqualFold(s, "null") {
			return &ojson.Value{}
		}
	}
	return nil
}

// number reads a finite number; one without a fraction becomes an integer.
func number(s string, integer bool) *ojson.Value {
	digits := strings.TrimPrefix(s, "+")
	if integerText().MatchString(s) {
		n, ok := new(big.Int).SetString(digits, 10) // drops leading zeros
		if !ok {
			return nil
		}
		return &ojson.Value{Kind: ojson.Number, Text: n.String()}
	}
	if !numberText().MatchString(s) {
		return nil
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return nil // too large for a float: stays text
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return &ojson.Value{Kind: ojson.Number, Text: strconv.FormatInt(int64(f), 10)}
	}
	if integer {
		return nil
	}
	return &ojson.Value{Kind: ojson.Number, Text: strconv.FormatFloat(f, 'g', -1, 64)}
}

// nested looks for JSON text inside lists and objects where the schema wants a
// list or an object.
func (c *coercer) nested(v, schema *ojson.Value, depth int) *ojson.Value {
	if depth == 0 || schema == nil || schema.Kind != ojson.Object {
		return v
	}
	switch v.Kind {
	case ojson.Array:
		if items := schema.Get("items"); items != nil {
			for i, e := range v.Items {
				v.Items[i] = c.inner(e, items, depth-1)
			}
		}
	case ojson.Object:
		props := schema.Get("properties")
		for i, f := range v.Fields {
			if s := props.Get(f.Key); s != nil {
				v.Fields[i].Value = c.inner(f.Value, s, depth-1)
			}
		}
	default:
		return v
	}
	for _, branch := range branches(schema) {
		v = c.nested(v, branch, depth-1)
	}
	return v
}

func (c *coercer) inner(v, schema *ojson.Value, depth int) *ojson.Value {
	if v.Kind == ojson.String && !hasType(schema, "string") {
		for _, t := range []string{"array", "object"} {
			if !hasType(schema, t) {
				continue
			}
			if out := fromText(v.Text, t); out != nil {
				c.changed = true
				v = out
				break
			}
		}
	}
	return c.nested(v, schema, depth)
}

// types are the types that a schema node names itself, null left out.
func types(schema *ojson.Value) []string {
	t := schema.Get("type")
	switch {
	case t.Is(ojson.String):
		return []string{t.Text}
	case t.Is(ojson.Array):
		var out []string
		for _, e := range t.Items {
			if e.Kind == ojson.String && e.Text != "null" {
				out = append(out, e.Text)
			}
		}
		return out
	}
	return nil
}

// branches are the alternatives of a schema node.
func branches(schema *ojson.Value) []*ojson.Value {
	var out []*ojson.Value
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if b := schema.Get(key); b.Is(ojson.Array) {
			out = append(out, b.Items...)
		}
	}
	return out
}

// hasType reports whether the node or one of its alternatives names t.
func hasType(schema *ojson.Value, t string) bool {
	for _, name := range types(schema) {
		if name == t {
			return true
		}
	}
	for _, b := range branches(schema) {
		for _, name := range types(b) {
			if name == t {
				return true
			}
		}
	}
	return false
}

func nullable(schema *ojson.Value) bool {
	if n := schema.Get("nullable"); n.Is(ojson.Bool) && n.Text == "true" {
		return true
	}
	t := schema.Get("type")
	if t.IsString("null") {
		return true
	}
	if t.Is(ojson.Array) {
		for _, e := range t.Items {
			if e.IsString("null") {
				return true
			}
		}
	}
	for _, b := range branches(schema) {
		if b.Get("type").IsString("null") {
			return true
		}
	}
	return false
}

// lazy compiles a pattern when it is first asked for: the ones of this package
// would take a share of every start that few runs need.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
