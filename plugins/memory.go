package plugins

// memoryLimit turns the setting into bytes: half of the machine's memory and
// at most 4 GiB by default (decision D45), 0 for none.
func memoryLimit(setting int64) int64 {
	switch {
	case setting > 0:
		return setting
	case setting < 0:
		return 0
	}
	half := totalMemory() / 2
	if half <= 0 {
		return maxDefaultMemory
	}
	return min(half, maxDefaultMemory)
}
