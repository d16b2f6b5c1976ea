//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package term

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// consoleState is empty: a terminal on Unix has one state, that of its input.
type consoleState struct{}

func (consoleState) open(*os.File) error { return nil }
func (consoleState) close(*os.File)      {}

// watchSize returns a channel that tells of new sizes, and its end.
func (t *Terminal) watchSize() (<-chan struct{}, func()) {
	if t.o.Resized != nil {
		return t.o.Resized, func() {}
	}
	sig := make(chan os.Signal, 1)
	out, done := make(chan struct{}), make(chan struct{})
	ended := make(chan struct{})
	signal.Notify(sig, unix.SIGWINCH)
	go func() {
		defer close(ended)
		for {
			select {
			case <-sig:
			case <-done:
				return
			}
			select {
			case out <- struct{}{}:
			case <-done:
				return
			}
		}
	}()
	return out, func() { signal.Stop(sig); close(done); <-ended }
}

// notifyContinued tells c when the process is continued after a stop.
func notifyContinued(c chan os.Signal) { signal.Notify(c, unix.SIGCONT) }

// canStop tells that the system knows stopped processes.
const canStop = true

// stopSelf asks the system to stop the process group.
func stopSelf() error { return unix.Kill(0, unix.SIGTSTP) }

// sane sets what raw mode takes from a line as systems set it up: echo,
// editing, signals, and line ends of Unix.
func sane(f *os.File) error {
	fd := int(f.Fd())
	t, err := unix.IoctlGetTermios(fd, readTermios)
	if err != nil {
		return err
	}
	t.Iflag |= unix.ICRNL | unix.IXON
	t.Oflag |= unix.OPOST | unix.ONLCR
	t.Lflag |= unix.ECHO | unix.ECHOE | unix.ECHOK | unix.ICANON | unix.ISIG | unix.IEXTEN
	return unix.IoctlSetTermios(fd, writeTermios, t)
}
