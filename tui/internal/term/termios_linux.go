package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// Requests of the line settings.
const (
	readTermios  = unix.TCGETS
	writeTermios = unix.TCSETS
)

// flushInput drops what was typed or answered and not read.
func flushInput(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
