package openai

import "encoding/json"

// addDetails collects the entries of reasoning_details, which some services
// want back unchanged. While streaming they come in pieces; pieces of one text
// are joined.
func (a *assembly) addDetails(raw json.RawMessage) {
	if len(raw) == 0 || raw[0] != '[' {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return
	}
	for _, e := range list {
		if n := len(a.details); n > 0 {
			if joined, ok := joinDetail(a.details[n-1], e); ok {
				a.details[n-1] = joined
				continue
			}
		}
		a.details = append(a.details, e)
	}
}

// joinDetail appends the text of b to that of a when both are pieces of one
// entry.
func joinDetail(a, b json.RawMessage) (json.RawMessage, bool) {
	var x, y map[string]any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return nil, false
	}
	if x["type"] != y["type"] || x["index"] != y["index"] || y["index"] == nil {
		return nil, false
	}
	for k, v := range y {
		s, ok := v.(string)
		old, had := x[k].(string)
		if ok && had && (k == "text" || k == "summary" || k == "data") {
			x[k] = old + s
		} else if v != nil {
			x[k] = v
		}
	}
	out, err := json.Marshal(x)
	return out, err == nil
}

func (a *assembly) reasoningDetails() json.RawMessage {
	if len(a.details) == 0 {
		return nil
	}
	out, err := json.Marshal(a.details)
	if err != nil {
		return nil
	}
	return out
}
