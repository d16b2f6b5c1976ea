package yaml11

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Kind is the type of a Value.
type Kind uint8

// Kinds, named after the Python types: None, bool, int, float, str,
// datetime.date or datetime.datetime, bytes, list, dict.
const (
	Null Kind = iota
	Bool
	Int
	Float
	Str
	Time
	Bytes
	List
	Map
)

var kindNames = [...]string{"null", "a boolean", "a number", "a number", "text", "a date", "binary data", "a list", "a mapping"}

// String names the kind in words, for error messages.
func (k Kind) String() string { return kindNames[k] }

// Value is a value as the safe loader would make it, beside the text it was
// written as.
type Value struct {
	Kind     Kind
	Text     string // scalars: as typed, without quotes
	Bool     bool
	Int      *big.Int
	Float    float64
	Time     time.Time
	DateOnly bool   // a date without a time
	Data     string // of Bytes
	Items    []Value
	Pairs    []Pair // of Map: one per key, in the order of first appearance
	Line     int    // where it begins, from 1
}

// Pair is one entry of a Map.
type Pair struct{ Key, Value Value }

// Get returns the value of the key that was typed as name.
func (v Value) Get(name string) (Value, bool) {
	for _, p := range v.Pairs {
		if p.Key.Text == name && p.Key.Kind < List {
			return p.Value, true
		}
	}
	return Value{}, false
}

// Limits of Decode. They are far beyond any settings file, and bound what a
// few lines of nested aliases can grow to.
const (
	maxDepth  = 200
	maxValues = 100_000
)

// Decode turns a node into a Value, with aliases and merge keys expanded.
// A nil node is Null. Errors are *Error with the line and an empty File.
func Decode(n *yaml.Node) (Value, error) {
	if n == nil {
		return Value{}, nil
	}
	d := decoder{}
	v := d.value(n, 0)
	return v, d.failure()
}

type decoder struct {
	count int
	err   *Error
}

func (d *decoder) failure() error {
	if d.err == nil {
		return nil // a typed nil would not be nil
	}
	return d.err
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	if d.err == nil {
		d.err = &Error{Line: n.Line, Reason: fmt.Sprintf(format, args...)}
	}
}

func (d *decoder) value(n *yaml.Node, depth int) Value {
	if d.err != nil {
		return Value{}
	}
	d.count++
	if d.count > maxValues {
		d.fail(n, "more than %d values; aliases expand too far", maxValues)
		return Value{}
	}
	if depth > maxDepth {
		d.fail(n, "nested deeper than %d levels", maxDepth)
		return Value{}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return d.value(n.Alias, depth+1)
	case yaml.DocumentNode:
		return d.value(n.Content[0], depth+1)
	case yaml.SequenceNode:
		d.collection(n, "!!seq", "!!omap", "!!pairs")
		v := Value{Kind: List, Line: n.Line}
		for _, c := range n.Content {
			v.Items = append(v.Items, d.value(c, depth+1))
		}
		return v
	case yaml.MappingNode:
		d.collection(n, "!!map", "!!set")
		return d.mapping(n, depth)
	}
	v, err := scalar(n)
	if err != nil {
		d.fail(n, "%v", err)
	}
	return v
}

// collection refuses a collection with a tag other than the known ones. The
// rarer Python types become a plain list or mapping.
func (d *decoder) collection(n *yaml.Node, known ...string) {
	if n.Style&yaml.TaggedStyle != 0 && !slices.Contains(known, n.Tag) {
		d.fail(n, "could not determine a constructor for the tag %q", n.Tag)
	}
}

func (d *decoder) mapping(n *yaml.Node, depth int) Value {
	v := Value{Kind: Map, Line: n.Line}
	index := map[string]int{}
	add := func(key, value Value) {
		id := strconv.Itoa(int(key.Kind)) + key.Text
		if i, ok := index[id]; ok {
			v.Pairs[i].Value = value
			return
		}
		index[id] = len(v.Pairs)
		v.Pairs = append(v.Pairs, Pair{key, value})
	}
	for _, m := range merges(n) {
		merged := d.value(m, depth+1)
		if merged.Kind != Map && d.err == nil {
			d.fail(m, "expected a mapping for merging, found %s", merged.Kind)
		}
		for _, p := range merged.Pairs {
			add(p.Key, p.Value)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMerge(n.Content[i]) {
			continue
		}
		key := d.value(n.Content[i], depth+1)
		if key.Kind >= List {
			d.fail(n.Content[i], "a mapping key cannot be %s", key.Kind)
		}
		add(key, d.value(n.Content[i+1], depth+1))
	}
	return v
}

func isMerge(key *yaml.Node) bool { return key.Tag == tagMerge && key.Kind == yaml.ScalarNode }

// merges returns the nodes that merge keys of n name, weakest first: a later
// one overrides an earlier one, and the mapping's own keys override all.
func merges(n *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !isMerge(n.Content[i]) {
			continue
		}
		m := Target(n.Content[i+1])
		if m.Kind != yaml.SequenceNode {
			out = append(out, m)
			continue
		}
		for j := len(m.Content) - 1; j >= 0; j-- {
			out = append(out, m.Content[j])
		}
	}
	return out
}

// tagged resolves a scalar with an explicit tag.
func tagged(n *yaml.Node, v Value) (Value, error) {
	ok := true
	switch n.Tag {
	case tagStr:
	case tagNull:
		v.Kind = Null
	case tagBool:
		w := word(Value{Kind: Str, Text: strings.ToLower(v.Text)})
		v.Bool, v.Kind, ok = w.Bool, Bool, w.Kind == Bool
	case tagInt:
		v.Kind = Int
		v.Int, ok = integer(v.Text)
	case tagFloat:
		v.Kind = Float
		if v.Float, ok = float(v.Text); !ok {
			f, err := strconv.ParseFloat(strings.ReplaceAll(v.Text, "_", ""), 64)
			v.Float, ok = f, err == nil
		}
	case tagTime:
		var hasTime bool
		v.Time, hasTime, ok = timestamp(v.Text)
		v.Kind, v.DateOnly = Time, !hasTime
	case tagBinary:
		b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(v.Text), ""))
		v.Kind, v.Data, ok = Bytes, string(b), err == nil
	default:
		return v, fmt.Errorf("could not determine a constructor for the tag %q", n.Tag)
	}
	if !ok {
		return v, fmt.Errorf("%q is not a value of the tag %s", v.Text, n.Tag)
	}
	return v, nil
}
