package wire

import (
	"cmp"
	"encoding/json"
	"strings"
)

// fault is what an error body says.
type fault struct{ text, code, kind, param string }

// text is a string field that tolerates null, numbers and objects (as JSON).
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = text(s)
	default:
		*t = text(b)
	}
	return nil
}

// readFault digs the text and the code out of an error body: OpenAI's object,
// that object in a list or as JSON inside a text, a bare text, FastAPI's
// detail, a problem document, or a web page's title.
func readFault(body []byte) fault {
	return readFaultAt(body, 0)
}

// maxNesting bounds errors that gateways pack into each other.
const maxNesting = 4

func readFaultAt(body []byte, depth int) fault {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0] // Google's services wrap the object
	}
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Errors  json.RawMessage `json:"errors"`
		Message text            `json:"message"`
		Msg     text            `json:"msg"`
		Detail  json.RawMessage `json:"detail"`
		Title   text            `json:"title"`
		Code    text            `json:"code"`
		Type    text            `json:"type"`
	}
	if json.Unmarshal(body, &doc) != nil {
		return fault{text: plainText(body)}
	}
	var inner struct {
		Message  text `json:"message"`
		Code     text `json:"code"`
		Status   text `json:"status"`
		Type     text `json:"type"`
		Param    text `json:"param"`
		Metadata struct {
			Raw text `json:"raw"` // OpenRouter: what the service behind it said
		} `json:"metadata"`
	}
	var plain string
	switch {
	case json.Unmarshal(doc.Error, &inner) == nil && inner.Message != "":
		f := fault{text: string(inner.Message), code: string(inner.Code), kind: string(inner.Type), param: string(inner.Param)}
		raw := string(inner.Metadata.Raw)
		raw = cmp.Or(unpacked(raw, depth).text, raw)
		if raw != "" && !strings.Contains(f.text, raw) {
			f.text += ": " + raw
		}
		return f.unpack(depth)
	case json.Unmarshal(doc.Error, &plain) == nil && plain != "":
		return fault{text: plain, code: string(doc.Code)}.unpack(depth)
	case doc.Message != "":
		return fault{text: string(doc.Message), code: string(doc.Code), kind: string(doc.Type)}.unpack(depth)
	case len(doc.Detail) > 0 && string(doc.Detail) != "null":
		return fault{text: details(doc.Detail)}.unpack(depth)
	case doc.Msg != "":
		return fault{text: string(doc.Msg), code: string(doc.Code)}
	case len(doc.Errors) > 0:
		return fault{text: details(doc.Errors)}
	case doc.Title != "":
		return fault{text: string(doc.Title)}
	case len(doc.Error) > 0 && string(doc.Error) != "null":
		return fault{text: string(doc.Error)}
	}
	return fault{text: string(body)}
}

// unpack looks for another error body inside the text.
func (f fault) unpack(depth int) fault {
	if in := unpacked(f.text, depth); in.text != "" {
		in.param = cmp.Or(in.param, f.param)
		in.code = cmp.Or(in.code, f.code)
		in.kind = cmp.Or(in.kind, f.kind)
		return in
	}
	return f
}

// unpacked is the error body that s is, the zero fault when it is none.
func unpacked(s string, depth int) fault {
	s = strings.TrimSpace(s)
	switch {
	case s == "" || depth >= maxNesting:
		return fault{}
	case s[0] == '{' && json.Valid([]byte(s)):
		return readFaultAt([]byte(s), depth+1)
	case depth > 0 || s[0] == '<':
		return fault{text: plainText([]byte(s))}
	}
	return fault{}
}

// details reads FastAPI's detail: a text, or a list of places and reasons.
func details(raw json.RawMessage) string {
	var plain string
	if json.Unmarshal(raw, &plain) == nil {
		return plain
	}
	var list []struct {
		Loc     []text `json:"loc"`
		Msg     text   `json:"msg"`
		Message text   `json:"message"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return string(raw)
	}
	var out []string
	for _, e := range list {
		s := cmp.Or(string(e.Msg), string(e.Message))
		if n := len(e.Loc); n > 0 && s != "" {
			s = string(e.Loc[n-1]) + ": " + s
		}
		if s != "" {
			out = append(out, s)
		}
	}
	if out == nil {
		return string(raw)
	}
	return strings.Join(out, "; ")
}

var (
	title = lazy(`(?is)<title[^>]*>(.*?)</title>`)
	tags  = lazy(`(?s)<[^>]*>`)
)

// plainText is what a person would read of a body: a web page's title, or the
// text without tags.
func plainText(body []byte) string {
	s := string(body)
	if m := title().FindStringSubmatch(s); m != nil {
		s = m[1]
	} else if strings.Contains(s, "<") {
		s = tags().ReplaceAllString(s, " ")
	}
	return strings.Join(strings.Fields(s), " ")
}
