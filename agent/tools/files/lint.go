package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"
)

// lintResult is what a check of the syntax says; the keys are the contract's.
type lintResult struct {
	Status  string `json:"status"` // ok, error, skipped
	Output  string `json:"output"`
	Message string `json:"message,omitempty"`
}

// MarshalJSON writes the two shapes of the contract: a skipped check has a
// message, the others an output.
func (l lintResult) MarshalJSON() ([]byte, error) {
	if l.Status == "skipped" {
		return json.Marshal(struct {
			Status  string `json:"status"`
			Message string `json:"message"`
		}{l.Status, l.Message})
	}
	return json.Marshal(struct {
		Status string `json:"status"`
		Output string `json:"output"`
	}{l.Status, l.Output})
}

// syntax returns what is wrong with a text by the kind of its file; known is
// false when there is no check for it.
func (d Deps) syntax(path, text string) (problem string, known bool) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".json":
		return jsonProblem(text), true
	case ".yaml", ".yml":
		var v yaml.Node
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			return "YAMLError: " + strings.TrimPrefix(err.Error(), "yaml: "), true
		}
		return "", true
	case ".go":
		if _, err := parser.ParseFile(token.NewFileSet(), filepath.Base(path), text, parser.SkipObjectResolution); err != nil {
			return "SyntaxError: " + err.Error(), true
		}
		return "", true
	case ".py":
		if d.CheckPython != nil {
			return d.CheckPython(text), true
		}
	}
	return "", false
}

// jsonProblem is the error of a text that is no JSON, with its place.
func jsonProblem(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	var v any
	err := dec.Decode(&v)
	if err == nil {
		if rest := strings.TrimSpace(text[min(int(dec.InputOffset()), len(text)):]); rest != "" {
			return fmt.Sprintf("JSONDecodeError: Extra data (%s)", lineColumn(text, dec.InputOffset()))
		}
		return ""
	}
	at := int64(len(text))
	var s *json.SyntaxError
	if errors.As(err, &s) {
		at = max(s.Offset-1, 0)
	}
	return fmt.Sprintf("JSONDecodeError: %v (%s)", err, lineColumn(text, at))
}

func lineColumn(text string, at int64) string {
	before := text[:min(int(at), len(text))]
	line := strings.Count(before, "\n") + 1
	col := len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
	return fmt.Sprintf("line %d, column %d", line, col)
}

// lint compares the syntax before and after a change: only what is new counts.
func (d Deps) lint(path, before, after string) lintResult {
	problem, known := d.syntax(path, after)
	if !known {
		return lintResult{Status: "skipped", Message: fmt.Sprintf("No linter for %s files", filepath.Ext(path))}
	}
	if problem == "" {
		return lintResult{Status: "ok"}
	}
	if before != "" {
		if old, _ := d.syntax(path, before); old == problem {
			return lintResult{Status: "ok"}
		}
	}
	return lintResult{Status: "error", Output: problem}
}
