package code

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"hermes/agent/proc"
	"hermes/agent/tool"
	"hermes/assets"
)

// Limits of a script's end. An interrupt must be over within 300 ms.
const (
	interruptGrace = 100 * time.Millisecond
	timeoutGrace   = time.Second
)

const truncatedWarning = "execute_code stdout was truncated; the script did run, but only the captured head/tail output is included. Re-run only with narrower output if the omitted data is required."

// script is one run.
type script struct {
	t    *executor
	call tool.Call
	code string

	out, errs stream
}

// run runs the script and makes its answer. An error means that it could not
// be started.
func (s *script) run(ctx context.Context, python []string) (answer, error) {
	dir, err := os.MkdirTemp("", "hermes-code-") // 0700
	if err != nil {
		return answer{}, fmt.Errorf("make a folder for it: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "script.py")
	for name, text := range map[string]string{file: s.code, filepath.Join(dir, "hermes_tools.py"): assets.CodeTools} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return answer{}, fmt.Errorf("write it: %w", err)
		}
	}
	ch, err := newChannel()
	if err != nil {
		return answer{}, err
	}
	defer ch.close()
	s.out, s.errs = newStream(maxStdout), newStream(maxStderr)
	child, err := s.t.d.Processes.Start(proc.Spec{
		Path: python[0], Args: append(append([]string{}, python[1:]...), "-u", file),
		Env: s.environ(ch), Dir: s.t.d.Dir(s.call.Session), Files: ch.theirs, Out: s.out.take, Err: s.errs.take,
	})
	if err != nil {
		return answer{}, err
	}
	// Its calls end with it.
	calls, cancel := context.WithCancel(ctx)
	defer cancel()
	serving := s.serve(calls, ch)
	status := s.await(ctx, child)
	cancel()
	ch.close()
	made := <-serving
	return s.answer(status, child.Exit(), made), nil
}

func (s *script) environ(ch *channel) []string {
	env := proc.StrictEnviron(s.t.d.Environ(), s.t.d.Pass)
	return append(env, "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8", "PYTHONUTF8=1", ch.variable())
}

// States of a run that did not end by itself.
const (
	stateTimeout     = "timeout"
	stateInterrupted = "interrupted"
)

// await waits for the script's end, or brings it about.
func (s *script) await(ctx context.Context, child *proc.Child) (state string) {
	limit := time.NewTimer(s.t.d.Timeout)
	defer limit.Stop()
	select {
	case <-child.Done():
		return ""
	case <-limit.C:
		child.Kill(timeoutGrace)
		return stateTimeout
	case <-ctx.Done():
		child.Kill(interruptGrace)
		return stateInterrupted
	}
}

func (s *script) answer(state string, exit proc.Exit, calls int) answer {
	output, kept, omitted := s.out.text()
	errs, _, _ := s.errs.text()
	a := answer{
		Status: "success", Output: output, ExitCode: exit.Code, Calls: calls,
		Seconds: math.Round(exit.Took.Seconds()*100) / 100, Truncated: omitted > 0,
		Captured: kept, Total: kept + omitted, Omitted: omitted,
	}
	if a.Truncated {
		a.Warning = truncatedWarning
	}
	switch {
	case state == stateTimeout:
		a.Status = state
		a.Error = fmt.Sprintf("Script timed out after %ds and was killed.", int(s.t.d.Timeout.Seconds()))
		a.Output += "\n\n⏰ " + a.Error
	case state == stateInterrupted:
		a.Status, a.Error = state, "Script was interrupted by the user."
		a.Output += "\n[Script interrupted]"
	case exit.Code != 0:
		a.Status, a.Error = "error", errs
		if errs != "" {
			a.Output += "\n--- stderr ---\n" + errs
		} else {
			a.Error = fmt.Sprintf("Script exited with code %d", exit.Code)
		}
	}
	return a
}

// stream collects one of the script's outputs as plain text, in bounded memory.
type stream struct {
	limit int
	mu    *sync.Mutex
	win   *proc.Window
	clean *proc.Cleaner
}

func newStream(limit int) stream {
	head := limit * 2 / 5 // the end, where errors stand, gets more
	return stream{limit: limit, mu: &sync.Mutex{}, win: proc.NewWindow(head, limit-head), clean: &proc.Cleaner{}}
}

func (s stream) take(p []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.win.Write(s.clean.Append(nil, p))
}

// text ends the stream and returns it with the bytes that are in it and those
// that are left out.
func (s stream) text() (text string, kept, omitted int64) {
	s.mu.Lock()
	s.win.Write(s.clean.Flush(nil))
	s.mu.Unlock()
	head, tail, total := s.win.Text()
	kept = int64(len(head) + len(tail))
	if total <= s.limit {
		return head + tail, kept, 0
	}
	all := s.win.Bytes()
	omitted = all - kept
	var b strings.Builder
	b.WriteString(head)
	fmt.Fprintf(&b, "\n\n... [OUTPUT TRUNCATED - %s bytes omitted out of %s total] ...\n\n",
		tool.Thousands(int(omitted)), tool.Thousands(int(all)))
	b.WriteString(tail)
	return b.String(), kept, omitted
}
