package shell

import (
	"path"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// split stands where an unquoted expansion separates words.
const split = "\x01"

// program is the name of a program as rules know it.
func program(word string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	if name == "." && word != "." {
		return ""
	}
	name = strings.TrimSuffix(name, ".exe")
	if strings.ContainsAny(name, "*?[") {
		// /bin/r? runs what the pattern finds.
		for _, known := range []string{"rm", "dd", "sh", "bash", "reboot", "shutdown", "mkfs", "kill"} {
			if ok, _ := path.Match(name, known); ok {
				return known
			}
		}
	}
	return name
}

// fields are the words that the shell would make of xs.
func (w *walker) fields(xs []*syntax.Word, st state) []Word {
	out := make([]Word, 0, len(xs))
	for _, x := range xs {
		for _, y := range braces(x) {
			word := w.word(y, st)
			if !strings.Contains(word.Text, split) {
				out = append(out, word)
				continue
			}
			for _, part := range strings.Split(word.Text, split) {
				if part != "" {
					out = append(out, Word{Text: part, Known: word.Known, Procs: word.Procs, Substs: word.Substs})
				}
			}
		}
	}
	return out
}

// maxBraces bounds the words that one word with braces becomes.
const maxBraces = 64

// braces expands {a,b} in a word, where that is few words.
func braces(x *syntax.Word) []*syntax.Word {
	n := 0
	for _, p := range x.Parts {
		if l, ok := p.(*syntax.Lit); ok {
			n += strings.Count(l.Value, "{") + strings.Count(l.Value, ",")
			if strings.Contains(l.Value, "..") {
				return []*syntax.Word{x}
			}
		}
	}
	if n < 2 || n > 24 {
		return []*syntax.Word{x}
	}
	y := *x
	if !syntax.SplitBraces(&y) {
		return []*syntax.Word{x}
	}
	var out []*syntax.Word
	for w, err := range expand.BracesSeq(nil, &y) {
		if err != nil || len(out) == maxBraces {
			return []*syntax.Word{x}
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return []*syntax.Word{x}
	}
	return out
}

// word expands what is known of x.
func (w *walker) word(x *syntax.Word, st state) Word {
	if x == nil {
		return Word{Known: true}
	}
	b := &builder{w: w, st: st, out: Word{Known: true}}
	for _, p := range x.Parts {
		b.part(p, false)
	}
	b.out.Text = b.text.String()
	return b.out
}

type builder struct {
	w    *walker
	st   state
	text strings.Builder
	out  Word
}

func (b *builder) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.text.WriteString(unescape(p.Value, quoted))
	case *syntax.SglQuoted:
		if p.Dollar {
			b.text.WriteString(ansiC(p.Value))
		} else {
			b.text.WriteString(p.Value)
		}
	case *syntax.DblQuoted:
		for _, in := range p.Parts {
			b.part(in, true)
		}
	case *syntax.ParamExp:
		b.param(p, quoted)
	case *syntax.CmdSubst:
		b.subst(p, quoted)
	case *syntax.ProcSubst:
		b.out.Known = false
		b.out.Procs = append(b.out.Procs, b.w.sub(p.Stmts, b.st)...)
		b.text.WriteString(Unknown)
	case *syntax.ArithmExp:
		b.w.inner(p, b.st)
		b.out.Known = false
		b.text.WriteString(Unknown)
	case *syntax.ExtGlob:
		b.text.WriteString(p.Op.String() + p.Pattern.Value + ")")
	default:
		b.out.Known = false
		b.text.WriteString(Unknown)
	}
}

// expanded writes the value of an expansion, which separates words at blanks
// unless it is quoted.
func (b *builder) expanded(value string, quoted bool) {
	if !quoted {
		value = strings.Map(func(r rune) rune {
			if r == ' ' || r == '\t' || r == '\n' {
				return rune(split[0])
			}
			return r
		}, value)
	}
	b.text.WriteString(value)
}

