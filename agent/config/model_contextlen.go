package config

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/config/yaml11"
)

// Windows is the file in which context windows are kept that a service named
// once: context_length_cache.yaml, shared with the reference. Its methods may
// be called from any goroutine and process.
type Windows struct{ home Home }

// NewWindows returns the windows kept below home.
func NewWindows(home Home) Windows { return Windows{home} }

func (w Windows) path() string { return w.home.join("context_length_cache.yaml") }

// Window is the window of a model at a base URL, 0 when it is not known.
func (w Windows) Window(model, base string) int { return w.read()[windowKey(model, base)] }

// SaveWindow keeps a window. A file that cannot be written costs a question to
// the service in the next session, and nothing else.
func (w Windows) SaveWindow(model, base string, tokens int) {
	_ = locked(w.home, func() error {
		all := w.read()
		if all[windowKey(model, base)] == tokens {
			return nil
		}
		all[windowKey(model, base)] = tokens
		var b strings.Builder
		b.WriteString("context_lengths:\n")
		for _, key := range slices.Sorted(maps.Keys(all)) {
			fmt.Fprintf(&b, "  %s: %d\n", strconv.Quote(key), all[key])
		}
		return WriteFile(w.path(), []byte(b.String()))
	})
}

func windowKey(model, base string) string { return model + "@" + strings.TrimRight(base, "/") }

// read is the file's content; a file that is missing or broken holds nothing.
func (w Windows) read() map[string]int {
	out := map[string]int{}
	data, err := os.ReadFile(w.path())
	if err != nil {
		return out
	}
	root, err := yaml11.Parse(w.path(), data)
	if err != nil {
		return out
	}
	v, err := yaml11.Decode(yaml11.Child(root, "context_lengths"))
	if err != nil {
		return out
	}
	for _, p := range v.Pairs {
		if n, ok := asFloat(p.Value); ok && n >= 1 && n < 1e9 {
			out[strings.TrimRight(p.Key.Text, "/")] = int(n)
		}
	}
	return out
}
