// Package shell lists the commands that a shell command line would run: those
// that are written down plainly, and those inside quotes, substitutions,
// here-documents, `sh -c` strings, `find -exec`, xargs and the like. It reads;
// it runs nothing. What only a running shell can know stays in the words as it
// was written.
package shell

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits that bound the work for one command line, however it is built.
const (
	maxDepth    = 12      // scripts inside scripts
	maxCommands = 20_000  // commands in all
	maxNested   = 512_000 // bytes of scripts inside scripts
	maxNesting  = 2000    // brackets inside brackets
	loopItems   = 16      // words of a for loop that are followed
	maxSteps    = 60_000  // statements that are read, those of a loop each time
	maxExpanded = 256_000 // bytes of values put in place of variables
)

// ErrSyntax says that the text is no shell script that can be read.
var ErrSyntax = errors.New("not a readable shell script")

// Word is one argument after quotes are removed and what is known is expanded.
type Word struct {
	Text string
	// Known is false when a part is only known when the shell runs: that part
	// stands in Text as it is written ($NAME), or as Unknown.
	Known bool
	// Procs are the commands of a process substitution in the word.
	Procs []*Command
	// Substs are the commands of command substitutions in the word.
	Substs []*Command
}

// Unknown stands in a Word for the output of a command.
const Unknown = "\x00"

// Redirect is a redirection of a command or a group of commands.
type Redirect struct {
	Target Word
	Write  bool   // into Target
	Read   bool   // from Target
	Body   string // of a here-document or here-string
	Here   bool   // there is a Body
}

// Command is one simple command, without the programs that only start it.
type Command struct {
	// Words begin with the program; empty for a redirection alone.
	Words []Word
	// Wraps are the programs that start it, outermost first (sudo, xargs).
	Wraps []string
	// Options are the words that belong to sudo and its like.
	SudoOptions []Word
	Redirects   []Redirect
	// Upstream are the commands whose output it reads.
	Upstream []*Command
	// Source is its text, as far as it is written in one place.
	Source string
	// Pipeline is the text of the pipeline that it is a part of, "" for none.
	Pipeline string
	// Dir is the working folder as far as cd tells: "" for where the shell is,
	// Unknown for somewhere else.
	Dir string
	// Remote says that it runs on another machine or in a container.
	Remote bool
	// Background says that the shell does not wait for it.
	Background bool
	// Depth counts the scripts around it; 0 is the command line itself.
	Depth int
	call  *syntax.CallExpr
}

// Name is the program in lower case, without its folder; empty when there is
// none or it is unknown.
func (c *Command) Name() string {
	if len(c.Words) == 0 {
		return ""
	}
	return program(c.Words[0].Text)
}

// Args are the texts of the words behind the program.
func (c *Command) Args() []string {
	if len(c.Words) == 0 {
		return nil
	}
	out := make([]string, len(c.Words)-1)
	for i, w := range c.Words[1:] {
		out[i] = w.Text
	}
	return out
}

// Under reports whether program starts the command.
func (c *Command) Under(name string) bool {
	for _, w := range c.Wraps {
		if w == name {
			return true
		}
	}
	return false
}

// Func is a function that a script declares.
type Func struct {
	Name string
	// Forks says that its body runs it twice at once, in the background.
	Forks bool
}

// Script is what Parse found.
type Script struct {
	Commands []*Command
	Funcs    []Func
	// Whole is false when a limit was reached: there may be more commands.
	Whole bool
	// Inert holds the spans of the command line that are only shown, searched
	// for or kept as a message, and never run.
	Inert []Span
	// Exact holds the spans of commands that are understood in every detail, by
	// program.
	Exact map[string][]Span
	// Bodies holds the spans of here-documents that no shell reads.
	Bodies []Span
}

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Parse reads a command line. It fails with ErrSyntax for text that a shell
// would not take either, or that is nested too deeply to be followed.
func Parse(command string) (s *Script, err error) {
	f, err := parse(command)
	if err != nil {
		return nil, err
	}
	w := &walker{script: &Script{Whole: true, Exact: map[string][]Span{}}}
	w.file(f, command, state{vars: map[string]string{}})
	w.markInert(command)
	return w.script, nil
}

func parse(text string) (f *syntax.File, err error) {
	if nesting(text) > maxNesting {
		return nil, ErrSyntax
	}
	defer func() {
		// The parser is not ours; a text that breaks it is unreadable.
		if recover() != nil {
			f, err = nil, ErrSyntax
		}
	}()
	f, perr := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if perr != nil {
		return nil, ErrSyntax
	}
	return f, nil
}

// nesting is how deeply brackets are nested, quotes not looked at. The parser
// takes quadratic time for thousands of them.
func nesting(text string) int {
	depth, most := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '{', '[':
			depth++
			most = max(most, depth)
		case ')', '}', ']':
			depth = max(0, depth-1)
		}
	}
	return most
}
