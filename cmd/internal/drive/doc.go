// Package drive runs the program by a list of steps, without a screen: it
// reads a job, does what the job says and writes what was observed. The steps
// go through the same runtime that the screen stands on, so what they show is
// what a user would see: the wire to the plugin host, the registry, the hooks
// and the loop are the real ones.
//
// A job is a JSON file:
//
//	{"drive": [{"do": "load", "id": "l"}, {"do": "tool", "name": "x", "args": {}}],
//	 "timeout_s": 90}
//
// The kinds of steps are load, tool, slash, complete, skill, skills, env,
// redact and sleep, which share one running program, and chat and cli, which
// start one of their own. Any other kind is answered with "unsupported".
// The observation is written after every step, so that a step that never ends
// leaves those before it.
package drive

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Job says what to do.
type Job struct {
	Drive    []Step  `json:"drive"`
	TimeoutS float64 `json:"timeout_s"` // for a group of steps that share one program, and for each chat or cli step
}

// Step is one thing to do; which fields count depends on Do.
type Step struct {
	Do       string          `json:"do"`
	Name     string          `json:"name"`
	Args     json.RawMessage `json:"args"`
	Line     string          `json:"line"`
	Text     string          `json:"text"`
	FilePath string          `json:"file_path"`
	Keys     []string        `json:"keys"`
	Seconds  float64         `json:"seconds"`
	Prompt   string          `json:"prompt"`
	Toolsets string          `json:"toolsets"`
	Continue bool            `json:"continue"`
	Argv     []string        `json:"argv"`
	TimeoutS float64         `json:"timeout_s"`
}

// fields is what was observed of one step.
type fields map[string]any

// observation is what a job left behind.
type observation struct {
	Alive    bool     `json:"alive"` // the program got through every step
	TimedOut bool     `json:"timed_out"`
	ExitCode int      `json:"exit_code"`
	Stdout   string   `json:"stdout"` // what reached the terminal outside of steps
	Stderr   string   `json:"stderr"`
	Seconds  float64  `json:"seconds"`
	Steps    []fields `json:"steps"`
}

// defaultTimeout is that of the format, in seconds.
const defaultTimeout = 90

func readJob(path string) (Job, error) {
	var j Job
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, &j)
	}
	if err != nil {
		return Job{}, fmt.Errorf("read the job %s: %w", path, err)
	}
	if j.TimeoutS <= 0 {
		j.TimeoutS = defaultTimeout
	}
	return j, nil
}

// write replaces the observation at path in one step: a reader, or whoever
// ends this process, finds the one before or this one.
func (o *observation) write(path string) error {
	if o.Steps == nil {
		o.Steps = []fields{}
	}
	b, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("write the observation: %w", err)
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return fmt.Errorf("write the observation: %w", err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return fmt.Errorf("write the observation: %w", err)
	}
	return nil
}
