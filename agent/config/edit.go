package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
)

// Edit changes config.yaml: under the lock it reads the file as it is now,
// lets change work on its root mapping (an empty one when there is no file),
// and replaces the file. Comments, order and what change leaves alone stay as
// they are written. A broken file is never overwritten: the *ParseError comes
// back. When change has no effect nothing is written.
func Edit(home Home, change func(root *yaml.Node) error) error {
	return locked(home, func() error {
		path := home.Config()
		data, err := readFile(path)
		if err != nil {
			return err
		}
		if _, err := parseConfig(path, data); err != nil {
			return err
		}
		out, err := edited(path, data, change)
		if err != nil || bytes.Equal(out, data) {
			return err
		}
		return WriteFile(path, out)
	})
}

// edited applies change to the text of a file that parses.
func edited(path string, data []byte, change func(root *yaml.Node) error) ([]byte, error) {
	before, err := yaml11.ParseDocument(path, data)
	if err != nil {
		return nil, err
	}
	doc, err := yaml11.ParseDocument(path, data)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		doc = &yaml.Node{Kind: yaml.DocumentNode}
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		doc.Content = []*yaml.Node{{Kind: yaml.MappingNode, Tag: "!!map"}}
	}
	if err := change(doc.Content[0]); err != nil {
		return nil, err
	}
	spellNulls(doc)
	if before != nil && same(before, doc) {
		return data, nil
	}
	if out, ok := splice(data, before, doc); ok {
		return out, nil
	}
	out, err := encode(doc, data)
	if err != nil {
		return nil, err
	}
	if check, err := yaml11.ParseDocument(path, out); err != nil || check == nil || !same(check, doc) {
		return nil, fmt.Errorf("%s is laid out in a way that cannot be changed safely; change it by hand", path)
	}
	return out, nil
}

// spellNulls writes out nulls that were left empty: yaml.v3 turns such an entry
// of a flow mapping into an empty text.
func spellNulls(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 {
		n.Value = "null"
	}
	for _, c := range n.Content {
		spellNulls(c)
	}
}

// encode writes the whole document anew, for files whose layout splice does
// not understand. head keeps comments of a file that has nothing else.
func encode(doc *yaml.Node, data []byte) ([]byte, error) {
	var b bytes.Buffer
	if !hasComments(doc) {
		if before, err := yaml11.ParseDocument("", data); err == nil && before == nil {
			b.Write(endWithNewline(data))
		}
	}
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("write yaml: %w", err)
	}
	if err := enc.Close(); err != nil {
		return nil, fmt.Errorf("write yaml: %w", err)
	}
	return b.Bytes(), nil
}

func hasComments(n *yaml.Node) bool { return n.HeadComment != "" || n.FootComment != "" }

func endWithNewline(data []byte) []byte {
	if len(data) == 0 || data[len(data)-1] == '\n' {
		return data
	}
	return append(data[:len(data):len(data)], '\n')
}

