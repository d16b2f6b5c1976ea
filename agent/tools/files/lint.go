package files

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"hermes/agent/tools/files/internal/syntax"
)

// lintResult is what a check of the syntax says.
type lintResult struct {
	Status  string // ok, error, skipped
	Output  string
	Message string
}

// MarshalJSON writes the shapes of the contract: a skipped check has a message,
// the others an output; a file that was broken before has both.
func (l lintResult) MarshalJSON() ([]byte, error) {
	if l.Status == "skipped" {
		return json.Marshal(struct {
			Status  string `json:"status"`
			Message string `json:"message"`
		}{l.Status, l.Message})
	}
	return json.Marshal(struct {
		Status  string `json:"status"`
		Output  string `json:"output"`
		Message string `json:"message,omitempty"`
	}{l.Status, l.Output, l.Message})
}

// syntax returns what is wrong with a text by the kind of its file; known is
// false when there is no check for it.
func (d Deps) syntax(path, text string) (problem string, known bool) {
	c := syntax.Checker{Python: d.CheckPython}
	if d.Node != nil {
		c.Node = d.Node()
	}
	return c.Problem(path, text)
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
	l := lintResult{Status: "error", Output: problem}
	if before != "" {
		if old, _ := d.syntax(path, before); old != "" && syntax.Same(old, problem) {
			l.Message = "The file had this error before; the edit brought no new one."
		}
	}
	return l
}

// refuseBroken says why a data file is not written, "" when it is: a broken one
// breaks whoever reads it, so a change must not break it. One that was broken
// before may stay so.
func (d Deps) refuseBroken(path, before, after string) string {
	if !syntax.Data(path, after) {
		return ""
	}
	problem, known := d.syntax(path, after)
	if !known || problem == "" {
		return ""
	}
	if before != "" {
		if old, _ := d.syntax(path, before); old != "" {
			return ""
		}
	}
	return fmt.Sprintf("Refusing to write '%s': candidate content fails %s syntax validation (%s). The file was NOT created or modified. Fix the content and retry.",
		path, strings.ToLower(filepath.Ext(path)), problem)
}
