//go:build !unix

package code

// channels: only the standard streams can be passed to a child here.
const channels = false
