package approval

import (
	"regexp"
	"slices"
	"strings"

	"hermes/agent/approval/internal/shell"
)

var (
	fetchers = map[string]bool{"curl": true, "wget": true, "fetch": true, "http": true, "https": true, "xh": true, "aria2c": true, "lynx": true}
	decoders = map[string]string{
		"base64": keyPipeDecoded, "base32": keyPipeDecoded, "xxd": keyPipeXxd, "tr": keyPipeTr, "openssl": keyPipeOpenssl,
		"rev": keyPipeDecoded, "gunzip": keyPipeDecoded, "zcat": keyPipeDecoded, "gzip": keyPipeDecoded, "uudecode": keyPipeDecoded, "basenc": keyPipeDecoded,
	}
)

// piped is the key for running what the commands print, "" when there are
// none.
func piped(up []*shell.Command, otherwise string) string {
	key := ""
	for _, u := range up {
		switch name := u.Name(); {
		case fetchers[name]:
			return keyPipeRemote
		case decoders[name] != "":
			key = decoders[name]
		case key == "":
			key = otherwise
		}
	}
	return key
}

func ruleShell(j *judge, c *shell.Command) {
	s := c.AsShell()
	if s.C {
		if !c.Remote {
			j.found(c, keyShellFlag)
		}
		return // its script is judged by itself
	}
	for _, r := range c.Redirects {
		switch {
		case r.Here && s.Stdin:
			j.found(c, keyShellHeredoc)
		case r.Read && s.Stdin && len(r.Target.Procs) > 0:
			j.found(c, processKey(r.Target.Procs))
		}
	}
	for _, w := range c.Words[1:] {
		if len(w.Procs) > 0 {
			j.found(c, processKey(w.Procs))
		}
	}
	if s.Stdin && len(c.Upstream) > 0 {
		j.found(c, piped(c.Upstream, keyPipeShell))
	}
}

// processKey is the key of a script that comes out of <(…).
func processKey(cmds []*shell.Command) string {
	if piped(cmds, "") == keyPipeRemote {
		return keyProcRemote
	}
	return keyPipeShell
}

// ruleEval is for eval, source and the dot.
func ruleEval(j *judge, c *shell.Command, _ []string) {
	for _, w := range c.Words[1:] {
		if piped(w.Substs, "") == keyPipeRemote {
			j.found(c, keySubstRemote)
		}
		if piped(w.Procs, "") == keyPipeRemote {
			j.found(c, keyProcRemote)
		}
	}
}

// interpreter says how a program takes a script as an argument.
type interpreter struct {
	names func() *regexp.Regexp
	short string   // options that are followed by a script
	long  []string // the same
	takes string   // other short options that take the next word or what is attached
	other []string // long options that take the next word
	stops string   // options behind which all words belong to a program
	sub   string   // or a word that does it: deno eval
}

var interpreters = []interpreter{
	{names: lazy(`^(?:python[\d.]*|pypy[\d.]*|ipython\d?|py)$`), short: "c", takes: "WXQ", other: []string{"--check-hash-based-pycs"}, stops: "m"},
	{names: lazy(`^(?:node|nodejs)$`), short: "ep", long: []string{"--eval", "--print"}, takes: "rC", other: []string{"--require", "--import", "--loader", "--conditions", "--title", "--cpu-prof-dir", "--diagnostic-dir", "--icu-data-dir", "--openssl-config", "--env-file"}},
	{names: lazy(`^perl[\d.]*$`), short: "eE", takes: "mMIx0FlDCi"},
	{names: lazy(`^ruby[\d.]*$`), short: "e", takes: "rIECFKi0"},
	{names: lazy(`^php[\d.]*$`), short: "r", takes: "cdzfBE"},
	{names: lazy(`^(?:lua[\d.]*|luajit|osascript|rscript|bun|tsx)$`), short: "e", long: []string{"--eval"}, takes: "l"},
	{names: lazy(`^deno$`), sub: "eval"},
}

// attached are options whose value is only ever attached: perl -i.bak is one
// word, -0777 and -l are too.
const attached = "0liCDFx"

