//go:build unix

package terminal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// fakeSudo takes a password from SUDO_ASKPASS as sudo does, and nothing else.
const fakeSudo = `#!/bin/sh
[ "$1" = -n ] && exit 1
[ "$1" = -A ] || { echo "sudo: a terminal is required to read the password" >&2; exit 1; }
shift
[ "$("$SUDO_ASKPASS")" = "pass word's" ] || { echo "sudo: 1 incorrect password attempt" >&2; exit 1; }
exec "$@"
`

func TestSudo(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "sudo"), []byte(fakeSudo), 0o755); err != nil {
		t.Fatal(err)
	}
	answers, asked := []string{"", "wrong", "pass word's"}, 0
	b := newBench(t, func(d *Deps) {
		env := d.Environ()
		d.Environ = func() []string { return append(env, "PATH="+bin+":"+os.Getenv("PATH")) }
		d.Password = func(context.Context, tool.Call) string {
			asked++
			return answers[asked-1]
		}
	})
	b.term.root = false
	has(t, b.run("sudo echo hi"), "a terminal is required", `"exit_code": 1`) // the user gave none
	has(t, b.run("sudo echo hi"), "1 incorrect password attempt")             // then a wrong one
	if got := b.output("cd / && sudo echo hi | cat; echo two | sudo cat"); got != "hi\ntwo" {
		t.Errorf("%q", got)
	}
	if got := b.output("sudo pwd"); got != "/" || asked != 3 {
		t.Errorf("%q, asked %d times", got, asked)
	}
	if got := b.output("declare -F; env | grep ^SUDO; ls " + b.term.shells.dir + " | grep ask; true"); strings.Contains(got, "declare -f sudo") || strings.Contains(got, "ASKPASS") || got != "declare -f __hermes_save" {
		t.Errorf("left: %q", got)
	}
	b.term.root = true
	has(t, b.run("sudo echo hi"), "a terminal is required")
}

func TestCallsSudo(t *testing.T) {
	for command, want := range map[string]bool{
		"sudo true": true, "cd x && A=1 sudo -u bob true": true, "sudo -E apt update": true,
		"echo sudo": false, "sudo -n true": false, "echo x | sudo -S true": false, "sudo -A true": false, "'sudo": false, "ls": false,
	} {
		if got := callsSudo(command); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}
