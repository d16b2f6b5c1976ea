package drive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"hermes/agent/proc"
)

// Command is how a driven program is started: this binary.
type Command struct {
	Path    string
	Environ []string
	Dir     string
}

// Inside are the words that make the binary run a group of steps with
// RunGroup: JOB and OBS follow.
var inside = []string{"debug", "drive", "--inside"}

// Run does what the job at jobPath says and keeps the observation at obsPath
// up to date. Steps that share a program run in a process of their own, so
// that whatever happens to it is observed instead of suffered. An error means
// that the job could not be read or the observation not be written.
func Run(ctx context.Context, c Command, jobPath, obsPath string) error {
	job, err := readJob(jobPath)
	if err != nil {
		return err
	}
	m := proc.NewManager(proc.Options{})
	defer m.Close()
	r := &runner{c: c, m: m, job: job, path: obsPath, obs: observation{Alive: true}}
	begin := time.Now()
	if err := r.obs.write(obsPath); err != nil {
		return err
	}
	for rest := job.Drive; len(rest) > 0 && ctx.Err() == nil; {
		n, err := r.next(ctx, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
		r.obs.Seconds = round(time.Since(begin), 2)
		if err := r.obs.write(obsPath); err != nil {
			return err
		}
	}
	return ctx.Err()
}

type runner struct {
	c    Command
	m    *proc.Manager
	job  Job
	path string
	obs  observation
}

// next runs the first of steps, or the first group that shares a program, and
// returns how many that were.
func (r *runner) next(ctx context.Context, steps []Step) (int, error) {
	switch s := steps[0]; s.Do {
	case "chat":
		args := []string{"chat", "-Q", "-q", s.Prompt}
		if s.Toolsets != "" {
			args = append(args, "-t", s.Toolsets)
		}
		if s.Continue {
			args = append(args, "--continue")
		}
		return 1, r.program(ctx, s, args)
	case "cli":
		return 1, r.program(ctx, s, s.Argv)
	}
	n := 0
	for n < len(steps) && steps[n].Do != "chat" && steps[n].Do != "cli" {
		n++
	}
	return n, r.group(ctx, steps[:n])
}

// Most of a program's output that is kept, in characters from its end.
const (
	keptStdout = 6000
	keptStderr = 3000
)

// program runs the binary as a user would.
func (r *runner) program(ctx context.Context, s Step, args []string) error {
	limit := s.TimeoutS
	if limit <= 0 {
		limit = r.job.TimeoutS
	}
	start := time.Now()
	res, err := r.start(ctx, args, limit)
	if err != nil {
		return err
	}
	end := time.Now()
	r.obs.Steps = append(r.obs.Steps, fields{
		"do": s.Do, "rc": res.code, "timed_out": res.late,
		"stdout": tail(res.stdout, keptStdout), "stderr": tail(res.stderr, keptStderr),
		"seconds": round(end.Sub(start), 2), "t_start": unix(start), "t_end": unix(end),
		"warnings": nonEmptyLines(res.stderr),
	})
	return nil
}

// group runs steps in one program.
func (r *runner) group(ctx context.Context, steps []Step) error {
	jobPath, part := r.path+".group", r.path+".part"
	b, err := json.Marshal(Job{Drive: steps, TimeoutS: r.job.TimeoutS})
	if err == nil {
		err = os.WriteFile(jobPath, b, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the steps: %w", err)
	}
	if err := (&observation{}).write(part); err != nil {
		return err
	}
	res, err := r.start(ctx, append(inside[:len(inside):len(inside)], jobPath, part), r.job.TimeoutS)
	if err != nil {
		return err
	}
	var g observation
	if b, err = os.ReadFile(part); err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil {
		return fmt.Errorf("read the group's observation: %w", err)
	}
	r.obs.Alive = r.obs.Alive && g.Alive
	r.obs.TimedOut = r.obs.TimedOut || res.late
	r.obs.ExitCode = res.code
	r.obs.Stdout += tail(res.stdout, keptStderr)
	r.obs.Stderr += tail(res.stderr, keptStderr)
	r.obs.Steps = append(r.obs.Steps, g.Steps...)
	for _, s := range steps[min(len(g.Steps), len(steps)):] {
		r.obs.Steps = append(r.obs.Steps, fields{"do": s.Do, "not_reached": true})
	}
	return nil
}

// result is how a program ended.
type result struct {
	code           int
	late           bool // it was ended because its time was over
	stdout, stderr string
}

// start runs the binary with args for at most limit seconds.
func (r *runner) start(ctx context.Context, args []string, limit float64) (result, error) {
	var mu sync.Mutex // output comes on two goroutines, also after the end
	var out, errs bytes.Buffer
	into := func(b *bytes.Buffer) func([]byte) {
		return func(p []byte) {
			mu.Lock()
			defer mu.Unlock()
			b.Write(p)
		}
	}
	child, err := r.m.Start(proc.Spec{
		Path: r.c.Path, Args: args, Env: r.c.Environ, Dir: r.c.Dir, Out: into(&out), Err: into(&errs),
	})
	if err != nil {
		return result{}, fmt.Errorf("start %s: %w", r.c.Path, err)
	}
	t := time.NewTimer(seconds(limit))
	defer t.Stop()
	var res result
	select {
	case <-child.Done():
	case <-t.C:
		res.late = true
	case <-ctx.Done():
	}
	child.Kill(0)
	<-child.Done()
	mu.Lock()
	defer mu.Unlock()
	res.code, res.stdout, res.stderr = child.Exit().Code, out.String(), errs.String()
	return res, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// unix is t in seconds since 1970, with its fraction.
func unix(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }

// round is d in seconds with n decimals.
func round(d time.Duration, n float64) float64 {
	f := math.Pow(10, n)
	return math.Round(d.Seconds()*f) / f
}

// tail is the end of s, at most n characters.
func tail(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[len(r)-n:])
	}
	return s
}

// head is the beginning of s, at most n characters.
func head(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

func nonEmptyLines(s string) []string {
	out := []string{}
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
