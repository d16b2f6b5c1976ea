//go:build unix

package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hermes/tui/tuitest"
)

// startEditing runs the interface on a real pseudo-terminal. script is what the
// editor does with the file $1; an empty one leaves the variable as env has it.
func startEditing(t *testing.T, script string, env ...string) (s *tuitest.Screen, tmp string) {
	t.Helper()
	tmp = t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TUI_TEST_SCREEN=1", "TERM=xterm-256color", "TMUX=", "TERM_PROGRAM=", "LANG=en_US.UTF-8", "LC_ALL=", "TMPDIR="+tmp, "VISUAL=", "EDITOR=")
	if script != "" {
		path := filepath.Join(t.TempDir(), "my editor")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "EDITOR='"+path+"'") // quoted, as it has a blank
	}
	cmd.Env = append(cmd.Env, env...)
	s = tuitest.StartCommand(t, 80, 24, cmd)
	s.WaitText("Hermes Agent 0.1.0")
	return s, tmp
}

// The draft goes to the editor, and what was saved comes back to the composer;
// only Enter there sends it (decision D24).
func TestEditorBringsTheDraftBack(t *testing.T) {
	s, tmp := startEditing(t, `printf 'editing %s' "$(cat "$1")"; read word; printf 'Grüße, %s\nand 世界\n' "$word" >> "$1"`)
	s.Type("a draft")
	s.WaitText("❯ a draft")
	s.Press("ctrl+g")
	s.WaitText("editing a draft")
	s.WaitFor(func(snap tuitest.Snapshot) bool { return !snap.Alt })
	s.AssertRestored()
	s.Type("Leute\r")
	snap := s.WaitText("❯ a draftGrüße, Leute", "  and 世界")
	snap.AssertSound(t)
	snap.AssertOneComposer(t)
	if left, _ := filepath.Glob(filepath.Join(tmp, "*")); len(left) > 0 {
		t.Errorf("the file was left: %v", left)
	}
	s.Type("!")
	s.WaitText("and 世界!")
	s.Press("enter")
	s.WaitGone("and 世界!")
	if err := s.Quit("ctrl+d"); err != nil {
		t.Error(err)
	}
	if snap := s.Snapshot(); strings.Count(snap.String(), "submit") != 1 || !snap.Contains(`asked: submit "a draftGrüße, Leute\nand 世界!"`) {
		t.Errorf("it was not sent once\n%s", snap.Dump())
	}
}

// Whatever becomes of the editor, the draft and the terminal stay.
func TestEditorThatFails(t *testing.T) {
	for _, c := range []struct {
		name, script string
		env          []string
		want         string
	}{
		{"error", "echo lost > \"$1\"; exit 1", nil, "the editor did not finish (exit status 1): the draft is as before"},
		{"crash", "echo lost > \"$1\"; stty raw -echo; printf '\\033[?1049h\\033[?1000h'; kill -SEGV $$", nil, "the editor did not finish (exit status 139)"},
		{"file gone", "rm \"$1\"", nil, "the editor did not finish (read the draft:"},
		{"not installed", "", []string{"EDITOR=no-such-editor --wait"}, "the editor no-such-editor is not installed: set $VISUAL or $EDITOR"},
		{"visual first", "", []string{"VISUAL=/nonexistent/vi", "EDITOR=true"}, "the editor /nonexistent/vi is not installed"},
		{"none", "", []string{"PATH=/nonexistent"}, "no editor found: set $VISUAL or $EDITOR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := startEditing(t, c.script, c.env...)
			s.Type("my draft")
			s.WaitText("❯ my draft")
			s.Press("ctrl+g")
			s.WaitText(c.want, "❯ my draft")
			s.Type("!")
			s.WaitText("❯ my draft!")
			s.Press("ctrl+u")
			s.WaitGone("my draft!")
			if err := s.Quit("ctrl+d"); err != nil {
				t.Error(err)
			}
			if !s.Snapshot().Contains("asked: ended: <nil>") && !s.Snapshot().Contains("ended: <nil>") {
				t.Errorf("how it ended\n%s", s.Snapshot().Dump())
			}
		})
	}
}

// A paste stays folded, and the caret where it was, when nothing was changed.
func TestEditorThatChangesNothing(t *testing.T) {
	s, _ := startEditing(t, `wc -l < "$1"; read x`)
	s.Type("see ")
	s.Paste(strings.Repeat("line\n", 40))
	s.WaitText("[Pasted text #1: 40 lines]")
	s.Press("ctrl+a", "ctrl+g")
	// What the editor prints says that the terminal is its own; the draft on
	// the other screen has a 40 too.
	s.WaitFor(func(snap tuitest.Snapshot) bool { return !snap.Alt && snap.Contains("40") })
	s.Type("\r")
	snap := s.WaitText("❯ see [Pasted text #1: 40 lines]")
	snap.AssertCaret(t, 2, 21)
	if err := s.Quit("ctrl+c", "ctrl+c"); err != nil {
		t.Error(err)
	}
}
