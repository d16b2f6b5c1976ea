package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
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

// A small window is offered few built-in tools, in few words, and the user is
// told once; plugin tools and what was asked for stay.
func TestSmallWindow(t *testing.T) {
	builtIn := func(name, toolset string) fakeTool {
		f := echo(name)
		f.spec.Owner, f.spec.Toolset = "", toolset
		f.spec.Description = "Does it. And much more about that."
		f.spec.Parameters = json.RawMessage(`{"type":"object","properties":{"description":{"type":"string","description":"long words"}}}`)
		return f
	}
	tools := []tool.Tool{builtIn("terminal", "terminal"), builtIn("session_search", "session_search"), echo("plug")}
	for _, tc := range []struct {
		window int
		only   []string
		want   string
		told   bool
	}{
		{8192, nil, "plug terminal", true},
		{131072, nil, "plug session_search terminal", false},
		{8192, []string{"session_search"}, "session_search", false},
	} {
		b := newBench(t, benchOptions{
			tools: tools, settings: Settings{Toolsets: tool.Selection{Only: tc.only}},
			client: func(c *openai.Config) { c.Window = tc.window }, steps: []llmtest.Step{llmtest.Say("ok")},
		})
		b.turn("go")
		b.turn("go")
		var names []string
		for _, x := range b.request(0).Tools {
			names = append(names, x.Function.Name)
			if x.Function.Name == "terminal" {
				short := !strings.Contains(x.Function.Description, "much more") && !strings.Contains(string(x.Function.Parameters), "long words")
				if short != (tc.window == 8192) || !strings.Contains(string(x.Function.Parameters), `"description":{"type":"string"`) {
					t.Errorf("window %d: %s %s", tc.window, x.Function.Description, x.Function.Parameters)
				}
			}
		}
		if got := strings.Join(names, " "); got != tc.want {
			t.Errorf("window %d: offered %s, want %s", tc.window, got, tc.want)
		}
		if n := strings.Count(b.story(), "Notice"); n != map[bool]int{true: 1}[tc.told] {
			t.Errorf("window %d: told %d times", tc.window, n)
		}
	}
}
