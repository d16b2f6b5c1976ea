//go:build linux

package bench

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"hermes/agent/llm/llmtest"
)

// figure is one row of the table.
type figure struct {
	id   string
	name string
	unit string
	// classic is hermes-agent's own value on the machine where the targets were
	// set, target ours there: the ratio of the two is what counts beside a
	// measured hermes-agent. A classic of 0 makes the target an absolute one.
	classic, target float64
}

// figures are the rows, in the order of the table.
var figures = [...]figure{
	{"paint", "first paint, warm", "ms", 1999, 45},
	{"paint1", "the same with 1 plugin", "ms", 2056, 45},
	{"paint50", "the same with 50 plugins", "ms", 2112, 45},
	{"cold", "first paint, empty home", "ms", 0, 0},
	{"echo", "typed text echoed after start", "ms", 2238, 65},
	{"version", "`--version`", "ms", 346, 40},
	{"list", "`plugins list`", "ms", 584, 60},
	{"pss", "idle memory of all processes (PSS), 10 plugins", "MiB", 105, 60},
	{"cpu", "idle CPU", "%", 0.4, 0.4},
	{"idle", "idle bytes to the terminal", "B/s", 0, 0},
	{"enter", "Enter to request on the wire", "ms", 193, 5},
	{"last", "last byte sent to last byte painted", "ms", 131, 33},
	{"gap", "gap between two tool calls", "ms", 192, 4},
	{"slash", "slash menu painted after `/`", "ms", 19, 16},
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// startFigures times one start: the first paint, then the echo of a text that
// is typed as soon as the program has taken the keyboard over.
func startFigures(h *home, paintID string, add func(string, float64)) error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	painted := make(chan error, 1)
	go func() {
		at, err := t.painted()
		if err == nil {
			add(paintID, ms(at.Sub(t.start)))
		}
		painted <- err
	}()
	if err := t.raw(); err != nil {
		return err
	}
	if _, err := t.keys(typed); err != nil {
		return err
	}
	if err := <-painted; err != nil {
		return err
	}
	at, err := t.shows(typed)
	if err != nil {
		return err
	}
	if paintID == "paint" {
		add("echo", ms(at.Sub(t.start)))
	}
	return t.quiet(300 * time.Millisecond)
}

// typed is a text that nothing else writes.
const typed = "zqxjv"

// cold times the first start in a home that nothing was written to.
func cold(h *home, add func(string, float64)) error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	at, err := t.painted()
	if err != nil {
		return err
	}
	add("cold", ms(at.Sub(t.start)))
	return t.quiet(300 * time.Millisecond)
}

// command times a command without a terminal.
func command(h *home, id string, add func(string, float64), args ...string) error {
	took, err := h.run(args...)
	if err == nil {
		add(id, ms(took))
	}
	return err
}

// idle measures a program that has come to rest, over n windows of a second.
func idle(h *home, n int, add func(string, float64)) error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.raw(); err != nil {
		return err
	}
	if err := t.quiet(5 * time.Second); err != nil {
		return err
	}
	for range n {
		pids := tree(t.cmd.Process.Pid)
		bytes, worked, began := t.written(), busy(pids), time.Now()
		time.Sleep(time.Second)
		took := time.Since(began).Seconds()
		add("cpu", 100*(busy(pids)-worked).Seconds()/took)
		add("idle", float64(t.written()-bytes)/took)
		mib, err := pss(pids)
		if err != nil {
			return err
		}
		add("pss", mib)
	}
	return nil
}

// session is a program in conversation with a scripted model service.
type session struct {
	*terminal
	server *llmtest.Server
}

