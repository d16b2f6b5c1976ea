package code

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
)

// maxRequest bounds one request of a script (write_file carries whole files).
const maxRequest = 32 << 20

// channel is the two pipes to a script.
type channel struct {
	requests *os.File // from the script
	answers  *os.File // to it
	theirs   []*os.File
	once     sync.Once
}

func newChannel() (*channel, error) {
	answersR, answersW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a channel to it: %w", err)
	}
	requestsR, requestsW, err := os.Pipe()
	if err != nil {
		_, _ = answersR.Close(), answersW.Close()
		return nil, fmt.Errorf("make a channel to it: %w", err)
	}
	return &channel{requests: requestsR, answers: answersW, theirs: []*os.File{answersR, requestsW}}, nil
}

// variable tells hermes_tools.py the descriptors: the first two after the
// standard streams.
func (*channel) variable() string { return "HERMES_CODE_CHANNEL=3,4" }

func (c *channel) close() {
	c.once.Do(func() { _, _ = c.requests.Close(), c.answers.Close() })
}

// serve answers the script's requests until the channel ends, and sends how
// many calls were made.
func (s *script) serve(ctx context.Context, ch *channel) <-chan int {
	made := make(chan int, 1)
	go func() {
		n := 0
		defer func() { made <- n }()
		in := bufio.NewScanner(ch.requests)
		in.Buffer(make([]byte, 0, 64<<10), maxRequest)
		out := json.NewEncoder(ch.answers)
		for in.Scan() {
			text, counted := s.request(ctx, in.Bytes(), n)
			if counted {
				n++
			}
			if out.Encode(map[string]string{"result": text}) != nil {
				return
			}
		}
	}()
	return made
}

// request carries one request out; counted says that a tool was called.
func (s *script) request(ctx context.Context, line []byte, made int) (text string, counted bool) {
	var r struct {
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return failure("the request is not valid JSON: %v", err), false
	}
	switch {
	case made >= s.t.d.MaxCalls:
		return failure("Tool call limit reached (%d). No more tool calls allowed in this execution.", s.t.d.MaxCalls), false
	case !mayCall(r.Tool):
		return failure("Tool '%s' is not available in execute_code. Available: %s", r.Tool, strings.Join(callable[:], ", ")), false
	}
	if s.call.Progress != nil {
		s.call.Progress(r.Tool + " " + string(r.Args))
	}
	return s.t.d.Call(ctx, s.call, r.Tool, r.Args), true
}

func failure(format string, args ...any) string {
	b, err := json.Marshal(map[string]string{"error": fmt.Sprintf(format, args...)})
	if err != nil {
		return "{}" // a map of strings always encodes
	}
	return string(b)
}
