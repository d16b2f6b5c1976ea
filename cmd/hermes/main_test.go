package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"hermes/cmd/internal/cli"
)

// TestMain lets the scripts run this test binary as the program: what they
// test is the real command line in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"hermes": func() { os.Exit(cli.Main(os.Args[1:], cli.System())) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			if err := os.MkdirAll(home, 0o700); err != nil {
				return err
			}
			for name, value := range map[string]string{
				"HERMES_HOME": home, "HOME": env.WorkDir, "LANG": "C.UTF-8", "NO_COLOR": "1",
				"PATH": env.Getenv("PATH"),
			} {
				env.Setenv(name, value)
			}
			env.Values[modelKey{}] = &model{}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": cmdExits,
			"model": cmdModel,
		},
	})
}

// cmdExits runs a command and requires its exit code: exits CODE COMMAND ARG...
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG ...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
