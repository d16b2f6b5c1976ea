// Package ojson is JSON as a tree that keeps key order and numbers as they
// were written. Key order is part of what a model and a plugin see.
package ojson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Kind is what a Value is.
type Kind uint8

// Kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is one JSON value.
type Value struct {
	Kind   Kind
	Text   string   // of Bool and Number, as written; of String, decoded
	Items  []*Value // of Array
	Fields []Field  // of Object, in order, keys unique
}

// Field is one member of an object.
type Field struct {
	Key   string
	Value *Value
}

// Str returns a string value.
func Str(s string) *Value { return &Value{Kind: String, Text: s} }

// Obj returns an object of fields.
func Obj(fields ...Field) *Value { return &Value{Kind: Object, Fields: fields} }

// Parse reads exactly one JSON value. Of equal keys the last value counts, in
// the place of the first, as in Python.
func Parse(data []byte) (*Value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parse(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

func parse(dec *json.Decoder) (*Value, error) {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return &Value{}, nil
	case bool:
		return &Value{Kind: Bool, Text: fmt.Sprint(t)}, nil
	case json.Number:
		return &Value{Kind: Number, Text: t.String()}, nil
	case string:
		return Str(t), nil
	case json.Delim:
		if t == '[' {
			return parseArray(dec)
		}
		return parseObject(dec)
	}
	return nil, fmt.Errorf("unexpected %T", t)
}

func parseArray(dec *json.Decoder) (*Value, error) {
	v := &Value{Kind: Array}
	for dec.More() {
		e, err := parse(dec)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, e)
	}
	_, err := dec.Token() // the closing bracket
	return v, err
}

func parseObject(dec *json.Decoder) (*Value, error) {
	v := &Value{Kind: Object}
	at := map[string]int{}
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, ok := k.(string)
		if !ok {
			return nil, fmt.Errorf("unexpected key %v", k)
		}
		e, err := parse(dec)
		if err != nil {
			return nil, err
		}
		if i, had := at[key]; had {
			v.Fields[i].Value = e
			continue
		}
		at[key] = len(v.Fields)
		v.Fields = append(v.Fields, Field{key, e})
	}
	_, err := dec.Token() // the closing brace
	return v, err
}

// Get returns the member of that name, nil when there is none or v is no
// object.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	for _, f := range v.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return nil
}

// Set replaces a member or appends it.
func (v *Value) Set(key string, e *Value) {
	for i := range v.Fields {
		if v.Fields[i].Key == key {
			v.Fields[i].Value = e
			return
		}
	}
	v.Fields = append(v.Fields, Field{key, e})
}

// Delete removes a member.
func (v *Value) Delete(key string) {
	for i := range v.Fields {
		if v.Fields[i].Key == key {
			v.Fields = append(v.Fields[:i:i], v.Fields[i+1:]...)
			return
		}
	}
}

// Is reports whether v exists and is of kind k.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// IsString reports whether v is the string s.
func (v *Value) IsString(s string) bool { return v.Is(String) && v.Text == s }

// JSON returns the value without blanks and without HTML escaping.
func (v *Value) JSON() []byte { return v.Append(nil) }

// Append appends the JSON of v to b.
func (v *Value) Append(b []byte) []byte {
	switch v.Kind {
	case Null:
		return append(b, "null"...)
	case Bool, Number:
		return append(b, v.Text...)
	case String:
		return appendString(b, v.Text)
	case Array:
		b = append(b, '[')
		for i, e := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = e.Append(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, f := range v.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, f.Key)
		b = append(b, ':')
		b = f.Value.Append(b)
	}
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return append(b, buf.Bytes()[:buf.Len()-1]...)
}
