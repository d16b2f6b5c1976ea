package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/safe"
	"hermes/agent/tool"
)

// errToolTime is the cause with which a call's time limit ends it.
var errToolTime = errors.New("time limit")

// cancelGrace is how long an interrupted tool may take to come back before it
// is left behind: the composer is free within 300 ms of an interrupt.
const cancelGrace = 250 * time.Millisecond

// skippedText answers the calls that an interrupt kept from running
// (contract/core §1.15).
const skippedText = "[Tool execution cancelled — %s was skipped due to user interrupt]"

// answered is what came back from a tool.
type answered struct {
	res  tool.Result
	err  error
	took time.Duration
}

// start tells of a call that runs now.
func (p *pipeline) start(c *call) {
	args := p.shownArgs(c)
	p.a.emit(event.ToolStarted{
		Meta: p.meta, Call: c.id, Name: c.name, Toolset: c.spec.Toolset, Owner: c.spec.Owner, Args: args, Note: c.note(),
	})
	p.a.o.Log.Info(fmt.Sprintf("Tool %s started: %s", c.name, short(args)), "session", p.meta.Session, "call", c.id)
}

// execute runs a ready call and answers it. hard ends the wait for a tool that
// ignores ctx. It may be called from any goroutine.
func (p *pipeline) execute(ctx, hard context.Context, c *call, limit time.Duration) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errToolTime)
		defer cancel()
	}
	began := time.Now()
	back := make(chan answered, 1)
	var abandoned atomic.Bool
	if !p.a.beginCall() {
		p.skip(c)
		return
	}
	safe.Go(p.a.o.Log, "tool "+c.name, func() {
		defer p.a.calls.Done()
		res, err := p.call(ctx, c)
		back <- answered{res, err, time.Since(began)}
		if abandoned.Load() {
			p.a.o.Log.Warn(fmt.Sprintf("Tool %s answered after its time and was not heard", c.name), "session", p.meta.Session, "call", c.id, "ms", time.Since(began).Milliseconds())
		}
	}, nil) // call has caught what the tool did
	got, ok := await(ctx, hard, back)
	if !ok {
		abandoned.Store(true)
	}
	switch {
	case ok && (got.err == nil || ctx.Err() == nil):
		c.answer = p.judge(c, got)
	case errors.Is(context.Cause(ctx), errToolTime):
		c.answer = p.timedOut(c, limit)
	default:
		why := locale.ToolCancelled
		if !ok {
			why = locale.ToolAbandoned
		}
		c.answer = &outcome{
			status: event.StatusCancelled, result: errorJSON("Tool '" + c.name + "' was interrupted by the user"),
			err: why.In(p.lang), errType: "keyboard_interrupt", errMsg: "interrupted by the user",
		}
	}
	c.answer.ms = float64(time.Since(began).Microseconds()) / 1000
}

// await waits for the answer: as long as it takes while ctx lives, not at all
// after a time limit, for a while after an interrupt.
func await(ctx, hard context.Context, back <-chan answered) (answered, bool) {
	select {
	case got := <-back:
		return got, true
	case <-ctx.Done():
	}
	if errors.Is(context.Cause(ctx), errToolTime) {
		select {
		case got := <-back:
			return got, true
		default:
			return answered{}, false
		}
	}
	grace := time.NewTimer(cancelGrace)
	defer grace.Stop()
	select {
	case got := <-back:
		return got, true
	case <-hard.Done():
	case <-grace.C:
	}
	return answered{}, false
}

// call runs the tool. A panic of a built-in tool is its failure, not ours.
func (p *pipeline) call(ctx context.Context, c *call) (res tool.Result, err error) {
	err = safe.Do("tool "+c.name, func() (err error) {
		call := tool.Call{
			ID: c.id, Name: c.name, Args: c.args, Session: p.meta.Session, Task: p.task, Turn: p.meta.Turn, APIRequest: p.api,
			Progress: func(text string) {
				p.a.emit(event.ToolProgress{Meta: p.meta, Call: c.id, Text: p.a.o.Redact(visible(text))})
			},
			Ask: p.askFor(c),
		}
		if p.a.o.BeforeTool != nil {
			p.a.o.BeforeTool(ctx, call)
		}
		res, err = c.tool.Run(ctx, call)
		return err
	})
	var bug *safe.PanicError
	if errors.As(err, &bug) {
		return crashed(bug), nil
	}
	return res, err
}

