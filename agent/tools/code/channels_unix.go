//go:build unix

package code

// channels says that pipes can be passed to a child.
const channels = true
