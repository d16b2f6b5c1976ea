//go:build linux

package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
)

// Options says what to measure.
type Options struct {
	Bin       string   // the binary; empty builds a release one from the module in Dir
	Dir       string   // the module, for building
	Reference string   // hermes-agent's command, empty for none
	Runs      int      // at least
	Only      []string // ids of figures, empty for all
	Progress  io.Writer
}

// Names of the programs in a Result.
const (
	Here      = "here"
	Reference = "hermes-agent"
)

// Result holds what was measured.
type Result struct {
	mu      sync.Mutex
	samples map[string]map[string]sample // program, figure
	Load    [2]string                    // load average before and after
	Runs    int
	// Failed says what could not be measured, and why.
	Failed []error
}

func (r *Result) add(program string) func(string, float64) {
	return func(figure string, value float64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.samples[program] == nil {
			r.samples[program] = map[string]sample{}
		}
		r.samples[program][figure] = append(r.samples[program][figure], value)
	}
}

// Run measures. A figure that cannot be taken is in Result.Failed and does not
// stop the others; the error is about the preparations.
func Run(ctx context.Context, o Options) (*Result, error) {
	root, err := os.MkdirTemp("", "hermes-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	defer os.RemoveAll(root)
	bin := o.Bin
	if bin == "" {
		if bin, err = build(ctx, o.Dir, root); err != nil {
			return nil, err
		}
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return nil, fmt.Errorf("find the binary: %w", err)
	}
	programs := []program{{Here, bin, true}}
	if o.Reference != "" {
		programs = append(programs, program{Reference, o.Reference, false})
	}
	r := &Result{samples: map[string]map[string]sample{}, Runs: o.Runs}
	r.Load[0] = load()
	for _, s := range steps() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !s.wanted(o.Only) {
			continue
		}
		fmt.Fprintf(o.Progress, "%s\n", s.ids[0])
		if err := s.run(ctx, root, programs, o.Runs, r); err != nil {
			r.Failed = append(r.Failed, err)
			fmt.Fprintf(o.Progress, "  %v\n", err)
		}
	}
	r.Load[1] = load()
	return r, nil
}

// build makes the binary as a release is built.
func build(ctx context.Context, dir, root string) (string, error) {
	bin := filepath.Join(root, "hermes")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, "./cmd/hermes")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the release binary: %w\n%s", err, out)
	}
	return bin, nil
}

// step takes some figures: each (per run) or whole (all runs in one session).
type step struct {
	ids     []string
	plugins int  // in the home that each gets
	fresh   bool // a new home for each run, never started before
	each    func(h *home, add func(string, float64)) error
	whole   func(root string, p program, n int, add func(string, float64)) error
}

func (s step) wanted(only []string) bool {
	return len(only) == 0 || slices.ContainsFunc(s.ids, func(id string) bool { return slices.Contains(only, id) })
}

func steps() []step {
	started := func(id string) func(*home, func(string, float64)) error {
		return func(h *home, add func(string, float64)) error { return startFigures(h, id, add) }
	}
	return []step{
		{ids: []string{"paint", "echo"}, each: started("paint")},
		{ids: []string{"paint1"}, plugins: 1, each: started("paint1")},
		{ids: []string{"paint50"}, plugins: 50, each: started("paint50")},
		{ids: []string{"cold"}, fresh: true, each: cold},
		{ids: []string{"version"}, each: func(h *home, add func(string, float64)) error { return command(h, "version", add, "--version") }},
		{ids: []string{"list"}, plugins: 1, each: func(h *home, add func(string, float64)) error { return command(h, "list", add, "plugins", "list") }},
		{ids: []string{"pss", "cpu", "idle"}, whole: idle},
		{ids: []string{"enter"}, whole: enter},
		{ids: []string{"last"}, whole: lastByte},
		{ids: []string{"gap"}, whole: gaps},
		{ids: []string{"slash"}, whole: slash},
	}
}

// run takes the step n times, the programs by turns.
func (s step) run(ctx context.Context, root string, programs []program, n int, r *Result) error {
	if s.whole != nil {
		for _, p := range programs {
			if err := s.whole(root, p, n, r.add(p.name)); err != nil {
				return fmt.Errorf("%s of %s: %w", s.ids[0], p.name, err)
			}
		}
		return nil
	}
	homes := make([]*home, len(programs))
	for i := range n {
		for j, p := range programs {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if homes[j] == nil || s.fresh {
				h, err := s.prepare(root, p)
				if err != nil {
					return fmt.Errorf("%s of %s: %w", s.ids[0], p.name, err)
				}
				homes[j] = h
			}
			if err := s.each(homes[j], r.add(p.name)); err != nil {
				return fmt.Errorf("%s of %s, run %d: %w", s.ids[0], p.name, i+1, err)
			}
		}
	}
	return nil
}

// prepare makes the home of a step. All but the fresh ones were started once.
func (s step) prepare(root string, p program) (*home, error) {
	h, err := newHome(root, p, s.plugins, "")
	if err != nil || s.fresh {
		return h, err
	}
	if s.plugins > 0 {
		if err := h.configure(s.plugins, "http://127.0.0.1:9/v1"); err != nil {
			return nil, err
		}
	}
	return h, h.warm()
}
