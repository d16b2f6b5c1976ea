package memory

import (
	"fmt"

	"hermes/agent/memory"
	"hermes/agent/tool"
)

// The shapes of results, with their fields in the reference's order
// (contract/core-observed §3).
type (
	done struct {
		Success bool   `json:"success"`
		Done    bool   `json:"done"`
		Target  string `json:"target"`
		Usage   string `json:"usage"`
		Count   int    `json:"entry_count"`
		Message string `json:"message"`
		Note    string `json:"note"`
	}
	invalid struct {
		Error   string `json:"error"`
		Success bool   `json:"success"`
	}
	refusal struct {
		Success bool   `json:"success"`
		Error   string `json:"error"`
	}
	stop struct {
		Success bool   `json:"success"`
		Done    bool   `json:"done"`
		Error   string `json:"error"`
	}
	unmatched struct {
		Success bool     `json:"success"`
		Error   string   `json:"error"`
		Entries []string `json:"current_entries"`
	}
	ambiguous struct {
		Success bool     `json:"success"`
		Error   string   `json:"error"`
		Matches []string `json:"matches"`
	}
	full struct {
		Success bool     `json:"success"`
		Error   string   `json:"error"`
		Entries []string `json:"current_entries"`
		Usage   string   `json:"usage"`
	}
	drift struct {
		Success     bool   `json:"success"`
		Error       string `json:"error"`
		Backup      string `json:"drift_backup"`
		Remediation string `json:"remediation"`
	}
)

func usage(entries []string, limit int) string {
	return tool.Thousands(memory.Chars(entries)) + "/" + tool.Thousands(limit)
}

func succeeded(f file, entries []string, message string) done {
	n := memory.Chars(entries)
	return done{
		Success: true, Done: true, Target: f.target, Count: len(entries), Message: message,
		Usage: fmt.Sprintf("%d%% — %s chars", min(n*100/max(f.limit, 1), 100), usage(entries, f.limit)),
		Note:  "Saved. The update is complete; do not repeat it.",
	}
}
