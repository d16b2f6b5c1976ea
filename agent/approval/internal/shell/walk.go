package shell

import (
	"maps"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker collects the commands of a script.
type walker struct {
	script   *Script
	nested   int // bytes of scripts inside scripts so far
	loops    int // bodies of loops that were read again
	steps    int // statements read
	expanded int // bytes of values
}

// state is where a command stands. It is copied on the way down; vars is
// shared inside one shell, as the shell does.
type state struct {
	vars     map[string]string // what is known of variables
	dir      string            // see Command.Dir
	upstream []*Command
	wraps    []string
	remote   bool
	back     bool
	depth    int // scripts inside scripts
	level    int // statements inside statements
	src      string
	pipeline string
	offset   bool // positions count in the command line itself
}

// apart is the state of a subshell: what it sets is gone afterwards.
func (s state) apart() state {
	s.vars = maps.Clone(s.vars)
	return s
}

func (w *walker) file(f *syntax.File, src string, st state) string {
	st.src, st.offset = src, st.depth == 0
	return w.stmts(f.Stmts, st)
}

// stmts reads statements one after the other and returns the folder in which
// they end.
func (w *walker) stmts(list []*syntax.Stmt, st state) string {
	for _, s := range list {
		st.dir = w.stmt(s, st)
	}
	return st.dir
}

// More limits: statements inside statements, commands of a pipeline that a
// command is told of, variables that are followed.
const (
	maxLevel    = 3000
	maxUpstream = 64
	maxVars     = 200
)

func (w *walker) stmt(s *syntax.Stmt, st state) string {
	st.level++
	if s == nil {
		return st.dir
	}
	if w.steps++; st.level > maxLevel || w.steps > maxSteps || len(w.script.Commands) >= maxCommands {
		w.script.Whole = false
		return st.dir
	}
	st.back = st.back || s.Background
	redirs := w.redirects(s.Redirs, st)
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		return w.call(s, call, redirs, st)
	}
	if len(redirs) > 0 {
		w.add(&Command{Redirects: redirs, Source: w.source(s, st), Dir: st.dir, Remote: st.remote, Depth: st.depth})
	}
	return w.compound(s.Cmd, st)
}

func (w *walker) compound(c syntax.Command, st state) string {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		return w.binary(c, st)
	case *syntax.Subshell:
		w.stmts(c.Stmts, st.apart())
	case *syntax.Block:
		return w.stmts(c.Stmts, st)
	case *syntax.IfClause:
		return w.ifClause(c, st)
	case *syntax.WhileClause:
		st.dir = w.stmts(c.Cond, st)
		return w.stmts(c.Do, st)
	case *syntax.ForClause:
		return w.forClause(c, st)
	case *syntax.CaseClause:
		w.word(c.Word, st)
		end := st.dir
		for _, item := range c.Items {
			if d := w.stmts(item.Stmts, st); d != st.dir {
				end = d
			}
		}
		return end
	case *syntax.FuncDecl:
		w.function(c, st)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			return w.stmt(c.Stmt, st)
		}
	case *syntax.CoprocClause:
		w.stmt(c.Stmt, st.apart())
	case *syntax.DeclClause:
		for _, a := range c.Args {
			w.assign(a, st)
		}
	case nil:
	default:
		w.inner(c, st) // tests, arithmetic, let
	}
	return st.dir
}

func (w *walker) binary(c *syntax.BinaryCmd, st state) string {
	if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
		st.dir = w.stmt(c.X, st)
		return w.stmt(c.Y, st)
	}
	from := len(w.script.Commands)
	if st.pipeline == "" {
		st.pipeline = text(c, st)
	}
	w.stmt(c.X, st.apart())
	right := st.apart()
	right.upstream = w.since(max(from, len(w.script.Commands)-maxUpstream))
	w.stmt(c.Y, right)
	return st.dir
}

func (w *walker) ifClause(c *syntax.IfClause, st state) string {
	for ; c != nil; c = c.Else {
		st.dir = w.stmts(c.Cond, st)
		st.dir = w.stmts(c.Then, st)
	}
	return st.dir
}

// forClause follows the first words that the loop goes through.
func (w *walker) forClause(c *syntax.ForClause, st state) string {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		w.inner(c.Loop, st)
		return w.stmts(c.Do, st)
	}
	words := w.fields(it.Items, st)
	if len(words) == 0 {
		delete(st.vars, it.Name.Value)
		return w.stmts(c.Do, st)
	}
	for i, word := range words {
		if i == loopItems || w.loops > 8*loopItems {
			w.script.Whole = w.script.Whole && i > 0
			break
		}
		w.loops++
		if word.Known {
			st.vars[it.Name.Value] = word.Text
		} else {
			delete(st.vars, it.Name.Value)
		}
		st.dir = w.stmts(c.Do, st)
	}
	return st.dir
}

// function reads the body of a function as if it were called here.
func (w *walker) function(c *syntax.FuncDecl, st state) {
	name := ""
	if c.Name != nil {
		name = c.Name.Value
	}
	w.script.Funcs = append(w.script.Funcs, Func{Name: name, Forks: forks(c.Body, name)})
	w.stmt(c.Body, st.apart())
}

