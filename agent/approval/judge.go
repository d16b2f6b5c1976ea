package approval

import (
	"path"
	"strings"

	"hermes/agent/approval/internal/shell"
)

// judge collects what the commands of a script amount to.
type judge struct {
	f        Folders
	script   *shell.Script
	hardline string
	sudo     bool
	keys     []string
	named    map[string]string // texts that patterns were tried on
}

// maxNamed is how long a text may be for patterns to name what is in it: the
// texts of nested commands overlap, and their sum must stay small.
const maxNamed = 4096

func (j *judge) hard(description string) {
	if j.hardline == "" {
		j.hardline = description
	}
}

// found notes a finding. Where a pattern of the reference fits the command's
// own text, its key is the one that the user's allow-list has.
func (j *judge) found(c *shell.Command, key string) {
	if c != nil {
		for _, text := range []string{c.Pipeline, c.Source} {
			if k := j.name(text); k != "" && !strings.HasPrefix(k, "git ") && !strings.HasPrefix(k, "sudo ") {
				key = k
				break
			}
		}
	}
	j.keys = add(j.keys, key)
}

func (j *judge) name(text string) string {
	if text == "" || len(text) > maxNamed {
		return ""
	}
	key, ok := j.named[text]
	if !ok {
		key = first(dangerous(), text)
		if j.named == nil {
			j.named = map[string]string{}
		}
		j.named[text] = key
	}
	return key
}

// rule judges commands of one program.
type rule func(j *judge, c *shell.Command, args []string)

// rules by program.
var rules = map[string]rule{
	"rm": ruleRm, "dd": ruleDD, "kill": ruleKill, "pkill": rulePkill, "killall": ruleKillall,
	"shutdown": ruleShutdown, "reboot": ruleShutdown, "halt": ruleShutdown, "poweroff": ruleShutdown,
	"init": ruleInit, "telinit": ruleInit, "systemctl": ruleSystemctl,
	"chmod": ruleChmod, "chown": ruleChown, "find": ruleFind, "gfind": ruleFind,
	"tee": ruleTee, "cp": ruleCopy, "mv": ruleCopy, "install": ruleCopy, "ln": ruleCopy, "rsync": ruleCopy,
	"sed": ruleSed, "gsed": ruleSed, "perl": rulePerlEdit, "ruby": rulePerlEdit,
	"git": ruleGit, "docker": ruleDocker, "docker-compose": ruleDocker, "podman": ruleDocker, "podman-compose": ruleDocker,
	"eval": ruleEval, "source": ruleEval, ".": ruleEval,
	"truncate": ruleTruncate, "mke2fs": ruleMkfs, "mkdosfs": ruleMkfs, "mkntfs": ruleMkfs, "newfs": ruleMkfs, "shred": ruleBlock, "wipefs": ruleBlock, "blkdiscard": ruleBlock, "mkswap": ruleBlock,
	"curl": ruleFetch, "wget": ruleFetch, "nc": ruleNetcat, "ncat": ruleNetcat, "netcat": ruleNetcat,
	"tar": ruleTar, "vim": ruleVim, "vi": ruleVim, "nvim": ruleVim, "ex": ruleVim, "view": ruleVim,
}

func (j *judge) command(c *shell.Command) {
	j.redirects(c)
	if c.Under("sudo") {
		ruleSudo(j, c)
	}
	name := c.Name()
	if name == "" {
		return
	}
	args := c.Args()
	if strings.HasPrefix(name, "mkfs") && (name == "mkfs" || name[4] == '.') {
		if c.Remote {
			j.found(c, keyFormat)
		} else {
			j.hard(hardMkfs)
		}
	}
	switch {
	case c.IsShell():
		ruleShell(j, c)
	case shell.IsAwk(name):
		for _, a := range args {
			if shell.RunsShell(a) {
				j.found(c, keyAwk)
			}
		}
	}
	if flag := viaOption(name, args); flag != "" {
		j.keys = add(j.keys, keyProgramVia+name+" "+flag)
	}
	ruleInterpreter(j, c, name)
	ruleUpstreamKill(j, c, name)
	if name == "sudo" || name == "doas" {
		c.SudoOptions = append(c.SudoOptions, c.Words[1:]...) // nothing but options
		ruleSudo(j, c)
	}
	if r := rules[name]; r != nil {
		r(j, c, args)
	}
}

// place is what a path is to the program.
type place int

