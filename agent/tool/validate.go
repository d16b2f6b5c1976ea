package tool

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/agent/tool/internal/ojson"
)

// Validate checks args against the schema of a tool's parameters and returns
// an error that names the parameter, nil when it fits. It knows the keywords
// that tool schemas use; others are not checked.
func Validate(args, parameters json.RawMessage) error {
	if len(parameters) == 0 {
		return nil
	}
	v, err := ojson.Parse(args)
	if err != nil {
		return fmt.Errorf("arguments are not JSON: %w", err)
	}
	schema, err := ojson.Parse(parameters)
	if err != nil {
		return nil //nolint:nilerr // a broken schema is its author's fault, not the call's
	}
	return check(v, schema, "", maxCoerceDepth)
}

// Surplus returns the names in args that the schema does not know, when it
// says that there must be none (decision D34).
func Surplus(args, parameters json.RawMessage) []string {
	v, err := ojson.Parse(args)
	if err != nil {
		return nil
	}
	schema, err := ojson.Parse(parameters)
	if err != nil {
		return nil
	}
	var out []string
	props := schema.Get("properties")
	for _, f := range v.Fields {
		if props.Get(f.Key) == nil {
			out = append(out, f.Key)
		}
	}
	return out
}

func check(v, schema *ojson.Value, path string, depth int) error {
	if depth == 0 || !schema.Is(ojson.Object) {
		return nil
	}
	if v.Kind == ojson.Null && nullable(schema) {
		return nil
	}
	if err := checkType(v, schema, path); err != nil {
		return err
	}
	if err := checkEnum(v, schema, path); err != nil {
		return err
	}
	var err error
	switch v.Kind {
	case ojson.Object:
		err = checkObject(v, schema, path, depth)
	case ojson.Array:
		err = checkArray(v, schema, path, depth)
	case ojson.Number:
		err = checkNumber(v, schema, path)
	case ojson.String:
		err = checkString(v, schema, path)
	}
	if err != nil {
		return err
	}
	return checkBranches(v, schema, path, depth)
}

func checkType(v, schema *ojson.Value, path string) error {
	want := types(schema)
	if len(want) == 0 {
		return nil
	}
	for _, t := range want {
		if isType(v, t) {
			return nil
		}
	}
	return fmt.Errorf("%s must be %s, got %s", name(path), strings.Join(want, " or "), kindName(v))
}

func isType(v *ojson.Value, t string) bool {
	switch t {
	case "integer":
		return v.Kind == ojson.Number && isInteger(v.Text)
	case "null", "boolean", "number", "string", "array", "object":
		return kindName(v) == t
	}
	return true // an unknown type checks nothing
}

func isInteger(s string) bool {
	if integerText().MatchString(s) {
		return true
	}
	r, ok := rat(s)
	return ok && r.IsInt()
}

// rat reads a JSON number; ok is false for one too large to handle.
func rat(s string) (*big.Rat, bool) {
	if !numberText().MatchString(s) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

func kindName(v *ojson.Value) string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[v.Kind]
}

func checkEnum(v, schema *ojson.Value, path string) error {
	enum := schema.Get("enum")
	if !enum.Is(ojson.Array) || len(enum.Items) == 0 {
		return nil
	}
	var allowed []string
	for _, e := range enum.Items {
		if e.Kind == v.Kind && string(e.JSON()) == string(v.JSON()) {
			return nil
		}
		allowed = append(allowed, string(e.JSON()))
	}
	return fmt.Errorf("%s must be one of %s, got %s", name(path), strings.Join(allowed, ", "), short(v))
}

