//go:build unix

package proc

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/creack/pty"
)

// ownGroup makes the child lead a session of its own: it has no terminal to
// ask for a password on, Ctrl+C does not reach it, and its group can be killed.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

func (c *Child) startTTY() error {
	attr := &syscall.SysProcAttr{Setsid: true, Setctty: true}
	f, err := pty.StartWithAttrs(c.cmd, &pty.Winsize{Rows: ttyRows, Cols: ttyCols}, attr)
	if err != nil {
		return err
	}
	c.tty, c.outs = f, []*os.File{f}
	return nil
}

// readNow reads what is there; 0 when that is nothing.
func readNow(f *os.File, buf []byte) int {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0
	}
	n := 0
	_ = raw.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), buf)
		return true
	})
	if err != nil {
		return 0
	}
	return n
}

func exitCode(state *os.ProcessState, _ error) int {
	if state == nil {
		return -1
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -int(ws.Signal())
	}
	return state.ExitCode()
}

func terminate(pid int, all []member, reaped bool) { signalAll(pid, all, reaped, syscall.SIGTERM) }

func forceKill(pid int, all []member, reaped bool) { signalAll(pid, all, reaped, syscall.SIGKILL) }

// signalAll sends sig to the group, and to those of the family that left it.
// Once the leader is reaped the group's number is only its own as long as
// somebody is in it.
func signalAll(pid int, all []member, reaped bool, sig syscall.Signal) {
	if !reaped || groupOf(pid, all) {
		_ = syscall.Kill(-pid, sig) // ESRCH: all gone
	}
	for _, m := range all {
		if m.group != pid && m.alive() {
			_ = syscall.Kill(m.pid, sig)
		}
	}
}
