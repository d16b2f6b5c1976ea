//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// Requests of the line settings.
const (
	readTermios  = unix.TIOCGETA
	writeTermios = unix.TIOCSETA
)

// flushInput drops what was typed or answered and not read.
func flushInput(f *os.File) {
	const read = 1 // FREAD of <sys/fcntl.h>
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, read)
}
