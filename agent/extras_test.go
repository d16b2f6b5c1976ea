package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

func choiceOf(t *testing.T, r llmtest.Request) string {
	t.Helper()
	var b struct {
		Choice json.RawMessage `json:"tool_choice"`
	}
	if err := json.Unmarshal(r.Raw, &b); err != nil {
		t.Fatal(err)
	}
	return string(b.Choice)
}

// A forced choice holds for the first request of the turn.
func TestToolChoice(t *testing.T) {
	for _, tc := range []struct{ set, use, first, second string }{
		{"", "", ``, ``},
		{"auto", "", `"auto"`, `"auto"`},
		{"none", "", `"none"`, `"none"`},
		{"required", "", `"required"`, ``},
		{"echo", "", `{"type":"function","function":{"name":"echo"}}`, ``},
		{"none", "echo", `{"type":"function","function":{"name":"echo"}}`, ``},
		{"nosuch", "", ``, ``},
	} {
		b := newBench(t, benchOptions{
			settings: Settings{ToolChoice: tc.set}, tools: []tool.Tool{echo("echo")},
			steps: []llmtest.Step{llmtest.Use("a", "echo", `{}`), llmtest.Say("ok")},
		})
		if tc.use != "" {
			b.Use(tc.use, "go")
			b.turns(1)
		} else {
			b.turn("go")
		}
		rs := b.srv.Requests()
		if got := []string{choiceOf(t, rs[0]), choiceOf(t, rs[1])}; got[0] != tc.first || got[1] != tc.second {
			t.Errorf("%+v: sent %q", tc, got)
		}
		if told := strings.Contains(b.story(), "Notice"); told != (tc.set == "nosuch") {
			t.Errorf("%+v: a notice: %v", tc, told)
		}
	}
}

func TestTitle(t *testing.T) {
	db := openStore(t)
	b := newBench(t, benchOptions{
		settings: Settings{Titles: true}, change: with(db), tools: []tool.Tool{echo("echo")},
		steps: []llmtest.Step{{Answer: func(r llmtest.Request) llmtest.Step {
			if len(r.Body.Tools) == 0 {
				return llmtest.Say("\"Title: Fix the build.\"\nmore")
			}
			return llmtest.Say("done")
		}}},
	})
	b.turn("please fix the build")
	e, _ := b.until("the title", func(e event.Event) bool { _, ok := e.(event.TitleChanged); return ok }).(event.TitleChanged)
	if e.Title != "Fix the build" || e.Session != b.Session() {
		t.Errorf("%+v", e)
	}
	one, err := db.Session(context.Background(), b.Session())
	if err != nil || one.Title != "Fix the build" || one.APICalls != 1 {
		t.Errorf("%+v %v", one, err)
	}
	b.turn("and more")
	if got := len(b.srv.Requests()); got != 3 {
		t.Errorf("%d requests: a title is asked for once", got)
	}
}

func TestSegments(t *testing.T) {
	mk := func(name, args string) *call {
		return &call{name: name, args: json.RawMessage(args), spec: tool.Spec{Name: name, ParallelSafe: name == "read_file" || name == "search_files"}}
	}
	for _, tc := range []struct {
		calls []*call
		want  int
	}{
		{[]*call{mk("write_file", `{"path":"a"}`), mk("write_file", `{"path":"b"}`), mk("read_file", `{"path":"c"}`)}, 3},
		{[]*call{mk("write_file", `{"path":"a"}`), mk("read_file", `{"path":"./a"}`)}, 1},
		{[]*call{mk("read_file", `{"path":"a"}`), mk("read_file", `{"path":"a"}`)}, 2},
		{[]*call{mk("read_file", `{"path":"d/a"}`), mk("patch", `{"path":"/w/d"}`)}, 1},
		{[]*call{mk("patch", `{"path":"ab"}`), mk("patch", `{"path":"a"}`)}, 2},
		{[]*call{mk("patch", `{"mode":"patch","patch":"x"}`), mk("read_file", `{"path":"a"}`)}, 0},
		{[]*call{mk("search_files", `{}`), mk("terminal", `{}`)}, 1},
	} {
		if got := segment(tc.calls, "/w"); got != tc.want {
			t.Errorf("%s %s…: %d, want %d", tc.calls[0].name, tc.calls[0].args, got, tc.want)
		}
	}
}

// A tool takes a task on; a message that names it settles the card.
func TestHandOver(t *testing.T) {
	take := echo("take")
	take.run = give(`{"status": "accepted", "task_id": "T-17"}`)
	settled := func(b *bench) event.ToolSettled {
		for _, e := range b.drain() { // it may have come within the turn
			if e, ok := e.(event.ToolSettled); ok {
				return e
			}
		}
		e, _ := b.until("the end of the task", func(e event.Event) bool { _, ok := e.(event.ToolSettled); return ok }).(event.ToolSettled)
		return e
	}
	open := func(s Settings) *bench {
		b := newBench(t, benchOptions{settings: s, tools: []tool.Tool{take}, steps: []llmtest.Step{llmtest.Use("a", "take", `{}`), llmtest.Say("it works on it"), llmtest.Say("I see")}})
		d := b.turn("go")
		if d.Tools[0].Status != event.StatusOK || !strings.Contains(b.story(), "done take a handed_over") {
			t.Errorf("the card:\n%s", b.story())
		}
		return b
	}
	b := open(Settings{})
	b.Inject("task T-170 is done", "plugin")
	b.Inject("task T-17 is done: 42", "plugin")
	if e := settled(b); e.Status != event.SettledAnswered || e.Call != "a" || e.Task != "T-17" || !strings.Contains(e.Text, "42") {
		t.Errorf("%+v", e)
	}
	if e := settled(open(Settings{HandOverTimeout: time.Millisecond})); e.Status != event.SettledNoAnswer {
		t.Errorf("%+v", e)
	}
	b = open(Settings{})
	b.NewSession("")
	if e := settled(b); e.Status != event.SettledNoAnswer {
		t.Errorf("%+v", e)
	}
}

