package cases

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// State is how an assertion came out.
type State string

// States.
const (
	Pass       State = "pass"
	Fail       State = "fail"
	NotOffered State = "n/a" // of a step that is not supported, or of an alternative that another meets
)

// Verdict is an assertion with its state and the value that was there.
type Verdict struct {
	Assertion
	State State
	Gave  string // the value as JSON, empty when it is missing
}

// missing stands for a value that is not there.
type missing struct{}

// judge holds the observation against the assertions.
func (c *Case) judge(obs *object) ([]Verdict, error) {
	steps, err := c.steps()
	if err != nil {
		return nil, err
	}
	tree := viewOf(steps, obs)
	out := make([]Verdict, len(c.Expect))
	for i, a := range c.Expect {
		v := Verdict{Assertion: a, State: NotOffered}
		first, _, _ := strings.Cut(strings.TrimPrefix(a.At, "/"), "/")
		if s, ok := tree.values[first].(*object); !ok || s.values["unsupported"] != true {
			got := locate(tree, a.At)
			ok, err := holds(a, got)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", c.ID, a.At, err)
			}
			v.State = Fail
			if ok {
				v.State = Pass
			}
			if _, gone := got.(missing); !gone {
				v.Gave = textOf(got)
			}
		}
		out[i] = v
	}
	c.alternatives(out)
	return out, nil
}

// alternatives take failures back where another line of the group holds.
func (c *Case) alternatives(list []Verdict) {
	for _, group := range c.Alternatives {
		in, met := map[string]bool{}, false
		for _, at := range group {
			in[at] = true
		}
		for _, v := range list {
			met = met || (in[v.At] && v.State == Pass)
		}
		for i, v := range list {
			if met && in[v.At] && v.State == Fail {
				list[i].State = NotOffered
			}
		}
	}
}

// viewOf is the observation with the steps under their names.
func viewOf(steps []step, obs *object) *object {
	tree := newObject()
	for _, key := range obs.keys {
		if key != "steps" {
			tree.set(key, obs.values[key])
		}
	}
	list, _ := obs.values["steps"].([]any)
	for i, s := range steps {
		if i >= len(list) {
			break
		}
		f, ok := list[i].(*object)
		if !ok {
			continue
		}
		nameSent(f)
		if text, ok := f.values["result"].(string); ok {
			if _, there := f.values["json"]; !there {
				v, err := parse([]byte(text))
				if err != nil {
					v = nil
				}
				f.set("json", v)
			}
		}
		name := s.ID
		if name == "" {
			name = strconv.Itoa(i)
		}
		tree.set(name, f)
	}
	return tree
}

// nameSent turns the list of function objects into one by their names.
func nameSent(f *object) {
	list, ok := f.values["sent"].([]any)
	if !ok {
		return
	}
	byName := newObject()
	for _, item := range list {
		if d, ok := item.(*object); ok {
			if fn, ok := d.values["function"].(*object); ok {
				byName.set(textOf(fn.values["name"]), fn)
			}
		}
	}
	f.set("sent", byName)
}

// locate follows a JSON pointer.
func locate(node any, pointer string) any {
	parts := strings.Split(pointer, "/")
	for _, part := range parts[1:] {
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		switch n := node.(type) {
		case *object:
			v, ok := n.values[part]
			if !ok {
				return missing{}
			}
			node = v
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(n) {
				return missing{}
			}
			node = n[i]
		default:
			return missing{}
		}
	}
	return node
}

// holds reports whether an assertion is true of v. An unknown operation is an
// error; a value of the wrong kind is false.
func holds(a Assertion, v any) (bool, error) {
	_, gone := v.(missing)
	switch a.Op {
	case "missing":
		return gone, nil
	case "exists":
		return !gone && v != nil, nil
	}
	var want any
	if len(a.Value) > 0 {
		var err error
		if want, err = parse(a.Value); err != nil {
			return false, fmt.Errorf("value: %w", err)
		}
	}
	check, ok := ops[a.Op]
	if !ok {
		return false, fmt.Errorf("unknown operation %q", a.Op)
	}
	return !gone && check(v, want), nil
}

