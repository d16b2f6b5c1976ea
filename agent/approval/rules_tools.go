package approval

import (
	"slices"
	"strings"

	"hermes/agent/approval/internal/shell"
)

// ruleGit judges git by its words: options before the subcommand, bundled
// short options and +refspecs included.
func ruleGit(j *judge, c *shell.Command, args []string) {
	args = gitOptions(j, args)
	if len(args) == 0 {
		return
	}
	sub, args := args[0], args[1:]
	switch sub {
	case "reset":
		if slices.Contains(args, "--hard") {
			j.found(c, keyGitReset)
		}
	case "push":
		gitPush(j, c, args)
	case "clean":
		f := readFlags(args, "e")
		if f.has("f", "--force") && !f.has("n", "--dry-run") {
			j.found(c, keyGitClean)
		}
	case "branch":
		f := readFlags(args, "u")
		force, del := f.has("f", "--force"), f.has("d", "--delete")
		switch {
		case f.has("D"), strings.Contains(f.short, "d") && force:
			j.found(c, keyGitBranch)
		case force && del && slices.Index(f.long, "--force") < slices.Index(f.long, "--delete"):
			j.found(c, keyGitBranchForce)
		case force && del:
			j.found(c, keyGitBranchLong)
		}
	}
}

// gitOptions takes off the options before the subcommand. A configuration that
// names a program to run is a finding.
func gitOptions(j *judge, args []string) []string {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		n := 1
		switch args[0] {
		case "-c", "--config-env":
			if len(args) > 1 && gitRuns(args[1]) {
				j.keys = add(j.keys, keyProgramVia+"git -c")
			}
			n = 2
		case "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix":
			n = 2
		}
		args = args[min(n, len(args)):]
	}
	return args
}

func gitRuns(setting string) bool {
	name, value, _ := strings.Cut(strings.ToLower(setting), "=")
	switch name {
	case "core.sshcommand", "core.fsmonitor", "core.hookspath", "core.gitproxy", "core.askpass", "diff.external":
		return value != "" && value != "false" && value != "true" && value != "/dev/null"
	}
	return strings.HasPrefix(name, "alias.") && strings.HasPrefix(value, "!")
}

func gitPush(j *judge, c *shell.Command, args []string) {
	f := readFlags(args, "o")
	switch {
	case f.has("", "--force", "--force-with-lease", "--force-if-includes"), f.has("", "--mirror"):
		j.found(c, keyGitForce)
	case f.has("f"):
		j.found(c, keyGitForceShort)
	case slices.ContainsFunc(f.rest, func(a string) bool { return strings.HasPrefix(a, "+") }):
		j.found(c, keyGitForceShort)
	}
}

// ruleDocker judges docker and its like by their words.
func ruleDocker(j *judge, c *shell.Command, args []string) {
	compose := strings.HasSuffix(c.Name(), "-compose")
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "-"):
			// These take the next word.
			if slices.Contains([]string{"-f", "-p", "-H", "-c", "-l", "--file", "--project-name", "--project-directory", "--profile", "--env-file", "--host", "--context", "--config", "--log-level"}, a) {
				i++
			}
		case a == "compose" && !compose:
			compose = true
		case a == "container" && !compose:
		default:
			switch a {
			case "down":
				if compose {
					j.found(c, keyCompose)
				}
			case "restart", "stop", "kill":
				if compose {
					j.found(c, keyCompose)
				} else {
					j.found(c, keyDocker)
				}
			}
			return
		}
	}
}