// WriteFile writes a file of this user by rename, so that a reader sees the old
// or the new one whole; missing folders are made. A symbolic link stays one:
// its target is replaced.
func WriteFile(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	if err := Make(dir); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	err = fill(f, data)
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// fill writes data for this user only (os.CreateTemp's mode is FileMode) and
// makes sure that it is on the disk before the file gets its name.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// SetPluginEnabled puts key into plugins.enabled and takes it out of
// plugins.disabled, or the other way round; both lists are kept sorted, as the
// reference writes them. also names other spellings that count for the same
// plugin (its manifest name): they leave the list that would contradict.
func SetPluginEnabled(home Home, key string, on bool, also ...string) error {
	return Edit(home, func(root *yaml.Node) error {
		to, from := "enabled", "disabled"
		if !on {
			to, from = from, to
		}
		plugins, err := submap(root, "plugins")
		if err != nil {
			return err
		}
		if err := addTo(plugins, to, key); err != nil {
			return err
		}
		return removeFrom(plugins, from, append(also, key))
	})
}

// SetEntry sets plugins.entries.<key>.<name>.
func SetEntry(home Home, key, name string, value any) error {
	return Edit(home, func(root *yaml.Node) error {
		m := root
		for _, k := range []string{"plugins", "entries", key} {
			var err error
			if m, err = submap(m, k); err != nil {
				return err
			}
		}
		var v yaml.Node
		if err := v.Encode(value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
		set(m, name, &v)
		return nil
	})
}

// submap returns the mapping below key, made when it is missing or null.
func submap(m *yaml.Node, key string) (*yaml.Node, error) {
	n := yaml11.Target(yaml11.Child(m, key))
	switch {
	case n == nil:
	case n.Kind == yaml.MappingNode:
		return n, nil
	case n.Kind != yaml.ScalarNode || n.Value != "" && n.ShortTag() != "!!null":
		return nil, fmt.Errorf("line %d: %s is not a mapping; mend it first", n.Line, key)
	}
	n = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	set(m, key, n)
	return n, nil
}

// set gives key a value: the last one of that name, which is the one that
// counts, or a new one at the end.
func set(m *yaml.Node, key string, value *yaml.Node) {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if m.Content[i].Value == key {
			value.LineComment = m.Content[i+1].LineComment
			m.Content[i+1] = value
			return
		}
	}
	m.Content = append(m.Content, text(key), value)
}

// text makes a string node that reads as text for YAML 1.1 as well.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if v, err := yaml11.Decode(&yaml.Node{Kind: yaml.ScalarNode, Value: s}); err != nil || v.Kind != yaml11.Str {
		n.Style = yaml.SingleQuotedStyle
	}
	return n
}

// list returns the list at key: a single value counts as a list of one (D53),
// anything else as none.
func list(m *yaml.Node, key string) *yaml.Node {
	n := yaml11.Target(yaml11.Child(m, key))
	switch {
	case n != nil && n.Kind == yaml.SequenceNode:
		return n
	case n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null":
		return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{n}}
	}
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
}

func addTo(m *yaml.Node, key, entry string) error {
	l := list(m, key)
	if slices.ContainsFunc(l.Content, func(n *yaml.Node) bool { return n.Value == entry }) {
		return nil
	}
	l.Content = append(l.Content, text(entry))
	slices.SortStableFunc(l.Content, func(a, b *yaml.Node) int { return bytes.Compare([]byte(a.Value), []byte(b.Value)) })
	if yaml11.Target(yaml11.Child(m, key)) != l {
		set(m, key, l)
	}
	return nil
}

func removeFrom(m *yaml.Node, key string, entries []string) error {
	l := list(m, key)
	kept := slices.DeleteFunc(slices.Clone(l.Content), func(n *yaml.Node) bool { return slices.Contains(entries, n.Value) })
	if len(kept) == len(l.Content) {
		return nil
	}
	l.Content = kept
	if len(kept) == 0 {
		l.Style = yaml.FlowStyle // "[]": an empty block list cannot be written
	}
	if yaml11.Target(yaml11.Child(m, key)) != l {
		set(m, key, l)
	}
	return nil
}

// locked runs fn while this process alone, among those that take the lock,
// writes settings below home.
func locked(home Home, fn func() error) error {
	if err := Make(home.Dir()); err != nil {
		return err
	}
	return Locked(home.lock(), fn)
}

// Locked runs fn while no other process holds the lock file at path, which is
// made when it is missing and stays. hermes-agent takes the same kind of lock,
// so that two programs may share a home.
func Locked(path string, fn func() error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, FileMode)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("%s cannot be written: %w", filepath.Dir(path), err)
		}
		return fmt.Errorf("lock %s: %w", filepath.Base(path), err)
	}
	defer f.Close()
	if err := lock(f); err != nil {
		return fmt.Errorf("lock %s: %w", filepath.Base(path), err)
	}
	defer unlock(f)
	return fn()
}
