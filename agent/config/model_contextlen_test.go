package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWindows(t *testing.T) {
	home := scratch(t, "")
	w := NewWindows(home)
	if n := w.Window("m", "http://h/v1"); n != 0 {
		t.Errorf("nothing kept, got %d", n)
	}
	path := filepath.Join(home.Dir(), "context_length_cache.yaml")
	if err := os.MkdirAll(home.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	// As the reference writes it.
	if err := os.WriteFile(path, []byte("context_lengths:\n  a@http://h/v1/: 4096\n  qwen3:8b@http://h/v1: 40960\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.SaveWindow("m: x", "http://h/v1/", 8192)
	for model, want := range map[string]int{"a": 4096, "qwen3:8b": 40960, "m: x": 8192} {
		if n := w.Window(model, "http://h/v1"); n != want {
			t.Errorf("%s: %d, want %d", model, n, want)
		}
	}
	if err := os.WriteFile(path, []byte(":::\n\t-"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := w.Window("a", "http://h/v1"); n != 0 {
		t.Errorf("a broken file gave %d", n)
	}
}
