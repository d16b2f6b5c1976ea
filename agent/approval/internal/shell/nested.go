package shell

import (
	"slices"
	"strings"
)

// shells read a script from -c, from a file, or from their input.
var shells = set("sh bash zsh ksh dash ash mksh fish csh tcsh rbash hush oksh yash")

// IsShell reports whether the command is a shell.
func (c *Command) IsShell() bool { return shells[c.Name()] }

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// ShellCall is how a shell is started.
type ShellCall struct {
	C      bool   // with -c
	Script string // its argument
	File   string // the script file, empty for none
	Stdin  bool   // it reads its script from its input
}

// AsShell reads the options of a shell.
func (c *Command) AsShell() ShellCall {
	var s ShellCall
	args := c.Words[1:]
	stdin := false
	for len(args) > 0 {
		t := args[0].Text
		if t == "--" || t == "-" {
			args = args[1:]
			break
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			break
		}
		args = args[1:]
		switch {
		case t == "--rcfile" || t == "--init-file" || t == "-o" || t == "+o" || t == "-O" || t == "+O":
			args = args[min(1, len(args)):]
		case t == "--command":
			s.C = true
		case strings.HasPrefix(t, "--"):
		default:
			s.C = s.C || strings.Contains(t[1:], "c")
			stdin = stdin || strings.Contains(t[1:], "s")
			if strings.ContainsAny(t[1:], "oO") {
				args = args[min(1, len(args)):]
			}
		}
	}
	switch {
	case s.C && len(args) > 0:
		s.Script = args[0].Text
	case s.C:
	case stdin || len(args) == 0:
		s.Stdin = true
	default:
		s.File = args[0].Text
		s.Stdin = s.File == "/dev/stdin" || s.File == "/proc/self/fd/0" || s.File == "/dev/fd/0"
	}
	return s
}

// scripts are the texts that a command hands to a shell.
func scripts(c *Command) []string {
	var out []string
	args := c.Args()
	switch name := c.Name(); {
	case shells[name]:
		s := c.AsShell()
		if s.Script != "" {
			out = append(out, s.Script)
		}
		if s.Stdin {
			out = append(out, c.input()...)
		}
	case name == "eval":
		out = append(out, strings.Join(args, " "))
	case name == "su" || name == "runuser" || name == "script" || name == "flock":
		for i, a := range args {
			if v, ok := strings.CutPrefix(a, "--command="); ok {
				out = append(out, v)
			} else if (a == "--command" || (strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "c"))) && i+1 < len(args) {
				out = append(out, args[i+1])
			}
		}
	case name == "git":
		out = append(out, gitScripts(args)...)
	case name == "trap":
		if len(args) > 1 {
			out = append(out, args[0])
		}
	case IsAwk(name):
		for _, a := range args {
			if RunsShell(a) {
				out = append(out, literals(a)...)
			}
		}
	case name == "source" || name == ".":
		if len(args) > 0 && args[0] == "/dev/stdin" {
			out = append(out, c.input()...)
		}
	}
	return out
}

// gitScripts are the texts that git hands to a shell: rebase -x, submodule
// foreach.
func gitScripts(args []string) []string {
	var out []string
	for i, a := range args {
		switch {
		case (a == "-x" || a == "--exec") && i+1 < len(args) && slices.Contains(args[:i], "rebase"):
			out = append(out, args[i+1])
		case strings.HasPrefix(a, "--exec=") && slices.Contains(args[:i], "rebase"):
			out = append(out, a[len("--exec="):])
		case a == "foreach" && slices.Contains(args[:i], "submodule"):
			rest := args[i+1:]
			for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
				rest = rest[1:]
			}
			return append(out, strings.Join(rest, " "))
		}
	}
	return out
}

