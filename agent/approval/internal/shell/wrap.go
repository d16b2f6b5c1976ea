package shell

import (
	"slices"
	"strings"
)

// wrapper tells how a program that runs another one is called.
type wrapper struct {
	takes  string   // short options that take the next word
	long   []string // long options that take the next word
	skip   int      // words before the command (timeout's duration)
	assign bool     // NAME=value may stand before it
	remote bool
	// until names the word behind which the command begins.
	until []string
}

// wrappers by name. Options are those of the manuals.
var wrappers = map[string]wrapper{
	"sudo":     {takes: "ugpCRThrtD", long: []string{"--user", "--group", "--prompt", "--host", "--close-from", "--chdir", "--chroot", "--role", "--type", "--command-timeout", "--other-user"}, assign: true},
	"doas":     {takes: "uC"},
	"env":      {takes: "uCS", long: []string{"--unset", "--chdir"}, assign: true},
	"nice":     {takes: "n", long: []string{"--adjustment"}},
	"ionice":   {takes: "cnpPu", long: []string{"--class", "--classdata"}},
	"chrt":     {takes: "TPD", skip: 1},
	"taskset":  {skip: 1},
	"timeout":  {takes: "ks", long: []string{"--kill-after", "--signal"}, skip: 1},
	"gtimeout": {takes: "ks", long: []string{"--kill-after", "--signal"}, skip: 1},
	"nohup":    {}, "setsid": {}, "command": {}, "builtin": {}, "time": {takes: "fo"},
	"exec":       {takes: "a"},
	"stdbuf":     {takes: "ioe"},
	"busybox":    {},
	"toybox":     {},
	"unbuffer":   {},
	"caffeinate": {takes: "tw"},
	"strace":     {takes: "eoOpsSuPEabX"},
	"ltrace":     {takes: "eoOpsSunaF"},
	"chroot":     {skip: 1, long: []string{"--userspec", "--groups"}},
	"unshare":    {takes: "RwSGl"},
	"nsenter":    {takes: "tSG"},
	"setpriv":    {},
	"flock":      {takes: "wE", skip: 1},
	"xargs":      {takes: "aEeIiLlnPsd", long: []string{"--arg-file", "--delimiter", "--eof", "--replace", "--max-lines", "--max-args", "--max-procs", "--max-chars"}},
	"parallel":   {takes: "jaSINnLP", long: []string{"--jobs", "--arg-file"}},
	"watch":      {takes: "nq", long: []string{"--interval"}},
	"npx":        {takes: "p", long: []string{"--package"}},
	"bunx":       {}, "pnpx": {}, "uvx": {},
	"uv":      {until: []string{"run"}, takes: "p", long: []string{"--with", "--python", "--project", "--directory", "--env-file"}},
	"poetry":  {until: []string{"run"}},
	"pipenv":  {until: []string{"run"}},
	"pdm":     {until: []string{"run"}},
	"rye":     {until: []string{"run"}},
	"conda":   {until: []string{"run"}, takes: "np"},
	"bundle":  {until: []string{"exec"}},
	"docker":  {until: []string{"exec", "run"}, remote: true},
	"podman":  {until: []string{"exec", "run"}, remote: true},
	"kubectl": {until: []string{"exec"}, remote: true},
	"ssh":     {takes: "bcDEeFIiJLlmOopQRSWw", skip: 1, remote: true},
}

// run adds a command, after taking off the programs that only start it, and
// the commands that it would run in turn.
func (w *walker) run(c *Command, st state) {
	c.Wraps = append([]string(nil), st.wraps...)
	for range 2 * maxDepth {
		name := c.Name()
		wr, ok := wrappers[name]
		if !ok || !w.unwrap(c, name, wr, st) {
			break
		}
	}
	w.add(c)
	if st.depth >= maxDepth {
		w.script.Whole = w.script.Whole && len(scripts(c)) == 0
		return
	}
	st.wraps, st.remote = c.Wraps, c.Remote
	for _, words := range started(c) {
		inner := &Command{
			Words: words, Upstream: c.Upstream, Source: c.Source, Pipeline: c.Pipeline, Dir: c.Dir, Remote: c.Remote, Depth: c.Depth + 1,
		}
		deeper := st
		deeper.depth++
		deeper.wraps = append(append([]string(nil), c.Wraps...), c.Name())
		w.run(inner, deeper)
	}
	for _, text := range scripts(c) {
		w.text(text, c, st)
	}
}

// text reads a script that a command is given as text.
func (w *walker) text(text string, c *Command, st state) {
	if w.nested += len(text); w.nested > maxNested {
		w.script.Whole = false
		return
	}
	f, err := parse(text)
	if err != nil {
		return // the patterns look at it as a part of the whole
	}
	inner := st.apart()
	inner.depth++
	inner.dir = c.Dir
	inner.wraps = nil
	inner.pipeline = ""
	inner.upstream = c.Upstream
	w.file(f, text, inner)
}

