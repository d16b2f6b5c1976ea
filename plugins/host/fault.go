package host

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Frame is one line of a Python stack.
type Frame struct {
	File string
	Line int
	Func string
}

// faultLine is how faulthandler writes a frame, the innermost first.
var faultLine = regexp.MustCompile(`^  File "(.*)", line (\d+) in (.*)$`)

// ParseFault returns the last stack that the fault handler wrote, innermost
// frame first; nil when there is none.
func ParseFault(lines []string) []Frame {
	var stack []Frame
	reading := false
	for _, line := range lines {
		if strings.Contains(line, "(most recent call first)") {
			stack, reading = nil, true
			continue
		}
		m := faultLine.FindStringSubmatch(line)
		if m == nil {
			reading = false
			continue
		}
		if n, err := strconv.Atoi(m[2]); reading && err == nil {
			stack = append(stack, Frame{m[1], n, m[3]})
		}
	}
	return stack
}

// abortLimit is how long a host may take to write its stack and die.
const abortLimit = time.Second

// Abort ends a host whose main thread does not come back, and returns where
// that thread was, as far as it could say.
func (p *Process) Abort() []Frame {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	abort(p.Hello.Pid)
	t := time.NewTimer(abortLimit)
	defer t.Stop()
	select {
	case <-p.done:
	case <-t.C:
		p.Kill()
		<-p.done
	}
	return ParseFault(p.Exit().Tail)
}
