package yaml11

import "gopkg.in/yaml.v3"

// Target follows aliases to the node that they stand for, at most a few
// steps: an alias of an alias is legal, a cycle is not worth following.
func Target(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		if n == nil || n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return n
}

// Child returns the value of a key that was typed as name, nil when n is not a
// mapping or has no such key. The last of several equal keys wins; keys of
// merged mappings count after the mapping's own.
func Child(n *yaml.Node, name string) *yaml.Node { return child(n, name, 0) }

func child(n *yaml.Node, name string, depth int) *yaml.Node {
	n = Target(n)
	if n == nil || n.Kind != yaml.MappingNode || depth > maxDepth {
		return nil
	}
	merged := false
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		key := Target(n.Content[i])
		if isMerge(n.Content[i]) {
			merged = true
		} else if key.Kind == yaml.ScalarNode && key.Value == name {
			return n.Content[i+1]
		}
	}
	if !merged {
		return nil
	}
	sources := merges(n)
	for i := len(sources) - 1; i >= 0; i-- {
		if c := child(sources[i], name, depth+1); c != nil {
			return c
		}
	}
	return nil
}

// Duplicates returns the second and later keys of n that repeat an earlier
// one, without looking into nested mappings.
func Duplicates(n *yaml.Node) []*yaml.Node {
	if n = Target(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var out []*yaml.Node
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode || isMerge(key) {
			continue
		}
		if seen[key.Value] {
			out = append(out, key)
		}
		seen[key.Value] = true
	}
	return out
}
