package terminal

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Answers for commands that belong in the background (contract/core §2.5).
const (
	refuseWrapper = "Foreground command uses shell-level background wrappers (nohup/disown/setsid). Use terminal(background=true) so Hermes can track the process, then run readiness checks and tests in separate commands."
	refuseAmp     = "Foreground command uses '&' backgrounding. Use terminal(background=true) for long-lived processes, then run health checks and tests in follow-up terminal calls."
	refuseServer  = "This foreground command appears to start a long-lived server/watch process. Run it with background=true, verify readiness (health endpoint/log signal), then execute tests in a separate command."
)

// backgroundOnly returns the refusal of a command that would not end, or would
// leave something behind that nobody watches; "" lets it run. What the shell
// cannot read it complains about itself.
func backgroundOnly(command string) string {
	f, err := parse(command)
	if err != nil {
		return ""
	}
	why := ""
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			return false // defines, does not run
		case *syntax.Stmt:
			if n.Background && why == "" {
				why = refuseAmp
			}
		case *syntax.CallExpr:
			switch words := literals(n.Args); {
			case detaches(words):
				why = refuseWrapper // says more than the & that often goes with it
			case why == "" && serves(words):
				why = refuseServer
			}
		}
		return true
	})
	return why
}

func parse(command string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
}

// literals are the words of a command as they are written, without quotes;
// what only the shell knows is left as it stands.
func literals(args []*syntax.Word) []string {
	out := make([]string, 0, len(args))
	for _, w := range args {
		out = append(out, literal(w))
	}
	return out
}

func literal(w *syntax.Word) string {
	var b strings.Builder
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(p.Value)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				if l, ok := in.(*syntax.Lit); ok {
					b.WriteString(l.Value)
				} else {
					b.WriteString("\x00")
				}
			}
		default:
			b.WriteString("\x00") // known only when it runs
		}
	}
	return b.String()
}

// simpleCommand is a command of a script with its words.
type simpleCommand struct{ words []string }

// simpleCommands lists the commands of a script in the order in which they are
// written.
func simpleCommands(command string) []simpleCommand {
	f, err := parse(command)
	if err != nil {
		return nil
	}
	var out []simpleCommand
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.FuncDecl:
			return false
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				out = append(out, simpleCommand{literals(n.Args)})
			}
		}
		return true
	})
	return out
}

// asksForHelp reports whether a call only prints something about itself.
func asksForHelp(words []string) bool {
	return slices.ContainsFunc(words[1:], func(w string) bool {
		return w == "--help" || w == "-h" || w == "--version" || w == "-V" || w == "help"
	})
}

// detaches reports whether a command takes another one out of sight.
func detaches(words []string) bool {
	if len(words) == 0 {
		return false
	}
	switch path.Base(words[0]) {
	case "nohup", "disown":
		return !asksForHelp(words)
	case "setsid":
		// With -w it waits for the command.
		return !asksForHelp(words) && !slices.Contains(words, "-w") && !slices.Contains(words, "--wait")
	}
	return false
}

// serves reports whether a command is a server or watcher that does not end.
func serves(words []string) bool {
	words = unwrap(words)
	if len(words) == 0 || asksForHelp(words) {
		return false
	}
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	program := path.Base(words[0])
	switch program {
	case "npm", "pnpm", "yarn", "bun":
		at := 1
		if arg(1) == "run" || arg(1) == "run-script" {
			at = 2
		}
		return slices.Contains([]string{"dev", "start", "serve", "watch"}, arg(at))
	case "vite", "next", "astro", "nuxt":
		sub := arg(1)
		return sub == "dev" || sub == "preview" || sub == "serve" ||
			(program == "vite" && (sub == "" || strings.HasPrefix(sub, "-"))) || (program == "next" && sub == "start")
	case "nodemon", "uvicorn", "gunicorn", "hypercorn":
		return true
	case "docker", "docker-compose", "podman":
		return composeUp(words)
	}
	if program == "python" || strings.HasPrefix(program, "python3") || program == "py" {
		i := slices.Index(words, "-m")
		return i > 0 && slices.Contains([]string{"http.server", "uvicorn", "gunicorn"}, arg(i+1))
	}
	return false
}

// composeUp reports whether containers are started in the foreground.
func composeUp(words []string) bool {
	up := slices.Index(words, "up")
	if up < 1 || (path.Base(words[0]) != "docker-compose" && !slices.Contains(words[:up], "compose")) {
		return false
	}
	return !slices.ContainsFunc(words[up:], func(w string) bool {
		return w == "-d" || w == "--detach" || w == "--wait" || w == "--no-start"
	})
}

// unwrap removes programs that run another one. What timeout runs ends by
// itself.
func unwrap(words []string) []string {
	for len(words) > 0 {
		switch program := path.Base(words[0]); {
		case program == "timeout":
			return nil
		case program == "npx" || program == "exec" || program == "command" || program == "time" || program == "nice" || program == "bunx":
			words = words[1:]
		case program == "sudo" || program == "env":
			words = words[1:]
			for len(words) > 0 && (strings.HasPrefix(words[0], "-") || strings.Contains(words[0], "=")) {
				words = words[1:]
			}
		default:
			return words
		}
	}
	return nil
}
