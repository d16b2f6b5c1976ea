package term

import (
	"fmt"
	"strings"
)

// Mod is a set of modifier keys.
type Mod uint8

// Modifiers, with the values of the kitty keyboard protocol.
const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
	Super
	Hyper
	Meta
)

// Key is a key press that tea.KeyMsg has no value for.
type Key struct {
	// Name is the key without modifiers, named as tea.KeyMsg names it: enter,
	// tab, backspace, esc, up, pgdown, f2, or a letter in its unshifted form.
	Name string
	Mod  Mod
}

// String returns the key in the grammar of tea.KeyMsg: ctrl+alt+shift+name.
func (k Key) String() string {
	var b strings.Builder
	for _, m := range [...]struct {
		mod  Mod
		name string
	}{{Super, "super+"}, {Hyper, "hyper+"}, {Meta, "meta+"}, {Ctrl, "ctrl+"}, {Alt, "alt+"}, {Shift, "shift+"}} {
		if k.Mod&m.mod != 0 {
			b.WriteString(m.name)
		}
	}
	b.WriteString(k.Name)
	return b.String()
}

// PasteMsg is a bracketed paste. Line ends are \n; control characters other
// than newline and tab are removed, so that nothing in it can act as a key.
type PasteMsg struct{ Text string }

// BackgroundMsg tells the terminal's background colour: its answer when the
// program started, and again whenever the theme of the terminal changes.
type BackgroundMsg struct {
	R, G, B uint8
	// Dark tells whether light text reads better on it.
	Dark bool
}

// Caps is what the terminal said it can do. What it did not say is unset.
type Caps struct {
	// Answered is set once the terminal has answered every question it is
	// going to answer.
	Answered bool
	// Kitty is set when the enhanced keyboard protocol is on: Shift+Enter and
	// its kind can be told apart.
	Kitty bool
	// Sync is set when frames are bracketed by synchronized output (mode 2026).
	Sync bool
	// Name is the terminal's name and version as it gives them, or empty.
	Name string
}

// CapsMsg is sent once the terminal has answered everything, and when Caps
// change after that.
type CapsMsg struct{ Caps }

// ResumeMsg is sent after the process was stopped and continued; the modes are
// set again and the screen is repainted.
type ResumeMsg struct{}

// ClosedMsg tells that the terminal is gone: reading or writing failed. The
// program should end; Err says why.
type ClosedMsg struct{ Err error }

// String names the error.
func (m ClosedMsg) String() string { return fmt.Sprintf("terminal closed: %v", m.Err) }
