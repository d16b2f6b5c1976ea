package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode"
)

// JSON renders e as one line of the stream-json output: an object that begins
// with type, seq, at, session and turn, followed by the fields of the event in
// the order of its struct. Names are the Go names in snake case, or the json
// tag where there is one; times are RFC 3339 in UTC with milliseconds,
// durations are milliseconds in fields that end in _ms. Fields are always
// present, so that a reader need not tell absent from empty.
//
// The format is described for users in wire.md beside this file; a test holds
// the two together.
func JSON(e Event) ([]byte, error) {
	m := e.Envelope()
	v := reflect.ValueOf(e)
	var b bytes.Buffer
	w := objectWriter{buf: &b}
	w.field("type", TypeName(e))
	w.field("seq", m.Seq)
	w.field("at", m.At.UTC().Format("2006-01-02T15:04:05.000Z"))
	w.field("session", m.Session)
	w.field("turn", m.Turn)
	w.structFields(v)
	if w.err != nil {
		return nil, fmt.Errorf("encode %s event: %w", TypeName(e), w.err)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// TypeName returns the event's name on the wire, "tool_started".
func TypeName(e Event) string { return snake(reflect.TypeOf(e).Name()) }

type objectWriter struct {
	buf *bytes.Buffer
	err error
}

func (w *objectWriter) field(name string, value any) {
	if w.err != nil {
		return
	}
	sep := byte(',')
	if w.buf.Len() == 0 {
		sep = '{'
	}
	w.buf.WriteByte(sep)
	w.buf.WriteString(`"` + name + `":`)
	var vb bytes.Buffer
	enc := json.NewEncoder(&vb)
	enc.SetEscapeHTML(false)
	if w.err = enc.Encode(value); w.err == nil {
		w.buf.Write(bytes.TrimRight(vb.Bytes(), "\n"))
	}
}

func (w *objectWriter) structFields(v reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f, fv := t.Field(i), v.Field(i)
		if f.Type == reflect.TypeFor[Meta]() {
			continue
		}
		if f.Anonymous {
			w.structFields(fv)
			continue
		}
		name := wireName(f)
		if d, ok := fv.Interface().(time.Duration); ok {
			w.field(strings.TrimSuffix(name, "_ms")+"_ms", float64(d)/float64(time.Millisecond))
			continue
		}
		if f.Type.Kind() == reflect.Slice && fv.IsNil() {
			w.field(name, []any{})
			continue
		}
		w.field(name, fv.Interface())
	}
}

func wireName(f reflect.StructField) string {
	if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" && tag != "-" {
		return tag
	}
	return snake(f.Name)
}

var snakes sync.Map // Go name -> snake case; names are few and asked for often

// snake turns APICalls into api_calls and ToolStarted into tool_started.
func snake(s string) string {
	if v, ok := snakes.Load(s); ok {
		return v.(string)
	}
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		if unicode.IsUpper(r) && i > 0 {
			after := unicode.IsLower(rs[i-1])
			before := unicode.IsUpper(rs[i-1]) && i+1 < len(rs) && unicode.IsLower(rs[i+1])
			if after || before {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	snakes.Store(s, b.String())
	return b.String()
}
