package term

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// SignalError says that a signal ended the program.
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e SignalError) Error() string { return fmt.Sprintf("ended by signal: %v", e.Signal) }

// ExitCode is what a shell reports for a process that the signal ended.
func (e SignalError) ExitCode() int {
	if n, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 1
}

// signals waits for the first signal that ends programs.
type signals struct {
	pass  func(os.Signal) bool // which of them are not for us
	c     chan os.Signal
	stop  chan struct{} // closed by end
	ended chan struct{} // closed when the goroutine ended
	first os.Signal     // may be read then
}

// watchSignals calls act, once, at the first of the signals that would end the
// process under raw mode: those that users and systems send for it, but for
// those that pass names. The next one ends the process at once, in the way of
// the system: the update loop may be the one that hangs.
func watchSignals(pass func(os.Signal) bool, act func(os.Signal)) *signals {
	w := &signals{pass: pass, c: make(chan os.Signal, 2), stop: make(chan struct{}), ended: make(chan struct{})}
	signal.Notify(w.c, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	go func() {
		defer close(w.ended)
		for {
			select {
			case s := <-w.c:
				if pass(s) {
					continue
				}
				w.first = s
				act(s)
				w.raiseAgain()
			case <-w.stop:
			}
			return
		}
	}()
	return w
}

// raiseAgain stops catching signals; one that came in the meantime is sent
// once more.
func (w *signals) raiseAgain() {
	signal.Stop(w.c)
	select {
	case s := <-w.c:
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Signal(s)
		}
	default:
	}
}

// end stops watching and returns the signal that came, nil for none. It knows
// of every signal that anyone in the process was told of before: signal.Stop
// waits for deliveries that are under way. So it makes no difference whether
// the program noticed the signal or a context that the signal cancelled.
func (w *signals) end() os.Signal {
	signal.Stop(w.c)
	close(w.stop)
	<-w.ended
	if w.first == nil {
		select {
		case s := <-w.c:
			if !w.pass(s) {
				w.first = s
			}
		default:
		}
	}
	return w.first
}
