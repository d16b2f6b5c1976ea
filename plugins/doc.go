// Package plugins is what the rest of the program sees of Python plugins: it
// finds them, runs them in a process of their own, watches over that process,
// and offers what they registered as tools, hooks and slash commands.
//
// A Manager owns everything. Its methods may be called from any goroutine and
// never wait for Python unless they say so; what happens is told by events.
//
// Two locks: Manager.mu guards what is known and is held for moments, never
// across a call into a host; Manager.changing makes loading, enabling,
// disabling and reloading happen one at a time, and is held while plugins
// load. Tools, hooks and commands never take the second.
package plugins