// unwrap takes one program off the front; false when it starts nothing.
func (w *walker) unwrap(c *Command, name string, wr wrapper, st state) bool {
	rest := c.Words[1:]
	if len(wr.until) > 0 {
		at := behind(name, rest, wr)
		if at < 0 {
			return false
		}
		rest = rest[at:]
	}
	options, rest := takeOptions(rest, wr)
	if name == "command" && hasShort(options, "vV") {
		return false
	}
	if wr.remote && name != "ssh" {
		rest = container(name, rest)
	} else {
		rest = rest[min(wr.skip, len(rest)):]
	}
	for wr.assign && len(rest) > 0 && isAssign(rest[0].Text) {
		rest = rest[1:]
	}
	switch name {
	case "sudo", "doas":
		c.SudoOptions = append(c.SudoOptions, options...)
	case "env":
		w.splitString(c, options, rest, st)
	}
	if len(rest) == 0 {
		return false
	}
	c.Wraps = append(c.Wraps, name)
	c.Remote = c.Remote || wr.remote
	if name == "ssh" || name == "watch" || name == "parallel" && len(rest) == 1 {
		// The words are joined and given to a shell.
		st.remote = c.Remote
		w.text(join(rest), c, st)
	}
	c.Words = rest
	return true
}

// behind returns where the command begins that a subcommand starts (docker
// exec, uv run), -1 when there is no such subcommand.
func behind(name string, words []Word, wr wrapper) int {
	// Containers have options with values before the subcommand, and groups of
	// subcommands (docker container exec, docker compose run).
	containers := name == "docker" || name == "podman" || name == "kubectl"
	for i, word := range words {
		if strings.HasPrefix(word.Text, "-") {
			continue
		}
		if slices.Contains(wr.until, word.Text) {
			return i + 1
		}
		group := word.Text == "container" || word.Text == "compose" || name == "kubectl"
		value := i > 0 && strings.HasPrefix(words[i-1].Text, "-")
		if !containers || i > 8 || !group && !value {
			return -1
		}
	}
	return -1
}

// splitString reads the commands of env -S.
func (w *walker) splitString(c *Command, options, rest []Word, st state) {
	for i, o := range options {
		text, found := strings.CutPrefix(o.Text, "--split-string=")
		if !found {
			if text, found = strings.CutPrefix(strings.TrimPrefix(o.Text, "-v"), "-S"); !found {
				text, found = strings.CutPrefix(o.Text, "-vS")
			}
			if found && text == "" && i+1 < len(options) {
				text = options[i+1].Text
			}
		}
		if found {
			w.text(strings.TrimSpace(text+" "+join(rest)), c, st)
		}
	}
}

func join(words []Word) string {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = word.Text
	}
	return strings.Join(texts, " ")
}

// takeOptions splits words into leading options, with what they take, and the
// rest.
func takeOptions(words []Word, wr wrapper) (options, rest []Word) {
	i := 0
	for i < len(words) {
		t := words[i].Text
		if t == "--" {
			i++
			break
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			break
		}
		options = append(options, words[i])
		i++
		takes := false
		if strings.HasPrefix(t, "--") {
			for _, l := range wr.long {
				takes = takes || t == l
			}
		} else if at := strings.IndexAny(t[1:], wr.takes); wr.takes != "" && at >= 0 {
			takes = at == len(t)-2 // else the value is attached
		}
		if takes && i < len(words) {
			options = append(options, words[i])
			i++
		}
	}
	return options, words[i:]
}

// container skips the options and the name of a container or pod.
func container(name string, rest []Word) []Word {
	if name == "kubectl" {
		for i, w := range rest {
			if w.Text == "--" {
				return rest[i+1:]
			}
		}
	}
	i := 0
	for i < len(rest) && strings.HasPrefix(rest[i].Text, "-") {
		t := rest[i].Text
		i++
		// Options of docker run and exec that stand alone; the others take a
		// value.
		alone := strings.Contains(t, "=") || (!strings.HasPrefix(t, "--") && strings.Trim(t[1:], "itdP") == "") ||
			t == "--rm" || t == "--init" || t == "--privileged" || t == "--detach" || t == "--interactive" || t == "--tty" || t == "--read-only" || t == "--no-healthcheck" || t == "--publish-all"
		if !alone && i < len(rest) {
			i++
		}
	}
	i = min(i+1, len(rest))
	return rest[i:]
}

func hasShort(options []Word, letters string) bool {
	for _, o := range options {
		if strings.HasPrefix(o.Text, "-") && !strings.HasPrefix(o.Text, "--") && strings.ContainsAny(o.Text[1:], letters) {
			return true
		}
	}
	return false
}

func isAssign(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}
