package checkpoint

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"hermes/agent/tool"
)

// Change is what a call is about to do to files.
type Change struct {
	Dir    string // of which a snapshot is wanted
	Reason string // for the list
}

// Changes returns the folders that a call may change; none for calls that only
// look. dir is where the call's relative paths start.
func Changes(c tool.Call, dir string) []Change {
	var args struct {
		Path, Patch, Command, Workdir string
	}
	if json.Unmarshal(c.Args, &args) != nil {
		return nil
	}
	var out []Change
	add := func(folder, reason string) {
		if !slices.ContainsFunc(out, func(c Change) bool { return c.Dir == folder }) {
			out = append(out, Change{folder, reason})
		}
	}
	switch c.Name {
	case "write_file", "patch":
		for _, path := range append(named(args.Patch), args.Path) {
			if path != "" {
				add(root(dir, resolve(dir, path)), "before "+c.Name)
			}
		}
	case "terminal":
		if Destructive(args.Command) {
			if args.Workdir != "" {
				dir = resolve(dir, args.Workdir)
			}
			add(dir, "before terminal: "+head(args.Command, 60))
		}
	}
	return out
}

// named are the files that a patch of several names.
func named(patch string) []string {
	var out []string
	for line := range strings.Lines(patch) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "***")
		if !ok {
			continue
		}
		for _, verb := range []string{"Update File:", "Add File:", "Delete File:", "Move File:", "Move to:"} {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), verb); ok {
				from, to, _ := strings.Cut(rest, "->")
				out = append(out, strings.TrimSpace(from), strings.TrimSpace(to))
			}
		}
	}
	return out
}

func resolve(dir, path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, path[1:])
		}
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// markers are what the top folder of a project holds.
var markers = []string{
	".git", ".hg", ".svn", "go.mod", "package.json", "pyproject.toml", "Cargo.toml", "Makefile", "pom.xml", "build.gradle", "Gemfile", "composer.json",
}

// root is the folder to keep for a file: the working folder when the file is in
// it, else the project that it belongs to, else its own folder.
func root(dir, path string) string {
	if below(path, dir) {
		return dir
	}
	own := filepath.Dir(path)
	for at := own; filepath.Dir(at) != at; at = filepath.Dir(at) {
		if slices.ContainsFunc(markers, func(m string) bool { _, err := os.Stat(filepath.Join(at, m)); return err == nil }) {
			return at
		}
	}
	return own
}

// destructive finds commands that change or remove what is there. A snapshot
// too many costs little: it errs on that side.
var destructive = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s;&|(){}` + "`" + `"'/])(?:` +
		`(?:rm|rmdir|unlink|shred|truncate|mv|dd|tee|patch|rsync|install|tar|unzip|ln)\s|` +
		`cp\s|sed\s[^|;&]*-[a-zA-Z]*i|sed\s[^|;&]*--in-place|perl\s[^|;&]*-[a-zA-Z]*i|ruby\s[^|;&]*-[a-zA-Z]*i|` +
		`find\s[^|;]*-(?:delete|exec|ok)|` +
		`git\s+(?:-[^\s]+\s+[^\s]+\s+)*(?:reset|clean|checkout|restore|switch|stash|rebase|merge|pull|rm|mv|apply|am|revert|cherry-pick)\b|` +
		`(?:gofmt|gofumpt|goimports|prettier|black|ruff|eslint|clang-format|rustfmt)\s[^|;&]*(?:-w|--write|--fix|-i|format)|black\s|rustfmt\s)` +
		`|[^-=<>&0-9]>{1,2}\s*[^&>\s]|^>|\d>\s*[^&\s/]`)
})

// Destructive reports whether a command may change or remove files.
func Destructive(command string) bool {
	command = harmless().ReplaceAllString(command, " ")
	return destructive().MatchString(command)
}

// harmless are redirections that write no file.
var harmless = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9&]?>{1,2}\s*(?:/dev/(?:null|stdout|stderr|tty)|&[0-9-])`)
})
