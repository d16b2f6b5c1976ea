package plugins

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/tool"
)

// agentOf stands in for the agent: it fires pre_tool_call and runs the tool, as
// the pipeline does, and keeps what it was asked.
type agentOf struct {
	m     func() *Manager
	tools *tool.Registry
	calm  bool // no user, no conversation

	mu       sync.Mutex
	injected []string
	froms    []tool.Call
}

func (a *agentOf) CallTool(ctx context.Context, from tool.Call, name string, args json.RawMessage) string {
	a.mu.Lock()
	a.froms = append(a.froms, from)
	a.mu.Unlock()
	tl, ok := a.tools.Get(name)
	if !ok {
		return fmt.Sprintf(`{"error": "Unknown tool: %s"}`, name)
	}
	out, err := a.m().Hooks().Invoke(ctx, hook.PreToolCall, hook.ToolCall{ToolName: name, Args: args, SessionID: from.Session})
	if err != nil {
		return err.Error()
	}
	for _, v := range out.Returns {
		if strings.Contains(string(v), `"block"`) {
			return string(v)
		}
	}
	res, err := tl.Run(ctx, tool.Call{ID: "n", Name: name, Args: args, Session: from.Session, Task: from.Task, Ask: from.Ask})
	if err != nil {
		return "err: " + err.Error()
	}
	return res.Content
}

func (a *agentOf) Inject(text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.injected = append(a.injected, text)
	return !a.calm
}

func (a *agentOf) Ask() tool.AskFunc { return nil }

// rigWithAgent is a rig whose plugins can ask for tools and inject messages.
func rigWithAgent(t *testing.T, code map[string]string) (*rig, *agentOf) {
	t.Helper()
	a := &agentOf{}
	r := rigWith(t, code, func(o *Options) { o.Services = a })
	a.m, a.tools = func() *Manager { return r.Manager }, r.tools
	return r, a
}

const dispatcher = `
import asyncio, json, threading
CTX = []
SEEN = []

def me():
    return threading.current_thread().name

def inner(args, **kw):
    return json.dumps({"inner": args, "thread": me(), "session": kw["session_id"], "task": kw["task_id"], "more": kw.get("more")})

def outer(args, **kw):
    got = CTX[0].dispatch_tool("inner", args, more="kept", parent_agent=object())
    return json.dumps([me(), json.loads(got), SEEN])

def guide(args, **kw):
    return CTX[0].dispatch_tool(name="inner", arguments={"as": "printed"})

def unknown(args, **kw):
    return CTX[0].dispatch_tool("nowhere", {})

def from_thread(args, **kw):
    out = []
    t = threading.Thread(target=lambda: out.append(CTX[0].dispatch_tool("inner", {"in": "thread"})), name="own")
    t.start()
    t.join()
    return out[0]

async def from_loop(args, **kw):
    await asyncio.sleep(0)
    return CTX[0].dispatch_tool("inner", {"in": "loop"})

def again(args, **kw):
    return CTX[0].dispatch_tool("again", {"n": args.get("n", 0) + 1})

def edit(args, **kw):
    return CTX[0].dispatch_tool("file_edit", args)

def hook(tool_name, args, **kw):
    SEEN.append([tool_name, me()])

def short(args, **kw):
    return CTX[0].dispatch_tool("inner")

def register(ctx):
    CTX.append(ctx)
    for f in (inner, outer, guide, unknown, from_thread, again, edit, short):
        ctx.register_tool(f.__name__, "d", {"name": f.__name__, "description": "d"}, f)
    ctx.register_tool("from_loop", "d", {"name": "from_loop", "description": "d"}, from_loop, is_async=True)
    ctx.register_hook("pre_tool_call", hook)
    ctx.register_command("go", lambda ctx, raw: ctx.dispatch_tool("inner", {"raw": raw}))
`

// TestDispatchTool: what is done for the call runs on the thread that waits, as
// in one interpreter.
func TestDispatchTool(t *testing.T) {
	r, a := rigWithAgent(t, map[string]string{"disp": dispatcher})
	r.start()
	for _, c := range []struct{ name, want string }{
		{"outer", `["lane turn:s1", {"inner": {"a": 1}, "thread": "lane turn:s1", "session": "s1", "task": "s1", "more": "kept"}, [["inner", "lane turn:s1"]]]`},
		{"guide", `{"inner": {"as": "printed"}, "thread": "lane turn:s1", "session": "s1", "task": "s1", "more": null}`},
		{"unknown", `{"error": "Unknown tool: nowhere"}`},
		{"from_thread", `{"inner": {"in": "thread"}, "thread": "own", "session": "s1", "task": "s1", "more": null}`},
		{"from_loop", `{"inner": {"in": "loop"}, "thread": "lane turn:s1", "session": "s1", "task": "s1", "more": null}`},
		{"again", `{"error": "dispatch_tool was called 8 times within itself; the call was not made"}`},
		{"edit", `{"error": "Unknown tool: patch"}`},
		{"short", `{"error": "[TOOL_ERROR] Tool execution failed: TypeError: PluginContext.dispatch_tool() missing 1 required positional argument: 'args'"}`},
	} {
		if got := r.call(c.name, `{"a": 1}`).Content; got != c.want {
			t.Errorf("%s = %s\nwant %s", c.name, got, c.want)
		}
	}
	if got, want := r.command("/go x").Text, `{"inner": {"raw": "x"}, "thread": "lane input:s1", "session": "s1", "task": "s1", "more": null}`; got != want {
		t.Errorf("/go = %s\nwant %s", got, want)
	}
	if from := a.froms[0]; from.Session != "s1" || from.ID != "c1" {
		t.Errorf("on behalf of %+v", from)
	}
	if n := len(r.errands.list); n != 0 {
		t.Errorf("%d calls are still noted", n)
	}
}

