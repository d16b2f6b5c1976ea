package approval

import (
	"path"
	"slices"
	"strings"

	"hermes/agent/approval/internal/shell"
)

// systemFolders are never deleted whole.
var systemFolders = map[string]bool{
	"/bin": true, "/boot": true, "/etc": true, "/home": true, "/lib": true, "/root": true, "/sbin": true, "/usr": true, "/var": true,
	"/lib64": true, "/dev": true, "/proc": true, "/sys": true, "/System": true, "/Library": true, "/Users": true,
}

func ruleRm(j *judge, c *shell.Command, args []string) {
	f := readFlags(args, "")
	recursive := f.has("rR", "--recursive")
	for _, a := range f.rest {
		if why := j.whole(c, a, recursive); why != "" && !c.Remote {
			j.hard(why)
			return
		}
	}
	switch {
	case c.Under("xargs"):
		j.found(c, keyXargsRm)
	case c.Under("find") || c.Under("gfind") || c.Under("fd"):
		j.found(c, keyFindExecRm)
	case recursive && slices.ContainsFunc(f.rest, func(a string) bool { return strings.HasPrefix(a, "/") }):
		j.found(c, keyRootDelete)
	case recursive:
		j.found(c, keyRecursiveDelete)
	}
}

// whole says whether deleting a word deletes the root, a system folder or the
// user's home.
func (j *judge) whole(c *shell.Command, word string, recursive bool) string {
	p, all := word, false
	switch base := path.Base(p); {
	case p == "*" || p == ".*" || p == "." || p == "./" || p == "./*" || p == "..":
		p, all = path.Dir("./"+p), true
		if c.Dir == "" && j.f.Cwd == "" || strings.Contains(c.Dir, shell.Unknown) {
			return ""
		}
		if word == ".." {
			p = ".."
		}
	case base == "*" || base == ".*":
		p, all = strings.TrimSuffix(p, base), true
	}
	if strings.HasPrefix(p, "/") && strings.Trim(p, "/.") == "" {
		return hardRoot
	}
	if !recursive && !all {
		return ""
	}
	switch p = j.where(c, p); {
	case p == "/":
		if recursive {
			return hardRoot
		}
	case p == "~" || (j.f.Home == "" && homeFolder().ReplaceAllString(p, "") == "" && p != "" && p != "/root"):
		if recursive {
			return hardHome
		}
	case systemFolders[p]:
		if recursive {
			return hardSystem
		}
	}
	return ""
}

func ruleFind(j *judge, c *shell.Command, args []string) {
	deletes := slices.Contains(args, "-delete")
	if deletes {
		j.found(c, keyFindDelete)
	}
	for _, a := range args {
		if strings.HasPrefix(a, "-") || a == "(" || a == "!" {
			break
		}
		if why := j.whole(c, strings.TrimSuffix(a, "/")+"/*", true); why != "" && deletes && !c.Remote && !narrowed(args) {
			j.hard(why)
		}
	}
	for _, a := range args {
		if a == "-fprint" || a == "-fprintf" || a == "-fls" {
			j.found(c, keyProgramVia+"find "+a)
		}
	}
}

// narrowed reports whether find looks at names, sizes or ages, so that it does
// not delete everything.
func narrowed(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		switch a {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-mtime", "-mmin", "-atime", "-size", "-empty", "-newer", "-user", "-perm":
			return true
		}
		return false
	})
}

func ruleDD(j *judge, c *shell.Command, args []string) {
	for _, a := range args {
		if strings.HasPrefix(a, "if=") {
			j.found(c, keyDiskCopy)
		}
		if to, ok := strings.CutPrefix(a, "of="); ok {
			switch j.target(c, to) {
			case placeBlock:
				if c.Remote {
					j.found(c, keyDiskCopy)
				} else {
					j.hard(hardDD)
				}
			case placeEtc, placeCred, placeHermes:
				j.found(c, keyRedirSystem)
			}
		}
	}
}

// ruleMkfs is for programs that make a file system under another name.
func ruleMkfs(j *judge, c *shell.Command, args []string) {
	for _, a := range args {
		if j.target(c, a) == placeBlock && !c.Remote {
			j.hard(hardMkfs)
		}
	}
}

// ruleBlock is for programs that destroy what is on a disk.
func ruleBlock(j *judge, c *shell.Command, args []string) {
	for _, a := range args {
		if j.target(c, a) == placeBlock {
			j.found(c, keyBlockWrite)
		}
	}
}

func ruleTruncate(j *judge, c *shell.Command, args []string) {
	for _, a := range readFlags(args, "sor").rest {
		switch j.target(c, a) {
		case placeEtc, placeCred, placeHermes:
			j.found(c, keyRedirSystem)
		case placeBlock:
			j.found(c, keyBlockWrite)
		}
	}
}

func ruleKill(j *judge, c *shell.Command, args []string) {
	if c.Remote {
		return
	}
	signal := false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-s" || a == "-n":
			i++
			signal = true
		case a == "--":
			signal = true
		case a == "-1" && (signal || len(args) == 1):
			j.hard(hardKill)
			return
		case strings.HasPrefix(a, "-") && !signal:
			signal = true
		}
	}
	if pid := pgrepIn(c); pid {
		j.found(c, keyKillPgrep)
	}
}

// pgrepIn reports whether a word is made of processes looked up by name.
func pgrepIn(c *shell.Command) bool {
	for _, w := range c.Words[1:] {
		for _, s := range w.Substs {
			if n := s.Name(); n == "pgrep" || n == "pidof" {
				return true
			}
		}
	}
	return false
}

