// Package export writes stored sessions as JSON Lines, JSON, Markdown or HTML,
// and reads JSON Lines back. The JSON forms are the reference's: one object a
// session, the columns of its row and a list of messages. What hooks injected
// into messages is never exported (decision D32).
package export

import (
	"encoding/json"
	"fmt"
	"io"

	"hermes/agent/store"
)

// Formats.
const (
	JSONL    = "jsonl"
	JSON     = "json"
	Markdown = "md"
	HTML     = "html"
)

// Write writes sessions in a format. JSON of one session is an object, of
// several a list.
func Write(w io.Writer, format string, dumps []*store.Dump) error {
	switch format {
	case JSONL:
		for _, d := range dumps {
			if err := encode(w, d, ""); err != nil {
				return err
			}
		}
		return nil
	case JSON:
		if len(dumps) == 1 {
			return encode(w, dumps[0], "  ")
		}
		list := make([]json.RawMessage, len(dumps))
		for i, d := range dumps {
			raw, err := object(d)
			if err != nil {
				return err
			}
			list[i] = raw
		}
		enc := encoder(w, "  ")
		return enc.Encode(list)
	case Markdown:
		return writeMarkdown(w, dumps)
	case HTML:
		return writeHTML(w, dumps)
	}
	return fmt.Errorf("unknown format %q", format)
}

// Redact returns a copy of d with every text passed through redact.
func Redact(d *store.Dump, redact func(string) string) *store.Dump {
	out := &store.Dump{Session: redacted(d.Session, redact)}
	for _, m := range d.Messages {
		out.Messages = append(out.Messages, redacted(m, redact))
	}
	return out
}

// identity are columns that are no prose: ids and names of kinds.
var identity = map[string]bool{
	"id": true, "session_id": true, "parent_session_id": true, "source": true, "role": true, "tool_call_id": true,
	"tool_name": true, "finish_reason": true, "end_reason": true, "model": true, "billing_provider": true,
}

func redacted(r store.Record, redact func(string) string) store.Record {
	out := make(store.Record, len(r))
	for i, f := range r {
		out[i] = f
		switch v := f.Value.(type) {
		case string:
			if !identity[f.Name] {
				out[i].Value = redact(v)
			}
		case json.RawMessage:
			out[i].Value = redactJSON(v, redact)
		}
	}
	return out
}

// redactJSON redacts the strings inside of JSON, so that it stays JSON.
func redactJSON(raw json.RawMessage, redact func(string) string) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return json.RawMessage(`null`)
	}
	out, err := json.Marshal(redactValue(v, redact))
	if err != nil {
		return json.RawMessage(`null`)
	}
	return out
}

func redactValue(v any, redact func(string) string) any {
	switch v := v.(type) {
	case string:
		return redact(v)
	case []any:
		for i := range v {
			v[i] = redactValue(v[i], redact)
		}
	case map[string]any:
		for k := range v {
			v[k] = redactValue(v[k], redact)
		}
	}
	return v
}

func encoder(w io.Writer, indent string) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc
}

// object is a session as one JSON object: its columns, then "messages".
func object(d *store.Dump) (json.RawMessage, error) {
	msgs := d.Messages
	if msgs == nil {
		msgs = []store.Record{}
	}
	raw, err := json.Marshal(msgs)
	if err != nil {
		return nil, err
	}
	r := append(append(store.Record{}, d.Session...), store.Field{Name: "messages", Value: json.RawMessage(raw)})
	return r.MarshalJSON()
}

func encode(w io.Writer, d *store.Dump, indent string) error {
	raw, err := object(d)
	if err != nil {
		return fmt.Errorf("export %s: %w", d.Session.Text("id"), err)
	}
	return encoder(w, indent).Encode(raw)
}
