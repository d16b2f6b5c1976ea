package app_test

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"hermes/tui/tuitest"
)

// assertChat looks at what holds for every screen of the conversation: one
// composer, the caret in it, no torn character.
func (r *rig) assertChat(s tuitest.Snapshot) {
	r.t.Helper()
	s.AssertOneComposer(r.t)
	s.AssertSound(r.t)
	x, y, visible := s.Cursor()
	if !visible || x < 2 {
		r.t.Errorf("the cursor is not in the composer\n%s", s.Dump())
	}
	for ; y >= 0 && !strings.HasPrefix(s.Row(y), tuitest.ComposerGlyph); y-- {
		// Rows of a draft below its first are indented.
		if !strings.HasPrefix(s.Row(y)+"  ", "  ") {
			r.t.Errorf("the cursor is in row %d, which is not the composer's\n%s", y, s.Dump())
			return
		}
	}
}

// leakLabel marks the goroutines of a program: those that it starts inherit
// the label, so that tests that run at the same time are told apart.
const leakLabel = "hermes-test"

// leakCheck fails the test when goroutines with the label are left at its end.
func leakCheck(t *testing.T, label string) {
	t.Cleanup(func() {
		deadline := time.Now().Add(tuitest.Deadline)
		pause := time.NewTicker(10 * time.Millisecond)
		defer pause.Stop()
		for {
			left := labelled(label)
			if left == "" {
				return
			}
			if time.Now().After(deadline) {
				t.Errorf("goroutines are left:\n%s", left)
				return
			}
			<-pause.C
		}
	})
}

// labelled returns the stacks of the goroutines with a label.
func labelled(label string) string {
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		return err.Error()
	}
	var out []string
	for _, stack := range strings.Split(b.String(), "\n\n") {
		// The goroutine that hands out signals is the process's.
		if strings.Contains(stack, fmt.Sprintf("# labels: {%q:%q}", leakLabel, label)) && !strings.Contains(stack, "os/signal.loop") {
			out = append(out, stack)
		}
	}
	return strings.Join(out, "\n\n")
}
