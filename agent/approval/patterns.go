package approval

import (
	"regexp"
	"strings"
	"sync"
)

// A pattern looks at the text of a command. The first one of the table that
// fits names the finding.
type pattern struct {
	key string
	// hint stands in every text that fits, in lower case; "" for none.
	hint string
	re   *regexp.Regexp
	// more decides what the expression alone cannot: Go's engine has no
	// lookaround. It gets the text behind the match.
	more func(rest string) bool
	// exact names a program whose commands the parser understands in every
	// detail: the pattern looks only at what is not such a command.
	exact string
}

// Pieces of expressions.
const (
	// start is where a command begins, behind programs that start another.
	start = "(?:^|[;&|\\n`(]|\\$\\(|\\{\\s)\\s*(?:(?:sudo|doas|env|exec|command|nohup|setsid|time|if|then|elif|else|do|while|until|!)\\s+(?:-\\S+\\s+|\\w+=\\S*\\s+)*)*"
	end   = "(?:\\s|$|[)`;|&])"
	disk  = `/dev/(?:sd|nvme|hd|vd|xvd|mmcblk)\w*`

	etcPath     = `(?:/private)?/etc/`
	hermesPath  = `~/\.hermes/(?:\.env|config\.yaml)\b`
	credPath    = `~/\.(?:ssh(?:/|\b)|(?:bashrc|bash_profile|profile|zshrc|zprofile|netrc|pgpass|npmrc|pypirc)\b)`
	projectPath = `(?:\S*/)?(?:\.env(?:\.[\w.-]+)?|config\.yaml)`
	pathEnd     = `["']?(?:\s|$|[;&|)` + "`" + `<>])`
	remote      = `\b(?:curl|wget)\b`
	toShell     = `\|\s*(?:/\S*/)?(?:ba|z|k)?sh\b`
)

