package sessionsearch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hermes/agent/llm"
	"hermes/agent/store"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorded is what the reference answers about some sessions. Times are left
// out.
type recorded struct {
	Sessions []struct {
		ID, Source, Model, Title, Parent, End string
		Messages                              [][2]string
	}
	Calls []struct {
		Args    json.RawMessage
		Current string
		Keys    []string
		Result  any
	}
}

func readRecorded(t *testing.T) recorded {
	t.Helper()
	b, err := os.ReadFile("testdata/reference.json")
	must(t, err)
	var r recorded
	must(t, json.Unmarshal(b, &r))
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func openStore(t *testing.T) *store.Store {
	s := store.Open(filepath.Join(t.TempDir(), "state.db"), store.Options{})
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func fill(t *testing.T, s *store.Store, r recorded) {
	t.Helper()
	for _, x := range r.Sessions {
		must(t, s.CreateSession(t.Context(), store.New{ID: x.ID, Source: x.Source, Model: x.Model, Parent: x.Parent}))
		for _, m := range x.Messages {
			_, err := s.AppendStep(t.Context(), store.Step{Session: x.ID, Messages: []llm.Message{{Role: m[0], Content: m[1]}}})
			must(t, err)
		}
		if x.Title != "" {
			must(t, s.SetTitle(t.Context(), x.ID, x.Title))
		}
		if x.End != "" {
			must(t, s.EndSession(t.Context(), x.ID, x.End))
		}
	}
}

func caller(t *testing.T, d Deps) func(session, args string) string {
	t.Helper()
	reg := tool.NewRegistry(nil)
	must(t, Register(reg, d))
	ss, _ := reg.Get("session_search")
	return func(session, args string) string {
		t.Helper()
		r, err := ss.Run(t.Context(), tool.Call{Session: session, Args: json.RawMessage(args)})
		must(t, err)
		return r.Content
	}
}

var times = map[string]bool{"timestamp": true, "when": true, "started_at": true, "last_active": true}

func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if times[k] {
				delete(v, k)
			} else {
				v[k] = timeless(x)
			}
		}
	case []any:
		for i, x := range v {
			v[i] = timeless(x)
		}
	}
	return v
}

// keys are the keys of the outermost object, in their order.
func keys(t *testing.T, raw string) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(raw))
	_, err := dec.Token()
	must(t, err)
	var out []string
	for dec.More() {
		k, err := dec.Token()
		must(t, err)
		out = append(out, k.(string))
		var skip json.RawMessage
		must(t, dec.Decode(&skip))
	}
	return out
}

// unbook leaves out the first bookend of a session that was found by its
// title: the reference shows the same messages twice there.
func unbook(r any) {
	results, _ := r.(map[string]any)["results"].([]any)
	for _, d := range results {
		if d := d.(map[string]any); d["matched_role"] == roleOfTitle {
			delete(d, "bookend_start")
		}
	}
}

func TestAnswersAsTheReference(t *testing.T) {
	r := readRecorded(t)
	s := openStore(t)
	fill(t, s, r)
	call := caller(t, Deps{Store: s})
	if len(r.Calls) < 20 {
		t.Fatalf("only %d calls were recorded", len(r.Calls))
	}
	for _, c := range r.Calls {
		raw := call(c.Current, string(c.Args))
		var got any
		must(t, json.Unmarshal([]byte(raw), &got))
		got = timeless(got)
		unbook(c.Result)
		unbook(got)
		if d := cmp.Diff(c.Result, got); d != "" {
			t.Errorf("%s in %q (-reference +ours):\n%s", c.Args, c.Current, d)
		}
		if d := cmp.Diff(c.Keys, keys(t, raw)); d != "" {
			t.Errorf("%s: order of keys:\n%s", c.Args, d)
		}
	}
}

// What was compacted away the model no longer sees: it may look it up in its
// own session.
func TestFindsWhatWasCompactedInTheSameSession(t *testing.T) {
	s := openStore(t)
	_, err := s.AppendStep(t.Context(), store.Step{Session: "a", Create: &store.New{ID: "a", Source: "cli"}, Messages: []llm.Message{
		{Role: "user", Content: "the zebra number is 17"}, {Role: "assistant", Content: "noted"},
	}})
	must(t, err)
	call := caller(t, Deps{Store: s})
	if got := call("a", `{"query":"zebra"}`); !strings.Contains(got, `"count": 0`) {
		t.Errorf("before: %s", got)
	}
	_, err = s.Compact(t.Context(), "a", []llm.Message{{Role: "user", Content: "SUMMARY"}})
	must(t, err)
	if got := call("a", `{"query":"zebra"}`); !strings.Contains(got, "number is 17") {
		t.Errorf("after: %s", got)
	}
	if got := call("a", `{"session_id":"a","around_message_id":1}`); !strings.Contains(got, `"mode": "scroll"`) {
		t.Errorf("scroll: %s", got)
	}
}

func TestTellsWhatIsWrong(t *testing.T) {
	s := openStore(t)
	call := caller(t, Deps{Store: s})
	for args, want := range map[string]string{
		`{"session_id":"nope"}`:                       "session_id not found: nope",
		`{"query":"x","profile":"work"}`:              "profile 'work'",
		`{"query":5}`:                                 "invalid arguments",
		`{"session_id":"nope","around_message_id":1}`: "session_id not found: nope",
	} {
		got := call("", args)
		if !strings.Contains(got, want) || !strings.Contains(got, `"success": false`) {
			t.Errorf("%s: %s", args, got)
		}
	}
}
