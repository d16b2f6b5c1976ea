package live

import (
	"testing"

	"hermes/agent/event"
)

// A failure reaches the state twice, as the end of a call or a run and as the
// error on the plugin's record; it is listed once, with its traceback.
func TestAFailureIsListedOnce(t *testing.T) {
	raised := func(where, message string) *event.PluginError {
		return &event.PluginError{Type: "ValueError", Message: message, Where: where, Traceback: "Traceback …"}
	}
	record := func(s *State, err *event.PluginError) {
		s.Apply(event.PluginState{Plugin: event.Plugin{Key: "p", Name: "p", State: event.PluginOK, Error: err}})
	}
	call := func(s *State, err string) {
		s.Apply(event.ToolDone{Owner: "p", Name: "t", Status: event.StatusError, Err: err})
	}
	for name, tc := range map[string]struct {
		do   func(*State)
		want []int // times of each entry, oldest first
	}{
		"the same four times": {func(s *State) {
			for range 4 {
				record(s, raised("tool t", "boom"))
				call(s, "Tool t failed: ValueError: boom")
			}
		}, []int{4}},
		"four different ones": {func(s *State) {
			for _, m := range []string{"a", "b", "c", "d"} {
				record(s, raised("tool t", m))
				call(s, "Tool t failed")
			}
		}, []int{1, 1, 1, 1}},
		"the record is reported again": {func(s *State) {
			e := raised("tool t", "boom")
			record(s, e)
			call(s, "failed")
			record(s, e)
			record(s, e)
		}, []int{1}},
		"two at once": {func(s *State) {
			record(s, raised("tool t", "boom"))
			record(s, raised("tool t", "boom"))
			call(s, "failed")
			call(s, "failed")
		}, []int{2}},
		"a call that the plugin never saw fail": {func(s *State) {
			record(s, raised("tool t", "boom"))
			call(s, "failed")
			call(s, "the arguments are not JSON")
		}, []int{1, 1}},
		"a hook": {func(s *State) {
			for range 3 {
				e := raised("hook h", "boom")
				s.Apply(event.HookRun{Plugin: "p", Hook: "h", Callback: "c", Err: e})
				record(s, e)
			}
		}, []int{3}},
		"load errors": {func(s *State) {
			record(s, raised("import", "boom"))
			record(s, raised("import", "boom"))
		}, []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := New()
			record(s, nil)
			tc.do(s)
			p := s.Plugins.Get("p")
			if len(p.Errors) != len(tc.want) {
				t.Fatalf("%d entries, want %d: %+v", len(p.Errors), len(tc.want), p.Errors)
			}
			sum := 0
			for i, n := range tc.want {
				sum += n
				if p.Errors[i].N != n {
					t.Errorf("entry %d happened %d times, want %d", i, p.Errors[i].N, n)
				}
			}
			if p.Errors[0].Err.Traceback == "" {
				t.Error("the entry without the traceback was kept")
			}
			if got := p.ErrorCount(); got != sum {
				t.Errorf("%d errors in all, want %d", got, sum)
			}
		})
	}
}
