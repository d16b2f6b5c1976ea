//go:build unix

package config

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock waits until no other process holds f. Holders keep it for the moments
// that reading and replacing a small file take.
func lock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) } // closing unlocks as well
