// Package approval decides whether a command may run: what is never run, what
// the user has to be asked about first, and what the user said.
//
// A command is judged twice. Patterns look at its text, so that everything that
// the reference asks about is asked about here under the same key (keys stand
// in the user's command_allowlist, which both programs read). Then the shell
// script is parsed and every command in it is judged by its words, wherever it
// is hidden: patterns cannot see through quotes, variables and scripts inside
// scripts, and they cannot tell a command from a text that mentions one.
package approval