// converse starts the program on a home whose model answers with answer, and
// waits until it rests. Requests without tools (titles) get a constant answer.
func converse(root string, p program, answer func(llmtest.Request) llmtest.Step) (*session, error) {
	server, err := llmtest.Start(llmtest.Script{
		Steps: []llmtest.Step{{Answer: answer}}, Aux: &llmtest.Step{Text: "A title"},
	})
	if err != nil {
		return nil, err
	}
	h, err := newHome(root, p, 1, server.URL)
	if err != nil {
		server.Close()
		return nil, err
	}
	t, err := h.start()
	if err != nil {
		server.Close()
		return nil, err
	}
	s := &session{t, server}
	if err := t.raw(); err != nil {
		s.end()
		return nil, err
	}
	if err := t.quiet(3 * time.Second); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

func (s *session) end() {
	s.close()
	s.server.Close()
}

// rest is how long a turn must have written nothing to count as over.
const rest = 400 * time.Millisecond

// turn types a prompt, sends it and returns when Enter was pressed.
func (s *session) turn(prompt string) (time.Time, error) {
	if _, err := s.keys(prompt); err != nil {
		return time.Time{}, err
	}
	if _, err := s.shows(prompt); err != nil {
		return time.Time{}, err
	}
	if err := s.quiet(rest); err != nil {
		return time.Time{}, err
	}
	return s.keys("\r")
}

// calls returns the requests with tools: the turns' own.
func (s *session) calls() []llmtest.Request {
	var out []llmtest.Request
	for _, r := range s.server.Requests() {
		if len(r.Body.Tools) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// enter times Enter to the request, in the second and later turns of a session.
func enter(root string, p program, n int, add func(string, float64)) error {
	turns := 0
	s, err := converse(root, p, func(llmtest.Request) llmtest.Step {
		return llmtest.Say(fmt.Sprintf("pong-%03d", turns))
	})
	if err != nil {
		return err
	}
	defer s.end()
	for turns = range n + 1 {
		before := len(s.calls())
		pressed, err := s.turn(fmt.Sprintf("ping-%03d", turns))
		if err != nil {
			return err
		}
		if _, err := s.shows(fmt.Sprintf("pong-%03d", turns)); err != nil {
			return err
		}
		if turns > 0 {
			add("enter", ms(s.calls()[before].At.Sub(pressed)))
		}
		if err := s.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}

// lastByte times the last piece of an answer, held back until the rest is
// painted, to its place on the screen.
func lastByte(root string, p program, n int, add func(string, float64)) error {
	gate := make(chan struct{})
	mark := ""
	s, err := converse(root, p, func(llmtest.Request) llmtest.Step {
		return llmtest.Step{Text: strings.Repeat("some words ", 40) + mark, ChunkChars: 8, Gate: gate}
	})
	if err != nil {
		return err
	}
	defer s.end()
	for turn := range n {
		mark = fmt.Sprintf("END-%04d", turn) // eight characters: the last piece, whole
		if _, err := s.turn(fmt.Sprintf("ping-%03d", turn)); err != nil {
			return err
		}
		for range 440 / 8 {
			select {
			case gate <- struct{}{}:
			case <-time.After(patience):
				return fmt.Errorf("%s does not read the answer", p.name)
			}
			time.Sleep(5 * time.Millisecond)
		}
		if err := s.quiet(rest); err != nil {
			return err
		}
		sent := time.Now()
		gate <- struct{}{}
		at, err := s.shows(mark)
		if err != nil {
			return err
		}
		add("last", ms(at.Sub(sent)))
		for range 3 { // finish, usage, end
			gate <- struct{}{}
		}
		if err := s.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}

// gaps times one tool call to the request with its result, call after call.
func gaps(root string, p program, n int, add func(string, float64)) error {
	const calls = 20
	step := 0
	s, err := converse(root, p, func(llmtest.Request) llmtest.Step {
		step++
		if step%(calls+1) == 0 {
			return llmtest.Say(fmt.Sprintf("done-%03d", step))
		}
		return llmtest.Use(fmt.Sprintf("call_%d", step), toolName(0), fmt.Sprintf(`{"a": %d, "b": 1}`, step))
	})
	if err != nil {
		return err
	}
	defer s.end()
	for taken := 0; taken < n; taken += calls {
		before := len(s.calls())
		if _, err := s.turn(fmt.Sprintf("add-%03d", taken)); err != nil {
			return err
		}
		if _, err := s.shows(fmt.Sprintf("done-%03d", before+calls+1)); err != nil {
			return err
		}
		requests := s.calls()[before:]
		for i := 1; i < len(requests); i++ {
			result := requests[i].Body.Messages[len(requests[i].Body.Messages)-1].Content
			if !strings.Contains(result, `"sum"`) {
				return fmt.Errorf("%s did not run the tool: %s", p.name, result)
			}
			add("gap", ms(requests[i].At.Sub(requests[i-1].At)))
		}
		if err := s.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}

// menuRow is a row of a completion menu.
var menuRow = regexp.MustCompile(`(^|[^\w/.])/[a-z][a-z-]+`)

// slash times "/" to at least three more rows with commands.
func slash(h *home, n int, add func(string, float64)) error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.raw(); err != nil {
		return err
	}
	if err := t.quiet(3 * time.Second); err != nil {
		return err
	}
	base := -1
	commands := func(lines []string) int {
		n := 0
		for _, l := range lines {
			if menuRow.MatchString(l) {
				n++
			}
		}
		return n
	}
	for range n {
		t.mu.Lock()
		base = commands(t.lines())
		t.mu.Unlock()
		pressed, err := t.keys("/")
		if err != nil {
			return err
		}
		at, err := t.until("the slash menu", func(lines []string) bool { return commands(lines) >= base+3 })
		if err != nil {
			return err
		}
		add("slash", ms(at.Sub(pressed)))
		if err := t.quiet(rest); err != nil {
			return err
		}
		if _, err := t.keys("\x7f"); err != nil {
			return err
		}
		if err := t.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}
