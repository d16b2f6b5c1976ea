package tui

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

// approval is a question about a command with more rows than small screens have.
func approval() event.Ask {
	var cmd strings.Builder
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&cmd, "rm -rf build/dir%02d \\\n", i)
	}
	cmd.WriteString("  dist 构建\x1b[8mhidden\u202e")
	return event.Ask{
		ID: "a1", Kind: event.AskApproval, Title: "Allow this command?", Text: "recursive delete", Command: cmd.String(),
		Choices: []event.Choice{
			{ID: "once", Label: "Allow once"},
			{ID: "session", Label: "Allow in this session"},
			{ID: "always", Label: "Always allow"},
			{ID: "deny", Label: "Deny"},
			{ID: "why", Label: "Deny and say why", Input: true},
		},
		Default: 3,
	}
}

var lastRow = regexp.MustCompile(`rows \d+-(\d+) of (\d+)`)

// The whole command can be read at every size, nothing in it is hidden, and the
// choices are always there (U016, U055).
func TestApprovalShowsTheWholeCommand(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 14}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.bus.Emit(approval())
			s := r.WaitText("╔═ Allow this command?", "1  Allow once", "▸ 4  Deny", "5  Deny and say why …")
			s.AssertSound(t)
			r.clock.add(time.Second)
			seen := map[string]bool{}
			note := func() {
				for i := 1; i <= 40; i++ {
					if line := fmt.Sprintf("dir%02d", i); r.Snapshot().Contains(line) {
						seen[line] = true
					}
				}
			}
			if s.Contains("more lines") {
				r.Press("v")
				for row := 1; ; row++ {
					s := r.WaitText(fmt.Sprintf("rows %d-", row), "1  Allow once")
					note()
					if m := lastRow.FindStringSubmatch(s.String()); m != nil && m[1] == m[2] {
						break
					}
					r.Press("down")
				}
			}
			s = r.WaitText(`\u202e`, "1  Allow once")
			if text := strings.Join(strings.Fields(s.String()), ""); !strings.Contains(text, `构建^[[8mhidden\u202e`) {
				t.Errorf("a part of the command is hidden\n%s", s.Dump())
			}
			note()
			s.AssertSound(t)
			if len(seen) != 40 {
				t.Errorf("%d of 40 rows of the command can be read", len(seen))
			}
			r.Press("v")
			r.WaitText("more lines")
			r.Press("2")
			r.waitCall(t, `answer a1 "session"`)
		})
	}
}

// A denial may carry words for the model; the draft is not touched (U056).
func TestDenialWithAComment(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("draft")
	r.bus.Emit(approval())
	r.WaitText("▸ 4  Deny")
	r.clock.add(time.Second)
	r.Press("5")
	s := r.WaitText("▸ Deny and say why", "Enter answer")
	if s.Contains("Allow once") {
		t.Errorf("the choices are still there\n%s", s.Dump())
	}
	r.Type("not the dist 目录")
	s = r.WaitText("❯ not the dist 目录", "❯ draft")
	_, y, _ := s.Cursor()
	if line := s.Row(y); !strings.Contains(line, "not the dist") {
		t.Errorf("the caret is in %q", line)
	}
	r.Press("esc")
	r.WaitText("▸ 5  Deny and say why")
	r.Press("enter")
	r.Paste("use git clean")
	r.WaitText("❯ use git clean")
	r.Press("enter")
	r.waitCall(t, `answer a1 "why" "use git clean"`)
	r.bus.Emit(event.AskClosed{ID: "a1", Answer: "why", Text: "use git clean"})
	r.WaitText("· Allow this command? → Deny and say why: use git clean", "❯ draft")
}