func checkObject(v, schema *ojson.Value, path string, depth int) error {
	props := schema.Get("properties")
	if req := schema.Get("required"); req.Is(ojson.Array) {
		for _, r := range req.Items {
			if r.Kind == ojson.String && v.Get(r.Text) == nil {
				return fmt.Errorf("%s is required", name(join(path, r.Text)))
			}
		}
	}
	extra := schema.Get("additionalProperties")
	for _, f := range v.Fields {
		p := join(path, f.Key)
		switch s := props.Get(f.Key); {
		case s != nil:
			if err := check(f.Value, s, p, depth-1); err != nil {
				return err
			}
		case extra.Is(ojson.Bool) && extra.Text == "false":
			return fmt.Errorf("%s is not known; known are: %s", name(p), keys(props))
		case extra.Is(ojson.Object):
			if err := check(f.Value, extra, p, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkArray(v, schema *ojson.Value, path string, depth int) error {
	if n, ok := bound(schema, "minItems"); ok && len(v.Items) < n {
		return fmt.Errorf("%s must have at least %d items, got %d", name(path), n, len(v.Items))
	}
	if n, ok := bound(schema, "maxItems"); ok && len(v.Items) > n {
		return fmt.Errorf("%s must have at most %d items, got %d", name(path), n, len(v.Items))
	}
	if items := schema.Get("items"); items != nil {
		for i, e := range v.Items {
			if err := check(e, items, fmt.Sprintf("%s[%d]", path, i), depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkNumber(v, schema *ojson.Value, path string) error {
	n, ok := rat(v.Text)
	if !ok {
		return nil
	}
	for _, b := range []struct {
		key, words string
		ok         func(cmp int) bool
	}{
		{"minimum", "at least", func(c int) bool { return c >= 0 }},
		{"maximum", "at most", func(c int) bool { return c <= 0 }},
		{"exclusiveMinimum", "more than", func(c int) bool { return c > 0 }},
		{"exclusiveMaximum", "less than", func(c int) bool { return c < 0 }},
	} {
		limit := schema.Get(b.key)
		if !limit.Is(ojson.Number) {
			continue
		}
		if l, ok := rat(limit.Text); ok && !b.ok(n.Cmp(l)) {
			return fmt.Errorf("%s must be %s %s, got %s", name(path), b.words, limit.Text, v.Text)
		}
	}
	return nil
}

func checkString(v, schema *ojson.Value, path string) error {
	n := utf8.RuneCountInString(v.Text)
	if m, ok := bound(schema, "minLength"); ok && n < m {
		return fmt.Errorf("%s must have at least %d characters, got %d", name(path), m, n)
	}
	if m, ok := bound(schema, "maxLength"); ok && n > m {
		return fmt.Errorf("%s must have at most %d characters, got %d", name(path), m, n)
	}
	if p := schema.Get("pattern"); p.Is(ojson.String) {
		re, err := regexp.Compile(p.Text)
		if err == nil && !re.MatchString(v.Text) {
			return fmt.Errorf("%s must match %s", name(path), p.Text)
		}
	}
	return nil
}

// checkBranches checks allOf, and that one alternative of anyOf or oneOf fits.
func checkBranches(v, schema *ojson.Value, path string, depth int) error {
	if all := schema.Get("allOf"); all.Is(ojson.Array) {
		for _, s := range all.Items {
			if err := check(v, s, path, depth-1); err != nil {
				return err
			}
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		alt := schema.Get(key)
		if !alt.Is(ojson.Array) || len(alt.Items) == 0 {
			continue
		}
		var first error
		fits := false
		for _, s := range alt.Items {
			err := check(v, s, path, depth-1)
			if err == nil {
				fits = true
				break
			}
			if first == nil {
				first = err
			}
		}
		if !fits {
			return first
		}
	}
	return nil
}

func bound(schema *ojson.Value, key string) (int, bool) {
	b := schema.Get(key)
	if !b.Is(ojson.Number) {
		return 0, false
	}
	n, err := strconv.Atoi(b.Text)
	return n, err == nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func name(path string) string {
	if path == "" {
		return "arguments"
	}
	return "parameter '" + path + "'"
}

func keys(props *ojson.Value) string {
	if props == nil || len(props.Fields) == 0 {
		return "none"
	}
	out := make([]string, len(props.Fields))
	for i, f := range props.Fields {
		out[i] = f.Key
	}
	return strings.Join(out, ", ")
}

// short is v for an error text.
func short(v *ojson.Value) string {
	s := string(v.JSON())
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