// input is what the command reads, as far as it is written down: a
// here-document, or what the command before it prints.
func (c *Command) input() []string {
	var out []string
	for _, r := range c.Redirects {
		if r.Here {
			out = append(out, r.Body)
		}
	}
	if len(c.Upstream) == 1 {
		u := c.Upstream[0]
		if text, ok := u.Prints(); ok {
			out = append(out, text)
		}
		if u.Name() == "cat" && len(u.Words) == 1 {
			for _, r := range u.Redirects {
				if r.Here {
					out = append(out, r.Body)
				}
			}
		}
	}
	return out
}

// started are the commands that a command starts, word by word.
func started(c *Command) [][]Word {
	var out [][]Word
	switch c.Name() {
	case "find", "gfind", "fd", "fdfind":
		words := c.Words[1:]
		for i := 0; i < len(words); i++ {
			switch words[i].Text {
			case "-exec", "-execdir", "-ok", "-okdir":
			case "-x", "-X", "--exec", "--exec-batch":
				if c.Name() == "find" || c.Name() == "gfind" {
					continue
				}
			default:
				continue
			}
			from := i + 1
			for i++; i < len(words) && words[i].Text != ";" && words[i].Text != "+"; i++ {
			}
			if from < i {
				out = append(out, words[from:min(i, len(words))])
			}
		}
	case "git":
		// submodule foreach runs its words in a shell; bisect run as they are.
		words := c.Words
		for i := 1; i+2 < len(words); i++ {
			if words[i].Text == "bisect" && words[i+1].Text == "run" {
				out = append(out, words[i+2:])
			}
		}
	}
	return out
}

// IsAwk reports whether name is an awk.
func IsAwk(name string) bool {
	return name == "awk" || name == "gawk" || name == "mawk" || name == "nawk" || name == "original-awk"
}

// RunsShell reports whether an awk program starts commands: by system(), or by
// a pipe to or from a command.
func RunsShell(program string) bool {
	code, _ := awkCode(program)
	for rest := code; ; {
		i := strings.Index(rest, "system")
		if i < 0 {
			break
		}
		if after := strings.TrimLeft(rest[i+6:], " \t"); strings.HasPrefix(after, "(") && (i == 0 || !wordByte(rest[i-1])) {
			return true
		}
		rest = rest[i+6:]
	}
	for i := 0; i < len(code); i++ {
		if code[i] != '|' {
			continue
		}
		if i+1 < len(code) && code[i+1] == '|' {
			i++
			continue
		}
		if !strings.HasPrefix(strings.TrimLeft(code[i+1:], " "), harmless) {
			return true // awk has no other use for one bar
		}
	}
	return false
}

// awkCode is an awk program without the insides of its strings, regular
// expressions and comments; the strings follow apart.
func awkCode(program string) (code string, strs []string) {
	var b strings.Builder
	last := byte('\n') // last byte of code that is no blank
	for i := 0; i < len(program); i++ {
		c := program[i]
		switch {
		case c == '#':
			for i < len(program) && program[i] != '\n' {
				i++
			}
			continue
		case c == '"' || (c == '/' && strings.IndexByte("(,~!{};\n&|", last) >= 0):
			from := i + 1
			for i++; i < len(program) && program[i] != c && program[i] != '\n'; i++ {
				if program[i] == '\\' {
					i++
				}
			}
			text := program[from:min(i, len(program))]
			if c == '"' {
				strs = append(strs, ansiC(text))
			}
			if c == '"' && filter(text) {
				b.WriteString(harmless)
			} else {
				b.WriteString(`""`)
			}
			last = '"'
			continue
		}
		b.WriteByte(c)
		if c != ' ' && c != '\t' {
			last = c
		}
	}
	return b.String(), strs
}

// harmless stands in awkCode for the name of a program that only passes text
// on: print | "sort" is an everyday line.
const harmless = `"s"`

// filter reports whether a command is one plain call of such a program.
func filter(command string) bool {
	words := strings.Fields(command)
	return len(words) > 0 && filters[words[0]] && !strings.ContainsAny(command, ";|&<>`$()\\\n")
}

func literals(program string) []string {
	_, strs := awkCode(program)
	return strs
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
