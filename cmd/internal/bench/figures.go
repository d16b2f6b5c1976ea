//go:build linux

package bench

import (
	"regexp"
	"time"
)

// figure is one row of the table.
type figure struct {
	id   string
	name string
	unit string
	// classic is hermes-agent's own value on the machine where the targets were
	// set, target ours there: the ratio of the two is what counts beside a
	// measured hermes-agent. A classic of 0 makes the target an absolute one.
	classic, target float64
}

// figures are the rows, in the order of the table.
var figures = [...]figure{
	{"paint", "first paint, warm", "ms", 1999, 45},
	{"paint1", "the same with 1 plugin", "ms", 2056, 45},
	{"paint50", "the same with 50 plugins", "ms", 2112, 45},
	{"cold", "first paint, empty home", "ms", 0, 0},
	{"echo", "typed text echoed after start", "ms", 2238, 65},
	{"version", "`--version`", "ms", 346, 40},
	{"list", "`plugins list`", "ms", 584, 60},
	{"pss", "idle memory of all processes (PSS), 10 plugins", "MiB", 105, 60},
	{"cpu", "idle CPU", "%", 0.4, 0.4},
	{"idle", "idle bytes to the terminal", "B/s", 0, 0},
	{"enter", "Enter to request on the wire", "ms", 193, 5},
	{"last", "last byte sent to last byte painted", "ms", 131, 33},
	{"gap", "gap between two tool calls", "ms", 192, 4},
	{"slash", "slash menu painted after `/`", "ms", 19, 16},
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// startFigures times one start: the first paint, then the echo of a text that
// is typed as soon as the program has taken the keyboard over.
func startFigures(h *home, paintID string, add func(string, float64)) error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	painted := make(chan error, 1)
	go func() {
		at, err := t.painted()
		if err == nil {
			add(paintID, ms(at.Sub(t.start)))
		}
		painted <- err
	}()
	if err := t.raw(); err != nil {
		return err
	}
	if _, err := t.keys(typed); err != nil {
		return err
	}
	if err := <-painted; err != nil {
		return err
	}
	at, err := t.shows(typed)
	if err != nil {
		return err
	}
	if paintID == "paint" {
		add("echo", ms(at.Sub(t.start)))
	}
	return t.quiet(300 * time.Millisecond)
}

// typed is a text that nothing else writes.
const typed = "zqxjv"

// cold times the first start in a home that nothing was written to.
func cold(h *home, add func(string, float64)) error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	at, err := t.painted()
	if err != nil {
		return err
	}
	add("cold", ms(at.Sub(t.start)))
	return t.quiet(300 * time.Millisecond)
}

// command times a command without a terminal.
func command(h *home, id string, add func(string, float64), args ...string) error {
	took, err := h.run(args...)
	if err == nil {
		add(id, ms(took))
	}
	return err
}

// menuRow is a row of a completion menu.
var menuRow = regexp.MustCompile(`(^|[^\w/.])/[a-z][a-z-]+`)

func commandRows(lines []string) int {
	n := 0
	for _, l := range lines {
		if menuRow.MatchString(l) {
			n++
		}
	}
	return n
}

// slash times "/" to at least three more rows with commands.
func slash(root string, p program, n int, add func(string, float64)) error {
	h, err := newHome(root, p, 0, "")
	if err != nil {
		return err
	}
	if err := h.warm(); err != nil {
		return err
	}
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.raw(); err != nil {
		return err
	}
	if err := t.quiet(3 * time.Second); err != nil {
		return err
	}
	for range n {
		t.mu.Lock()
		base := commandRows(t.lines())
		t.mu.Unlock()
		pressed, err := t.keys("/")
		if err != nil {
			return err
		}
		at, err := t.until("the slash menu", func(lines []string) bool { return commandRows(lines) >= base+3 })
		if err != nil {
			return err
		}
		add("slash", ms(at.Sub(pressed)))
		if err := t.quiet(rest); err != nil {
			return err
		}
		if _, err := t.keys("\x7f"); err != nil {
			return err
		}
		if err := t.quiet(rest); err != nil {
			return err
		}
	}
	return nil
}
