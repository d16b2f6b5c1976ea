// Package host runs the Python process that plugins live in: it finds an
// interpreter, unpacks the host's files, starts the process, completes the
// handshake and ends it. It knows nothing of plugins; what runs in the process
// and when it is started again is decided by package plugins.
package host
