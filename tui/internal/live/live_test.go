package live

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hermes/agent/event"
	"hermes/tui/internal/look"
)

func TestPercentiles(t *testing.T) {
	var s Stats
	if s.P(95) != 0 {
		t.Error("a percentile of nothing")
	}
	for i := 1; i <= 250; i++ {
		s.add(float64(i), false, false, time.Time{})
	}
	// The last hundred runs are 151 … 250.
	for p, want := range map[int]float64{1: 151, 50: 200, 95: 245, 100: 250} {
		if got := s.P(p); got != want {
			t.Errorf("p%d is %v, want %v", p, got, want)
		}
	}
	if s.N != 250 {
		t.Errorf("%d runs", s.N)
	}
}

func TestRingKeepsTheNewest(t *testing.T) {
	var r Ring
	const n = ringSize + 123
	for i := range n {
		r.Add(event.HookRun{Hook: fmt.Sprint(i), Ms: float64(i % 2 * 2000)})
	}
	if r.Len() != ringSize || r.Total != n || r.Slow != n/2 {
		t.Errorf("%d kept, %d in all, %d slow", r.Len(), r.Total, r.Slow)
	}
	for i := range r.Len() {
		if want := fmt.Sprint(n - ringSize + i); r.At(i).Hook != want {
			t.Fatalf("place %d holds %s, want %s", i, r.At(i).Hook, want)
		}
	}
	if ms, ok := r.P95(); !ok || ms != 2000 {
		t.Errorf("p95 %v", ms)
	}
}

func plugin(s *State, state string) *Plugin {
	s.Apply(event.PluginState{Plugin: event.Plugin{Key: "p", Name: "p", State: state}})
	return s.Plugins.Get("p")
}

func TestHealthFollowsTheFigures(t *testing.T) {
	call := func(s *State, status string) {
		s.Apply(event.ToolDone{Owner: "p", Name: "t", Status: status, Ms: 1})
	}
	hook := func(s *State, e event.HookRun) { e.Plugin, e.Hook, e.Callback = "p", "h", "c"; s.Apply(e) }
	bad := &event.PluginError{Type: "E"}
	for name, tc := range map[string]struct {
		do   func(*State)
		want look.Health
	}{
		"nothing happened": {func(*State) {}, look.OK},
		"two errors":       {func(s *State) { call(s, event.StatusError); call(s, event.StatusError) }, look.OK},
		"three errors": {func(s *State) {
			call(s, event.StatusError)
			call(s, event.StatusTimeout)
			call(s, event.StatusError)
			call(s, event.StatusError)
		}, look.Failing},
		"blocked calls are fine": {func(s *State) {
			call(s, event.StatusBlocked)
			call(s, event.StatusBlocked)
			call(s, event.StatusDenied)
		}, look.OK},
		"long ago": {func(s *State) {
			for range 3 {
				call(s, event.StatusError)
			}
			for range 20 {
				call(s, event.StatusOK)
			}
		}, look.OK},
		"two timeouts": {func(s *State) { hook(s, event.HookRun{Timeout: true}); hook(s, event.HookRun{Timeout: true}) }, look.SlowHooks},
		"a slow one":   {func(s *State) { hook(s, event.HookRun{Ms: 6000}) }, look.SlowHooks},
		"hook errors": {func(s *State) {
			for range 3 {
				hook(s, event.HookRun{Err: bad})
			}
		}, look.Failing},
	} {
		t.Run(name, func(t *testing.T) {
			s := New()
			p := plugin(s, event.PluginOK)
			tc.do(s)
			if got := p.Health(); got != tc.want {
				t.Errorf("health %d, want %d", got, tc.want)
			}
		})
	}
	s := New()
	p := plugin(s, event.PluginFailed)
	for range 5 {
		call(s, event.StatusOK)
	}
	if p.Health() != look.Failed {
		t.Error("good calls hide that it failed")
	}
}

func TestErrorsAreKeptOnceInARow(t *testing.T) {
	s := New()
	p := plugin(s, event.PluginOK)
	for range 3 {
		s.Apply(event.HookRun{Plugin: "p", Hook: "h", Err: &event.PluginError{Type: "E", Message: "same"}})
	}
	s.Apply(event.ToolDone{Owner: "p", Name: "t", Status: event.StatusError, Err: "other"})
	if len(p.Errors) != 2 || p.Errors[0].N != 3 || p.LastError().Err.Where != "tool t" {
		t.Errorf("%+v", p.Errors)
	}
}

func TestQueue(t *testing.T) {
	s := New()
	s.Apply(event.Queued{ID: "1", Text: "a"})
	s.Apply(event.Queued{ID: "2", Text: "b"})
	s.Apply(event.Queued{ID: "1", Text: "A"})
	s.Apply(event.Dequeued{ID: "2"})
	if len(s.Queue) != 1 || s.Queue[0].Text != "A" {
		t.Errorf("%+v", s.Queue)
	}
}

func TestContextIsTheLastRequest(t *testing.T) {
	s := New()
	s.Apply(event.ModelChanged{Model: "m", Window: 1000})
	s.Apply(event.Usage{Tokens: event.Tokens{In: 400, Out: 20}})
	s.Apply(event.Usage{Tokens: event.Tokens{In: 500, Out: 30}})
	if s.Model.Context != 530 || s.Total.In != 900 || s.Total.Out != 50 {
		t.Errorf("context %d, total %+v", s.Model.Context, s.Total)
	}
}

// No order of events makes a count negative or leaves a call running after its
// turn.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := New()
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			call := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "call")
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				s.Apply(event.ToolStarted{Call: call, Owner: "p"})
			case 1:
				s.Apply(event.ToolDone{Call: call, Owner: "p"})
			case 2:
				s.Apply(event.TurnStarted{Meta: event.Meta{Turn: call}})
			case 3:
				s.Apply(event.TurnDone{Meta: event.Meta{Turn: call}})
				if len(s.Turn.Calls) != 0 || s.Turn.Running {
					t.Fatal("something runs after the turn")
				}
			case 4:
				s.Apply(event.PluginGone{Key: "p"})
			case 5:
				s.Apply(event.PluginState{Plugin: event.Plugin{Key: "p", State: event.PluginOK}})
			case 6:
				s.Apply(event.PluginsSettled{})
			}
			if p := s.Plugins.Get("p"); p != nil && p.Running < 0 {
				t.Fatal("negative count")
			}
			s.Plugins.Sorted()
		}
	})
}
