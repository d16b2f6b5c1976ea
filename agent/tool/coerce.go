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

// top coerces a parameter itself, as the reference does: scalars only here, and
// only where the node names types of its own; alternatives alone change nothing
// but the word null.
func (c *coercer) top(v, schema *ojson.Value) *ojson.Value {
	list := schema.Get("type").IsString("array")
	switch {
	case v.Kind == ojson.String:
		out := c.text(v.Text, schema)
		switch {
		case list && out == nil:
			return c.wrap(v)
		case out == nil:
			return v
		}
		c.changed = true
		if list {
			return out // what was a text as a whole is not searched any further
		}
		return c.nested(out, schema, maxCoerceDepth)
	case list && v.Kind != ojson.Null && v.Kind != ojson.Array:
		return c.wrap(v)
	case list, v.Kind == ojson.Object && schema.Get("type").IsString("object"):
		return c.nested(v, schema, maxCoerceDepth)
	}
	return v
}

// wrap makes a list of one of a bare value.
func (c *coercer) wrap(v *ojson.Value) *ojson.Value {
	c.changed = true
	return &ojson.Value{Kind: ojson.Array, Items: []*ojson.Value{v}}
}

// text turns a text into the first of the schema's types that it can be; nil
// means that it stays text.
func (c *coercer) text(s string, schema *ojson.Value) *ojson.Value {
	if strings.EqualFold(strings.TrimSpace(s), "null") && nullable(schema) {
		return &ojson.Value{}
	}
	for _, t := range types(schema) {
		if v := fromText(s, t); v != nil {
			return v
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

// nested looks inside lists and objects for JSON text where the schema wants a
// list or an object.
func (c *coercer) nested(v, schema *ojson.Value, depth int) *ojson.Value {
	if depth == 0 || !schema.Is(ojson.Object) {
		return v
	}
	if v.Kind == ojson.String {
		out := container(v.Text, schema)
		if out == nil {
			return v
		}
		c.changed = true
		v = out
	}
	switch v.Kind {
	case ojson.Array:
		if items := schema.Get("items"); items.Is(ojson.Object) {
			for i, e := range v.Items {
				v.Items[i] = c.nested(e, items, depth-1)
			}
		}
	case ojson.Object:
		props := schema.Get("properties")
		for i, f := range v.Fields {
			if s := props.Get(f.Key); s != nil {
				v.Fields[i].Value = c.nested(f.Value, s, depth-1)
			}
		}
	}
	return v
}

// container reads s as the list or object that the node, or one of its
// alternatives, wants; nil when it is none.
func container(s string, schema *ojson.Value) *ojson.Value {
	for _, t := range []string{"array", "object"} {
		if accepts(schema, t, maxCoerceDepth) {
			if v := fromText(s, t); v != nil {
				return v
			}
		}
	}
	return nil
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

// accepts reports whether the node or one of its alternatives, however deep,
// names t.
func accepts(schema *ojson.Value, t string, depth int) bool {
	if depth == 0 || !schema.Is(ojson.Object) {
		return false
	}
	for _, name := range types(schema) {
		if name == t {
			return true
		}
	}
	for _, b := range branches(schema) {
		if accepts(b, t, depth-1) {
			return true
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
