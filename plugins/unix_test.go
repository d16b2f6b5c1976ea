//go:build unix

package plugins

import (
	"encoding/json"
	"syscall"
	"testing"

	"hermes/agent/tool"
)

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func toolCall(name, args string) tool.Call {
	return tool.Call{ID: "c1", Name: name, Args: json.RawMessage(args), Session: "s1", Task: "s1"}
}
