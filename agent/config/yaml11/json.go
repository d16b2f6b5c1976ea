package yaml11

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
)

// MarshalJSON writes the value so that the plugin host can rebuild the Python
// object. What JSON has no form for becomes an object with the single key
// "__py__": [type, value], where type is one of float (nan, inf, -inf), date,
// datetime (isoformat), bytes (base64) and dict (a list of [key, value] pairs,
// for dicts with keys that are not text).
func (v Value) MarshalJSON() ([]byte, error) { return v.appendJSON(nil, false) }

// JSON is the value as Python's json.dumps would write it: keys become text,
// and so do dates and bytes, which json.dumps refuses. Numbers that JSON does
// not have become null.
func (v Value) JSON() (json.RawMessage, error) { return v.appendJSON(nil, true) }

func (v Value) appendJSON(b []byte, plain bool) ([]byte, error) {
	switch v.Kind {
	case Null:
		return append(b, "null"...), nil
	case Bool:
		return strconv.AppendBool(b, v.Bool), nil
	case Int:
		return v.Int.Append(b, 10), nil
	case Float:
		if !math.IsNaN(v.Float) && !math.IsInf(v.Float, 0) {
			return append(b, reprFloat(v.Float)...), nil
		}
		if plain {
			return append(b, "null"...), nil
		}
		return special(b, "float", reprFloat(v.Float))
	case Str:
		return appendValue(b, v.Text)
	case Bytes:
		return textOr(b, plain, "bytes", base64.StdEncoding.EncodeToString([]byte(v.Data)))
	case Time:
		kind := "datetime"
		if v.DateOnly {
			kind = "date"
		}
		return textOr(b, plain, kind, v.iso("T"))
	case List:
		return v.appendList(b, plain)
	default:
		return v.appendMap(b, plain)
	}
}

func appendValue(b []byte, v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	return append(b, raw...), err
}

func textOr(b []byte, plain bool, kind, text string) ([]byte, error) {
	if plain {
		return appendValue(b, text)
	}
	return special(b, kind, text)
}

func special(b []byte, kind string, value any) ([]byte, error) {
	return appendValue(b, map[string]any{"__py__": []any{kind, value}})
}

func (v Value) appendList(b []byte, plain bool) (_ []byte, err error) {
	b = append(b, '[')
	for i, it := range v.Items {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = it.appendJSON(b, plain); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func (v Value) appendMap(b []byte, plain bool) (_ []byte, err error) {
	if !plain && !v.textKeys() {
		pairs := make([][2]Value, len(v.Pairs))
		for i, p := range v.Pairs {
			pairs[i] = [2]Value{p.Key, p.Value}
		}
		return special(b, "dict", pairs)
	}
	b = append(b, '{')
	for i, p := range v.Pairs {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, p.Key.jsonKey()); err != nil {
			return nil, err
		}
		b = append(b, ':')
		if b, err = p.Value.appendJSON(b, plain); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// textKeys reports whether every key is text that cannot be taken for the mark
// of a special value.
func (v Value) textKeys() bool {
	for _, p := range v.Pairs {
		if p.Key.Kind != Str || p.Key.Text == "__py__" {
			return false
		}
	}
	return true
}

// jsonKey is the text that json.dumps makes of a key.
func (v Value) jsonKey() string {
	switch v.Kind {
	case Null:
		return "null"
	case Bool:
		return strconv.FormatBool(v.Bool)
	}
	return v.Str()
}
