package plugins

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"hermes/agent/event"
)

// pythons finds the interpreters to test with: those that HERMES_TEST_PYTHONS
// lists, and python3.9 to python3.13 of PATH. The result maps versions to
// paths.
var pythons = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	names := filepath.SplitList(os.Getenv("HERMES_TEST_PYTHONS"))
	for _, minor := range []string{"11", "13", "12", "10", "9"} {
		names = append(names, "python3."+minor)
	}
	for _, name := range append(names, "python3") {
		// The path that Python itself gives spares a version manager's stand-in.
		out, err := exec.Command(name, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)").Output()
		version, exe, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
		if err == nil && ok && found[version] == "" {
			found[version] = exe
		}
	}
	return found
})

// testPython is the interpreter that tests use when nothing else is asked for:
// the first of HERMES_TEST_PYTHONS, else the one nearest to 3.11.
func testPython(t *testing.T) string {
	t.Helper()
	if list := filepath.SplitList(os.Getenv("HERMES_TEST_PYTHONS")); len(list) > 0 {
		return list[0]
	}
	found := pythons()
	for _, version := range []string{"3.11", "3.12", "3.13", "3.10", "3.9"} {
		if exe := found[version]; exe != "" {
			return exe
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no Python 3.9 to 3.13 on PATH")
	}
	t.Skip("no Python 3.9 to 3.13 on PATH")
	return ""
}

// everything is a plugin that uses what this version offers, in the syntax of
// the oldest Python.
const everything = `
import asyncio, json, logging, threading
from importlib.metadata import version

import hermes_cli
import hermes_constants

from . import part

async def slow_echo(args, **kw):
    await asyncio.sleep(0)
    return json.dumps({"echo": args, "part": part.NAME, "loop": loop_id()})

def loop_id():
    return id(asyncio.get_event_loop()) and threading.current_thread().name

def versions(args, **kw):
    return json.dumps([version("hermes-agent"), hermes_cli.__version__, str(hermes_constants.get_hermes_home())])

async def on_call(tool_name, **kw):
    await asyncio.sleep(0)
    return {"seen": tool_name, "schema": kw["telemetry_schema_version"]}

async def command(raw):
    await asyncio.sleep(0)
    print("printed")
    return "async " + raw

def with_context(ctx, raw):
    return "%s %s %s" % (ctx.manifest.name, ctx.profile_name, raw)

def register(ctx):
    ctx.register_tool("slow_echo", "every", {"name": "slow_echo", "description": "d"}, slow_echo, is_async=True)
    ctx.register_tool("versions", "every", {"name": "versions", "description": "d"}, versions)
    ctx.register_hook("post_tool_call", on_call)
    ctx.register_command("acmd", command)
    ctx.register_command("ctxcmd", with_context, help="with the context")
`

func TestEveryPython(t *testing.T) {
	found := pythons()
	if len(found) == 0 {
		testPython(t)
	}
	for version, exe := range found {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{"every": everything, "good": good}, func(o *Options) { o.Settings.Python = exe })
			r.addFile("every", "part.py", "NAME = 'part'\n")
			r.start()
			if p := r.plugin("every"); p.State != event.PluginOK {
				t.Fatalf("every = %s: %s\n%+v", p.State, p.Reason, p.Error)
			}
			ready := await(r, func(e event.HostState) bool { return e.State == event.HostReady })
			if !strings.HasPrefix(ready.Python, version+".") || ready.Exe != exe {
				t.Errorf("host = %+v", ready)
			}
			if got := r.call("slow_echo", `{"a": 1}`).Content; got != `{"echo": {"a": 1}, "part": "part", "loop": "lane turn:s1"}` {
				t.Errorf("slow_echo = %s", got)
			}
			if got, want := r.call("versions", `{}`).Content, `["0.19.0", "0.19.0", "`+r.home+`"]`; got != want {
				t.Errorf("versions = %s, want %s", got, want)
			}
			if got := r.hook("post_tool_call", `{"tool_name": "x", "session_id": "s1"}`).Returns; len(got) != 1 || string(got[0]) != `{"seen":"x","schema":"hermes.observer.v1"}` {
				t.Errorf("hook = %s", got)
			}
			if got := r.command("/acmd  b "); got.Text != "async b" || got.Output != "printed\n" || got.Err != "" || got.Owner != "every" {
				t.Errorf("acmd = %+v", got)
			}
			if got := r.command("/CTXCMD x  y").Text; got != "every custom x  y" {
				t.Errorf("ctxcmd = %q", got)
			}
		})
	}
}
