package agent

import (
	"context"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

func (b *bench) offered(n int) string {
	b.t.Helper()
	var names []string
	for _, x := range b.request(n).Tools {
		names = append(names, x.Function.Name)
	}
	return strings.Join(names, " ")
}

func TestWhatTheModelIsOffered(t *testing.T) {
	hidden := echo("hidden")
	hidden.hidden = "no key"
	off := echo("off")
	off.spec.Toolset = "spotify"
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("zebra"), echo("ant"), hidden, off},
		steps: []llmtest.Step{llmtest.Use("1", "hidden", `{}`), llmtest.Say("ok")},
	})
	b.turn("go")
	if got := b.offered(0); got != "ant zebra" {
		t.Errorf("offered %s", got)
	}
	if got := b.request(1).Messages[3].Content; got != "Tool 'hidden' does not exist. Available tools: ant, zebra" {
		t.Errorf("a hidden tool was answered with %s", got)
	}
	if d := b.request(0).Tools[0]; d.Type != "function" || d.Function.Description != "Says it again" || !strings.HasPrefix(string(d.Function.Parameters), `{"type":"object"`) {
		t.Errorf("definition %+v", d)
	}
}

func TestToolsetsOfTheSettings(t *testing.T) {
	other := echo("other")
	other.spec.Toolset = "other"
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("one"), other}, settings: Settings{Toolsets: tool.Selection{Only: []string{"other"}}},
		steps: []llmtest.Step{llmtest.Say("ok")},
	})
	b.turn("go")
	if got := b.offered(0); got != "other" {
		t.Errorf("offered %s", got)
	}
}

// A plugin that is switched on or off in the middle of a turn changes what the
// next request offers.
func TestTheOfferFollowsTheRegistry(t *testing.T) {
	var reg *tool.Registry
	change := echo("change")
	change.run = func(context.Context, tool.Call) (tool.Result, error) {
		reg.Remove("gone", "probe")
		_, err := reg.Add(echo("fresh"), false)
		return tool.Result{Content: "changed"}, err
	}
	b := newBench(t, benchOptions{
		tools:  []tool.Tool{change, echo("gone")},
		steps:  []llmtest.Step{llmtest.Use("1", "change", `{}`), llmtest.Use("2", "fresh", `{}`), llmtest.Use("3", "gone", `{}`), llmtest.Say("ok")},
		change: func(o *Options) { reg = o.Tools },
	})
	d := b.turn("go")
	if got := b.offered(0) + " / " + b.offered(1); got != "change gone / change fresh" {
		t.Errorf("offered %s", got)
	}
	if d.Tools[1].Status != event.StatusOK || d.Tools[2].Status != event.StatusError {
		t.Errorf("%+v", d.Tools)
	}
}