func (b *builder) param(p *syntax.ParamExp, quoted bool) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	if p.Index != nil || p.Length || p.Width || p.Excl || p.Slice != nil || p.Repl != nil || p.Names != 0 {
		b.w.inner(p, b.st)
		b.unknown(name)
		return
	}
	value, known := b.st.vars[name]
	switch name {
	case "HOME":
		value, known = "~", true
	case "HERMES_HOME":
		value, known = "~/.hermes", true
	case "PWD":
		value, known = ".", b.st.dir != Unknown
	case "IFS":
		value, known = " ", true
	}
	if e := p.Exp; e != nil {
		word := b.w.word(e.Word, b.st)
		b.out.Substs = append(b.out.Substs, word.Substs...)
		switch e.Op {
		case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
			if !known {
				value, known = word.Text, word.Known
			}
		case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
			value, known = word.Text, word.Known
		default:
			known = known && name == "IFS"
		}
	}
	if known {
		// Values may hold themselves twice, again and again.
		b.w.expanded += len(value)
		known = b.w.expanded <= maxExpanded
		b.w.script.Whole = b.w.script.Whole && known
	}
	if !known {
		b.unknown(name)
		return
	}
	b.expanded(value, quoted)
}

func (b *builder) unknown(name string) {
	b.out.Known = false
	b.text.WriteString("$" + name)
}

func (b *builder) subst(p *syntax.CmdSubst, quoted bool) {
	cmds := b.w.sub(p.Stmts, b.st)
	b.out.Substs = append(b.out.Substs, cmds...)
	if len(cmds) == 1 && len(p.Stmts) == 1 {
		text, ok := cmds[0].Prints()
		if b.w.expanded += len(text); ok && b.w.expanded <= maxExpanded {
			b.expanded(strings.TrimRight(text, "\n"), quoted)
			return
		}
	}
	b.out.Known = false
	b.text.WriteString(Unknown)
}

// Prints returns what a command writes to its output, when it is an echo or
// printf of known words.
func (c *Command) Prints() (string, bool) {
	if len(c.Wraps) > 0 || len(c.Redirects) > 0 || len(c.Words) == 0 {
		return "", false
	}
	for _, w := range c.Words {
		if !w.Known {
			return "", false
		}
	}
	args := c.Args()
	switch c.Name() {
	case "echo":
		escapes := false
		for len(args) > 0 && (args[0] == "-n" || args[0] == "-e" || args[0] == "-en" || args[0] == "-ne") {
			escapes = escapes || strings.Contains(args[0], "e")
			args = args[1:]
		}
		text := strings.Join(args, " ")
		if escapes {
			text = ansiC(text)
		}
		return text, true
	case "printf":
		if len(args) > 0 && args[0] == "--" {
			args = args[1:]
		}
		return printf(args)
	}
	return "", false
}

// printf knows %s, %b and %d alone.
func printf(args []string) (string, bool) {
	if len(args) == 0 {
		return "", false
	}
	format, args := ansiC(args[0]), args[1:]
	var out strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			out.WriteByte(format[i])
			continue
		}
		i++
		switch {
		case i == len(format):
			return "", false
		case format[i] == '%':
			out.WriteByte('%')
		case strings.IndexByte("sbd", format[i]) >= 0:
			if len(args) > 0 {
				out.WriteString(args[0])
				args = args[1:]
			}
		default:
			return "", false
		}
	}
	for _, a := range args {
		out.WriteString(" " + a) // the format is used again
	}
	return out.String(), true
}

// unescape removes the backslashes that the shell removes.
func unescape(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		next := s[i+1]
		switch {
		case next == '\n':
			i++
		case !quoted || strings.IndexByte("$`\"\\", next) >= 0:
			b.WriteByte(next)
			i++
		default:
			b.WriteByte('\\')
		}
	}
	return b.String()
}

// ansiC decodes the escapes of $'…' and printf.
func ansiC(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'e', 'E':
			b.WriteByte(27)
		case 'a', 'b', 'f', 'v':
		case 'x':
			i += code(&b, s[i+1:], 2, 16)
		case 'u':
			i += code(&b, s[i+1:], 4, 16)
		case 'U':
			i += code(&b, s[i+1:], 8, 16)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 3
			if s[i] == '0' {
				n = 4
			}
			i += code(&b, s[i:], n, 8) - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// code writes the character that up to most digits of s stand for and returns
// how many there were.
func code(b *strings.Builder, s string, most, base int) int {
	n := 0
	for n < most && n < len(s) && digit(s[n], base) {
		n++
	}
	if n == 0 {
		return 0
	}
	v, err := strconv.ParseUint(s[:n], base, 32)
	switch {
	case err != nil || v == 0:
	case most <= 4 && v < 256 && !(most == 4 && base == 16):
		b.WriteByte(byte(v))
	default:
		b.WriteRune(rune(v))
	}
	return n
}

func digit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
