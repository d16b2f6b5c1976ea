package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Versions of Python (decision D20).
const (
	oldestMinor    = 9  // the host needs it
	preferredFrom  = 11 // what the reference supports
	preferredUntil = 13
)

// Search says where to look for an interpreter (decision D47).
type Search struct {
	// Setting is plugins.python; when set, nothing else is tried.
	Setting string
	Home    string   // HERMES_HOME
	Cache   string   // folder of the remembered result
	Known   []string // the interpreter of this program's last start, nil at first
	Getenv  func(string) string
}

// candidate is one interpreter that may do.
type candidate struct {
	command []string
	// only says that it was asked for: nothing else is tried after it.
	only bool
	// from and until bound the minor version that is taken on this place of
	// the list; another one may come back later.
	from, until int
}

// Attempt is an interpreter that did not do.
type Attempt struct {
	Path string
	Why  string
}

// NotFoundError says that no interpreter would do.
type NotFoundError struct {
	Asked string // the one that was asked for, empty when any would do
	Tried []Attempt
}

func (e *NotFoundError) Error() string {
	if e.Asked != "" && len(e.Tried) > 0 {
		return fmt.Sprintf("python %s cannot run plugins: %s", e.Asked, e.Tried[0].Why)
	}
	return fmt.Sprintf("no Python %d.%d or later found (%d tried)", 3, oldestMinor, len(e.Tried))
}

// StartAny starts the first interpreter of the search order that completes
// the handshake, and remembers it for the next time.
func StartAny(ctx context.Context, s Search, spec Spec) (*Process, error) {
	known := s.Known
	if m := remembered(s.Cache, s.inputs()); known == nil && m != nil && m.Site != nil {
		known = []string{m.Exe}
	}
	if known != nil {
		spec.Python = known
		if p, err := Start(ctx, spec); err == nil {
			s.renew(p.Hello)
			return p, nil
		}
		// It broke since; look again.
	}
	missing := &NotFoundError{}
	tried := map[string]bool{}
	for _, c := range s.candidates() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if c.only {
			missing.Asked = c.command[0]
		}
		key := strings.Join(c.command, " ") + fmt.Sprint(c.from)
		if tried[key] {
			continue
		}
		tried[key] = true
		spec.Python = c.command
		p, err := Start(ctx, spec)
		if err != nil {
			missing.Tried = append(missing.Tried, Attempt{strings.Join(c.command, " "), err.Error()})
			if c.only {
				return nil, missing
			}
			continue
		}
		if minor := minorOf(p.Hello.Python); minor < c.from || minor > c.until {
			p.Close(ctx)
			continue
		}
		s.remember(p.Hello)
		return p, nil
	}
	return nil, missing
}

func minorOf(version string) int {
	parts := strings.Split(version, ".")
	if len(parts) < 2 || parts[0] != "3" {
		return -1
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		return -1
	}
	return minor
}

// Preferred reports whether plugins are written for that version of Python.
func Preferred(version string) bool {
	minor := minorOf(version)
	return minor >= preferredFrom && minor <= preferredUntil
}

// anyMinor is an upper bound that every version meets.
const anyMinor = 1 << 10

func (s Search) candidates() []candidate {
	if asked := s.asked(); asked != nil {
		return []candidate{{command: asked, only: true, from: oldestMinor, until: anyMinor}}
	}
	var list []candidate
	add := func(from, until int, command ...string) {
		list = append(list, candidate{command: command, from: from, until: until})
	}
	if exe := venvPython(filepath.Join(s.Home, "venv")); exe != "" {
		add(oldestMinor, anyMinor, exe)
	}
	if exe := s.referencePython(); exe != "" {
		add(oldestMinor, anyMinor, exe)
	}
	if venv := s.Getenv("VIRTUAL_ENV"); venv != "" && holdsPlugins(venv) {
		if exe := venvPython(venv); exe != "" {
			add(oldestMinor, anyMinor, exe)
		}
	}
	for minor := preferredUntil; minor >= preferredFrom; minor-- {
		for _, exe := range s.onPath("python3." + strconv.Itoa(minor)) {
			add(minor, minor, exe)
		}
	}
	plain := append(s.onPath("python3"), s.onPath("python")...)
	for _, exe := range plain {
		add(preferredFrom, preferredUntil, exe)
	}
	if py := s.onPath("py"); runtime.GOOS == "windows" && len(py) > 0 {
		add(preferredFrom, anyMinor, py[0], "-3")
	}
	for _, minor := range []int{preferredUntil + 1, 10, oldestMinor} {
		for _, exe := range s.onPath("python3." + strconv.Itoa(minor)) {
			add(minor, minor, exe)
		}
	}
	for _, exe := range plain {
		add(oldestMinor, anyMinor, exe)
	}
	return list
}

