package approval

import (
	"strings"

	"hermes/agent/approval/internal/shell"
)

// maxCommand is how many characters of a command are looked at; longer ones
// have to be approved (contract/core §3.1).
const maxCommand = 128_000

// Detection is what was found in a command.
type Detection struct {
	// Hardline names what is never run; empty for anything else.
	Hardline string
	// SudoStdin says that sudo would read its password from standard input.
	SudoStdin bool
	// Keys are the findings that have to be approved, each once.
	Keys []string
}

// Folders are the places that commands name in several ways.
type Folders struct {
	Home   string // the user's, absolute
	Hermes string // HERMES_HOME, absolute
	Cwd    string // where the command would run, absolute
}

// Detect looks at one command. It is pure, and bounded in time and memory for
// any text.
func Detect(command string, f Folders) Detection {
	if len(command) > maxCommand {
		// What lies beyond cannot be trusted, what is before it still counts.
		d := Detect(command[:maxCommand], f)
		d.Keys = add(d.Keys, keyTooLong)
		return d
	}
	text := f.fold(command)
	script, err := shell.Parse(text)
	if err != nil {
		return textOnly(text)
	}
	j := &judge{f: f, script: script}
	masked := mask(text, script.Inert)
	for _, c := range script.Commands {
		j.command(c)
	}
	for _, fn := range script.Funcs {
		if fn.Forks {
			j.hard(hardFork)
		}
	}
	if !script.Whole {
		j.found(nil, keyTooLong)
	}
	d := Detection{Hardline: j.hardline, SudoStdin: j.sudo}
	if d.Hardline == "" {
		text := masked
		if !runsFiles(script) {
			text = mask(masked, script.Bodies)
		}
		d.Hardline = first(hardline(), text)
	}
	if key := byText(masked, script); key != "" {
		d.Keys = add(d.Keys, key)
	}
	for _, key := range j.keys {
		d.Keys = add(d.Keys, key)
	}
	return d
}

// runsFiles reports whether a script runs a file that it may have written
// itself.
func runsFiles(script *shell.Script) bool {
	for _, c := range script.Commands {
		if len(c.Words) == 0 {
			continue
		}
		if n := c.Name(); c.IsShell() || n == "source" || n == "." || strings.Contains(c.Words[0].Text, "/") || !c.Words[0].Known {
			return true
		}
	}
	return false
}

// Warm compiles what Detect needs, so that the first command does not wait for
// it (about 2 ms).
func Warm() { Detect("true", Folders{}) }

// textOnly judges what no shell could read either. Quotes and backslashes that
// may hide a word are taken out for a second look.
func textOnly(text string) Detection {
	plain := strings.NewReplacer(`\`, "", `'`, "", `"`, "", "${IFS}", " ", "$IFS", " ").Replace(text)
	d := Detection{SudoStdin: sudoGuard().MatchString(text) || sudoGuard().MatchString(plain)}
	for _, t := range []string{text, plain} {
		if d.Hardline == "" {
			d.Hardline = first(hardline(), t)
		}
		if key := first(dangerous(), t); key != "" {
			d.Keys = add(d.Keys, key)
		} else if key := first(unparsed(), t); key != "" {
			d.Keys = add(d.Keys, key)
		}
	}
	return d
}

// byText is the first pattern that fits a command line whose data is blanked.
func byText(masked string, script *shell.Script) string {
	exact := map[string]string{}
	lower := strings.ToLower(masked)
	for _, p := range dangerous() {
		text := masked
		if p.exact != "" {
			if _, ok := exact[p.exact]; !ok {
				exact[p.exact] = mask(masked, script.Exact[p.exact])
			}
			text = exact[p.exact]
		}
		if p.fits(text, lower) {
			return p.key
		}
	}
	return ""
}

// mask blanks spans of text with a letter that no pattern takes for a path,
// an option or an operator.
func mask(text string, spans []shell.Span) string {
	if len(spans) == 0 {
		return text
	}
	b := []byte(text)
	for _, s := range spans {
		for i := max(0, s.From); i < min(s.To, len(b)); i++ {
			b[i] = '_'
		}
	}
	return string(b)
}

func add(keys []string, key string) []string {
	for _, k := range keys {
		if k == key {
			return keys
		}
	}
	return append(keys, key)
}

// fold writes the user's folders as ~ and ~/.hermes, and joins continued lines.
func (f Folders) fold(command string) string {
	s := strings.ReplaceAll(command, "\\\n", "")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = foldPath(s, f.Hermes, "~/.hermes")
	s = foldPath(s, f.Home, "~")
	for _, name := range []string{"${HERMES_HOME}", "$HERMES_HOME"} {
		s = foldPath(s, name, "~/.hermes")
	}
	for _, name := range []string{"${HOME}", "$HOME"} {
		s = foldPath(s, name, "~")
	}
	return s
}

// foldPath replaces a folder where it is not the beginning of a longer name.
func foldPath(s, dir, short string) string {
	dir = strings.TrimRight(dir, "/")
	if len(dir) < 2 || !strings.Contains(s, dir) {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, dir)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		rest := s[i+len(dir):]
		if (rest == "" || !nameByte(rest[0])) && (i == 0 || dir[0] == '$' || !nameByte(s[i-1])) {
			b.WriteString(short)
		} else {
			b.WriteString(dir)
		}
		s = rest
	}
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
