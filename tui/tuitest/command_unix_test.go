//go:build unix

package tuitest

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCommand drives a program that is not Go's on a real device.
func TestCommand(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine")
	}
	s := StartCommand(t, 40, 5, exec.Command(sh, "-c", `stty size; printf 'name? '; read -r n; echo "<$n>"`))
	s.WaitText("5 40", "name?")
	s.Type("世界")
	s.WaitText("name? 世界")
	s.Type("\r")
	s.WaitText("<世界>")
	if err := s.WaitEnd(); err != nil {
		t.Error(err)
	}
	got := observe(t, func(t testing.TB) {
		_ = StartCommand(t, 40, 5, exec.Command(sh, "-c", "stty -echo")).WaitEnd()
	})
	if !strings.Contains(got, "stty") {
		t.Errorf("line settings that are left changed: %q", got)
	}
}
