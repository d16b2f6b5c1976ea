package drive

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"hermes/agent/event"
	"hermes/cmd/internal/app"
)

// watch collects every diagnostic that a user can see: notices, what the panel
// says of plugins and hooks, and the warnings of the log.
type watch struct {
	rt    *app.Runtime
	sub   *event.Subscription
	log   string // errors.log, which holds WARNING and up
	read  int64  // how much of it was seen
	said  map[string]bool
	host  int // process of the plugin host, 0 for none
	found []string

	record *regexp.Regexp // the beginning of a log record; lines without one belong to that before
}

func newWatch(rt *app.Runtime, logs string) *watch {
	w := &watch{rt: rt, sub: rt.Subscribe(), log: filepath.Join(logs, "errors.log"), said: map[string]bool{}}
	w.record = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} `)
	if info, err := os.Stat(w.log); err == nil {
		w.read = info.Size() // of earlier runs
	}
	return w
}

// since returns the diagnostics since the last call.
func (w *watch) since(ctx context.Context) []string {
	w.readEvents()
	w.readLog(ctx)
	out := append([]string{}, w.found...)
	w.found = nil
	return out
}

func (w *watch) readEvents() {
	for _, e := range w.sub.Take() {
		switch e := e.(type) {
		case event.Notice:
			if e.Level != event.LevelInfo {
				w.add(strings.ToUpper(e.Level), e.Source, e.Text)
			}
		case event.HostState:
			w.host = e.Pid
			if e.State == event.HostStopped || e.State == event.HostCrashed || e.State == event.HostAbsent {
				w.host = 0
			}
			w.once("host", e.Err)
		case event.PluginState:
			w.plugin(e.Plugin)
		case event.HookSlow:
			w.add("WARN", e.Plugin, fmt.Sprintf("hook %s (%s) has been running for %s", e.Hook, e.Callback, e.Elapsed))
		case event.HookRun:
			if e.Err != nil {
				w.add("WARN", e.Plugin, fmt.Sprintf("hook %s (%s): %s: %s", e.Hook, e.Callback, e.Err.Type, e.Err.Message))
			}
		case event.ToolDone:
			if e.Err != "" {
				w.add("WARN", e.Owner, e.Name+": "+e.Err)
			}
		}
	}
}

// plugin notes what the panel shows of a plugin, each sentence once.
func (w *watch) plugin(p event.Plugin) {
	if p.Bundled || p.Example {
		return
	}
	if p.State != event.PluginStarting && p.State != event.PluginOK {
		w.once(p.Key, p.Reason)
	}
	if e := p.Error; e != nil {
		w.once(p.Key, strings.TrimSpace(e.Type+": "+e.Message))
	}
	for _, n := range p.Notices {
		w.once(p.Key, n)
	}
}

func (w *watch) once(source, text string) {
	if line := source + text; text != "" && !w.said[line] {
		w.said[line] = true
		w.add("PANEL", source, text)
	}
}

func (w *watch) add(level, source, text string) {
	w.found = append(w.found, level+" "+source+": "+text)
}

func (w *watch) readLog(ctx context.Context) {
	_ = w.rt.FlushLog(ctx) // then there is less to see
	f, err := os.Open(w.log)
	if err != nil {
		return // nothing was logged yet
	}
	defer f.Close()
	b, err := io.ReadAll(io.NewSectionReader(f, w.read, 1<<20))
	if err != nil {
		w.add("ERROR", "drive", err.Error())
		return
	}
	w.read += int64(len(b))
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		if at := w.record.FindStringIndex(line); at != nil {
			w.found = append(w.found, line[at[1]:])
		} else if n := len(w.found); n > 0 {
			w.found[n-1] += "\n" + line
		}
	}
}

// hostEnviron is the environment of the process that runs plugins, nil where
// it cannot be read or none runs.
func (w *watch) hostEnviron() []string {
	w.readEvents()
	if w.host == 0 {
		return nil
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", w.host))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(b), "\x00"), func(s string) bool { return s == "" })
}
