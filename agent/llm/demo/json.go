package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxJSONDepth bounds how deep a schema or a result is read; what lies deeper
// is not understood.
const maxJSONDepth = 64

var errTooDeep = errors.New("json is nested too deeply")

// object is a JSON object with its keys in the order they were written: the
// order of a tool's parameters carries meaning.
type object struct {
	keys []string
	vals map[string]any
}

func (o *object) get(key string) any {
	if o == nil {
		return nil
	}
	return o.vals[key]
}

func (o *object) set(key string, v any) {
	if o.vals == nil {
		o.vals = map[string]any{}
	}
	if _, ok := o.vals[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.vals[key] = v
}

// MarshalJSON writes the keys in their order and leaves <, > and & alone.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(encode(k))
		b.WriteString(": ")
		b.WriteString(encode(o.vals[k]))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes one value as JSON without escaping for HTML.
func encode(v any) string {
	if o, ok := v.(*object); ok {
		b, _ := o.MarshalJSON()
		return string(b)
	}
	if a, ok := v.([]any); ok {
		out := "["
		for i, e := range a {
			if i > 0 {
				out += ", "
			}
			out += encode(e)
		}
		return out + "]"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "null"
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// decode reads the first JSON value of s: *object, []any, string, json.Number,
// bool or nil. rest is what follows it.
func decode(s string) (v any, rest string, err error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(s)))
	dec.UseNumber()
	v, err = decodeValue(dec, 0)
	if err != nil {
		return nil, s, err
	}
	return v, s[dec.InputOffset():], nil
}

func decodeValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxJSONDepth {
		return nil, errTooDeep
	}
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return tok, nil
	}
	switch delim {
	case '{':
		o := &object{vals: map[string]any{}}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := decodeValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			if k, ok := key.(string); ok {
				o.set(k, v)
			}
		}
		_, err = dec.Token()
		return o, err
	case '[':
		a := []any{}
		for dec.More() {
			v, err := decodeValue(dec, depth+1)
			if err != nil {
				return nil, err
			}
			a = append(a, v)
		}
		_, err = dec.Token()
		return a, err
	}
	return nil, io.ErrUnexpectedEOF
}
