//go:build unix

package terminal

import (
	"encoding/json"
	"os"
	"testing"

	"hermes/agent/proc"
	"hermes/agent/tool"
)

// What a command costs over what it does itself.
func BenchmarkCommand(b *testing.B) {
	procs := proc.NewManager(proc.Options{})
	defer procs.Close()
	t := New(Deps{Processes: procs, Dir: b.TempDir(), Environ: os.Environ})
	defer t.Close()
	call := tool.Call{Session: "s", Args: json.RawMessage(`{"command":"true"}`)}
	if _, err := t.Run(b.Context(), call); err != nil { // the login shell is the first call's
		b.Fatal(err)
	}
	for b.Loop() {
		if r, err := t.Run(b.Context(), call); err != nil || r.Content != `{"output": "", "exit_code": 0, "error": null}` {
			b.Fatal(r.Content, err)
		}
	}
}