// The answer cannot hide that a file was not changed.
func TestMutationFooter(t *testing.T) {
	write := fakeTool{spec: tool.Spec{Name: "write_file", Toolset: "file", Parameters: json.RawMessage(`{"type":"object"}`)}}
	fail := map[string]bool{"a": true, "b": true}
	write.run = func(_ context.Context, c tool.Call) (tool.Result, error) {
		var a struct{ Path, Content string }
		if err := json.Unmarshal(c.Args, &a); err != nil {
			return tool.Result{}, err
		}
		if fail[a.Path] && a.Content != "again" {
			return tool.Result{Content: `{"error": "no space left"}`}, nil
		}
		return tool.Result{Content: `{"bytes_written": 1}`}, nil
	}
	call := func(id, path, content string) llmtest.Call {
		return llmtest.NewCall(id, "write_file", fmt.Sprintf(`{"path":%q,"content":%q}`, path, content))
	}
	steps := []llmtest.Step{
		{ToolCalls: []llmtest.Call{call("1", "a", "x"), call("2", "b", "x"), call("3", "c", "x")}},
		{ToolCalls: []llmtest.Call{call("4", "b", "again")}},
		llmtest.Say("All done."),
	}
	b := newBench(t, benchOptions{tools: []tool.Tool{write}, steps: steps})
	want := "All done.\n\n⚠️ File-mutation verifier: 1 file(s) were NOT modified this turn despite any wording above that may suggest otherwise. Run `git status` or `read_file` to confirm.\n  • `a` — [write_file] no space left"
	if d := b.turn("go"); d.Answer != want {
		t.Errorf("answer %q", d.Answer)
	}
	b = newBench(t, benchOptions{settings: Settings{NoMutationFooter: true}, tools: []tool.Tool{write}, steps: steps})
	if d := b.turn("go"); d.Answer != "All done." {
		t.Errorf("answer %q", d.Answer)
	}
}

// Scripts do not use the budget up; requests of other tools do.
func TestScriptsAreRefunded(t *testing.T) {
	for name, want := range map[string]string{"execute_code": event.OutcomeDone, "other": event.OutcomeLimit} {
		script := echo(name)
		script.spec.Owner = ""
		steps := []llmtest.Step{}
		for i := range 4 {
			steps = append(steps, llmtest.Use(fmt.Sprint(i), name, fmt.Sprintf(`{"n":%d}`, i)))
		}
		b := newBench(t, benchOptions{settings: Settings{MaxTurns: 2}, tools: []tool.Tool{script}, steps: append(steps, llmtest.Say("ok"))})
		if d := b.turn("go"); d.Outcome != want {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestCostLimit(t *testing.T) {
	usage := json.RawMessage(`{"prompt_tokens":10,"completion_tokens":5,"cost":0.6}`)
	call := llmtest.Use("a", "echo", `{}`)
	call.Usage = usage
	b := newBench(t, benchOptions{settings: Settings{MaxCost: 0.5}, tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{call, llmtest.Say("more")}})
	if d := b.turn("go"); d.Outcome != event.OutcomeLimit || !strings.Contains(d.Err, "0.50 USD") || d.APICalls != 1 {
		t.Errorf("%+v", d)
	}
	for _, e := range b.drain() {
		if u, ok := e.(event.Usage); ok && (u.Cost != 0.6 || u.CostStatus != "actual") {
			t.Errorf("%+v", u)
		}
	}
}

// Pictures go with the text.
func TestPictures(t *testing.T) {
	b := newBench(t, benchOptions{steps: []llmtest.Step{llmtest.Say("a cat")}})
	b.SubmitWith("what is it?", []llm.Image{{MIME: "image/png", Data: []byte("PNG")}})
	b.turns(1)
	raw := string(b.srv.Requests()[0].Raw)
	if !strings.Contains(raw, `"image_url"`) || !strings.Contains(raw, "data:image/png;base64,UE5H") || !strings.Contains(raw, "what is it?") {
		t.Errorf("sent %s", raw)
	}
}

// What a tool is about to do is known before it does it.
func TestBeforeTool(t *testing.T) {
	var order []string
	f := echo("echo")
	f.run = func(context.Context, tool.Call) (tool.Result, error) {
		order = append(order, "run")
		return tool.Result{Content: "x"}, nil
	}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{f}, steps: []llmtest.Step{llmtest.Use("a", "echo", `{"n":"1"}`), llmtest.Say("ok")},
		change: func(o *Options) {
			o.BeforeTool = func(_ context.Context, c tool.Call) { order = append(order, "before "+c.Name+" "+string(c.Args)) }
		},
	})
	b.turn("go")
	wantLines(t, order, `before echo {"n":1}`, "run")
}
