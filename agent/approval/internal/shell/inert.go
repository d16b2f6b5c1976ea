package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Programs whose words are data: they print them, look for them, or tell what
// they are.
var (
	printers  = set("echo printf")
	searchers = set("grep egrep fgrep zgrep rg ag ack ugrep git-grep")
	lookups   = set("man which whereis whatis apropos type help hash info tldr")
	// filters pass text on and run nothing of it.
	filters = set("cat head tail wc sort uniq cut tr nl less more column fold fmt rev tac jq grep egrep fgrep rg pbcopy xclip wl-copy base64 md5sum sha256sum xxd od hexdump true")
)

// markInert finds the spans that are data of the command line itself.
func (w *walker) markInert(command string) {
	f, err := parse(command)
	if err != nil {
		return
	}
	declared := map[string]bool{}
	for _, fn := range w.script.Funcs {
		declared[fn.Name] = true
	}
	m := &marker{script: w.script, declared: declared}
	shown := !redirected(w.script.Commands)
	for _, s := range f.Stmts {
		m.stmt(s, shown)
	}
	for _, c := range w.script.Commands {
		if c.call == nil || len(c.Words) == 0 || c.Remote {
			continue
		}
		name := c.Name()
		if name == "git" {
			w.script.Exact["git"] = append(w.script.Exact["git"], span(c.call))
		}
		if c.Under("sudo") {
			w.script.Exact["sudo"] = append(w.script.Exact["sudo"], span(c.call))
		}
	}
	for _, c := range comments(f) {
		w.script.Inert = append(w.script.Inert, Span{int(c.Pos().Offset()), int(c.End().Offset())})
	}
}

// redirected reports whether the script sends all its output elsewhere (exec
// >file).
func redirected(commands []*Command) bool {
	return slices.ContainsFunc(commands, func(c *Command) bool {
		return c.Name() == "exec" && len(c.Words) == 1 && len(c.Redirects) > 0
	})
}

func span(n syntax.Node) Span { return Span{int(n.Pos().Offset()), int(n.End().Offset())} }

func comments(f *syntax.File) []*syntax.Comment {
	var out []*syntax.Comment
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok {
			out = append(out, c)
		}
		return true
	})
	return out
}

type marker struct {
	script   *Script
	declared map[string]bool
	level    int
}

// stmt marks inside one statement. shown says that its output goes to where
// nothing of it is run.
func (m *marker) stmt(s *syntax.Stmt, shown bool) {
	if s == nil || m.level > maxLevel {
		return
	}
	m.level++
	defer func() { m.level-- }()
	for _, r := range s.Redirs {
		if !toScreen(r) && r.Op != syntax.DplIn && r.Op != syntax.RdrIn && r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc && r.Op != syntax.WordHdoc && r.Word.Lit() != "/dev/null" {
			shown = false
		}
		if (r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc) && r.Hdoc != nil && !m.readsScript(s) {
			m.script.Bodies = append(m.script.Bodies, span(r.Hdoc))
		}
		m.inside(r.Word, false)
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		m.call(s, c, shown)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			m.stmt(c.X, shown && m.passes(c.Y))
			m.stmt(c.Y, shown)
			return
		}
		m.stmt(c.X, shown)
		m.stmt(c.Y, shown)
	case nil:
	default:
		m.inside(c, shown)
	}
}

// toScreen reports whether a redirection joins the two outputs (2>&1).
func toScreen(r *syntax.Redirect) bool {
	if r.Op != syntax.DplOut {
		return false
	}
	to := r.Word.Lit()
	return to == "1" || to == "2" || to == "-"
}

// inside marks the statements below a node.
func (m *marker) inside(n syntax.Node, shown bool) {
	if w, ok := n.(*syntax.Word); n == nil || ok && w == nil {
		return
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			m.stmt(n, shown)
			return false
		case *syntax.CmdSubst, *syntax.ProcSubst:
			m.captured(n)
			return false
		}
		return true
	})
}

