// Package background keeps Bubble Tea from asking the terminal for its
// background colour while packages are initialised.
//
// Bubble Tea 1.3 does that in an init function: it writes two queries and
// reads the terminal until an answer comes. What the user typed in the
// meantime is lost, and a terminal that does not answer holds the program up
// for five seconds. The program asks by itself, later and without waiting
// (tui/internal/term).
//
// Lip Gloss does not ask once the answer was set. That must happen before
// Bubble Tea's init, and Go initialises packages in the order of their import
// paths as soon as their imports are ready: hence a module of its own, whose
// path sorts before github.com and which imports nothing but Lip Gloss.
package background

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
