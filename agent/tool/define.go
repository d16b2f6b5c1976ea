package tool

import (
	"encoding/json"

	"hermes/agent/tool/internal/ojson"
)

// Definition is a tool as a model is told of it.
type Definition struct {
	Name, Description string
	Parameters        json.RawMessage // JSON Schema of an object
	// Schema is the whole function object: the author's, in the author's key
	// order, with the registered name and sanitised parameters.
	Schema json.RawMessage
}

// Define makes the definition of a tool. What services refuse in schemas is
// mended on the copy that is sent (contract/plugins §7.6): the registered
// schema stays as its author wrote it.
func Define(s Spec) Definition {
	fn, err := ojson.Parse(s.Schema)
	if err != nil || fn.Kind != ojson.Object {
		fn = ojson.Obj(
			ojson.Field{Key: "name", Value: ojson.Str(s.Name)},
			ojson.Field{Key: "description", Value: ojson.Str(s.Description)},
		)
		if p, err := ojson.Parse(s.Parameters); err == nil {
			fn.Set("parameters", p)
		}
	}
	fn.Set("name", ojson.Str(s.Name))
	params := sanitizeRoot(fn.Get("parameters"))
	fn.Set("parameters", params)
	d := Definition{Name: s.Name, Description: s.Description, Parameters: params.JSON(), Schema: fn.JSON()}
	if d.Description == "" {
		if desc := fn.Get("description"); desc.Is(ojson.String) {
			d.Description = desc.Text
		}
	}
	return d
}

func sanitizeRoot(p *ojson.Value) *ojson.Value {
	if !p.Is(ojson.Object) {
		return emptyObject()
	}
	p = sanitize(p, maxCoerceDepth)
	for _, key := range []string{"allOf", "anyOf", "oneOf", "enum", "not"} {
		p.Delete(key)
	}
	if p.Get("type") == nil {
		p.Fields = append([]ojson.Field{{Key: "type", Value: ojson.Str("object")}}, p.Fields...)
	}
	if p.Get("properties") == nil && p.Get("type").IsString("object") {
		p.Set("properties", ojson.Obj())
	}
	return p
}

func emptyObject() *ojson.Value {
	return ojson.Obj(
		ojson.Field{Key: "type", Value: ojson.Str("object")},
		ojson.Field{Key: "properties", Value: ojson.Obj()},
	)
}

// sanitize mends one schema node and those below it.
func sanitize(n *ojson.Value, depth int) *ojson.Value {
	if n.Kind == ojson.String {
		return ojson.Obj(ojson.Field{Key: "type", Value: n}) // {"properties": {"x": "string"}}
	}
	if n.Kind != ojson.Object || depth == 0 {
		return n
	}
	for i, f := range n.Fields {
		n.Fields[i].Value = sanitizeField(f, depth-1)
	}
	n = collapseNullable(splitTypes(n))
	if n.Get("$ref") != nil {
		n.Delete("default")
	}
	if n.Get("type").IsString("object") && n.Get("properties") == nil {
		n.Set("properties", ojson.Obj())
	}
	dropUnknownRequired(n)
	return n
}

// sanitizeField mends the schemas that a keyword holds. The values of
// required, enum, examples, default and const are data.
func sanitizeField(f ojson.Field, depth int) *ojson.Value {
	switch f.Key {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		if f.Value.Kind == ojson.Object {
			for i, p := range f.Value.Fields {
				f.Value.Fields[i].Value = sanitize(p.Value, depth)
			}
		}
	case "items", "additionalProperties", "not", "contains", "if", "then", "else", "propertyNames":
		if f.Value.Kind == ojson.Array { // items as a tuple
			for i, e := range f.Value.Items {
				f.Value.Items[i] = sanitize(e, depth)
			}
			return f.Value
		}
		return sanitize(f.Value, depth)
	case "anyOf", "oneOf", "allOf", "prefixItems":
		if f.Value.Kind == ojson.Array {
			for i, e := range f.Value.Items {
				f.Value.Items[i] = sanitize(e, depth)
			}
		}
	}
	return f.Value
}

// splitTypes turns a list of types into one type, or into alternatives.
func splitTypes(n *ojson.Value) *ojson.Value {
	t := n.Get("type")
	if !t.Is(ojson.Array) {
		return n
	}
	names, null := types(n), false
	for _, e := range t.Items {
		null = null || e.IsString("null")
	}
	switch {
	case len(names) == 0 && null:
		n.Set("type", ojson.Str("null"))
		return n
	case len(names) == 0: // a list that names nothing: the reference reads object
		n.Set("type", ojson.Str("object"))
		return n
	case len(names) == 1:
		n.Set("type", ojson.Str(names[0]))
	default:
		n.Delete("type")
		alt := &ojson.Value{Kind: ojson.Array}
		for _, name := range names {
			alt.Items = append(alt.Items, sanitize(ojson.Str(name), 2))
		}
		n.Set("anyOf", alt)
	}
	if null {
		setNullable(n)
	}
	return n
}

// collapseNullable replaces {"anyOf": [X, {"type": "null"}]} by X with a mark.
func collapseNullable(n *ojson.Value) *ojson.Value {
	for _, key := range []string{"anyOf", "oneOf"} {
		alt := n.Get(key)
		if !alt.Is(ojson.Array) {
			continue
		}
		var others []*ojson.Value
		for _, e := range alt.Items {
			if !e.Get("type").IsString("null") {
				others = append(others, e)
			}
		}
		if len(others) != 1 || len(others) == len(alt.Items) || others[0].Kind != ojson.Object {
			continue
		}
		n.Delete(key)
		// What stands beside the alternatives (description, default) wins.
		merged := ojson.Obj(append([]ojson.Field(nil), others[0].Fields...)...)
		for _, f := range n.Fields {
			merged.Set(f.Key, f.Value)
		}
		setNullable(merged)
		n = merged
	}
	return n
}

func setNullable(n *ojson.Value) { n.Set("nullable", &ojson.Value{Kind: ojson.Bool, Text: "true"}) }

func dropUnknownRequired(n *ojson.Value) {
	req, props := n.Get("required"), n.Get("properties")
	if !req.Is(ojson.Array) || !props.Is(ojson.Object) {
		return
	}
	var kept []*ojson.Value
	for _, r := range req.Items {
		if r.Kind == ojson.String && props.Get(r.Text) != nil {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 {
		n.Delete("required")
		return
	}
	req.Items = kept
}
