package memory

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/memory"
	"hermes/agent/tool"
)

// setup returns a call of the tool on the memories in dir.
func setup(t *testing.T, dir string, s Settings) func(tool.Call, string) string {
	t.Helper()
	reg := tool.NewRegistry(nil)
	err := Register(reg, Deps{Dir: dir, Settings: func() Settings { return s }, Lang: func() locale.Lang { return locale.EN }})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := reg.Get("memory")
	return func(c tool.Call, args string) string {
		t.Helper()
		c.Args = json.RawMessage(args)
		r, err := m.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return r.Content
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

// departures are the rows where we do not as the reference does, and why.
var departures = map[string]string{
	"file edited by hand":    "an empty line around a mark is no reason to refuse: no text is lost",
	"mark in entry":          "the entries are counted as they are read again",
	"replace to a duplicate": "an entry is not kept twice, which the reference finds when it starts again",
}

// TestAsTheReference runs what was recorded of hermes-agent 0.19.0: per row the
// files before, the calls, the results with … for its sentences, the files
// after.
func TestAsTheReference(t *testing.T) {
	f, err := os.Open("testdata/reference.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	rows := 0
	for sc.Scan() {
		rows++
		var row struct {
			Name, Memory, User string
			Calls, Results     []json.RawMessage
			Files              map[string]string
		}
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		t.Run(row.Name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "MEMORY.md"), row.Memory)
			put(t, filepath.Join(dir, "USER.md"), row.User)
			call := setup(t, dir, Settings{})
			var wrong []string
			for i, args := range row.Calls {
				got := compact(t, []byte(call(tool.Call{}, string(args))))
				if want := compact(t, row.Results[i]); !fits(got, want) {
					wrong = append(wrong, fmt.Sprintf("call %d: %.200s\n got %.500s\nwant %.500s", i+1, args, got, want))
				}
			}
			for name, want := range row.Files {
				if got := get(t, filepath.Join(dir, name)); got != want {
					wrong = append(wrong, fmt.Sprintf("%s: %.100q, want %.100q", name, got, want))
				}
			}
			why, departs := departures[row.Name]
			if departs != (wrong != nil) {
				t.Errorf("departure %q:\n%s", why, strings.Join(wrong, "\n"))
			}
		})
	}
	if rows < 40 || sc.Err() != nil {
		t.Errorf("only %d rows: %v", rows, sc.Err())
	}
}

func compact(t *testing.T, b []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return out.String()
}

// fits compares results, where … stands for any words.
func fits(got, want string) bool {
	first, rest, more := strings.Cut(want, "…")
	if !more {
		return got == want
	}
	after, ok := strings.CutPrefix(got, first)
	if !ok {
		return false
	}
	for i := range len(after) + 1 {
		if fits(after[i:], rest) {
			return true
		}
	}
	return false
}

func TestApproval(t *testing.T) {
	for name, tc := range map[string]struct {
		ask      func(q event.Ask) (event.Answer, bool)
		want     string
		contents string
	}{
		"nobody there": {nil, "nobody can be asked", "one"},
		"yes":          {func(event.Ask) (event.Answer, bool) { return event.Answer{Choice: answerYes}, true }, "Entry added.", "one\n§\ntwo"},
		"no":           {func(event.Ask) (event.Answer, bool) { return event.Answer{Choice: answerNo, Text: "too private"}, true }, "too private", "one"},
		"expired":      {func(event.Ask) (event.Answer, bool) { return event.Answer{}, false }, "did not answer", "one"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "MEMORY.md")
			put(t, path, "one")
			var c tool.Call
			if tc.ask != nil {
				c.Ask = func(_ context.Context, q event.Ask) (event.Answer, bool) {
					if !strings.Contains(q.Diff, "+two") || q.Choices[q.Default].ID != answerNo {
						t.Errorf("question: %+v", q)
					}
					return tc.ask(q)
				}
			}
			call := setup(t, dir, Settings{Ask: true})
			if got := call(c, `{"target":"memory","action":"add","content":"two"}`); !strings.Contains(got, tc.want) {
				t.Errorf("got %s", got)
			}
			if got := get(t, path); got != tc.contents {
				t.Errorf("file %q", got)
			}
		})
	}
}

// What another program writes while the user thinks is not lost.
func TestReadsAgainBeforeItWrites(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "MEMORY.md")
	call := setup(t, dir, Settings{Ask: true})
	c := tool.Call{Ask: func(context.Context, event.Ask) (event.Answer, bool) {
		put(t, path, "of another program")
		return event.Answer{Choice: answerYes}, true
	}}
	call(c, `{"target":"memory","action":"add","content":"ours"}`)
	if got := get(t, path); got != "of another program\n§\nours" {
		t.Errorf("file %q", got)
	}
}

func TestWritersAtOnceLoseNothing(t *testing.T) {
	dir := t.TempDir()
	const writers, each = 4, 10
	done := make(chan struct{})
	for w := range writers {
		call := setup(t, dir, Settings{})
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range each {
				call(tool.Call{}, fmt.Sprintf(`{"target":"memory","action":"add","content":"%d-%d"}`, w, i))
			}
		}()
	}
	for range writers {
		<-done
	}
	if n := len(memory.Parse(get(t, filepath.Join(dir, "MEMORY.md")))); n != writers*each {
		t.Errorf("%d entries of %d", n, writers*each)
	}
}

func TestStopsAfterThreeFailuresOfATurn(t *testing.T) {
	call := setup(t, t.TempDir(), Settings{})
	const args = `{"target":"memory","action":"remove","old_text":"nope"}`
	for i := range 4 {
		got := call(tool.Call{Session: "s", Turn: "1"}, args)
		if stopped := strings.Contains(got, `"done": true`); stopped != (i == 3) {
			t.Errorf("call %d: %s", i+1, got)
		}
	}
	if got := call(tool.Call{Session: "s", Turn: "2"}, args); strings.Contains(got, `"done"`) {
		t.Errorf("next turn: %s", got)
	}
}

func TestKeepsATextOfTheUser(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", 3000)
	put(t, filepath.Join(dir, "MEMORY.md"), long)
	got := setup(t, dir, Settings{})(tool.Call{}, `{"target":"memory","action":"remove","old_text":"x"}`)
	var r drift
	if err := json.Unmarshal([]byte(got), &r); err != nil || get(t, r.Backup) != long || get(t, filepath.Join(dir, "MEMORY.md")) != long {
		t.Errorf("got %s: %v", got, err)
	}
}

func TestSwitchedOff(t *testing.T) {
	dir := t.TempDir()
	if got := setup(t, dir, Settings{UserLimit: -1})(tool.Call{}, `{"target":"user","action":"add","content":"x"}`); !strings.Contains(got, "switched off") {
		t.Errorf("got %s", got)
	}
	k := &keeper{Deps: Deps{Settings: func() Settings { return Settings{NotesLimit: -1, UserLimit: -1} }}}
	if ok, why := k.Available(t.Context()); ok || why == "" {
		t.Errorf("offered: %v %q", ok, why)
	}
	if !json.Valid([]byte(parameters)) {
		t.Error("parameters are not JSON")
	}
}
