package plugins

import (
	"bytes"
	"strings"
	"testing"
)

func TestForegroundCommand(t *testing.T) {
	r := rigWith(t, map[string]string{"tk": `
import sys
def bad(p):
    raise RuntimeError("setup broke")
def setup(p):
    p.add_argument("--times", type=int, default=1)
    p.add_argument("word")
def run(args):
    print(args.command, args.word * args.times, sys.stdin.read())
    return 7
def register(ctx):
    ctx.register_cli_command(name="badcmd", help="bad", setup_fn=bad, handler_fn=lambda a: None)
    ctx.register_cli_command("okcmd", "ok", setup, run)
    ctx.register_cli_command("leave", "l", lambda p: None, lambda a: sys.exit(5))
    ctx.register_cli_command("ask", "l", lambda p: None, lambda a: print(ctx.inject_message("x"), ctx.dispatch_tool("terminal", {})))
`, "broken": "def register(ctx):\n    raise ValueError('no')\n"}, nil)
	opt := r.opt
	opt.Settings = r.settings
	for _, c := range []struct {
		argv, out, err string
		code           int
		found          bool
	}{
		{"okcmd --times 2 ab", "okcmd abab input\n", "plugin broken was not loaded: no", 0, true},
		{"okcmd", "", "the following arguments are required: word", 2, true},
		{"okcmd --help", "usage: hermes okcmd [-h] [--times TIMES] word\n", "", 0, true},
		{"badcmd", "", "the arguments of command badcmd cannot be set up: RuntimeError: setup broke", 1, true},
		{"leave", "", "", 5, true},
		{"ask", `False {"error": "[TOOL_ERROR] Tool execution failed: the program is gone"}` + "\n", "", 0, true},
		{"nowhere", "", "", 0, false},
	} {
		var out, errs bytes.Buffer
		code, found, err := Foreground(ctxT(t), opt, strings.Fields(c.argv), Streams{strings.NewReader("input"), &out, &errs})
		if err != nil {
			t.Fatalf("%s: %v", c.argv, err)
		}
		if code != c.code || found != c.found || !strings.HasPrefix(out.String(), c.out) || c.out == "" && out.Len() > 0 || !strings.Contains(errs.String(), c.err) {
			t.Errorf("%s: code %d, found %v\n%s\n%s", c.argv, code, found, &out, &errs)
		}
	}
}
