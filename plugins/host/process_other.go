//go:build !unix

package host

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
)

// wire connects cmd by its standard input and output; the host moves them
// away before plugin code runs.
func wire(cmd *exec.Cmd, _ *os.File) (*streams, error) {
	s := &streams{}
	var err error
	pipe := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		r, w, err = os.Pipe()
		s.all = append(s.all, r, w)
		return r, w
	}
	in, requests := pipe()
	answers, outW := pipe()
	errR, errW := pipe()
	if err != nil {
		s.close()
		return nil, fmt.Errorf("create pipes: %w", err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, outW, errW
	s.w, s.r, s.out = requests, answers, errR
	s.theirs = []io.Closer{in, outW, errW}
	return s, nil
}

func killGroup(pid int) {
	// /T takes the children along; there is no group to signal.
	if err := exec.Command("taskkill", "/T", "/F", "/PID", fmt.Sprint(pid)).Run(); err != nil {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

func interruptGroup(int) {}

func abort(pid int) { killGroup(pid) }

func ownedByUs(fs.FileInfo) bool { return true }

func exitStatus(state *os.ProcessState) (int, string) { return state.ExitCode(), "" }

func newBox(string) (*os.File, error) { return nil, nil }
