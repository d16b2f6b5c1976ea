package tui

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A screen that cannot be drawn is refused before anything is written to it.
func TestUsable(t *testing.T) {
	var out bytes.Buffer
	none := func(string) string { return "" }
	if err := Usable(strings.NewReader(""), &out, none); !errors.Is(err, ErrNotTerminal) || out.Len() > 0 {
		t.Errorf("a pipe: %v, wrote %q", err, out.String())
	}
	screen, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	defer screen.Close()
	defer tty.Close()
	if err := Usable(tty, tty, func(name string) string { return map[string]string{"TERM": "dumb"}[name] }); !errors.Is(err, ErrDumb) {
		t.Errorf("TERM=dumb: %v", err)
	}
	if err := Usable(tty, tty, none); err != nil {
		t.Errorf("a terminal: %v", err)
	}
}
