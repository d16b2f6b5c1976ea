// Package render measures and shapes styled text for a grid of terminal cells:
// display width, truncation, padding, wrapping, and the cleaning of text that
// did not originate in this program.
//
// A styled string is text with SGR sequences (CSI … m) and OSC 8 hyperlinks in
// it; nothing else that moves a cursor or talks to a terminal belongs there.
// Everything here works on grapheme clusters, so that an emoji family, a flag
// or a letter with its accents is never cut in two.
//
// # Width
//
// There is one width function in the program, the one behind Next and Width.
// It is charmbracelet/x/ansi's grapheme width (clipperhouse/displaywidth), and
// therefore equal to lipgloss.Width. East Asian ambiguous characters are
// narrow. It differs from go-runewidth and rivo/uniseg, which count an emoji
// family as the sum of its parts or follow older Unicode tables: their widths
// must not be used for layout. A cluster is 0, 1 or 2 cells wide.
//
// The package does not know what a screen is; package term does.
package render
