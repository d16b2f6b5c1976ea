//go:build unix

package terminal

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
)

// askpass makes the helper program and the pipe that it reads, and serves the
// password to it until stop.
func askpass(s *shells, password string) (helper string, stop func(), err error) {
	if helper, err = s.file(".ask"); err != nil {
		return "", nil, err
	}
	pipe := helper + ".pipe"
	program := "#!/bin/sh\nIFS= read -r p <" + quote(pipe) + " && printf '%s\\n' \"$p\"\n"
	if err := os.WriteFile(helper, []byte(program), 0o700); err != nil { //nolint:gosec // it is a program
		return "", nil, fmt.Errorf("write the helper: %w", err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		_ = os.Remove(helper)
		return "", nil, fmt.Errorf("make the pipe: %w", err)
	}
	var over atomic.Bool
	served := make(chan struct{})
	go func() {
		defer close(served)
		for {
			f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // until somebody reads
			if err != nil {
				return
			}
			if !over.Load() {
				_, _ = f.WriteString(password + "\n") // a reader that left has had it
			}
			_ = f.Close()
			if over.Load() {
				return
			}
		}
	}()
	return helper, func() {
		over.Store(true)
		// A reader that does not wait lets the goroutine past its opening.
		if f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			<-served
			_ = f.Close()
		}
		_, _ = os.Remove(pipe), os.Remove(helper)
	}, nil
}
