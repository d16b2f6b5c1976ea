// Package terminal is the tool that runs shell commands. Each session has its
// own shell: the folder, exported variables and functions that one command
// leaves are there for the next. The shell itself does not live on: every
// command gets a process group of its own, which can be killed without losing
// what came before.
//
// Whether a command may run is decided elsewhere (Deps.Approve).
package terminal
