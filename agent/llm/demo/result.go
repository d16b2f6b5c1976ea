package demo

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// result is what a tool answered, taken apart for quoting. Nothing in it is
// changed: numbers stay as the tool wrote them.
type result struct {
	raw    string
	failed bool
	head   string // the value to show first, "" when there is none
	whole  bool   // head is all there is
	json   bool
}

// mainFields are the fields that carry a tool's answer, the most telling first.
const mainFields = "output result answer value text content message data summary response reply status"

// failureStarts begin texts that report a failure.
var failureStarts = []string{
	"error", "[error", "[tool_error", "traceback", "exception", "failed", "blocked", "tool execution failed", "[tool execution cancelled",
	"错误", "出错", "失败", "工具执行出错", "异常", "抱歉",
}

// maxResult bounds how much of a result is read for its fields, in bytes.
const maxResult = 1 << 20

// readResult reads the content of a tool message.
func readResult(content string) result {
	r := result{raw: content}
	trimmed := strings.TrimSpace(content)
	if len(trimmed) <= maxResult && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) {
		if v, rest, err := decode(trimmed); err == nil {
			r.json = true
			// Python escapes everything but ASCII; a reader wants the
			// characters. Numbers and the order of fields stay.
			if strings.Contains(trimmed, `\u`) && strings.TrimSpace(rest) == "" {
				r.raw = encode(v)
			}
			if o, ok := v.(*object); ok {
				r.readObject(o, trimmed)
			}
			return r
		}
	}
	r.head, r.whole = trimmed, true
	low := strings.ToLower(cut(trimmed, 200))
	for _, s := range failureStarts {
		if strings.HasPrefix(low, s) {
			r.failed = true
		}
	}
	if strings.HasPrefix(low, "tool '") && strings.Contains(low, "does not exist") {
		r.failed = true
	}
	return r
}

func (r *result) readObject(o *object, text string) {
	if e := o.get("error"); e != nil && e != false && e != "" {
		r.failed = true
		r.head = scalar(e)
		if inner, ok := e.(*object); ok && r.head == "" {
			r.head = scalar(inner.get("message"))
		}
		r.whole = len(o.keys) == 1
		return
	}
	if o.get("success") == false || o.get("ok") == false {
		r.failed = true
	}
	var heads []string
	for _, f := range strings.Fields(mainFields) {
		if s := scalar(o.get(f)); s != "" {
			heads = append(heads, s)
		}
	}
	if len(heads) == 0 {
		return
	}
	r.head = heads[0]
	// "output": "37.7778 C" says more than "result": 37.7778, but only when it
	// holds it.
	if res := scalar(o.get("result")); res != "" && !strings.Contains(r.head, res) {
		r.head = res
	}
	r.whole = len(o.keys) == 1
}

// scalar is a JSON value as text, "" for lists, objects and null.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// number is the one number that the result gives, for the call that needs it.
func (r result) number() (string, bool) {
	if r.failed {
		return "", false
	}
	if r.json {
		v, _, err := decode(strings.TrimSpace(r.raw))
		if err != nil {
			return "", false
		}
		o, _ := v.(*object)
		for _, f := range strings.Fields("result value answer output " + mainFields) {
			switch x := o.get(f).(type) {
			case json.Number:
				return x.String(), true
			case string:
				if n, ok := soleNumber(x); ok {
					return n, true
				}
			}
		}
		return "", false
	}
	if i := strings.LastIndexAny(r.raw, "=＝"); i >= 0 {
		_, size := utf8.DecodeRuneInString(r.raw[i:])
		return soleNumber(r.raw[i+size:])
	}
	return soleNumber(r.raw)
}

// soleNumber reads the number in s when there is exactly one.
func soleNumber(s string) (string, bool) {
	found := ""
	for i := 0; i < len(s); {
		c := s[i]
		if c < '0' || c > '9' {
			i++
			continue
		}
		j := i
		for j < len(s) && (s[j] >= '0' && s[j] <= '9' || s[j] == '.' && digitAt(s, j+1) || (s[j] == 'e' || s[j] == 'E') && j+1 < len(s) && (digitAt(s, j+1) || (s[j+1] == '-' || s[j+1] == '+') && digitAt(s, j+2)) || (s[j] == '-' || s[j] == '+') && (s[j-1] == 'e' || s[j-1] == 'E') && j > i) {
			j++
		}
		n := s[i:j]
		if i > 0 && s[i-1] == '-' {
			n = "-" + n
		}
		if found != "" || !json.Valid([]byte(n)) {
			return "", false
		}
		found, i = n, j
	}
	return found, found != ""
}

// oneLine reports whether s can stand inside a sentence.
func oneLine(s string) bool {
	if len(s) > 160 || s == "" {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || unicode.IsControl(r) }) < 0
}