const (
	placeOther   place = iota
	placeEtc           // configuration of the system
	placeBlock         // a disk
	placeCred          // keys, credentials, files that shells read at their start
	placeHermes        // the program's own configuration and keys
	placeProject       // .env and config.yaml of a project
)

var (
	blockDevice = lazy(`^/dev/(?:sd[a-z]|nvme\d|hd[a-z]|vd[a-z]|xvd[a-z]|mmcblk\d|disk\d|rdisk\d|dm-\d|md\d|mapper/)`)
	homeFolder  = lazy(`^(?:/root|/home/[^/]+|/Users/[^/]+|~[a-z][^/]*)(/|$)`)
	projectFile = lazy(`^(?:\.env(?:\.[\w.-]+)?|config\.yaml)$`)
	credFile    = lazy(`^~/\.(?:ssh(?:/.*)?|bashrc|bash_profile|bash_login|bash_logout|profile|zshrc|zshenv|zprofile|zlogin|config/fish/config\.fish|` +
		`netrc|pgpass|npmrc|pypirc|git-credentials|aws/.*|gnupg/.*|kube/.*|docker/config\.json|azure/.*|config/gh/.*|config/gcloud/.*)$`)
)

// where resolves a word of a command to a path: absolute, or with ~ for the
// user's home, or as it stands when the folder is unknown.
func (j *judge) where(c *shell.Command, word string) string {
	p := strings.TrimPrefix(word, "file://")
	if p == "" || strings.Contains(p, shell.Unknown) {
		return p
	}
	if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "~") && !strings.HasPrefix(p, "$") {
		switch dir := c.Dir; {
		case dir == "" && j.f.Cwd != "":
			p = path.Join(j.f.fold(j.f.Cwd), p)
		case dir != "" && !strings.Contains(dir, shell.Unknown):
			p = path.Join(dir, p)
		}
	}
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") {
		p = path.Clean(p)
	}
	p = j.f.fold(p)
	if rest, ok := strings.CutPrefix(p, "/private/etc"); ok {
		p = "/etc" + rest
	}
	return p
}

// target says what it means to write to the word.
func (j *judge) target(c *shell.Command, word string) place {
	p := j.where(c, word)
	switch {
	case strings.HasPrefix(p, "/etc/") || p == "/etc":
		return placeEtc
	case blockDevice().MatchString(p):
		return placeBlock
	case p == "~/.hermes/.env" || p == "~/.hermes/config.yaml":
		return placeHermes
	case credFile().MatchString(homeFolder().ReplaceAllString(p, "~$1")):
		return placeCred
	case projectFile().MatchString(path.Base(p)) && !strings.HasPrefix(p, "/dev/"):
		return placeProject
	}
	return placeOther
}

func (j *judge) redirects(c *shell.Command) {
	for _, r := range c.Redirects {
		if p := r.Target.Text; c.IsShell() && (strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/")) {
			j.found(c, keyNetShell)
		}
		if !r.Write {
			continue
		}
		switch j.target(c, r.Target.Text) {
		case placeBlock:
			if c.Remote {
				j.found(c, keyBlockWrite)
			} else {
				j.hard(hardRedirect)
			}
		case placeEtc:
			j.found(c, keySystemConfig)
		case placeCred, placeHermes:
			j.found(c, keyRedirSystem)
		case placeProject:
			j.found(c, keyRedirProject)
		}
	}
}

// flags splits arguments into options and the rest; long options keep their
// dashes, short ones are letters.
type flags struct {
	short string
	long  []string
	rest  []string
}

// readFlags reads arguments as getopt does; takes are short options that take
// the next word or what is attached to them.
func readFlags(args []string, takes string) flags {
	var f flags
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			f.rest = append(f.rest, args[i+1:]...)
			return f
		case strings.HasPrefix(a, "--"):
			name, _, _ := strings.Cut(a, "=")
			f.long = append(f.long, name)
		case len(a) > 1 && a[0] == '-':
			for k := 1; k < len(a); k++ {
				f.short += a[k : k+1]
				if strings.IndexByte(takes, a[k]) >= 0 {
					if k == len(a)-1 {
						i++
					}
					break
				}
			}
		default:
			f.rest = append(f.rest, a)
		}
	}
	return f
}

// has reports whether one of the short letters or a long option that one of
// the names may be shortened to is set.
func (f flags) has(short string, long ...string) bool {
	if short != "" && strings.ContainsAny(f.short, short) {
		return true
	}
	for _, l := range f.long {
		for _, name := range long {
			if l == name || (len(l) > 4 && strings.HasPrefix(name, l)) {
				return true
			}
		}
	}
	return false
}
