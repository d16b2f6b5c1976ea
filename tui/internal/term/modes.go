package term

import (
	"strings"

	"hermes/tui/internal/render"
)

// dialect is what is known about the terminal from the environment alone.
type dialect struct {
	// console is the Linux console: no keyboard protocols, no colour queries.
	console bool
	// apple is Apple's Terminal, which prints the last letter of a mode query.
	apple bool
	// tmux wraps what is meant for the terminal outside of it.
	tmux bool
}

func detectDialect(getenv func(string) string) dialect {
	term := getenv("TERM")
	return dialect{
		console: term == "linux" || strings.HasPrefix(term, "linux-"),
		apple:   getenv("TERM_PROGRAM") == "Apple_Terminal",
		tmux:    getenv("TMUX") != "",
	}
}

// Keyboard flags of the kitty protocol: 1 tells Shift+Enter from Enter, 4 adds
// the key of the basic layout, so that shortcuts work in every alphabet.
const kittyFlags = "5"

// enter returns what sets the modes. Order matters where a terminal keeps
// modes per screen: the keyboard protocol comes after the alternate screen.
// Wrapping is off, so that no width that a terminal measures differently can
// push a row down.
func (d dialect) enter(mouse bool) string {
	s := "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h"
	if d.console {
		return s
	}
	s += "\x1b[?1004h\x1b[?2031h\x1b[>" + kittyFlags + "u"
	if !d.apple {
		s += "\x1b[>4;1m"
	}
	if mouse {
		s += mouseOn
	}
	return s
}

// leave returns what undoes enter, in any state the screen may be in.
func (d dialect) leave(title bool) string {
	s := "\x1b[?2026l\x1b[m"
	if !d.console {
		s += mouseOff
		if !d.apple {
			s += "\x1b[>4m"
		}
		s += "\x1b[<u\x1b[?2031l\x1b[?1004l"
	}
	s += "\x1b[?2004l\x1b[?25h\x1b[?7h"
	if title {
		s += popTitle
	}
	return s + "\x1b[?1049l"
}

// Mouse reports: presses, releases, wheel and drags, in SGR form.
const (
	mouseOn  = "\x1b[?1002h\x1b[?1006h"
	mouseOff = "\x1b[?1006l\x1b[?1002l"
	// mouseAlien are modes of the mouse that others set.
	mouseAlien = "\x1b[?1000l\x1b[?1003l"
)

// queries returns the questions to the terminal: modes 2026 and 2027, keyboard
// protocol, name, background colour; and last its class, which every terminal
// answers: when that answer is here, nothing else is to come.
func (d dialect) queries() string {
	switch {
	case d.console:
		return ""
	case d.apple:
		return queryBackground + "\x1b[c"
	}
	return "\x1b[?2026$p\x1b[?2027$p\x1b[?u\x1b[>q" + queryBackground + "\x1b[c"
}

const queryBackground = "\x1b]11;?\x1b\\"

// The title before the first of ours waits on the terminal's stack.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// maxTitle is the longest window title in cells.
const maxTitle = 120

// appendTitle sets the window title.
func appendTitle(b []byte, title string) []byte {
	b = append(b, "\x1b]2;"...)
	b = append(b, render.Truncate(render.Line(title), maxTitle, render.Ellipsis)...)
	return append(b, "\x1b\\"...)
}
