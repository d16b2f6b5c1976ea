package plugins

import "golang.org/x/sys/unix"

// totalMemory is the machine's memory in bytes, 0 when it cannot be told.
func totalMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit) //nolint:unconvert // the field's size differs between platforms
}
