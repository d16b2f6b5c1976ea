// Package plugins is what the rest of the program sees of Python plugins: it
// finds them, runs them in a process of their own, watches over that process,
// and offers what they registered as tools, hooks and slash commands.
//
// A Manager owns everything. Its methods may be called from any goroutine and
// never wait for Python unless they say so; what happens is told by events.
// No lock is held while a plugin host is asked something.
package plugins
