package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hermes/agent/proc"
)

// Program is what is driven: a binary that takes "debug drive JOB OBS".
type Program struct {
	Path    string
	Environ []string // of the caller; what would speak to real services is left out
	Python  string   // for {{PYTHON}}
}

// grace is what a case gets beyond its own time before it is ended, in seconds.
const grace = 15

// Run runs the case of the file path below the empty folder base, and judges
// it. ctx ends it early.
func Run(ctx context.Context, p Program, path, base string) (*Case, []Verdict, error) {
	s, err := startService()
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	at := placeAt(base)
	c, err := Load(path, at.vars(s.port, p.Python))
	if err != nil {
		return nil, nil, err
	}
	if c.Server != nil && len(c.Server.Steps) > 0 {
		s.steps = c.Server.Steps
	}
	if err := c.layOut(at, s.port); err != nil {
		return nil, nil, err
	}
	steps, err := c.steps()
	if err != nil {
		return nil, nil, err
	}
	obs, err := c.drive(ctx, p, at, s.port, steps)
	if err != nil {
		return nil, nil, err
	}
	addRequests(obs, s.requests())
	if err := c.addFiles(obs, at); err != nil {
		return nil, nil, err
	}
	verdicts, err := c.judge(obs)
	return c, verdicts, err
}

// drive lets the program do the steps and reads what it observed.
func (c *Case) drive(ctx context.Context, p Program, at place, port int, steps []step) (*object, error) {
	job, obsPath := filepath.Join(at.base, "job.json"), filepath.Join(at.base, "obs.json")
	data, err := json.Marshal(map[string]any{
		"id": c.ID, "base": at.base, "home": at.home, "work": at.work, "port": port, "drive": c.Drive, "timeout_s": c.TimeoutS,
	})
	if err == nil {
		err = os.WriteFile(job, data, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: write the job: %w", c.ID, err)
	}
	start := time.Now()
	late, err := c.start(ctx, p, at, steps, job, obsPath)
	if err != nil {
		return nil, err
	}
	obs := newObject()
	if data, err := os.ReadFile(obsPath); err == nil {
		if v, err := parse(data); err == nil {
			if o, ok := v.(*object); ok {
				obs = o
			}
		}
	}
	obs.setMissing("alive", false)
	obs.setMissing("steps", []any{})
	obs.set("timed_out", late || obs.values["timed_out"] == true)
	obs.setMissing("seconds", time.Since(start).Seconds())
	return obs, nil
}

// start runs the program and ends it when the time of the case is over.
func (c *Case) start(ctx context.Context, p Program, at place, steps []step, job, obs string) (late bool, err error) {
	limit := c.TimeoutS + grace
	for _, s := range steps {
		if s.Do == "chat" || s.Do == "cli" {
			if s.TimeoutS > 0 {
				limit += s.TimeoutS
			} else {
				limit += c.TimeoutS
			}
		}
	}
	m := proc.NewManager(proc.Options{})
	defer m.Close()
	child, err := m.Start(proc.Spec{
		Path: p.Path, Args: []string{"debug", "drive", job, obs}, Dir: at.work, Env: c.environ(p, at),
		Out: func([]byte) {}, // the observation tells
	})
	if err != nil {
		return false, fmt.Errorf("%s: start the program: %w", c.ID, err)
	}
	t := time.NewTimer(time.Duration(limit * float64(time.Second)))
	defer t.Stop()
	select {
	case <-child.Done():
	case <-t.C:
		late = true
	case <-ctx.Done():
		err = fmt.Errorf("%s: %w", c.ID, ctx.Err())
	}
	child.Kill(0)
	<-child.Done()
	return late, err
}

func (c *Case) environ(p Program, at place) []string {
	var out []string
	for _, kv := range p.Environ {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "HERMES") || strings.HasSuffix(name, "_API_KEY") || strings.HasSuffix(name, "_TOKEN") {
			continue
		}
		out = append(out, kv)
	}
	out = append(out, "HERMES_HOME="+at.home, "HOME="+at.user, "NO_COLOR=1", "TERM=dumb")
	for name, v := range c.Env {
		out = append(out, name+"="+v)
	}
	return out
}

// addRequests gives each chat step the requests that came while it ran.
func addRequests(obs *object, seen []request) {
	list, _ := obs.values["steps"].([]any)
	for _, item := range list {
		s, ok := item.(*object)
		if !ok || s.values["do"] != "chat" {
			continue
		}
		begin, _ := number(s.values["t_start"])
		end, ended := number(s.values["t_end"])
		var mine []request
		for _, r := range seen {
			if at := unix(r.at); at >= begin && (!ended || at <= end) {
				mine = append(mine, r)
			}
		}
		describe(s, mine, begin)
	}
}

func describe(s *object, mine []request, begin float64) {
	requests := []any{}
	for _, r := range mine {
		o := newObject()
		o.set("body", r.body)
		o.set("headers", r.headers)
		requests = append(requests, o)
	}
	s.set("requests", requests)
	if len(mine) > 0 {
		s.set("first_request_s", unix(mine[0].at)-begin)
		s.set("orphans", orphans(mine[0].body))
	}
	if len(mine) > 1 {
		s.set("retry_gap", unix(mine[1].at)-unix(mine[0].at))
	}
	stdout, _ := s.values["stdout"].(string)
	stderr, _ := s.values["stderr"].(string)
	s.setMissing("all", stdout+"\n"+stderr)
}

// orphans counts calls without an answer and answers without a call.
func orphans(body any) int {
	list, _ := locate(body, "/messages").([]any)
	need, have := []any{}, []any{}
	for _, m := range list {
		calls, _ := locate(m, "/tool_calls").([]any)
		for _, call := range calls {
			need = append(need, idOf(call, "/id"))
		}
		if locate(m, "/role") == "tool" {
			have = append(have, idOf(m, "/tool_call_id"))
		}
	}
	n := 0
	for _, pair := range [2][2][]any{{need, have}, {have, need}} {
		for _, id := range pair[0] {
			if !anyOf(pair[1], func(other any) bool { return equal(id, other) }) {
				n++
			}
		}
	}
	return n
}

func idOf(node any, at string) any {
	v := locate(node, at)
	if _, gone := v.(missing); gone {
		return nil
	}
	return v
}

// Most of a file that is looked at, in bytes.
const (
	readLimit = 20_000
	logLimit  = 40_000
)

// addFiles adds the files that the case names, and the logs.
func (c *Case) addFiles(obs *object, at place) error {
	for name, rel := range c.Read {
		path := filepath.Join(at.base, filepath.FromSlash(rel))
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || (err == nil && !info.Mode().IsRegular()) {
			continue
		}
		var data []byte
		if err == nil {
			data, err = os.ReadFile(path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		obs.set(name, strings.ToValidUTF8(string(data[:min(len(data), readLimit)]), "\uFFFD"))
		obs.set(name+"_mode", fmt.Sprintf("0o%o", info.Mode().Perm()))
	}
	logs := newObject()
	files, err := os.ReadDir(filepath.Join(at.home, "logs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", c.ID, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(at.home, "logs", f.Name()))
		if err == nil {
			logs.set(f.Name(), strings.ToValidUTF8(string(data[max(0, len(data)-logLimit):]), "\uFFFD"))
		}
	}
	logs.setMissing("agent.log", "")
	logs.setMissing("errors.log", "")
	obs.set("logs", logs)
	return nil
}

func unix(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }
