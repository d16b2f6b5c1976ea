//go:build unix

package app_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/store"
	"hermes/cmd/internal/app"
)

// How much a soak does. HERMES_SOAK=10m makes a long one, HERMES_SOAK_SEED
// repeats one.
const (
	soakTurns   = 20              // of a session
	soakShort   = 3               // sessions of a run without HERMES_SOAK
	soakKillGap = 4 * time.Minute // between deaths of the host: it is not restarted without end
	soakSlack   = 16 << 20        // bytes that the heap may grow after the first sessions
)

// soakPlugin has a tool that answers as it is told, also by dying.
const soakPlugin = `
import json, os, signal

def run(args, **kwargs):
    how, token = args.get("how", "ok"), args["token"]
    if how == "fail":
        raise ValueError("asked to fail: " + token)
    if how == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "object":
        return {"token": token, "data": "x" * args.get("size", 0)}
    return json.dumps({"token": token, "data": "x" * args.get("size", 0)})

def register(ctx):
    ctx.register_tool("soak", "soak", {
        "name": "soak", "description": "Answer as told.",
        "parameters": {"type": "object", "properties": {
            "token": {"type": "string"}, "how": {"type": "string"}, "size": {"type": "integer"},
        }, "required": ["token"]},
    }, run)
`

// soak is a program that works through random turns, and its service.
type soak struct {
	t      *testing.T
	rt     *app.Runtime
	home   config.Home
	server *llmtest.Server

	mu       sync.Mutex // guards what follows: the service and the events have goroutines of their own
	rnd      *rand.Rand
	calm     bool // the service only answers
	tokens   int
	returned []string        // tokens of calls that ended well, in this session
	open     map[string]bool // calls that have not ended
	host     int             // pid of the plugin host, 0 while there is none
	killed   time.Time
	deaths   int
	faults   map[string]int // how often each befell
}

// TestSoak runs turns with random tool results while the plugin host is killed
// and the network fails: nothing is lost, what is stored is what the model is
// told, and memory stays level.
func TestSoak(t *testing.T) {
	s := newSoak(t)
	var heap []uint64
	until := time.Time{}
	if d, err := time.ParseDuration(os.Getenv("HERMES_SOAK")); err == nil {
		until = time.Now().Add(d)
	}
	for n := 1; n <= soakShort || time.Now().Before(until); n++ {
		s.run(n)
		heap = append(heap, heapSize())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Logf("%d sessions, %d calls, %d deaths of the host, faults %v, heap %d to %d KiB", len(heap), s.tokens, s.deaths, s.faults, heap[0]>>10, heap[len(heap)-1]>>10)
	if base := slices.Max(heap[:2]); heap[len(heap)-1] > base+soakSlack {
		t.Errorf("the heap grew from %d to %d KiB", base>>10, heap[len(heap)-1]>>10)
	}
	if s.deaths == 0 || len(s.faults) < 3 {
		t.Errorf("too little happened: %d deaths, %v", s.deaths, s.faults)
	}
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("HERMES_SOAK_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("HERMES_SOAK_SEED=%d", seed)
	home, err := config.At(filepath.Join(t.TempDir(), "home"))
	must(t, err)
	s := &soak{t: t, home: home, rnd: rand.New(rand.NewPCG(seed, 0)), open: map[string]bool{}, faults: map[string]int{}}
	s.server, err = llmtest.Start(llmtest.Script{Forget: true, Steps: []llmtest.Step{{Answer: s.answer}}})
	must(t, err)
	t.Cleanup(s.server.Close)
	plugin := filepath.Join(home.Dir(), "plugins", "soak")
	must(t, os.MkdirAll(plugin, 0o700))
	for path, text := range map[string]string{
		filepath.Join(plugin, "plugin.yaml"): "name: soak\nversion: 0.1.0\n",
		filepath.Join(plugin, "__init__.py"): soakPlugin,
		home.Config(): fmt.Sprintf("model: {provider: custom, base_url: %q, default: mock-model, api_key: sk-test-0000000000, context_length: 1000000}\nplugins: {enabled: [soak]}\n",
			s.server.URL),
	} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	env := map[string]string{"HERMES_PYTHON": needPython(t), "PATH": os.Getenv("PATH"), "HOME": t.TempDir(), "HERMES_HOME": home.Dir()}
	s.rt = app.New(app.Options{Home: home, Environ: environ(env), Dir: t.TempDir(), Version: "0.1.0", Yolo: true})
	sub := s.rt.Subscribe()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.watch(sub)
	}()
	s.rt.Start(context.Background())
	t.Cleanup(func() {
		if err := s.rt.Close(); err != nil {
			t.Error(err)
		}
		sub.Close()
		<-watched
	})
	must(t, s.rt.WaitSettled(t.Context()))
	return s
}

// watch follows the events until the program ends.
func (s *soak) watch(sub *event.Subscription) {
	for batch := sub.Next(context.Background()); batch != nil; batch = sub.Next(context.Background()) {
		s.mu.Lock()
		for _, e := range batch {
			switch e := e.(type) {
			case event.HostState:
				if s.host = 0; e.State == event.HostReady {
					s.host = e.Pid
				}
			case event.ToolStarted:
				s.open[e.Call] = true
			case event.ToolDone:
				delete(s.open, e.Call)
			case event.Retry:
				s.faults["retry"]++
			}
		}
		s.mu.Unlock()
	}
}

// answer is the service: texts, calls and every kind of failure.
func (s *soak) answer(q llmtest.Request) llmtest.Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calm {
		return llmtest.Say("All is well.")
	}
	cut := s.rnd.IntN(4)
	switch n := s.rnd.IntN(100); {
	case n < 40:
		return llmtest.Say(fmt.Sprintf("Answer %d. %s", n, strings.Repeat("word ", s.rnd.IntN(200))))
	case n < 80:
		step := llmtest.Step{Text: "Looking."}
		for range 1 + s.rnd.IntN(3) {
			step.ToolCalls = append(step.ToolCalls, s.call())
		}
		return step
	case n < 84:
		s.faults["status"]++
		return failing([]int{429, 500, 502, 503}[s.rnd.IntN(4)])
	case n < 87:
		s.faults["cut"]++
		return llmtest.Step{Text: "This breaks off somewhere", CutAfter: &cut}
	case n < 89:
		s.faults["reset"]++
		return llmtest.Step{Handler: reset}
	case n < 92:
		s.faults["garbage"]++
		return llmtest.Step{RawChunks: []string{"data: {]\n\n", "\x00\xff\xfe\n\n", "data: [DONE]\n\n"}}
	case n < 95:
		return llmtest.Use("", "sook", `{"token":"nobody"}`)
	default:
		return llmtest.Use("c1", "soak", `{"token": "cut of`)
	}
}

// reset ends a connection before there is an answer.
func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close() // without a word is the point
	}
}

// call is a call of the plugin's tool. mu is held.
func (s *soak) call() llmtest.Call {
	s.tokens++
	how := []string{"ok", "ok", "ok", "object", "fail"}[s.rnd.IntN(5)]
	if s.deaths > 0 && time.Since(s.killed) > soakKillGap || s.deaths == 1 && s.tokens > 10 {
		how = "die"
		s.died()
	}
	return llmtest.NewCall(fmt.Sprintf("call_%d", s.tokens), "soak", fmt.Sprintf(`{"token":"token%dx","how":%q,"size":%d}`, s.tokens, how, s.rnd.IntN(5000)))
}

func (s *soak) died() {
	s.killed = time.Now()
	s.deaths++
}

// kill ends the host from outside, between two turns: first of all, so that
// what follows lives with another one.
func (s *soak) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.deaths == 0 && s.host != 0 && syscall.Kill(s.host, syscall.SIGKILL) == nil {
		s.died()
	}
}

// run is one session from its first turn to the comparison with the store.
func (s *soak) run(n int) {
	var asked []string
	for i := range soakTurns {
		text := fmt.Sprintf("question %d.%d.", n, i)
		ctx, cancel := s.t.Context(), func() {}
		if s.roll(12) {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(s.pick(30))*time.Millisecond)
			s.fault("interrupt")
		}
		d, err := s.rt.Ask(ctx, text)
		cancel()
		if err != nil && ctx.Err() == nil {
			s.t.Fatalf("%s: %v", text, err)
		}
		if d.Turn != "" { // else it was taken back before it became a turn
			asked = append(asked, text)
		}
		s.note(d)
		s.kill()
	}
	s.setCalm(true)
	asked = append(asked, "the last question.")
	d, err := s.rt.Ask(s.t.Context(), "the last question.")
	if err != nil || d.Answer != "All is well." {
		s.t.Fatalf("session %d does not recover: %+v, %v", n, d, err)
	}
	s.compare(d.Session, asked, s.server.Requests()[0])
	s.setCalm(false)
	if done := s.rt.RunCommand(s.t.Context(), "/new"); done.Err != "" {
		s.t.Fatal(done.Err)
	}
}

func (s *soak) roll(n int) bool { return s.pick(n) == 0 }

func (s *soak) pick(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rnd.IntN(n)
}

func (s *soak) fault(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults[name]++
}

func (s *soak) setCalm(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calm, s.returned = on, slices.DeleteFunc(s.returned, func(string) bool { return !on })
}

// note keeps what tools returned.
func (s *soak) note(d event.TurnDone) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range d.Tools {
		if u.Status == "" {
			s.t.Errorf("call %s has no outcome", u.Call)
		}
		if u.Name == "soak" && u.Status == event.StatusOK {
			s.returned = append(s.returned, u.Result)
		}
	}
}

// compare holds what is stored of a session against what the model was told
// last, and both against what was asked and returned.
func (s *soak) compare(session string, asked []string, q llmtest.Request) {
	db := store.Open(s.home.State(), store.Options{})
	defer db.Close()
	msgs, err := db.Messages(s.t.Context(), session)
	must(s.t, err)
	stored, told := story{}, story{}
	for _, m := range msgs {
		var ids []string
		for _, c := range m.ToolCalls {
			ids = append(ids, c.ID)
		}
		stored.add(m.Role, m.Content, m.ToolCallID, ids)
	}
	for _, m := range q.Body.Messages {
		var ids []string
		for _, c := range m.ToolCalls {
			ids = append(ids, c.ID)
		}
		told.add(m.Role, m.Content, m.ToolCallID, ids)
	}
	told.add("assistant", "All is well.", "", nil) // came after the request
	for _, part := range []struct {
		name         string
		stored, told []string
	}{
		{"texts of the user", stored.user, told.user},
		{"answers", stored.said, told.said},
		{"calls", stored.calls, told.calls},
		{"results", stored.results, told.results},
	} {
		if !slices.Equal(part.stored, part.told) {
			for i := range max(len(part.stored), len(part.told)) {
				a, b := at(part.stored, i), at(part.told, i)
				if a != b {
					s.t.Fatalf("%s: %s: the one at %d of %d and %d\nstored %.300q\ntold   %.300q", session, part.name, i, len(part.stored), len(part.told), a, b)
				}
			}
		}
	}
	user, results := strings.Join(stored.user, "\n"), strings.Join(stored.results, "\n")
	for _, text := range asked {
		if strings.Count(user, text) != 1 {
			s.t.Errorf("%s: %q is stored %d times", session, text, strings.Count(user, text))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.returned {
		if !strings.Contains(results, r) {
			s.t.Errorf("%s: the result %.60s is lost", session, r)
		}
	}
	if len(s.open) > 0 {
		s.t.Errorf("%s: cards that were not closed: %v", session, s.open)
	}
	if !slices.Equal(stored.calls, stored.answered) {
		s.t.Errorf("%s: calls %q, answered %q", session, stored.calls, stored.answered)
	}
}

// story is a conversation in a form that does not depend on how texts of one
// side that follow each other are joined.
type story struct{ user, said, calls, results, answered []string }

func (s *story) add(role, content, call string, ids []string) {
	switch role {
	case "user":
		s.user = append(s.user, strings.Split(content, "\n\n")...)
	case "assistant":
		// Services get texts without blanks around them.
		if content = strings.TrimSpace(content); content != "" && content != "Operation interrupted." {
			s.said = append(s.said, content)
		}
		s.calls = append(s.calls, ids...)
	case "tool":
		s.results = append(s.results, call+" "+content)
		s.answered = append(s.answered, call)
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

func heapSize() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