// What changes in files is shown before it happens.
func TestApprovalShowsADiff(t *testing.T) {
	r := startLoaded(t, 80, 24)
	const diff = "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n # Notes\n-tbd\n+柏林 21°\n"
	r.bus.Emit(event.Ask{ID: "d", Kind: event.AskApproval, Title: "Write notes.md?", Diff: diff, Choices: []event.Choice{{ID: "once", Label: "Allow once"}, {ID: "deny", Label: "Deny"}}, Default: 1})
	r.WaitText("@@ -1,2 +1,2 @@", "-tbd", "+柏林 21°").AssertSound(t)
	r.clock.add(time.Second)
	r.Press("y", "1")
	r.waitCall(t, `answer d "once"`)
	want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(diff))
	r.WaitFor(func(tuitest.Snapshot) bool { return r.Wrote(want) })
}

// A secret is never on the screen.
func TestSecretIsNotShown(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.Ask{ID: "s", Kind: event.AskSecret, Title: "sudo password", Choices: []event.Choice{{ID: "give", Label: "Use this password", Input: true}, {ID: "skip", Label: "Skip"}}, Default: 1})
	r.WaitText("╔═ sudo password", "▸ Use this password")
	r.clock.add(time.Second)
	r.Type("pa55 密")
	s := r.WaitText("•••••")
	r.Press("enter")
	r.waitCall(t, `answer s "give" "pa55 密"`)
	for _, part := range []string{"pa55", "密"} {
		if s.Contains(part) || r.Wrote(part) {
			t.Errorf("%q reached the terminal", part)
		}
	}
}

// The model's question takes a choice or words of one's own.
func TestClarification(t *testing.T) {
	r := startLoaded(t, 80, 24)
	ask := event.Ask{ID: "c", Kind: event.AskClarify, Title: "hermes asks", Text: "Which target?", Choices: []event.Choice{{ID: "1", Label: "staging"}, {ID: "other", Label: "Other answer", Input: true}}}
	r.bus.Emit(ask)
	r.WaitText("Which target?", "▸ 1  staging", "2  Other answer …")
	r.clock.add(time.Second)
	r.Press("2")
	r.WaitText("▸ Other answer")
	r.Press("enter") // nothing typed yet
	r.Type("canary")
	r.WaitText("❯ canary")
	r.Press("enter")
	r.waitCall(t, `answer c "other" "canary"`)
	r.bus.Emit(event.AskClosed{ID: "c", Answer: "other", Text: "canary"})
	r.WaitText("hermes asks → Other answer: canary")

	open := event.Ask{ID: "o", Kind: event.AskClarify, Title: "hermes asks", Text: "What name?", Choices: []event.Choice{{ID: "other", Label: "Your answer", Input: true}}}
	r.bus.Emit(open)
	r.WaitText("What name?", "▸ Your answer")
	r.clock.add(time.Second)
	r.Press("esc")
	r.waitCall(t, `answer o ""`)
}

// Nothing expires while somebody looks; away from the terminal the time that
// is left is shown and then runs out (decision D23).
func TestQuestionExpiresOnlyUnseen(t *testing.T) {
	r := startLoaded(t, 80, 24)
	a := approval()
	a.Expires = time.Minute
	r.bus.Emit(a)
	r.WaitText("▸ 4  Deny", "keys ignored")
	r.clock.add(time.Hour)
	r.Focus(false)
	r.WaitText("60 s left")
	r.clock.add(20 * time.Second)
	r.WaitText("40 s left")
	r.Focus(true)
	r.WaitText("keys ignored")
	r.Focus(false)
	r.WaitText("60 s left")
	if r.log() != "" {
		t.Fatalf("answered: %s", r.log())
	}
	r.clock.add(2 * time.Minute)
	r.waitCall(t, `answer a1 ""`)
}

func TestTouchedQuestionDoesNotExpire(t *testing.T) {
	r := startLoaded(t, 80, 24)
	a := approval()
	a.Expires = time.Minute
	r.bus.Emit(a)
	r.WaitText("▸ 4  Deny")
	r.Focus(false)
	r.WaitText("60 s left")
	r.Press("up")
	r.WaitText("keys ignored")
	r.clock.add(time.Hour)
	r.Press("up")
	r.WaitText("▸ 3  Always allow")
	if r.log() != "" {
		t.Errorf("answered: %s", r.log())
	}
}
