//go:build linux

package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm/llmtest"
)

// session is a program in conversation with a scripted model service.
type session struct {
	*terminal
	server *llmtest.Server
}

// converse starts the program on a home with plugins whose model answers with
// answer, was started once before, and waits until it rests. Requests without tools (titles) get a constant answer.
func converse(root string, p program, plugins int, answer func(llmtest.Request) llmtest.Step) (*session, error) {
	server, err := llmtest.Start(llmtest.Script{
		Steps: []llmtest.Step{{Answer: answer}}, Aux: &llmtest.Step{Text: "A title"},
	})
	if err != nil {
		return nil, err
	}
	h, err := newHome(root, p, plugins, server.URL)
	if err != nil {
		server.Close()
		return nil, err
	}
	if err := h.warm(); err != nil {
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

// requests returns the requests of the turn with that prompt. Programs may ask
// on their own behalf beside it: for titles, or to look back at a conversation.
func (s *session) requests(prompt string) []llmtest.Request {
	var out []llmtest.Request
	for _, r := range s.server.Requests() {
		if len(r.Body.Tools) > 0 && strings.Contains(prompted(r), prompt) {
			out = append(out, r)
		}
	}
	return out
}

// prompted returns the text of the request's last user message.
func prompted(r llmtest.Request) string {
	for _, m := range slices.Backward(r.Body.Messages) {
		if m.Role == "user" {
			return m.Content
		}
	}
	return ""
}

// turnPrompt is how prompts of the bench look.
var turnPrompt = regexp.MustCompile(`turn-(\d{3})`)

func prompt(turn int) string { return fmt.Sprintf("turn-%03d", turn) }

// turnOf returns the three digits of the turn that a request belongs to, ""
// for one that the program sends on its own behalf.
func turnOf(r llmtest.Request) string {
	m := turnPrompt.FindStringSubmatch(prompted(r))
	if m == nil {
		return ""
	}
	return m[1]
}

// enter times Enter to the request, in the second and later turns of a session.
func enter(root string, p program, n int, add func(string, float64)) error {
	s, err := converse(root, p, 1, func(r llmtest.Request) llmtest.Step { return llmtest.Say("pong-" + turnOf(r)) })
	if err != nil {
		return err
	}
	defer s.end()
	for turn := range n + 1 {
		pressed, err := s.turn(prompt(turn))
		if err != nil {
			return err
		}
		if _, err := s.shows(fmt.Sprintf("pong-%03d", turn)); err != nil {
			return err
		}
		if turn > 0 {
			add("enter", ms(s.requests(prompt(turn))[0].At.Sub(pressed)))
		}
		if err := s.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}

// lastByte times the end of an answer, held back until the rest is painted, to
// its place on the screen. What follows the text on the wire goes out with it:
// a program may wait for the end of a line.
func lastByte(root string, p program, n int, add func(string, float64)) error {
	gate := make(chan struct{})
	text := strings.Repeat("some words ", 40)
	s, err := converse(root, p, 1, func(r llmtest.Request) llmtest.Step {
		turn := turnOf(r)
		if turn == "" {
			return llmtest.Say("Nothing.")
		}
		// The mark has eight characters: it is the last piece, whole.
		return llmtest.Step{Text: text + "END-0" + turn, ChunkChars: 8, Gate: gate}
	})
	if err != nil {
		return err
	}
	defer s.end()
	release := func(pieces int, pause time.Duration) error {
		for range pieces {
			select {
			case gate <- struct{}{}:
			case <-time.After(patience):
				return fmt.Errorf("%s does not read the answer", p.name)
			}
			time.Sleep(pause)
		}
		return nil
	}
	for turn := range n {
		if _, err := s.turn(prompt(turn)); err != nil {
			return err
		}
		if err := release(len(text)/8, 5*time.Millisecond); err != nil {
			return err
		}
		// Programs may draw while they wait, so that nothing tells when the rest
		// is painted; it has been within this time.
		time.Sleep(rest)
		sent := time.Now()
		if err := release(1+trailing, 0); err != nil {
			return err
		}
		at, err := s.shows(fmt.Sprintf("END-0%03d", turn))
		if err != nil {
			return err
		}
		add("last", ms(at.Sub(sent)))
		if err := s.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}

// trailing is how many events follow the text: finish, usage and the end.
const trailing = 3

// toolResults returns the results that came since the last user message.
func toolResults(r llmtest.Request) []string {
	var out []string
	for _, m := range slices.Backward(r.Body.Messages) {
		if m.Role == "user" {
			break
		}
		if m.Role == "tool" {
			out = append(out, m.Content)
		}
	}
	return out
}

// calling makes each turn one of n calls of a tool, then an answer.
func calling(n int, tool string) func(llmtest.Request) llmtest.Step {
	return func(r llmtest.Request) llmtest.Step {
		turn := turnOf(r)
		done := len(toolResults(r))
		if turn == "" || done == n {
			return llmtest.Say("done-" + turn)
		}
		return llmtest.Use(fmt.Sprintf("call_%s_%d", turn, done), tool, fmt.Sprintf(`{"a": %d, "b": 1}`, done))
	}
}

// callTurn carries a turn of calls out and returns its requests. Each result
// must be that of the bench's tool.
func (s *session) callTurn(turn, calls int) ([]llmtest.Request, error) {
	if _, err := s.turn(prompt(turn)); err != nil {
		return nil, err
	}
	if _, err := s.shows(fmt.Sprintf("done-%03d", turn)); err != nil {
		return nil, err
	}
	requests := s.requests(prompt(turn))
	if len(requests) != calls+1 {
		return nil, fmt.Errorf("%d requests for %d calls", len(requests), calls)
	}
	for i, result := range toolResults(requests[calls]) {
		if want := fmt.Sprintf(`"sum": %d}`, calls-i); !strings.Contains(result, want) {
			return nil, fmt.Errorf("the tool did not run: %s", result)
		}
	}
	return requests, s.quiet(rest)
}

// gaps times one tool call to the request with its result, call after call.
func gaps(root string, p program, n int, add func(string, float64)) error {
	const calls = 20
	s, err := converse(root, p, 1, calling(calls, toolName(0)))
	if err != nil {
		return err
	}
	defer s.end()
	for turn := 0; turn*calls < n; turn++ {
		requests, err := s.callTurn(turn, calls)
		if err != nil {
			return err
		}
		for i := 1; i < len(requests); i++ {
			add("gap", ms(requests[i].At.Sub(requests[i-1].At)))
		}
	}
	return nil
}

// idle measures a program with plugins that has come to rest, over n windows of
// a second, and makes sure at the end that the last of the plugins was there.
func idle(root string, p program, n int, add func(string, float64)) error {
	const plugins = 10
	s, err := converse(root, p, plugins, calling(1, toolName(plugins-1)))
	if err != nil {
		return err
	}
	defer s.end()
	if err := s.quiet(5 * time.Second); err != nil {
		return err
	}
	for range n {
		pids := tree(s.cmd.Process.Pid)
		bytes, worked, began := s.written(), busy(pids), time.Now()
		time.Sleep(time.Second)
		took := time.Since(began).Seconds()
		add("cpu", 100*(busy(pids)-worked).Seconds()/took)
		add("idle", float64(s.written()-bytes)/took)
		mib, err := pss(pids)
		if err != nil {
			return err
		}
		add("pss", mib)
	}
	_, err = s.callTurn(0, 1)
	return err
}