// captured marks a substitution: what it prints may be run.
func (m *marker) captured(n syntax.Node) {
	var stmts []*syntax.Stmt
	switch n := n.(type) {
	case *syntax.CmdSubst:
		stmts = n.Stmts
	case *syntax.ProcSubst:
		stmts = n.Stmts
	}
	for _, s := range stmts {
		m.stmt(s, false)
	}
}

// readsScript reports whether a statement's command runs what it reads.
func (m *marker) readsScript(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return true
	}
	name := program(call.Args[0].Lit())
	return name != "cat" && name != "tee" || m.declared[name]
}

// passes reports whether every command of a pipe's right side only passes text
// on to the screen.
func (m *marker) passes(s *syntax.Stmt) bool {
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 || m.declared[c.Args[0].Lit()] {
			return false
		}
		for _, r := range s.Redirs {
			if !toScreen(r) && r.Word.Lit() != "/dev/null" {
				return false
			}
		}
		return filters[c.Args[0].Lit()]
	case *syntax.BinaryCmd:
		return (c.Op == syntax.Pipe || c.Op == syntax.PipeAll) && m.passes(c.X) && m.passes(c.Y)
	}
	return false
}

func (m *marker) call(s *syntax.Stmt, c *syntax.CallExpr, shown bool) {
	for _, a := range c.Assigns {
		m.inside(a, false)
	}
	args := c.Args
	if len(args) == 0 {
		return
	}
	data := m.data(args, shown)
	for i, a := range args {
		if i >= data && data > 0 {
			m.blank(a)
		} else {
			m.inside(a, false)
		}
	}
}

// data returns the index of the first word that is data, 0 for none.
func (m *marker) data(args []*syntax.Word, shown bool) int {
	name := args[0].Lit()
	if m.declared[name] {
		return 0
	}
	sub := ""
	if len(args) > 1 {
		sub = args[1].Lit()
	}
	switch {
	case printers[name] && shown && sub != "-v", searchers[name], lookups[name]:
		return 1
	case name == "command" && (sub == "-v" || sub == "-V"):
		return 2
	case name == "git" && sub == "grep" && slices.ContainsFunc(args, opensPager):
		return 0
	case name == "git" && (sub == "commit" || sub == "tag" || sub == "log" || sub == "grep" || sub == "show" || sub == "notes"):
		return 2
	case name == "gh" && (sub == "pr" || sub == "issue" || sub == "release"):
		return 2
	}
	return 0
}

// opensPager reports whether an option of git grep starts a program.
func opensPager(w *syntax.Word) bool {
	if len(w.Parts) == 0 {
		return false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	return ok && (strings.HasPrefix(lit.Value, "-O") || strings.HasPrefix(lit.Value, "--open"))
}

// blank marks what is written in a word, and what a cat inside $(…) of it
// copies from a here-document.
func (m *marker) blank(w *syntax.Word) {
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Lit, *syntax.SglQuoted:
			m.script.Inert = append(m.script.Inert, span(n))
		case *syntax.CmdSubst:
			if len(n.Stmts) == 1 && m.copies(n.Stmts[0]) {
				for _, r := range n.Stmts[0].Redirs {
					m.script.Inert = append(m.script.Inert, span(r.Hdoc))
				}
				return false
			}
			m.captured(n)
			return false
		case *syntax.ProcSubst:
			m.captured(n)
			return false
		case *syntax.Stmt:
			return false
		}
		return true
	})
}

// copies reports whether a statement is a cat of one here-document.
func (m *marker) copies(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 1 || c.Args[0].Lit() != "cat" || m.declared["cat"] || len(s.Redirs) != 1 {
		return false
	}
	r := s.Redirs[0]
	if r.Op != syntax.Hdoc && r.Op != syntax.DashHdoc || r.Hdoc == nil {
		return false
	}
	for _, p := range r.Hdoc.Parts {
		if _, ok := p.(*syntax.Lit); !ok {
			return false
		}
	}
	return true
}