// forks reports whether a function's body starts the function twice, once of
// them at least where nobody waits for it.
func forks(body *syntax.Stmt, name string) bool {
	calls, back := 0, false
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			back = back || n.Background
		case *syntax.CallExpr:
			if len(n.Args) > 0 && n.Args[0].Lit() == name {
				calls++
			}
		}
		return true
	})
	return name != "" && back && calls >= 2
}

// inner reads the commands inside the words of a node that is no command.
func (w *walker) inner(n syntax.Node, st state) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.sub(n.Stmts, st)
			return false
		case *syntax.ProcSubst:
			w.sub(n.Stmts, st)
			return false
		case *syntax.Stmt:
			return false
		}
		return true
	})
}

// sub reads the commands of a substitution.
func (w *walker) sub(list []*syntax.Stmt, st state) []*Command {
	st = st.apart()
	st.upstream, st.wraps, st.pipeline = nil, nil, ""
	st.level++
	from := len(w.script.Commands)
	w.stmts(list, st)
	return w.since(from)
}

// since are the commands that were found after the first from ones.
func (w *walker) since(from int) []*Command {
	to := len(w.script.Commands)
	return w.script.Commands[from:to:to]
}

func (w *walker) assign(a *syntax.Assign, st state) {
	if a.Array != nil {
		w.inner(a.Array, st)
	}
	if a.Name == nil || a.Value == nil {
		if a.Value != nil {
			w.word(a.Value, st)
		}
		return
	}
	word := w.word(a.Value, st)
	_, there := st.vars[a.Name.Value]
	if word.Known && !a.Append && a.Index == nil && (there || len(st.vars) < maxVars) {
		st.vars[a.Name.Value] = strings.ReplaceAll(word.Text, split, " ")
	} else {
		delete(st.vars, a.Name.Value)
	}
}

func (w *walker) redirects(list []*syntax.Redirect, st state) []Redirect {
	var out []Redirect
	for _, r := range list {
		red := Redirect{Target: w.word(r.Word, st)}
		switch r.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.AppAll,
			syntax.RdrAllClob, syntax.AppAllClob, syntax.RdrInOut:
			red.Write = true
		case syntax.RdrIn:
			red.Read = true
		case syntax.WordHdoc:
			red.Here, red.Body = true, red.Target.Text
		case syntax.Hdoc, syntax.DashHdoc:
			body := w.word(r.Hdoc, st)
			red.Here, red.Body = true, body.Text
		case syntax.DplOut:
			red.Write = !strings.ContainsAny(red.Target.Text[:min(1, len(red.Target.Text))], "0123456789-")
		}
		out = append(out, red)
	}
	return out
}

// call reads a simple command.
func (w *walker) call(s *syntax.Stmt, call *syntax.CallExpr, redirs []Redirect, st state) string {
	if len(call.Args) == 0 {
		for _, a := range call.Assigns {
			w.assign(a, st)
		}
		if len(redirs) > 0 {
			w.add(&Command{Redirects: redirs, Source: w.source(s, st), Dir: st.dir, Remote: st.remote, Depth: st.depth})
		}
		return st.dir
	}
	for _, a := range call.Assigns {
		if a.Value != nil {
			w.word(a.Value, st)
		}
	}
	c := &Command{
		Words: w.fields(call.Args, st), Redirects: redirs, Upstream: st.upstream, Source: w.source(s, st), Pipeline: st.pipeline,
		Dir: st.dir, Remote: st.remote, Background: st.back, Depth: st.depth,
	}
	if st.offset {
		c.call = call
	}
	w.run(c, st)
	return changeDir(c, st.dir)
}

func (w *walker) source(s *syntax.Stmt, st state) string { return text(s, st) }

func text(s syntax.Node, st state) string {
	from, to := int(s.Pos().Offset()), int(s.End().Offset())
	if from < 0 || to > len(st.src) || from > to {
		return ""
	}
	return st.src[from:to]
}

func (w *walker) add(c *Command) {
	if len(w.script.Commands) >= maxCommands {
		w.script.Whole = false
		return
	}
	w.script.Commands = append(w.script.Commands, c)
}

// changeDir returns the folder after a cd.
func changeDir(c *Command, dir string) string {
	if len(c.Wraps) > 0 {
		return dir
	}
	switch c.Name() {
	case "cd", "pushd":
	case "popd":
		return Unknown
	default:
		return dir
	}
	target := "~"
	for _, w := range c.Words[1:] {
		if strings.HasPrefix(w.Text, "-") && w.Text != "-" {
			continue
		}
		if !w.Known || w.Text == "-" {
			return Unknown
		}
		target = w.Text
		break
	}
	switch {
	case strings.HasPrefix(target, "/") || strings.HasPrefix(target, "~"):
		return path.Clean(target)
	case dir == Unknown:
		return Unknown
	case dir == "":
		if target = path.Clean(target); target == "." {
			return ""
		}
		return Unknown + "/" + target
	}
	return path.Join(dir, target)
}
