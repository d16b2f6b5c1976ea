package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxArgument bounds a command on the shell's command line: Linux takes
// 128 KiB for one argument. A longer one goes through a file.
const maxArgument = 100_000

// save names the files in which a shell leaves its state. The folder is
// written last, with a NUL behind it: where that is missing, the shell did not
// come to its end.
type save struct{ state, cwd string }

func (s *shells) newSave() (save, error) {
	f, err := s.file(".sh")
	return save{state: f, cwd: f + ".cwd"}, err
}

// read returns the folder that the shell was in at its end.
func (v save) read() (cwd string, ok bool) {
	b, err := os.ReadFile(v.cwd)
	if err != nil || len(b) < 2 || b[len(b)-1] != 0 {
		return "", false
	}
	return native(string(b[:len(b)-1])), true
}

// native is a folder as the shell writes it for the system: Git's bash says
// /c/Users for C:\Users.
func native(dir string) string {
	if runtime.GOOS != "windows" || len(dir) < 2 || dir[0] != '/' || (len(dir) > 2 && dir[2] != '/') {
		return dir
	}
	return strings.ToUpper(dir[1:2]) + ":" + filepath.FromSlash("/"+strings.TrimPrefix(dir[2:], "/"))
}

func (v save) drop() {
	_ = os.Remove(v.state)
	_ = os.Remove(v.cwd)
}

// saving defines the function that writes a state. It takes itself out first.
func (s *shells) saving(v save, prefix string) string {
	functions, ours := "", ""
	if s.bash {
		functions = "declare -f; "
	}
	if prefix == sudoFunction {
		ours = " sudo; unset -v SUDO_ASKPASS"
	}
	return fmt.Sprintf("__hermes_save() { { set +eux; } 2>/dev/null; unset -f __hermes_save%[4]s; "+
		"{ export -p; %[1]s} >%[2]s 2>/dev/null && printf '%%s\\0' \"$PWD\" >%[3]s; }; ", functions, quote(v.state), quote(v.cwd), ours)
}

// restoring brings a state back and puts the folder right, which the state
// remembers too.
func restoring(state, dir string) string {
	if state == "" {
		return ""
	}
	folder := ""
	if runtime.GOOS != "windows" { // where the shell names folders in its own way
		folder = "PWD=" + quote(dir) + "; "
	}
	return fmt.Sprintf("[ -r %[1]s ] && . %[1]s >/dev/null 2>&1; %[2]s", quote(state), folder)
}

// loginScript keeps what the start files left.
func (s *shells) loginScript(v save) string {
	var b strings.Builder
	files := s.d.InitFiles
	if s.d.Bashrc && s.bash {
		files = append([]string{"~/.bashrc"}, files...)
	}
	for _, f := range files {
		q := quote(f)
		if rest, ok := strings.CutPrefix(f, "~/"); ok {
			q = `"$HOME"/` + quote(rest)
		}
		fmt.Fprintf(&b, "[ -r %[1]s ] && . %[1]s >/dev/null 2>&1; ", q)
	}
	return b.String() + mergePath(s.environ(s.d.Dir)) + s.saving(v, "") + "__hermes_save"
}

// mergePath puts the program's own PATH before what the start files made of it:
// many of them begin by setting it anew, and the user started the program where
// its programs are found.
func mergePath(env []string) string {
	p := lookup(env, "PATH")
	if p == "" {
		return ""
	}
	return fmt.Sprintf(`__hermes_p=%s; set -f; IFS=:; for __hermes_d in $PATH; do case ":$__hermes_p:" in *":$__hermes_d:"*) ;; `+
		`*) __hermes_p=$__hermes_p:$__hermes_d;; esac; done; PATH=$__hermes_p; set +f; unset IFS __hermes_p __hermes_d; `, quote(p))
}

// lookup returns a variable of env; of several entries the last one counts, as
// for a child.
func lookup(env []string, name string) string {
	value := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// script runs a command, after the code in prefix, in a shell with state, and
// keeps what it leaves in keep. It is one line, so that the shell counts the command's lines from one.
//
// The state is kept when the command runs to its end, and by the trap when it
// calls exit. A command that sets a trap of its own for its exit has to come to
// its end.
func (s *shells) script(command, prefix, state, dir string, keep *save) string {
	eval := "eval " + quote(command)
	if keep == nil {
		return restoring(state, dir) + prefix + eval
	}
	return restoring(state, dir) + prefix + s.saving(*keep, prefix) +
		"trap '__hermes_status=$?; __hermes_save 2>/dev/null; exit $__hermes_status' EXIT; " +
		eval + "; __hermes_status=$?; __hermes_save 2>/dev/null; exit $__hermes_status"
}

// arguments makes the shell's command line. A long command is read from a file
// in the private folder, which the caller removes.
func (s *shells) arguments(script string) (args []string, file string, err error) {
	var flags []string
	if s.bash {
		flags = []string{"--noprofile", "--norc"}
	}
	if len(script) <= maxArgument {
		return append(flags, "-c", script, s.name()), "", nil
	}
	if file, err = s.file(".cmd"); err != nil {
		return nil, "", err
	}
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return nil, "", fmt.Errorf("write the command: %w", err)
	}
	return append(flags, "-c", ". "+quote(file), s.name()), file, nil
}

// name is what the shell calls itself in its messages.
func (s *shells) name() string {
	if s.bash {
		return "bash"
	}
	return "sh"
}

// quote makes one word of s for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