// script reports whether the arguments hold a script, and whether the program
// reads one from its input.
func (in interpreter) script(args []string) (given, stdin bool) {
	if in.sub != "" {
		return len(args) > 0 && args[0] == in.sub, false
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-":
			return false, true
		case a == "--":
			return false, i+1 == len(args)
		case strings.HasPrefix(a, "--"):
			name, _, valued := strings.Cut(a, "=")
			if slices.Contains(in.long, name) {
				return true, false
			}
			if !valued && slices.Contains(in.other, name) {
				i++
			}
		case len(a) > 1 && a[0] == '-':
		letters:
			for k := 1; k < len(a); k++ {
				switch {
				case strings.IndexByte(in.short, a[k]) >= 0:
					return true, false
				case strings.IndexByte(in.stops, a[k]) >= 0:
					return false, false
				case strings.IndexByte(in.takes, a[k]) >= 0:
					if k == len(a)-1 && strings.IndexByte(attached, a[k]) < 0 {
						i++
					}
					if strings.IndexByte("0l", a[k]) >= 0 {
						continue // digits, then more letters
					}
					break letters
				}
			}
		default:
			return false, false
		}
	}
	return false, true
}

func ruleInterpreter(j *judge, c *shell.Command, name string) {
	if name == "powershell" || name == "pwsh" {
		for _, a := range c.Args() {
			switch strings.ToLower(a) {
			case "-command", "-c", "-file", "-f":
				j.found(c, keyScriptFlag)
			}
		}
		return
	}
	for _, in := range interpreters {
		if !in.names().MatchString(name) {
			continue
		}
		given, stdin := in.script(c.Args())
		if given {
			j.found(c, keyScriptFlag)
			return
		}
		for _, r := range c.Redirects {
			if r.Here && stdin {
				j.found(c, keyScriptHeredoc)
			}
		}
		for _, w := range c.Words[1:] {
			if piped(w.Procs, "") == keyPipeRemote {
				j.found(c, keyProcRemote)
			}
		}
		if stdin && len(c.Upstream) > 0 {
			j.found(c, piped(c.Upstream, keyPipeScript))
		}
	}
}

// viaOption is the option by which a program that only reads runs another.
func viaOption(name string, args []string) string {
	var long []string
	short := ""
	switch name {
	case "rg":
		long = []string{"--pre", "--hostname-bin"}
	case "sort":
		long = []string{"--compress-program"}
	case "ag":
		long = []string{"--pager"}
	case "man":
		long, short = []string{"--pager", "--html"}, "PH"
	default:
		return ""
	}
	for _, a := range args {
		if a == "--" {
			return ""
		}
		opt, _, _ := strings.Cut(a, "=")
		if slices.Contains(long, opt) {
			return opt
		}
		if len(a) > 1 && a[0] == '-' && a[1] != '-' && strings.IndexByte(short, a[1]) >= 0 {
			return a[:2]
		}
	}
	return ""
}

func ruleTar(j *judge, c *shell.Command, args []string) {
	for i, a := range args {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		if strings.HasPrefix(a, "--checkpoint-action=exec") || a == "--checkpoint-action" && strings.HasPrefix(next, "exec") {
			j.keys = add(j.keys, keyProgramVia+"tar --checkpoint-action")
		}
		if strings.HasPrefix(a, "--to-command") {
			j.keys = add(j.keys, keyProgramVia+"tar --to-command")
		}
	}
}

var vimBang = lazy(`(?:^|\|)\s*:?\s*(?:silent!?\s+)?(?:%|\d+|\.)?!`)

func ruleVim(j *judge, c *shell.Command, args []string) {
	for i, a := range args {
		cmd := strings.TrimPrefix(a, "+")
		if (a == "-c" || a == "--cmd") && i+1 < len(args) {
			cmd = args[i+1]
		} else if cmd == a {
			continue
		}
		if vimBang().MatchString(cmd) {
			j.keys = add(j.keys, keyProgramVia+c.Name()+" -c")
		}
	}
}

// ruleNetcat is for nc -e and -c, which give a program to the other side.
func ruleNetcat(j *judge, c *shell.Command, args []string) {
	if f := readFlags(args, "pswiXxqe"); f.has("e", "--exec", "--sh-exec") || f.has("c") {
		j.found(c, keyNetShell)
	}
}
