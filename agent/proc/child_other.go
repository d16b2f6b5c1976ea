//go:build !unix

package proc

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
)

func ownGroup(*exec.Cmd) {}

// errNoTTY: a terminal for a child needs ConPTY here, which is not built in.
var errNoTTY = errors.New("a terminal for commands is not available on this system")

func (c *Child) startTTY() error { return errNoTTY }

func readNow(*os.File, []byte) int { return 0 }

func exitCode(state *os.ProcessState, _ error) int {
	if state == nil {
		return -1
	}
	return state.ExitCode()
}

// member is unused: taskkill finds the children.
type member struct{}

func family(int, bool) []member { return nil }

func left(int) bool { return false }

func terminate(int, []member, bool) {} // there is no asking without a console

func forceKill(pid int, _ []member, reaped bool) {
	if reaped {
		return // the number may be another's by now
	}
	// /T takes the children along; there is no group to signal.
	if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(pid)).Run(); err != nil {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}
