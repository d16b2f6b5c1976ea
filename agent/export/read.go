package export

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"hermes/agent/store"
)

// Read reads sessions from JSON Lines, or from JSON as Write writes it. The
// error names the line, the session and the field.
func Read(r io.Reader) ([]store.Dump, error) {
	in := bufio.NewReader(r)
	if bom, err := in.Peek(3); err == nil && bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3) // it was just seen
	}
	lines := &counter{r: in}
	dec := json.NewDecoder(lines)
	var out []store.Dump
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.at(offset(err, lines.n)), err)
		}
		line := lines.at(dec.InputOffset())
		items := []json.RawMessage{raw}
		if raw[0] == '[' {
			if err := json.Unmarshal(raw, &items); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
		}
		for i, item := range items {
			d, err := parse(item)
			if err != nil {
				return nil, fmt.Errorf("line %d, session %d: %w", line, len(out)+i+1, err)
			}
			items[i] = nil
			out = append(out, *d)
		}
	}
}

// offset is the place that err names, else end.
func offset(err error, end int64) int64 {
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		return bad.Offset
	}
	return end
}

// counter remembers where lines end.
type counter struct {
	r    io.Reader
	n    int64
	ends []int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.n+int64(i))
		}
	}
	c.n += int64(n)
	return n, err
}

// at is the number of the line that holds the byte before off.
func (c *counter) at(off int64) int {
	line := 1
	for _, end := range c.ends {
		if end >= off-1 {
			break
		}
		line++
	}
	return line
}

func parse(raw json.RawMessage) (*store.Dump, error) {
	session, err := record(raw)
	if err != nil {
		return nil, err
	}
	d := &store.Dump{}
	var msgs json.RawMessage
	for _, f := range session {
		if f.Name == "messages" {
			msgs, _ = f.Value.(json.RawMessage)
			continue
		}
		d.Session = append(d.Session, f)
	}
	if d.Session.Text("id") == "" {
		return nil, errors.New("id is missing or no text")
	}
	if d.Session.Text("source") == "" {
		d.Session = append(d.Session, store.Field{Name: "source", Value: "import"})
	}
	if msgs == nil {
		return d, nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(msgs, &list); err != nil {
		return nil, errors.New("messages is no list")
	}
	for i, m := range list {
		r, err := record(m)
		if err == nil && r.Text("role") == "" {
			err = errors.New("role is missing or no text")
		}
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
		d.Messages = append(d.Messages, r)
	}
	return d, nil
}

// numbers are the columns that hold numbers.
var numbers = map[string]bool{
	"expiry_finalized": true, "started_at": true, "ended_at": true, "message_count": true, "tool_call_count": true,
	"input_tokens": true, "output_tokens": true, "cache_read_tokens": true, "cache_write_tokens": true, "reasoning_tokens": true,
	"estimated_cost_usd": true, "actual_cost_usd": true, "api_call_count": true, "compression_failure_cooldown_until": true,
	"compression_fallback_streak": true, "rewind_count": true, "archived": true,
	"timestamp": true, "token_count": true, "observed": true, "active": true, "compacted": true,
}

// record reads an object in the order of its keys.
func record(raw json.RawMessage) (store.Record, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("is no object")
	}
	var out store.Record
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, err
		}
		name, _ := key.(string)
		value, err := columnOf(name, v)
		if err != nil {
			return nil, err
		}
		out = append(out, store.Field{Name: name, Value: value})
	}
	return out, nil
}

// columnOf is the value of a column. Lists and objects stay JSON.
func columnOf(name string, v json.RawMessage) (any, error) {
	if string(v) == "null" {
		return nil, nil
	}
	if name == "id" && v[0] != '"' {
		return nil, nil // the number of a message; it gets a new one
	}
	if numbers[name] {
		switch string(v) {
		case "true":
			return int64(1), nil
		case "false":
			return int64(0), nil
		}
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n, nil
		}
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, fmt.Errorf("%s is no number", name)
		}
		return f, nil
	}
	switch v[0] {
	case '"':
		var s string
		if err := json.Unmarshal(v, &s); err != nil {
			return nil, err
		}
		return s, nil
	case '{', '[':
		return v, nil
	}
	return string(v), nil // a number or a boolean where a text belongs
}
