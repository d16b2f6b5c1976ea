package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
)

// childEnv makes the test binary write to a database instead of testing: what
// it holds is "file\tsession\tsteps".
const childEnv = "STORE_TEST_CHILD"

func init() {
	job := os.Getenv(childEnv)
	if job == "" {
		return
	}
	f := strings.Split(job, "\t")
	n, err := strconv.Atoi(f[2])
	if err == nil {
		err = writeTurns(f[0], f[1], n, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// writeTurns stores turns with a call and its result each, as the loop does,
// and tells of every step that is committed.
func writeTurns(path, session string, n int, told io.Writer) error {
	s := Open(path, Options{})
	created := &New{ID: session, Source: "cli"}
	for i := range n {
		id := fmt.Sprintf("%s-%d", session, i)
		for step, msgs := range [][]llm.Message{
			{{Role: "user", Content: "question " + id}},
			{{Role: "assistant", ToolCalls: []llm.ToolCall{{ID: id, Name: "terminal", Arguments: "{}"}}}},
			{{Role: "tool", Name: "terminal", ToolCallID: id, Content: strings.Repeat("output ", 200)}},
			{{Role: "assistant", Content: "answer " + id}},
		} {
			_, err := s.AppendStep(context.Background(), Step{Session: session, Create: created, Messages: msgs, Usage: &Usage{Model: "m", Calls: step & 1}})
			if err != nil {
				return err
			}
			fmt.Fprintf(told, "%d\n", i*4+step+1)
		}
	}
	return s.Close()
}

func child(t *testing.T, path, session string, n int) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s\t%s\t%d", childEnv, path, session, n))
	cmd.Stderr = os.Stderr
	return cmd
}

// What was told to be committed is there after a kill, once, in order, and
// every call gets its answer.
func TestKilledProcessLosesNothingCommitted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	for round := range rounds {
		session := fmt.Sprintf("s%d", round)
		cmd := child(t, path, session, 10_000)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		committed, last := bufio.NewScanner(out), 0
		for stopAt := 1 + round*7; last < stopAt && committed.Scan(); {
			last, err = strconv.Atoi(committed.Text())
			must(t, err)
		}
		must(t, cmd.Process.Kill())
		for committed.Scan() { // told before the kill
			if n, err := strconv.Atoi(committed.Text()); err == nil {
				last = n
			}
		}
		_ = cmd.Wait() // it was killed

		s := Open(path, Options{})
		got, err := s.Load(ctx, session)
		must(t, err)
		for _, c := range OpenCalls(Texts(got.History)) {
			_, err := s.AppendStep(ctx, Step{Session: session, Messages: []llm.Message{{Role: "tool", Name: c.Name, ToolCallID: c.ID}}})
			must(t, err)
		}
		msgs, err := s.Messages(ctx, session)
		must(t, err)
		if len(msgs) < last {
			t.Fatalf("%s: %d messages were committed, %d are there", session, last, len(msgs))
		}
		assertWhole(t, session, msgs)
		one, err := s.Session(ctx, session)
		must(t, err)
		equal(t, "counted", one.Messages, len(msgs))
		must(t, s.Close())
		problems, err := Check(ctx, path)
		must(t, err)
		equal(t, "damage", problems, []string(nil))
	}
}

// assertWhole checks that there is no message twice, out of order, or a call
// without its answer.
func assertWhole(t *testing.T, session string, msgs []Message) {
	t.Helper()
	for i, m := range msgs {
		id := fmt.Sprintf("%s-%d", session, i/4)
		switch i % 4 {
		case 0:
			equal(t, "question", m.Content, "question "+id)
		case 1:
			equal(t, "calls", m.ToolCalls, []llm.ToolCall{{ID: id, Name: "terminal", Arguments: "{}"}})
		case 2:
			equal(t, "answer to", m.ToolCallID, id)
		case 3:
			equal(t, "answer", m.Content, "answer "+id)
		}
	}
	equal(t, "open calls", OpenCalls(Texts(msgs)), []llm.ToolCall(nil))
}

// Two programs write at once, one of them beginning with no file at all, while
// a third reads.
func TestProcessesWriteAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	const turns = 60
	var cmds []*exec.Cmd
	for _, session := range []string{"a", "b"} {
		cmd := child(t, path, session, turns)
		must(t, cmd.Start())
		cmds = append(cmds, cmd)
	}
	must(t, writeTurns(path, "c", turns, io.Discard))
	for _, cmd := range cmds {
		must(t, cmd.Wait())
	}
	s := openAt(t, path)
	for _, session := range []string{"a", "b", "c"} {
		msgs, err := s.Messages(ctx, session)
		must(t, err)
		equal(t, "messages of "+session, len(msgs), 4*turns)
		assertWhole(t, session, msgs)
		one, err := s.Session(ctx, session)
		must(t, err)
		equal(t, "counters of "+session, []int{one.Messages, one.ToolCalls, one.APICalls}, []int{4 * turns, turns, 2 * turns})
	}
	problems, err := Check(ctx, path)
	must(t, err)
	equal(t, "damage", problems, []string(nil))
}

// A write waits for a program that holds the database, and gives up with the
// turn.
func TestWaitsForAnotherProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s, other := openAt(t, path), openAt(t, path)
	add(t, s, "a", "user", "x")
	must(t, other.Warm(ctx))
	hold, err := other.conn.write.Begin()
	must(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := s.AppendStep(ctx, Step{Session: "a", Messages: []llm.Message{{Role: "user", Content: "waited"}}})
		done <- err
	}()
	select {
	case err := <-done:
		t.Fatalf("did not wait: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	must(t, hold.Rollback())
	must(t, <-done)

	hold, err = other.conn.write.Begin()
	must(t, err)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.SetTitle(ended, "a", "y"); err == nil {
		t.Error("wrote while another program held the database")
	}
	must(t, hold.Rollback())
}
