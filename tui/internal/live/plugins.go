package live

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/tui/internal/look"
)

// Bounds of what is kept per plugin, from the design: figures over the last
// hundred runs, a log of five hundred lines, the last ten runs as bars.
const (
	sampleSize = 100
	logLines   = 500
	errorsKept = 50
)

// A plugin is marked when three of its last twenty runs failed, when two of
// them ran into their limit, or when its hooks take longer than slowHookMs
// (or their limit, if that is lower) at the 95th percentile.
const (
	recent       = 20
	failingFrom  = 3
	timeoutsFrom = 2
	slowHookMs   = 5000
)

// Plugins holds every plugin by key.
type Plugins struct {
	byKey  map[string]*Plugin
	sorted []*Plugin // nil when it must be made again
}

// Plugin is a plugin's record and how it has fared.
type Plugin struct {
	event.Plugin
	Since     time.Time // of the present state
	Calls     Stats     // its tools
	Hooks     Stats     // its hook callbacks
	Callbacks map[string]*Callback
	Tools     map[string]*Stats
	Errors    []Trouble // newest last
	Log       []event.PluginOutput
	Lost      int  // log lines dropped
	Running   int  // calls that run now
	Reports   int  // how often the program reported its record
	known     bool // reported or remembered; else it was only named in an event
}

// Callback is one callback of one hook.
type Callback struct {
	Stats
	Hook, Name string
	Last       []event.HookRun // newest last, at most ten
	Limit      time.Duration   // 0 when not known
	Context    int             // runs that returned context
	Missed     int             // timeouts
}

// Trouble is one error of a plugin with the moment it happened.
type Trouble struct {
	At  time.Time
	Err event.PluginError
	N   int // times in a row
	// open counts those that the record told of and whose calls have not ended
	// yet: the end of a call tells of the same failure again, with less detail.
	open int
}

func newPlugins() Plugins { return Plugins{byKey: map[string]*Plugin{}} }

// Get returns a plugin by key, nil when there is none.
func (p *Plugins) Get(key string) *Plugin { return p.byKey[key] }

// Len is how many there are.
func (p *Plugins) Len() int { return len(p.Sorted()) }

// Sorted returns all of them, trouble first, then by name.
func (p *Plugins) Sorted() []*Plugin {
	if p.sorted == nil {
		p.sorted = []*Plugin{}
		for _, q := range p.byKey {
			if q.known {
				p.sorted = append(p.sorted, q)
			}
		}
		slices.SortFunc(p.sorted, func(a, b *Plugin) int {
			return cmp.Or(
				cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Key, b.Key))
		})
	}
	return p.sorted
}

// rank puts our own examples behind what the user brought.
func rank(p *Plugin) int {
	r := 2 * int(p.Health())
	if p.Bundled {
		r++
	}
	return r
}

func (p *Plugins) at(key string) *Plugin {
	q := p.byKey[key]
	if q == nil {
		q = &Plugin{Plugin: event.Plugin{Key: key, Name: key, State: event.PluginStarting}, Callbacks: map[string]*Callback{}, Tools: map[string]*Stats{}}
		p.byKey[key] = q
	}
	p.sorted = nil
	return q
}

func (p *Plugins) put(rec event.Plugin, at time.Time) {
	q := p.at(rec.Key)
	if q.State != rec.State || q.Since.IsZero() {
		q.Since = at
	}
	q.told(rec.Error, at)
	q.Plugin, q.known = rec, true
	q.Reports++
}

func (p *Plugins) drop(key string) {
	delete(p.byKey, key)
	p.sorted = nil
}

func (p *Plugins) toolStarted(e event.ToolStarted) {
	if e.Owner != "" {
		p.at(e.Owner).Running++
	}
}

func (p *Plugins) toolDone(e event.ToolDone) {
	if e.Owner == "" {
		return
	}
	q := p.at(e.Owner)
	q.Running = max(0, q.Running-1)
	bad := failed(e.Status)
	q.Calls.add(e.Ms, bad, e.Status == event.StatusTimeout, e.At)
	st := q.Tools[e.Name]
	if st == nil {
		st = &Stats{}
		q.Tools[e.Name] = st
	}
	st.add(e.Ms, bad, e.Status == event.StatusTimeout, e.At)
	if bad && !q.ended("tool "+e.Name, e.At) {
		q.trouble(event.PluginError{Type: e.Status, Message: orElse(e.Err, firstLine(e.Preview)), Where: "tool " + e.Name}, e.At)
	}
}

func (p *Plugins) callback(plugin, hook, name string) *Callback {
	q := p.at(plugin)
	id := hook + "\x00" + name
	c := q.Callbacks[id]
	if c == nil {
		c = &Callback{Hook: hook, Name: name}
		q.Callbacks[id] = c
	}
	return c
}

func (p *Plugins) hookRun(e event.HookRun) {
	if e.Plugin == "" {
		return
	}
	c := p.callback(e.Plugin, e.Hook, e.Callback)
	if answersLate(e) {
		return
	}
	bad := e.Err != nil || e.Timeout
	c.add(e.Ms, bad, e.Timeout, e.At)
	if e.Timeout {
		c.Missed++
	}
	if e.Effect == "context" {
		c.Context++
	}
	c.Last = keepLast(append(c.Last, e), 10)
	q := p.at(e.Plugin)
	q.Hooks.add(e.Ms, bad, e.Timeout, e.At)
	if e.Err != nil {
		q.trouble(*e.Err, e.At)
	}
}

