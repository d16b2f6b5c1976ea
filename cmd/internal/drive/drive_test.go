package drive

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// fakeVar makes the test binary stand in for a program that fails in the way
// it names.
const fakeVar = "HERMES_DRIVE_FAKE"

func TestMain(m *testing.M) {
	if how := os.Getenv(fakeVar); how != "" {
		os.Exit(fake(how, os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

// fake does the first step of a group and then what how says; outside of a
// group it prints its words.
func fake(how string, args []string) int {
	if !slices.Contains(args, "--inside") {
		fmt.Println("words:", strings.Join(args, " "))
		fmt.Fprintln(os.Stderr, "a warning")
		return 7
	}
	fmt.Println("stray output")
	obs := observation{Steps: []fields{{"do": "load", "cwd": "here"}}}
	if err := obs.write(args[len(args)-1]); err != nil {
		return 1
	}
	if how == "hang" {
		select {}
	}
	return 9 // as if it had crashed
}

func run(t *testing.T, how, job string) observation {
	t.Helper()
	dir := t.TempDir()
	jobPath, obsPath := filepath.Join(dir, "job.json"), filepath.Join(dir, "obs.json")
	if err := os.WriteFile(jobPath, []byte(job), 0o600); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := Command{Path: exe, Environ: append(os.Environ(), fakeVar+"="+how), Dir: dir}
	if err := Run(context.Background(), c, jobPath, obsPath); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(obsPath)
	if err != nil {
		t.Fatal(err)
	}
	var o observation
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

// A program that crashes or hangs leaves what it did; the steps that it did
// not reach are marked, and those after the group run all the same.
func TestProgramThatDoesNotGetThrough(t *testing.T) {
	for how, late := range map[string]bool{"crash": false, "hang": true} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			o := run(t, how, `{"drive": [{"do": "load"}, {"do": "tool"}, {"do": "cli", "argv": ["a", "b"], "timeout_s": 60}], "timeout_s": 1}`)
			if o.Alive || o.TimedOut != late || len(o.Steps) != 3 {
				t.Fatalf("%+v", o)
			}
			if o.Steps[0]["cwd"] != "here" || o.Steps[1]["not_reached"] != true || !strings.Contains(o.Stdout, "stray output") {
				t.Errorf("%+v", o)
			}
			if s := o.Steps[2]; s["rc"] != 7.0 || s["stdout"] != "words: a b\n" || s["stderr"] != "a warning\n" || s["timed_out"] != false {
				t.Errorf("%+v", s)
			}
			if late == (o.ExitCode == 9) {
				t.Errorf("exit code %d", o.ExitCode)
			}
		})
	}
}

func TestChatStepIsTypedAsByAUser(t *testing.T) {
	o := run(t, "crash", `{"drive": [{"do": "chat", "prompt": "-x", "toolsets": "file", "continue": true}]}`)
	if got := o.Steps[0]["stdout"]; got != "words: chat -Q -q -x -t file --continue\n" {
		t.Errorf("%q", got)
	}
	if !o.Alive || o.Steps[0]["t_end"].(float64) < o.Steps[0]["t_start"].(float64) {
		t.Errorf("%+v", o)
	}
}

func TestBadJob(t *testing.T) {
	path := filepath.Join(t.TempDir(), "job.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), Command{}, path, path+".obs"); err == nil || !strings.Contains(err.Error(), "job.json") {
		t.Error(err)
	}
}
