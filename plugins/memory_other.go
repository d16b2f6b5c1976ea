//go:build !linux

package plugins

// totalMemory is not asked for where the limit of address space is not kept
// either (macOS, Windows).
func totalMemory() int64 { return 0 }