// lazy compiles an expression when it is first needed: most starts of the
// program judge no command.
func lazy(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

func re(s string) *regexp.Regexp { return regexp.MustCompile(`(?is)` + s) }

// hardline are the texts that are never run, for scripts that cannot be parsed.
var hardline = sync.OnceValue(func() []pattern {
	return []pattern{
		{key: hardRoot, hint: "rm", re: re(start + `rm\s+(?:-\S+\s+)*["']?/[/.*]*["']?` + end)},
		{key: hardSystem, hint: "rm", re: re(start + `rm\s+(?:-\S+\s+)*["']?/(?:bin|boot|etc|home|lib|root|sbin|usr|var)/?\*?["']?` + end)},
		{key: hardHome, hint: "rm", re: re(start + `rm\s+(?:-\S+\s+)*["']?~/?\*?["']?` + end)},
		{key: hardMkfs, hint: "mkfs", re: re(start + `mkfs(?:\.\w+)?` + end)},
		{key: hardDD, hint: "of=", re: re(`\bdd\s[^;|&\n]*\bof=` + disk)},
		{key: hardRedirect, hint: "/dev/", re: re(`>\s*["']?` + disk)},
		{key: hardFork, hint: "{", re: re(`:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:`)},
		{key: hardKill, hint: "kill", re: re(start + `kill\s+(?:-s\s+\S+\s+|-\S+\s+)*-1` + end)},
		{key: hardShutdown, re: re(start + `(?:shutdown|reboot|halt|poweroff)` + end)},
		{key: hardInit, hint: "init", re: re(start + `init\s+[06]` + end)},
		{key: hardSystemctl, hint: "systemctl", re: re(start + `systemctl\s+(?:-\S+\s+)*(?:poweroff|reboot|halt|kexec)` + end)},
		{key: hardTelinit, hint: "telinit", re: re(start + `telinit\s+[06]` + end)},
	}
})

// sudoGuard is what asks for a password on standard input.
var sudoGuard = lazy(`(?is)` + start + `sudo\s+(?:-\S+\s+)*(?:-[a-z]*S|--stdin)\b`)

// dangerous is the reference's list, in its order.
var dangerous = sync.OnceValue(func() []pattern {
	return []pattern{
		{key: keyRootDelete, hint: "rm", re: re(`\brm\s+(?:-\S*\s+)*/`)},
		{key: keyRecursiveDelete, hint: "rm", re: re(`\brm\s+-\S*r`)},
		{key: keyRecursiveLong, hint: "rm", re: re(`\brm\s+--recursive\b`)},
		{key: keyWinDelete, hint: "cmd", re: re(`\bcmd(?:\.exe)?\s+/[ck]\s.*\b(?:del|erase|rd|rmdir)\b`)},
		{key: keyPSDelete, re: re(`\b(?:powershell|pwsh)(?:\.exe)?\b.*\b(?:remove-item|rmdir|del|erase|rd|ri)\b`)},
		{key: keyPSEncoded, hint: "-e", re: re(`\b(?:powershell|pwsh)(?:\.exe)?\b.*\s-e(?:nc?|ncodedcommand)?\b`)},
		{key: keyChmod, hint: "chmod", re: re(`\bchmod\s+(?:-\S*\s+)*(?:777|666|o\+\S*w|a\+w)\b`)},
		{key: keyChmodLong, hint: "chmod", re: re(`\bchmod\s+--recursive\b.*(?:777|666|o\+\S*w|a\+w)`)},
		{key: keyChown, hint: "chown", re: re(`\bchown\s+(?:-\S*\s+)*-\S*R\s+root`)},
		{key: keyChownLong, hint: "chown", re: re(`\bchown\s+--recursive\b.*\broot\b`)},
		{key: keyFormat, hint: "mkfs", re: re(start + `mkfs\b`)},
		{key: keyDiskCopy, hint: "dd", re: re(`\bdd\s+.*\bif=`)},
		{key: keyBlockWrite, hint: "/dev/sd", re: re(`>\s*/dev/sd`)},
		{key: keySQLDrop, hint: "drop", re: re(`\bdrop\s+(?:table|database)\b`)},
		{key: keySQLDelete, hint: "delete", re: re(`\bdelete\s+from\b`), more: lacksWhere},
		{key: keySQLTruncate, hint: "truncate", re: re(`\btruncate\s+(?:table\s+)?\w`)},
		{key: keySystemConfig, hint: "/etc/", re: re(`>\s*` + etcPath)},
		{key: keyService, hint: "systemctl", re: re(`\bsystemctl\s+(?:-\S+\s+)*(?:stop|restart|disable|mask)\b`)},
		{key: keyKillAll, hint: "kill", re: re(`\bkill\s+-9\s+-1\b`)},
		{key: keyForceKill, hint: "pkill", re: re(`\bpkill\s+-9\b`)},
		{key: keyKillallKill, hint: "killall", re: re(`\bkillall\s+(?:-\S+\s+)*-(?:9|(?:sig)?kill)\b`)},
		{key: keyKillallSignal, hint: "killall", re: re(`\bkillall\s+(?:-\S+\s+)*-s\s*(?:9|(?:sig)?kill)\b`)},
		{key: keyKillallRegex, hint: "killall", re: re(`\bkillall\s+(?:-\S+\s+)*-r\b`)},
		{key: keyForkBomb, hint: "{", re: re(`:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:`)},
		{key: keyPipeRemote, hint: "|", re: re(remote + `.*` + toShell)},
		{key: keyProcRemote, hint: "<", re: re(`\b(?:ba|z|k)?sh\s+(?:<\s*)?<\s*\(\s*` + remote)},
		{key: keySubstRemote, hint: "e", re: re("\\b(?:eval|source)\\s+[\"']?(?:\\$\\(|`)\\s*" + remote)},
		{key: keyPipeDecoded, hint: "base", re: re(`\b(?:base64|base32)\s+(?:-d|--decode)\b.*` + toShell)},
		{key: keyPipeXxd, hint: "xxd", re: re(`\bxxd\s+.*-r\b.*` + toShell)},
		{key: keyPipeTr, hint: "tr", re: re(`\|\s*tr\s+.*` + toShell)},
		{key: keyPipeOpenssl, hint: "openssl", re: re(`\bopenssl\s+(?:enc|base64)\b.*\s-d\b.*` + toShell)},
		{key: keyTeeSystem, hint: "tee", re: re(`\btee\s+.*["']?(?:` + etcPath + `|/dev/sd|` + credPath + `|` + hermesPath + `)`)},
		{key: keyRedirSystem, hint: ">", re: re(`>\s*["']?(?:` + etcPath + `|/dev/sd|` + credPath + `|` + hermesPath + `)`)},
		{key: keyTeeProject, hint: "tee", re: re(`\btee\s+.*["'\s./](?:\.env(?:\.[\w.-]+)?|config\.yaml)` + pathEnd)},
		{key: keyRedirProject, hint: ">", re: re(`>\s*["']?` + projectPath + pathEnd)},
		{key: keyXargsRm, hint: "xargs", re: re(`\bxargs\s[^|;&\n]*\brm\b`)},
		{key: keyFindExecRm, hint: "-exec", re: re(`\bfind\b.*-exec(?:dir)?\s+(?:/\S*/)?rm\b`)},
		{key: keyFindDelete, hint: "-delete", re: re(`\bfind\b.*-delete\b`)},
		{key: keyGatewayStop, hint: "gateway", re: re(`\bhermes\s+(?:-\S+\s+(?:\w+\s+)?)*gateway\s+(?:stop|restart)\b`)},
		{key: keyUpdate, hint: "hermes", re: re(`\bhermes\s+update\b`)},
		{key: keyCompose, hint: "compose", re: re(`\bdocker\s+compose\s+(?:restart|stop|kill|down)\b`)},
		{key: keyDocker, hint: "docker", re: re(`\bdocker\s+(?:restart|stop|kill)\b`)},
		{key: keyGatewayStart, hint: "gateway", re: re(`\bgateway\s+run\b.*(?:&\s*$|&\s*disown|\bsetsid\b)|\bnohup\b.*\bgateway\s+run\b|\bgateway\s+run\b[^;|]*[^&>]&(?:[^&>\d]|$)`)},
		{key: keyKillHermes, hint: "kill", re: re(`\b(?:pkill|killall)\b.*(?:\bhermes\b|\bgateway\b|\bcli\.py\b)`)},
		{key: keyKillPgrep, hint: "kill", re: re(`\bkill\b.*\$\(\s*(?:pgrep|pidof)\b`)},
		{key: keyKillBacktick, hint: "kill", re: re("\\bkill\\b.*`\\s*(?:pgrep|pidof)\\b")},
		{key: keyLaunchd, hint: "launchctl", re: re(`\blaunchctl\s+(?:stop|kickstart|bootout|unload|kill|disable|remove)\b.*\bhermes\b`)},
		{key: keyCopySystem, hint: "/etc/", re: re(`\b(?:cp|mv|install)\s+(?:.*\s)?` + etcPath)},
		{key: keyCopyProject, hint: ".", re: re(`\b(?:cp|mv|install)\s.*\s["']?` + projectPath + `["']?\s*(?:$|[;&|)` + "`" + `\n])`)},
		{key: keyCopyCred, re: re(`\b(?:cp|mv|install)\s.*\s["']?(?:` + credPath + `|` + etcPath + `)[^\s]*["']?\s*(?:$|[;&|)\n])`)},
		{key: keyEditCred, hint: "sed", re: re(`\bsed\s+(?:-\S+\s+)*-\S*i.*` + credPath)},
		{key: keyEditCredLong, hint: "--in-place", re: re(`\bsed\s+.*--in-place\b.*` + credPath)},
		{key: keyEditCredPerl, hint: "-", re: re(`\b(?:perl|ruby)\s+(?:-\S+\s+)*-\S*i.*` + credPath)},
		{key: keyEditSystem, hint: "sed", re: re(`\bsed\s+(?:-\S+\s+)*-\S*i.*\s["']?` + etcPath)},
		{key: keyEditSystemLong, hint: "--in-place", re: re(`\bsed\s+.*--in-place\b.*\s["']?` + etcPath)},
		{key: keyEditHermes, hint: "sed", re: re(`\bsed\s+(?:-\S+\s+)*-\S*i.*` + hermesPath)},
		{key: keyEditHermesLong, hint: "--in-place", re: re(`\bsed\s+.*--in-place\b.*` + hermesPath)},
		{key: keyEditHermesPerl, hint: ".hermes", re: re(`\b(?:perl|ruby)\s+(?:-\S+\s+)*-\S*i.*` + hermesPath)},
		{key: keyShellHeredoc, hint: "<<", re: re(`\b(?:ba|z|k)?sh\s+<<`)},
		{key: keyGitReset, hint: "git", re: re(`\bgit\s+reset\s+--hard\b`), exact: "git"},
		{key: keyGitForce, hint: "git", re: re(`\bgit\s+push\b.*--force\b`), exact: "git"},
		{key: keyGitForceShort, hint: "git", re: re(`\bgit\s+push\b.*\s-f\b`), exact: "git"},
		{key: keyGitClean, hint: "git", re: re(`\bgit\s+clean\s+(?:-\S*f|--force)`), exact: "git"},
		{key: keyGitBranch, hint: "git", re: re(`\bgit\s+branch\s+(?-i:-D)\b`), exact: "git"},
		{key: keyGitBranchLong, hint: "git", re: re(`\bgit\s+branch\b.*--delete\b.*--force\b`), exact: "git"},
		{key: keyGitBranchForce, hint: "git", re: re(`\bgit\s+branch\b.*--force\b.*--delete\b`), exact: "git"},
		{key: keyChmodRun, hint: "chmod", re: re(`\bchmod\s+\+x\b.*[;&|]+\s*\./`)},
		{key: keySudoFlag, hint: "sudo", re: re(`\bsudo\s+(?:-\S+\s+)*(?:(?-i:-[SAs])\b|--stdin\b|--askpass\b)`), exact: "sudo"},
		{key: keySudoCombined, hint: "sudo", re: re(`\bsudo\s+(?:-\S+\s+)*(?-i:-[a-zA-Z]*[SAs][a-zA-Z]*)\b`), exact: "sudo"},
	}
})

// unparsed stands in for the parser where it cannot read the script.
var unparsed = sync.OnceValue(func() []pattern {
	return []pattern{
		{key: keyShellFlag, re: re(`\b(?:ba|z|k|da)?sh\s+(?:-\S+\s+)*-[a-z]*c\b`)},
		{key: keyScriptFlag, re: re(`\b(?:python[\d.]*|pypy\d?|node|perl|ruby|php)\s+(?:-\S+\s+)*-[a-z]*[cepr]\s`)},
		{key: keyScriptHeredoc, re: re(`\b(?:python[\d.]*|perl|ruby|node)\s+(?:-\s+)?<<`)},
		{key: keyPipeShell, re: re(toShell)},
	}
})

// lacksWhere reports whether a DELETE ends without a condition.
func lacksWhere(rest string) bool {
	if i := strings.IndexAny(rest, ";\n"); i >= 0 {
		rest = rest[:i]
	}
	return !wordWhere().MatchString(rest)
}

var wordWhere = lazy(`(?i)\bwhere\b`)

// fits reports whether the pattern is found in text; lower is text in lower
// case.
func (p pattern) fits(text, lower string) bool {
	if !strings.Contains(lower, p.hint) {
		return false
	}
	if p.more == nil {
		return p.re.MatchString(text)
	}
	for _, at := range p.re.FindAllStringIndex(text, -1) {
		if p.more(text[at[1]:]) {
			return true
		}
	}
	return false
}

func first(list []pattern, text string) string {
	lower := strings.ToLower(text)
	for _, p := range list {
		if p.fits(text, lower) {
			return p.key
		}
	}
	return ""
}