// ruleUpstreamKill is for pgrep x | xargs kill.
func ruleUpstreamKill(j *judge, c *shell.Command, name string) {
	if name != "kill" || !c.Under("xargs") {
		return
	}
	for _, u := range c.Upstream {
		if n := u.Name(); n == "pgrep" || n == "pidof" {
			j.found(c, keyKillPgrep)
		}
	}
}

var (
	signalKill = lazy(`(?i)^(?:9|(?:SIG)?KILL)$`)
	ownProcess = lazy(`(?i)\bhermes(?:\b|_)|\bgateway\b|\bcli\.py\b`)
)

func rulePkill(j *judge, c *shell.Command, args []string) {
	for i, a := range args {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case strings.HasPrefix(a, "-") && signalKill().MatchString(a[1:]),
			(a == "-s" || a == "--signal") && signalKill().MatchString(next),
			strings.HasPrefix(a, "--signal=") && signalKill().MatchString(a[9:]):
			j.found(c, keyForceKill)
		case !strings.HasPrefix(a, "-") && ownProcess().MatchString(a):
			j.found(c, keyKillHermes)
		}
	}
}

func ruleKillall(j *judge, c *shell.Command, args []string) {
	for i, a := range args {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch {
		case strings.HasPrefix(a, "-") && signalKill().MatchString(a[1:]):
			j.found(c, keyKillallKill)
		case (a == "-s" || a == "--signal") && signalKill().MatchString(next), strings.HasPrefix(a, "--signal=") && signalKill().MatchString(a[9:]):
			j.found(c, keyKillallSignal)
		case a == "--regexp" || (strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "r") && !signalName().MatchString(a)):
			j.found(c, keyKillallRegex)
		case !strings.HasPrefix(a, "-") && ownProcess().MatchString(a):
			j.found(c, keyKillHermes)
		}
	}
}

var signalName = lazy(`^-(?:SIG)?[A-Z]{3,}\d?$`)

func ruleShutdown(j *judge, c *shell.Command, _ []string) {
	if !c.Remote {
		j.hard(hardShutdown)
	}
}

func ruleInit(j *judge, c *shell.Command, args []string) {
	if c.Remote || len(args) == 0 || args[0] != "0" && args[0] != "6" {
		return
	}
	if c.Name() == "init" {
		j.hard(hardInit)
	} else {
		j.hard(hardTelinit)
	}
}

func ruleSystemctl(j *judge, c *shell.Command, args []string) {
	f := readFlags(args, "HMtpon")
	if len(f.rest) == 0 {
		return
	}
	switch f.rest[0] {
	case "poweroff", "reboot", "halt", "kexec":
		if !c.Remote {
			j.hard(hardSystemctl)
		}
	case "isolate":
		if !c.Remote && len(f.rest) > 1 && (strings.HasPrefix(f.rest[1], "reboot") || strings.HasPrefix(f.rest[1], "poweroff") || strings.HasPrefix(f.rest[1], "halt")) {
			j.hard(hardSystemctl)
		}
	case "stop", "restart", "disable", "mask", "kill":
		j.found(c, keyService)
	}
}

func ruleChmod(j *judge, c *shell.Command, args []string) {
	f := readFlags(args, "")
	if slices.Contains(f.long, "--reference") {
		return
	}
	mode := ""
	if len(f.rest) > 0 {
		mode = f.rest[0]
	}
	if worldWritable(mode) {
		j.found(c, keyChmod)
	}
}

var symbolicWrite = lazy(`(?:^|,)[ug]*[oa][ugoa]*[+=][rxXst]*w`)

// worldWritable reports whether a mode lets everyone write; a sticky folder is
// made for that.
func worldWritable(mode string) bool {
	if mode == "" || strings.Trim(mode, "01234567") != "" {
		return symbolicWrite().MatchString(mode)
	}
	others := mode[len(mode)-1] - '0'
	sticky := len(mode) > 3 && (mode[len(mode)-4]-'0')&1 == 1
	return others&2 != 0 && !sticky
}

func ruleChown(j *judge, c *shell.Command, args []string) {
	f := readFlags(args, "")
	if !f.has("R", "--recursive") || len(f.rest) == 0 {
		return
	}
	owner, _, _ := strings.Cut(f.rest[0], ":")
	if owner == "root" || owner == "0" {
		j.found(c, keyChown)
	}
}

// ruleSudo judges sudo's own options, not those of the program behind.
func ruleSudo(j *judge, c *shell.Command) {
	for i, o := range c.SudoOptions {
		t := o.Text
		if i > 0 {
			if prev := c.SudoOptions[i-1].Text; len(prev) == 2 && prev[0] == '-' && strings.ContainsAny(prev[1:], "ugpCRThrtD") {
				continue // a value
			}
		}
		switch {
		case t == "--stdin":
			j.sudo = true
			j.keys = add(j.keys, keySudoFlag)
		case t == "--askpass" || t == "--shell":
			j.keys = add(j.keys, keySudoFlag)
		case strings.HasPrefix(t, "--") || len(t) < 2 || t[0] != '-':
		case strings.ContainsAny(t[1:], "SAs"):
			j.sudo = j.sudo || strings.Contains(t[1:], "S")
			if len(t) == 2 {
				j.keys = add(j.keys, keySudoFlag)
			} else {
				j.keys = add(j.keys, keySudoCombined)
			}
		}
	}
}
