package agent

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// BenchmarkEnterToRequest is the time from Submit, in a fresh session, to the
// moment when the service has read the request: prompt, schemas and body
// included. The target is 5 ms (README's table).
func BenchmarkEnterToRequest(b *testing.B) {
	var tools []tool.Tool
	for i := range 25 {
		tools = append(tools, echo(fmt.Sprintf("tool_%d", i)))
	}
	x := newBench(b, benchOptions{tools: tools, steps: []llmtest.Step{llmtest.Say("ok")}})
	x.turn("warm") // the connection
	n := len(x.srv.Requests())
	var total time.Duration
	for range b.N {
		b.StopTimer()
		x.NewSession("")
		x.until("reset", func(e event.Event) bool { _, ok := e.(event.SessionReset); return ok })
		x.events = nil
		b.StartTimer()
		began := time.Now()
		x.Submit("go")
		n++
		x.request(n - 1)
		total += x.srv.Requests()[n-1].At.Sub(began)
		b.StopTimer()
		x.until("end", isDone)
		b.StartTimer()
	}
	b.ReportMetric(float64(total.Microseconds())/float64(b.N), "µs-to-wire")
}

// BenchmarkTwentyToolCalls is a turn of twenty calls in one reply, hooks
// included: what the pipeline adds between two calls.
func BenchmarkTwentyToolCalls(b *testing.B) {
	var calls []llmtest.Call
	for i := range 20 {
		calls = append(calls, llmtest.NewCall(fmt.Sprintf("c%d", i), "echo", fmt.Sprintf(`{"n":"%d"}`, i)))
	}
	x := newBench(b, benchOptions{tools: []tool.Tool{echo("echo")}, hooks: &recorder{names: map[string]bool{}}})
	c := make([]*call, len(calls))
	p := &pipeline{a: x.Agent, set: Settings{}.withDefaults(), hooks: context.Background(), guard: &guard{}}
	et := echo("echo")
	b.ResetTimer()
	for range b.N {
		for i := range c {
			c[i] = &call{id: "x", name: "echo", args: []byte(fmt.Sprintf(`{"n":"%d"}`, i)), tool: et, spec: et.Spec()}
			p.ready(b.Context(), c[i])
			p.start(c[i])
			p.execute(b.Context(), b.Context(), c[i], time.Minute)
			p.settle(c[i])
		}
		x.sub.Take()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*20), "µs/call")
}
