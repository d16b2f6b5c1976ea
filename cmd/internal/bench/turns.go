//go:build linux

package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"hermes/agent/llm/llmtest"
)

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

// prompted returns the text of the request's last user message.
func prompted(r llmtest.Request) string {
	for _, m := range slices.Backward(r.Body.Messages) {
		if m.Role == "user" {
			return m.Content
		}
	}
	return ""
}

// numbered finds the number that a prompt ends in.
var numbered = regexp.MustCompile(`\d{3}`)

// enter times Enter to the request, in the second and later turns of a session.
func enter(root string, p program, n int, add func(string, float64)) error {
	s, err := converse(root, p, func(r llmtest.Request) llmtest.Step {
		return llmtest.Say("pong-" + numbered.FindString(prompted(r)))
	})
	if err != nil {
		return err
	}
	defer s.end()
	for turn := range n + 1 {
		before := len(s.calls())
		pressed, err := s.turn(fmt.Sprintf("ping-%03d", turn))
		if err != nil {
			return err
		}
		if _, err := s.shows(fmt.Sprintf("pong-%03d", turn)); err != nil {
			return err
		}
		if turn > 0 {
			add("enter", ms(s.calls()[before].At.Sub(pressed)))
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
	s, err := converse(root, p, func(r llmtest.Request) llmtest.Step {
		// The mark has eight characters: it is the last piece, whole.
		return llmtest.Step{Text: text + "END-0" + numbered.FindString(prompted(r)), ChunkChars: 8, Gate: gate}
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
		if _, err := s.turn(fmt.Sprintf("ping-%03d", turn)); err != nil {
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

// gaps times one tool call to the request with its result, call after call.
func gaps(root string, p program, n int, add func(string, float64)) error {
	const calls = 20
	var asked atomic.Int64
	s, err := converse(root, p, func(llmtest.Request) llmtest.Step {
		step := asked.Add(1)
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