// crashed is the result of a call that ended in a panic.
func crashed(bug *safe.PanicError) tool.Result {
	return tool.Result{
		Content: errorJSON(fmt.Sprintf("[TOOL_ERROR] Tool execution failed: panic: %v", bug.Value)),
		Err:     &tool.Failure{Type: "panic", Message: fmt.Sprint(bug.Value), Traceback: bug.Stack},
	}
}

// judge makes the outcome of what came back.
func (p *pipeline) judge(c *call, got answered) *outcome {
	if got.err != nil {
		msg := clean(got.err.Error())
		full := "[TOOL_ERROR] Tool execution failed: " + msg
		return &outcome{
			status: event.StatusError, result: errorJSON(full), err: locale.ToolFailed.In(p.lang, msg),
			errType: "tool_error", errMsg: full,
		}
	}
	o := &outcome{status: event.StatusOK, result: got.res.Content, parts: got.res.Parts, failure: got.res.Err, diff: got.res.Diff}
	if a := bytes.TrimSpace(got.res.Args); len(a) > 0 && a[0] == '{' && json.Valid(a) {
		o.args = a
	}
	if msg, _ := errorIn(o.result); msg != "" {
		o.status, o.errType, o.errMsg = event.StatusError, "tool_error", msg
		o.err = locale.ToolReported.In(p.lang, short(msg))
	}
	if f := got.res.Err; f != nil {
		o.status = event.StatusError
		o.err = failureText(f, p.lang)
	}
	return o
}

func failureText(f *tool.Failure, lang locale.Lang) string {
	what := short(strings.TrimPrefix(f.Type+": "+f.Message, ": "))
	text := locale.ToolFailed.In(lang, what)
	if f.File != "" {
		// Its folder and name say which file; the log has the whole path.
		file := filepath.Join(filepath.Base(filepath.Dir(f.File)), filepath.Base(f.File))
		text = locale.ToolFailedAt.In(lang, what, file, f.Line)
	}
	return text
}

func (p *pipeline) timedOut(c *call, limit time.Duration) *outcome {
	msg := fmt.Sprintf("Tool '%s' timed out after %d s", c.name, int(limit.Seconds()))
	return &outcome{
		status: event.StatusTimeout, result: errorJSON(msg), err: locale.ToolTimedOut.In(p.lang, int(limit.Seconds())),
		errType: "tool_timeout", errMsg: msg,
	}
}

// skip answers a call that an interrupt kept from running.
func (p *pipeline) skip(c *call) {
	if c.answer == nil {
		c.silent = true
		c.answer = &outcome{
			status: event.StatusCancelled, result: fmt.Sprintf(skippedText, c.name), err: locale.ToolSkipped.In(p.lang),
		}
	}
}

// limit is the time that a call may take (decision D36), 0 for none.
func (p *pipeline) limit(spec tool.Spec, parallel bool) time.Duration {
	d := spec.Timeout
	if d == 0 {
		d = p.set.ToolTimeout
	}
	if d < 0 {
		d = 0
	}
	if parallel && p.set.ParallelTimeout > 0 && (d == 0 || p.set.ParallelTimeout < d) {
		d = p.set.ParallelTimeout
	}
	return d
}

// logDone ends what start began (decision D33). The traceback goes to the log
// alone.
func (p *pipeline) logDone(c *call) {
	o := c.answer
	attrs := []any{"session", p.meta.Session, "call", c.id}
	if o.status == event.StatusOK {
		p.a.o.Log.Info(fmt.Sprintf("Tool %s completed: %.1f ms, %d chars", c.name, o.ms, len(o.result)), attrs...)
		return
	}
	if f := o.failure; f != nil && f.Traceback != "" {
		attrs = append(attrs, "exc", p.a.o.Redact(f.Traceback))
	}
	p.a.o.Log.Warn(fmt.Sprintf("Tool %s %s: %.1f ms, %d chars: %s", c.name, o.status, o.ms, len(o.result), short(visible(o.result))), attrs...)
}

// maxErrorText bounds an error text for the model, in characters
// (contract/core §1.4).
const maxErrorText = 2000

func clean(s string) string {
	s = strings.TrimSpace(tidy(s))
	if r := []rune(s); len(r) > maxErrorText {
		s = string(r[:maxErrorText-3]) + "..."
	}
	return s
}
