//go:build windows

package config

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock waits until no other process holds f. Holders keep it for the moments
// that reading and replacing a small file take.
func lock(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, new(windows.Overlapped))
}

func unlock(f *os.File) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, new(windows.Overlapped)) // closing unlocks as well
}
