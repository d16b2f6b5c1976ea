package panel

import (
	"path"
	"strconv"
	"strings"
	"time"

	"hermes/agent/event"
)

// runFilter decides which hook runs are listed. It is what the user typed:
// words that must all match, each with an optional field (hook:, plugin:,
// result:, turn:, call:), a bound (dur>500ms), ! before it to negate, commas
// inside a value for alternatives, and "or" between groups of words.
type runFilter struct{ groups [][]term }

// term is one word of a filter.
type term struct {
	not   bool
	field string
	vals  []string
	over  time.Duration // of dur>
	under time.Duration // of dur<
}

// parseFilter reads a filter. Every text is a filter: what has no meaning as
// one is searched for as it stands.
func parseFilter(text string) runFilter {
	var f runFilter
	var group []term
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if word == "or" {
			if len(group) > 0 {
				f.groups = append(f.groups, group)
				group = nil
			}
			continue
		}
		group = append(group, parseTerm(word))
	}
	if len(group) > 0 {
		f.groups = append(f.groups, group)
	}
	return f
}

func parseTerm(word string) term {
	var t term
	if rest, ok := strings.CutPrefix(word, "!"); ok && rest != "" {
		t.not, word = true, rest
	}
	for _, op := range []string{"dur>", "dur<"} {
		rest, ok := strings.CutPrefix(word, op)
		if !ok {
			continue
		}
		if d, ok := duration(rest); ok {
			if op == "dur>" {
				t.over = d
			} else {
				t.under = d
			}
			return t
		}
	}
	if field, val, ok := strings.Cut(word, ":"); ok && val != "" {
		switch field {
		case "hook", "plugin", "result", "turn", "call":
			t.field, word = field, val
		}
	}
	t.vals = strings.Split(word, ",")
	return t
}

// duration reads 500ms, 1.5s, 2m, and a bare number as milliseconds.
func duration(s string) (time.Duration, bool) {
	if n, err := strconv.ParseFloat(s, 64); err == nil && n >= 0 && n < 1e12 {
		return time.Duration(n * float64(time.Millisecond)), true
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

// match tells whether a run is listed. text is how its row reads, in lower
// case.
func (f runFilter) match(e *event.HookRun, text string) bool {
	if len(f.groups) == 0 {
		return true
	}
	for _, group := range f.groups {
		ok := true
		for _, t := range group {
			ok = ok && t.match(e, text) != t.not
		}
		if ok {
			return true
		}
	}
	return false
}

func (t term) match(e *event.HookRun, text string) bool {
	ms := time.Duration(e.Ms * float64(time.Millisecond))
	if t.over > 0 {
		return ms > t.over
	}
	if t.under > 0 {
		return ms < t.under
	}
	for _, v := range t.vals {
		if v != "" && t.matchValue(e, text, v) {
			return true
		}
	}
	return false
}

func (t term) matchValue(e *event.HookRun, text, v string) bool {
	switch t.field {
	case "hook":
		return glob(v, e.Hook)
	case "plugin":
		return glob(v, e.Plugin)
	case "turn":
		return strings.HasSuffix(strings.ToLower(e.Turn), v)
	case "call":
		return strings.HasPrefix(strings.ToLower(e.Call), v)
	case "result":
		return result(e) == v || v == "changed" && e.Effect == "changed" || v == "change" && e.Effect == "changed"
	}
	if v == "ok" || v == "error" || v == "timeout" {
		return result(e) == v
	}
	return strings.Contains(text, v)
}

// glob matches a name by its beginning, or as a pattern when it has a star.
func glob(pattern, name string) bool {
	name = strings.ToLower(name)
	if strings.ContainsAny(pattern, "*?[") {
		ok, err := path.Match(pattern, name)
		return err == nil && ok
	}
	return strings.HasPrefix(name, pattern)
}

// result is how a run ended, in the words of the filter.
func result(e *event.HookRun) string {
	switch {
	case e.Timeout:
		return "timeout"
	case e.Err != nil:
		return "error"
	case e.Effect != "":
		return e.Effect
	}
	return "ok"
}