// answersLate tells of a run that was given up, and counted, before.
func answersLate(e event.HookRun) bool { return e.Effect == "late" && !e.Timeout }

func (p *Plugins) hookSlow(e event.HookSlow) {
	if e.Plugin != "" {
		p.callback(e.Plugin, e.Hook, e.Callback).Limit = e.Limit
	}
}

func (p *Plugins) output(e event.PluginOutput) {
	if e.Key == "" {
		return
	}
	q := p.at(e.Key)
	q.Lost += e.Dropped
	if len(q.Log) >= logLines {
		q.Lost += len(q.Log) - logLines + 1
	}
	q.Log = keepLast(append(q.Log, e), logLines)
}

// told takes in the error that a record carries. A record is reported again
// and again with the same error; a failure of a call brings another one, even
// if it reads the same. Hook runs tell of their own failures.
func (q *Plugin) told(err *event.PluginError, at time.Time) {
	was := q.Plugin.Error
	if err == nil || err == was {
		return
	}
	switch {
	case strings.HasPrefix(err.Where, "tool "):
		q.trouble(*err, at).open++
	case strings.HasPrefix(err.Where, "hook ") && q.last(err.Where) != nil, was != nil && *err == *was:
	default:
		q.trouble(*err, at)
	}
}

// ended ends a call that failed: true when the record told of it already.
func (q *Plugin) ended(where string, at time.Time) bool {
	for i := range q.Errors {
		if t := &q.Errors[i]; t.open > 0 && t.Err.Where == where {
			t.open--
			t.At = at
			return true
		}
	}
	return false
}

// last is the newest trouble at a place, nil when there was none.
func (q *Plugin) last(where string) *Trouble {
	for i := len(q.Errors) - 1; i >= 0; i-- {
		if q.Errors[i].Err.Where == where {
			return &q.Errors[i]
		}
	}
	return nil
}

// trouble adds an error, or counts the last one again when it is the same.
func (q *Plugin) trouble(err event.PluginError, at time.Time) *Trouble {
	n := len(q.Errors)
	if n == 0 || q.Errors[n-1].Err != err {
		q.Errors = keepLast(append(q.Errors, Trouble{Err: err}), errorsKept)
		n = len(q.Errors)
	}
	t := &q.Errors[n-1]
	t.At = at
	t.N++
	return t
}

// ErrorCount is how many errors are listed, repeated ones as often as they
// happened.
func (q *Plugin) ErrorCount() int {
	n := 0
	for _, t := range q.Errors {
		n += t.N
	}
	return n
}

// LastError is the newest trouble, nil when there was none.
func (q *Plugin) LastError() *Trouble {
	if len(q.Errors) == 0 {
		return nil
	}
	return &q.Errors[len(q.Errors)-1]
}

// Health refines the reported state by the figures.
func (q *Plugin) Health() look.Health {
	h := look.HealthOf(q.State)
	if h != look.OK && h != look.Partial {
		return h
	}
	switch {
	case q.Calls.recentErrors() >= failingFrom || q.Hooks.recentErrors() >= failingFrom:
		return look.Failing
	case q.slow():
		return look.SlowHooks
	}
	return h
}

func (q *Plugin) slow() bool {
	for _, c := range q.Callbacks {
		limit := float64(slowHookMs)
		if ms := float64(c.Limit.Milliseconds()); ms > 0 && ms < limit {
			limit = ms
		}
		if c.recentTimeouts() >= timeoutsFrom || c.N > 0 && c.P(95) >= limit {
			return true
		}
	}
	return false
}

// CallbackList returns the callbacks by hook and name, those that never ran
// with the figures of none.
func (q *Plugin) CallbackList() []*Callback {
	var out []*Callback
	seen := map[string]bool{}
	for id, c := range q.Callbacks {
		seen[id] = true
		out = append(out, c)
	}
	for _, c := range q.Plugin.Callbacks {
		if id := c.Hook + "\x00" + c.Name; !seen[id] {
			seen[id] = true
			out = append(out, &Callback{Hook: c.Hook, Name: c.Name})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Hook < out[j].Hook || out[i].Hook == out[j].Hook && out[i].Name < out[j].Name
	})
	return out
}

// Counts returns how many plugins are in each state.
func (p *Plugins) Counts() map[look.Health]int {
	out := map[look.Health]int{}
	for _, q := range p.Sorted() {
		out[q.Health()]++
	}
	return out
}

func keepLast[T any](s []T, n int) []T {
	if len(s) <= n {
		return s
	}
	// Copied once per n extra entries, so that a long run does not hold on to
	// an ever growing array.
	if len(s) > 2*n {
		return append(make([]T, 0, n+n/2), s[len(s)-n:]...)
	}
	return s[len(s)-n:]
}

func firstLine(s string) string {
	for i, r := range s {
		if r == '\n' {
			return s[:i]
		}
	}
	return s
}

// Remember puts in a plugin as the last run knew it; it goes when this run has
// settled without reporting it.
func (p *Plugins) Remember(rec event.Plugin) {
	q := p.at(rec.Key)
	q.Plugin, q.known = rec, true
}

// forget drops what was only remembered.
func (p *Plugins) forget() {
	for key, q := range p.byKey {
		if q.known && q.Reports == 0 {
			p.drop(key)
		}
	}
}
