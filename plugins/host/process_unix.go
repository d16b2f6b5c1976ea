//go:build unix

package host

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

// channelArg names the descriptors that wire passes: requests, answers, the
// pipe that ends with us, the flight recorder.
const channelArg = "3,4,5,6"

// wire connects cmd by descriptors of its own, so that whatever is printed
// before the host's first act cannot disturb the protocol.
func wire(cmd *exec.Cmd, box *os.File) (*streams, error) {
	s := &streams{}
	var ends [4]*os.File
	var err error
	pipe := func() (r, w *os.File) {
		if err != nil {
			return nil, nil
		}
		r, w, err = os.Pipe()
		s.all = append(s.all, r, w)
		return r, w
	}
	var requests, answers, life, out *os.File
	ends[0], requests = pipe()
	answers, ends[1] = pipe()
	ends[2], life = pipe()
	out, outW := pipe()
	if err != nil {
		s.close()
		return nil, fmt.Errorf("create pipes: %w", err)
	}
	ends[3] = box
	cmd.Args = append(cmd.Args, channelArg)
	cmd.ExtraFiles = ends[:]
	cmd.Stdout, cmd.Stderr = outW, outW
	// A session of its own has no controlling terminal: what plugins and their
	// children do to /dev/tty fails, and Ctrl+C does not reach them. Its leader
	// only waits (waiter.py), so that nothing can take a terminal either.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	s.w, s.r, s.out, s.life = requests, answers, out, life
	s.theirs = []io.Closer{ends[0], ends[1], ends[2], outW}
	return s, nil
}

// killGroup ends every process of the group that cmd leads.
func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // ESRCH: all gone
}

// interruptGroup asks them to stop.
func interruptGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGINT) }

// abort makes the process write its stack and die.
func abort(pid int) { _ = syscall.Kill(pid, syscall.SIGABRT) }

func ownedByUs(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

// exitStatus splits what the waiter passed on: a signal is 128 and its number.
func exitStatus(state *os.ProcessState) (code int, signal string) {
	ws, ok := state.Sys().(syscall.WaitStatus)
	if !ok {
		return state.ExitCode(), ""
	}
	if ws.Signaled() {
		return -1, signalName(ws.Signal())
	}
	if code := ws.ExitStatus(); code > 128 && code < 128+65 {
		return -1, signalName(syscall.Signal(code - 128))
	}
	return ws.ExitStatus(), ""
}

func signalName(s syscall.Signal) string {
	names := map[syscall.Signal]string{
		syscall.SIGABRT: "SIGABRT", syscall.SIGBUS: "SIGBUS", syscall.SIGFPE: "SIGFPE",
		syscall.SIGHUP: "SIGHUP", syscall.SIGILL: "SIGILL", syscall.SIGINT: "SIGINT",
		syscall.SIGKILL: "SIGKILL", syscall.SIGPIPE: "SIGPIPE", syscall.SIGSEGV: "SIGSEGV",
		syscall.SIGTERM: "SIGTERM", syscall.SIGTRAP: "SIGTRAP", syscall.SIGXCPU: "SIGXCPU",
	}
	if n, ok := names[s]; ok {
		return n
	}
	return fmt.Sprintf("signal %d", int(s))
}

// newBox makes the flight recorder's file: it has no name, both sides hold it.
func newBox(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "recorder-")
	if err != nil {
		f, err = os.CreateTemp("", "hermes-recorder-")
	}
	if err != nil {
		return nil, fmt.Errorf("create flight recorder: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		_ = f.Close()
		return nil, fmt.Errorf("unlink flight recorder: %w", err)
	}
	return f, nil
}