// asked is the interpreter that the user named: plugins.python, else
// HERMES_PYTHON.
func (s Search) asked() []string {
	name := s.Setting
	if name == "" {
		name = strings.TrimSpace(s.Getenv("HERMES_PYTHON"))
	}
	if name == "" {
		return nil
	}
	if strings.HasPrefix(name, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			name = filepath.Join(home, name[2:])
		}
	}
	if !strings.ContainsAny(name, `/\`) {
		if found := s.onPath(name); len(found) > 0 {
			return found[:1]
		}
	}
	return []string{name}
}

// onPath returns every file of that name on PATH, in order: a version
// manager's stand-in may be there and not work.
func (s Search) onPath(name string) []string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var found []string
	for _, dir := range filepath.SplitList(s.Getenv("PATH")) {
		if dir == "" || !filepath.IsAbs(dir) {
			continue // the working directory is never searched
		}
		path := filepath.Join(dir, name)
		if isExecutable(path) && !opensInstaller(path) {
			found = append(found, path)
		}
	}
	return found
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// opensInstaller tells macOS' stand-in, which offers to install the developer
// tools in a window when it is run without them.
func opensInstaller(path string) bool {
	if runtime.GOOS != "darwin" || path != "/usr/bin/python3" {
		return false
	}
	for _, tools := range []string{"/Library/Developer/CommandLineTools", "/Applications/Xcode.app"} {
		if _, err := os.Stat(tools); err == nil {
			return false
		}
	}
	return true
}

// venvPython returns the interpreter of an environment, empty without one.
func venvPython(dir string) string {
	for _, rel := range []string{"bin/python3", "bin/python", "Scripts/python.exe"} {
		if path := filepath.Join(dir, filepath.FromSlash(rel)); isExecutable(path) {
			return path
		}
	}
	return ""
}

// referencePython finds the environment of an installed hermes-agent by the
// first line of its command.
func (s Search) referencePython() string {
	for _, name := range []string{"hermes-agent", "hermes"} {
		for _, path := range s.onPath(name) {
			if exe := scriptPython(path); exe != "" {
				return exe
			}
		}
	}
	return ""
}

// scriptPython reads "#!/path/to/python" of a console script that starts
// hermes-agent; empty for anything else, our own binary among it.
func scriptPython(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 2048)
	n, _ := bufio.NewReader(f).Read(buf)
	text := string(buf[:n])
	first, rest, _ := strings.Cut(text, "\n")
	exe := strings.TrimSpace(strings.TrimPrefix(first, "#!"))
	if !strings.HasPrefix(first, "#!") || !strings.HasPrefix(filepath.Base(exe), "python") || !strings.Contains(rest, "hermes_cli") || !filepath.IsAbs(exe) || !isExecutable(exe) {
		return ""
	}
	return exe
}

// entryPointGroup is the group whose presence makes $VIRTUAL_ENV a place for
// plugins.
const entryPointGroup = "[hermes_agent.plugins]"

func holdsPlugins(venv string) bool {
	for _, site := range sitesOf(venv) {
		files, _ := filepath.Glob(filepath.Join(site, "*.dist-info", "entry_points.txt"))
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil && bytes.Contains(data, []byte(entryPointGroup)) {
				return true
			}
		}
	}
	return false
}

// IsNotFound reports whether err says that there is no usable Python.
func IsNotFound(err error) (*NotFoundError, bool) {
	var nf *NotFoundError
	ok := errors.As(err, &nf)
	return nf, ok
}
