package prompt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// manifests are files that make a folder a code workspace (contract/core
// §1.12).
var manifests = []string{
	"go.mod", "package.json", "pyproject.toml", "setup.py", "Cargo.toml", "pom.xml", "build.gradle", "CMakeLists.txt",
	"Makefile", "Gemfile", "composer.json", "AGENTS.md", "CLAUDE.md", ".hermes.md",
}

// sources are endings of files that hold code.
var sources = map[string]bool{
	".go": true, ".py": true, ".js": true, ".ts": true, ".tsx": true, ".rs": true, ".c": true, ".h": true, ".cpp": true, ".java": true,
	".rb": true, ".php": true, ".cs": true, ".swift": true, ".kt": true, ".sh": true, ".lua": true, ".zig": true, ".ex": true,
}

const codingBrief = "You work in a code workspace. Read what is there before you change it and follow its manner; make the smallest change that does the task; run its checks when there are some and say what they gave. Do not commit, push or touch files outside unless you are asked to."

// Snapshot describes dir when it is a code workspace, "" when it is none. It
// asks git, within ctx, and is taken once per session: a prompt that follows
// the work would miss every cache.
func Snapshot(ctx context.Context, dir string) string {
	root := gitRoot(dir)
	if !isWorkspace(dir, root) {
		return ""
	}
	lines := []string{codingBrief, "", "Workspace when the conversation began:"}
	if root == "" {
		return strings.Join(append(lines, "- root: "+dir), "\n")
	}
	lines = append(lines, "- root: "+root)
	if branch := git(ctx, dir, "rev-parse", "--abbrev-ref", "HEAD"); branch != "" {
		lines = append(lines, "- branch: "+branch)
	}
	lines = append(lines, "- status: "+status(git(ctx, dir, "status", "--porcelain", "--untracked-files=normal")))
	if log := git(ctx, dir, "log", "-3", "--format=%h %s"); log != "" {
		lines = append(lines, "- last commits:\n  "+strings.ReplaceAll(log, "\n", "\n  "))
	}
	return strings.Join(lines, "\n")
}

// status sums up git's list of changes.
func status(porcelain string) string {
	if porcelain == "" {
		return "clean"
	}
	changed, fresh := 0, 0
	for line := range strings.Lines(porcelain) {
		if strings.HasPrefix(line, "??") {
			fresh++
		} else {
			changed++
		}
	}
	return fmt.Sprintf("%d changed, %d untracked", changed, fresh)
}

func isWorkspace(dir, root string) bool {
	for _, d := range []string{dir, root} {
		for _, name := range manifests {
			if d == "" {
				continue
			}
			if info, err := os.Stat(filepath.Join(d, name)); err == nil && info.Mode().IsRegular() {
				return true
			}
		}
	}
	if root == "" {
		return false
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, f := range files {
		if sources[strings.ToLower(filepath.Ext(f.Name()))] {
			return true
		}
	}
	return false
}

func gitRoot(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return ""
		}
	}
}

// git returns what a git command prints, "" when it fails. It takes no locks,
// asks nobody, and runs no program that the repository's configuration names.
func git(ctx context.Context, dir string, args ...string) string {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir, "--no-optional-locks", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(out), "\ufffd"))
}
