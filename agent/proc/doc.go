// Package proc runs child processes so that none of them outlives the program
// unseen. A Child leads a group of its own, its output is read until it ends
// whatever keeps the pipe open, and Kill reaches all that it started. A
// Manager owns every child and keeps the list of those that run in the
// background. The package knows nothing of shells, tools or approvals.
package proc
