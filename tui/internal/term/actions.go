package term

import (
	"encoding/base64"
	"strings"

	"hermes/tui/internal/render"
)

// SetMouse turns mouse reports on or off; they are on after Open unless
// Options.NoMouse is set.
func (t *Terminal) SetMouse(on bool) {
	if t.dialect.console {
		return
	}
	t.mu.Lock()
	changed := t.mouse != on
	t.mouse = on
	t.mu.Unlock()
	switch {
	case !changed:
	case on:
		t.emit(mouseOn)
	default:
		t.emit(mouseOff)
	}
}

// Clipboard asks the terminal to put text on the system's clipboard (OSC 52),
// also through tmux and over SSH. The terminal does not say whether it did;
// many refuse more than about 74,000 bytes of base64.
func (t *Terminal) Clipboard(text string) {
	seq := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\"
	if t.dialect.tmux {
		// tmux takes the plain form for its own buffers where it may, and
		// passes the wrapped one on where that is allowed.
		seq += passthrough(seq)
	}
	t.emit(seq)
}

// maxNote is the longest notification in cells.
const maxNote = 200

// Notify shows text outside of the program in the way that the terminal has:
// OSC 9, 99 or 777, else the bell. Whether the user is away is for the caller
// to know (tea.FocusMsg, tea.BlurMsg).
func (t *Terminal) Notify(text string) {
	text = render.Truncate(render.Line(text), maxNote, render.Ellipsis)
	var seq string
	switch t.notifier() {
	case notifyOSC9:
		seq = "\x1b]9;" + text + "\x1b\\"
	case notifyOSC99:
		seq = "\x1b]99;;" + text + "\x1b\\"
	case notifyOSC777:
		seq = "\x1b]777;notify;Hermes;" + text + "\x1b\\"
	default:
		t.emit("\a")
		return
	}
	if t.dialect.tmux {
		seq = passthrough(seq)
	}
	t.emit(seq)
}

// Ways to notify.
type notifier uint8

const (
	notifyBell notifier = iota
	notifyOSC9
	notifyOSC99
	notifyOSC777
)

// notifier goes by the name that the terminal gave, then by the environment,
// which is not there over SSH.
func (t *Terminal) notifier() notifier {
	name := strings.ToLower(t.Caps().Name + " " + t.o.Getenv("TERM_PROGRAM") + " " + t.o.Getenv("TERM"))
	for _, known := range [...]struct {
		name string
		way  notifier
	}{
		{"kitty", notifyOSC99},
		{"iterm", notifyOSC9},
		{"wezterm", notifyOSC9},
		{"ghostty", notifyOSC9},
		{"foot", notifyOSC777},
		{"rxvt", notifyOSC777},
	} {
		if strings.Contains(name, known.name) {
			return known.way
		}
	}
	return notifyBell
}

// passthrough wraps a sequence so that tmux hands it to its own terminal.
func passthrough(seq string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}
