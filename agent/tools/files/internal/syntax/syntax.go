// Package syntax says what is wrong with the text of a file, by its kind: for
// the model, which has just written it.
package syntax

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"
)

// Checker checks. The zero value checks what needs no other program.
type Checker struct {
	// Python returns what is wrong with a Python text, "" when it is sound; nil
	// leaves Python unchecked.
	Python func(text string) string
	// Node is the program that checks JavaScript; empty leaves it unchecked.
	Node string
}

// Problem returns what is wrong with a text that stands, or shall stand, at
// path; known is false when there is no check for its kind.
func (c Checker) Problem(path, text string) (problem string, known bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	switch extension(path) {
	case ".json":
		if withComments(path) {
			text = plainJSON(text)
		}
		return jsonProblem(text), true
	case ".yaml", ".yml":
		return yamlProblem(text), true
	case ".toml":
		return tomlProblem(text), true
	case ".go":
		if _, err := parser.ParseFile(token.NewFileSet(), filepath.Base(path), text, parser.SkipObjectResolution); err != nil {
			return "SyntaxError: " + err.Error(), true
		}
		return "", true
	case ".py":
		if c.Python != nil {
			return c.Python(text), true
		}
	case ".js", ".mjs", ".cjs":
		if c.Node != "" {
			return nodeProblem(c.Node, path, text), true
		}
	}
	return "", false
}

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// Data reports whether a file is one that a program reads as a whole: a broken
// one breaks the program. Templates of such files are none.
func Data(path, text string) bool {
	switch extension(path) {
	case ".json", ".yaml", ".yml", ".toml":
		return !strings.Contains(text, "{{") && !strings.Contains(text, "{%")
	}
	return false
}

// Same reports whether two problems are one, however its place has moved.
func Same(a, b string) bool { return withoutDigits(a) == withoutDigits(b) }

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// withComments reports whether a JSON file is of a kind that allows comments and
// trailing commas.
func withComments(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	dir := strings.ToLower(filepath.Base(filepath.Dir(path)))
	return strings.HasPrefix(name, "tsconfig") || strings.HasPrefix(name, "jsconfig") || strings.HasPrefix(name, "devcontainer") ||
		name == ".eslintrc.json" || name == "deno.json" || name == "biome.json" || dir == ".vscode" || dir == ".devcontainer"
}

// plainJSON takes comments and trailing commas out, place by place.
func plainJSON(text string) string {
	out := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	comma := -1 // the last comma that only blanks and comments follow
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; i < len(text) && text[i] != '"' && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			comma = -1
		case strings.HasPrefix(text[i:], "//"):
			end := len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			blank(i, end)
			i = end - 1
		case strings.HasPrefix(text[i:], "/*"):
			end := len(text)
			if n := strings.Index(text[i+2:], "*/"); n >= 0 {
				end = i + 2 + n + 2
			}
			blank(i, end)
			i = end - 1
		case c == ',':
			comma = i
		case (c == '}' || c == ']') && comma >= 0:
			out[comma], comma = ' ', -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
	}
	return string(out)
}

// jsonProblem is the error of a text that is no JSON, with its place.
func jsonProblem(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	var v any
	err := dec.Decode(&v)
	if err == nil {
		rest := text[min(int(dec.InputOffset()), len(text)):]
		if extra := strings.TrimLeft(rest, " \t\r\n"); extra != "" {
			return fmt.Sprintf("JSONDecodeError: Extra data (%s)", place(text, int64(len(text)-len(extra))))
		}
		return ""
	}
	at := int64(len(text))
	var s *json.SyntaxError
	if errors.As(err, &s) {
		at = max(s.Offset-1, 0)
	}
	return fmt.Sprintf("JSONDecodeError: %v (%s)", err, place(text, at))
}

func place(text string, at int64) string {
	before := text[:min(max(int(at), 0), len(text))]
	line := strings.Count(before, "\n") + 1
	col := len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
	return fmt.Sprintf("line %d, column %d", line, col)
}

// yamlProblem looks at every document of a text.
func yamlProblem(text string) (problem string) {
	defer func() {
		if v := recover(); v != nil { // the library panics on some broken texts
			problem = fmt.Sprintf("YAMLError: %v", v)
		}
	}()
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			return "YAMLError: " + strings.TrimPrefix(err.Error(), "yaml: ")
		}
	}
}

func tomlProblem(text string) string {
	var v map[string]any
	_, err := toml.Decode(text, &v)
	if err == nil {
		return ""
	}
	var p toml.ParseError
	if errors.As(err, &p) {
		msg := p.Message
		if msg == "" {
			msg = strings.TrimPrefix(err.Error(), "toml: ")
		}
		return fmt.Sprintf("TOMLDecodeError: %s (at %s)", msg, place(text, int64(p.Position.Start)))
	}
	return "TOMLDecodeError: " + strings.TrimPrefix(err.Error(), "toml: ")
}
