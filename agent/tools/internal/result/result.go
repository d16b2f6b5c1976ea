// Package result renders what a built-in tool answers.
package result

import (
	"bytes"
	"encoding/json"
	"fmt"

	"hermes/agent/tool"
)

// JSON is a result of v as JSON, in the spelling that plugins know of the
// reference's tools and may compare with: Python's json.dumps with
// ensure_ascii=False (contract/core-observed §3).
func JSON(v any) tool.Result {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Error("encode result: %v", err)
	}
	return tool.Result{Content: string(spell(bytes.TrimRight(b.Bytes(), "\n")))}
}

// Error is a result that only tells of an error.
func Error(format string, args ...any) tool.Result {
	return JSON(struct {
		Error string `json:"error"`
	}{fmt.Sprintf(format, args...)})
}
