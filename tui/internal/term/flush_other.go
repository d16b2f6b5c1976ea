//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package term

import "os"

// flushInput does nothing where the system has no call for it.
func flushInput(*os.File) {}