// ops are the operations that look at a value.
var ops = map[string]func(v, want any) bool{
	"is_true":  func(v, _ any) bool { return v == true },
	"is_false": func(v, _ any) bool { return v == false },
	"is_null":  func(v, _ any) bool { return v == nil },
	"eq":       equal,
	"ne":       func(v, want any) bool { return !equal(v, want) },
	"in": func(v, want any) bool {
		list, ok := want.([]any)
		return ok && anyOf(list, func(item any) bool { return equal(v, item) })
	},
	"le":     func(v, want any) bool { return compare(v, want, func(a, b float64) bool { return a <= b }) },
	"ge":     func(v, want any) bool { return compare(v, want, func(a, b float64) bool { return a >= b }) },
	"len_le": func(v, want any) bool { return compare(size(v), want, func(a, b float64) bool { return a <= b }) },
	"len_ge": func(v, want any) bool { return compare(size(v), want, func(a, b float64) bool { return a >= b }) },
	"len_eq": func(v, want any) bool { return compare(size(v), want, func(a, b float64) bool { return a == b }) },
	"contains": func(v, want any) bool {
		has, ok := contains(v, want)
		return ok && has
	},
	"lacks": func(v, want any) bool {
		has, ok := contains(v, want)
		return ok && !has
	},
	"match":    func(v, want any) bool { return v != nil && matches(v, want) },
	"no_match": func(v, want any) bool { return !matches(v, want) },
	"any_match": func(v, want any) bool {
		list, ok := items(v)
		return ok && anyOf(list, func(item any) bool { return matches(item, want) })
	},
	"none_match": func(v, want any) bool {
		list, ok := items(v)
		return ok && !anyOf(list, func(item any) bool { return matches(item, want) })
	},
	"all_keys_match": func(v, want any) bool {
		list, ok := items(v)
		return ok && !anyOf(list, func(item any) bool { return !matches(item, want) })
	},
	"count_twice": func(v, want any) bool {
		list, ok := items(v)
		n := 0
		for _, item := range list {
			text := textOf(item)
			if text[strings.LastIndexByte(text, '/')+1:] == want {
				n++
			}
		}
		return ok && n >= 2
	},
}

func anyOf(list []any, f func(any) bool) bool {
	for _, item := range list {
		if f(item) {
			return true
		}
	}
	return false
}

// items are those of a list, or the names of an object.
func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case *object:
		out := make([]any, len(v.keys))
		for i, key := range v.keys {
			out[i] = key
		}
		return out, true
	}
	return nil, false
}

// size is the length of a text in characters, of a list or an object; nil for
// what has none.
func size(v any) any {
	if s, ok := v.(string); ok {
		return utf8.RuneCountInString(s)
	}
	if list, ok := items(v); ok {
		return len(list)
	}
	return nil
}

func compare(v, want any, f func(a, b float64) bool) bool {
	a, ok := number(v)
	b, ok2 := number(want)
	return ok && ok2 && f(a, b)
}

// contains looks for a part of a text, an item of a list or a name of an
// object; of anything else for a part of its JSON. ok is false when v cannot
// hold want.
func contains(v, want any) (has, ok bool) {
	switch v := v.(type) {
	case string:
		part, ok := want.(string)
		return ok && strings.Contains(v, part), ok
	case []any:
		return anyOf(v, func(item any) bool { return equal(item, want) }), true
	case *object:
		key, ok := want.(string)
		_, has := v.values[key]
		return has, ok
	}
	part, ok := want.(string)
	return ok && strings.Contains(textOf(v), part), ok
}

func matches(v, pattern any) bool {
	p, ok := pattern.(string)
	if !ok {
		return false
	}
	re, err := regexp.Compile("(?s)" + p)
	return err == nil && re.MatchString(textOf(v))
}

// ValueText is the assertion's value, shortened, for a message.
func (a Assertion) ValueText() string { return short(string(json.RawMessage(a.Value)), 90) }

// Short is what was there, shortened, for a message.
func (v Verdict) Short() string { return short(v.Gave, 200) }

func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