// TestDispatchAcrossHosts: a plugin in a host of its own calls one of the other
// host, which calls back.
func TestDispatchAcrossHosts(t *testing.T) {
	plugin := func(name, next string) string {
		return `
import json, threading
CTX = []
def run(args, **kw):
    n = args["n"]
    rest = json.loads(CTX[0].dispatch_tool("` + next + `", {"n": n - 1})) if n else []
    return json.dumps(["` + name + ` " + threading.current_thread().name] + rest)
def register(ctx):
    CTX.append(ctx)
    ctx.register_tool("` + name + `", "x", {"name": "x", "description": "d"}, run)
`
	}
	r, _ := rigWithAgent(t, map[string]string{"ping": plugin("ping", "pong"), "pong": plugin("pong", "ping")})
	r.settings.Entries = map[string]Entry{"pong": {Isolate: true}}
	r.start()
	want := `["ping lane turn:s1", "pong lane turn:s1", "ping lane turn:s1", "pong lane turn:s1"]`
	if got := r.call("ping", `{"n": 3}`).Content; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestGivenUpWhileDispatching: the call within a call ends with the one around
// it, and the lane goes on.
func TestGivenUpWhileDispatching(t *testing.T) {
	r, _ := rigWithAgent(t, map[string]string{"slow": `
import json, time
CTX = []
def wait(args, **kw):
    print("waits")
    time.sleep(1000)
def outer(args, **kw):
    try:
        return CTX[0].dispatch_tool("built", {})
    finally:
        print("over")
def register(ctx):
    CTX.append(ctx)
    ctx.register_tool("outer", "x", {"name": "x", "description": "d"}, outer)
    ctx.register_tool("after", "x", {"name": "x", "description": "d"}, lambda a, **k: "after")
`})
	began := make(chan struct{})
	if _, err := r.tools.Add(&blocker{began: began}, false); err != nil {
		t.Fatal(err)
	}
	r.start()
	ctx, cancel := context.WithCancel(ctxT(t))
	done := make(chan error, 1)
	go func() {
		outer, _ := r.tools.Get("outer")
		_, err := outer.Run(ctx, toolCall("outer", `{}`))
		done <- err
	}()
	<-began
	cancel()
	if err := <-done; err == nil {
		t.Error("the call that was given up came back")
	}
	await(r, func(e event.PluginOutput) bool { return e.Line == "over" })
	if got := r.call("after", `{}`).Content; got != "after" {
		t.Errorf("after = %s", got)
	}
}

// blocker is a built-in tool that waits for the end of its context.
type blocker struct{ began chan struct{} }

func (*blocker) Spec() tool.Spec                          { return tool.Spec{Name: "built", Toolset: "b"} }
func (*blocker) Available(context.Context) (bool, string) { return true, "" }
func (b *blocker) Run(ctx context.Context, _ tool.Call) (tool.Result, error) {
	close(b.began)
	<-ctx.Done()
	return tool.Result{}, ctx.Err()
}

func TestInjectMessage(t *testing.T) {
	r, a := rigWithAgent(t, map[string]string{"inj": `
import json, threading
CTX = []
def tell(args, **kw):
    out = [CTX[0].inject_message("task T1 is done"), CTX[0].inject_message(content="mind", role="system"), CTX[0].inject_message(" ")]
    t = threading.Thread(target=lambda: out.append(CTX[0].inject_message("from a thread")))
    t.start(); t.join()
    return json.dumps(out)
def register(ctx):
    CTX.append(ctx)
    ctx.register_tool("tell", "x", {"name": "x", "description": "d"}, tell)
`})
	r.start()
	if got := r.call("tell", `{}`).Content; got != "[true, true, true, true]" {
		t.Errorf("tell = %s", got)
	}
	if got, want := strings.Join(a.injected, "|"), "task T1 is done|[system] mind|from a thread"; got != want {
		t.Errorf("injected %q", got)
	}
	a.calm = true
	if got := r.call("tell", `{}`).Content; got != "[false, false, true, false]" {
		t.Errorf("without a conversation: %s", got)
	}
	await(r, func(e event.PluginOutput) bool {
		return e.Stream == "log" && e.Line == "inject_message: no CLI reference (not available in gateway mode)"
	})
}
