package tuitest

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"sort"
	"strconv"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// Option changes what the emulated terminal can do.
type Option func(*emulator)

// NoKitty takes the kitty keyboard protocol away.
func NoKitty() Option { return func(e *emulator) { e.kitty = false } }

// NoSync takes synchronized output away.
func NoSync() Option { return func(e *emulator) { e.sync = false } }

// Background sets the background colour that the terminal answers with.
func Background(r, g, b uint8) Option {
	return func(e *emulator) { e.vt.SetDefaultBackgroundColor(color.RGBA{r, g, b, 0xff}) }
}

// Silent makes a terminal that answers nothing.
func Silent() Option { return func(e *emulator) { e.silent = true } }

// emulator is a virtual terminal with what it lacks added: the kitty keyboard
// protocol, synchronized output, and a record of modes.
type emulator struct {
	mu sync.Mutex
	vt *vt.Emulator

	kitty, sync, silent bool

	modes    map[int]bool // DEC modes that are not as they were at the start
	initial  map[int]bool
	flags    []int // stack of the keyboard protocol
	otherKey int   // xterm's modifyOtherKeys
	titles   int   // depth of the title stack
	title    string
	within   bool // inside a synchronized update
	bells    int
	drained  chan struct{}
}

func newEmulator(w, h int, opts []Option) *emulator {
	e := &emulator{
		vt: vt.NewEmulator(w, h), kitty: true, sync: true,
		modes: map[int]bool{}, initial: map[int]bool{7: true, 25: true},
		drained: make(chan struct{}),
	}
	for _, o := range opts {
		o(e)
	}
	e.vt.SetCallbacks(vt.Callbacks{
		EnableMode:  func(m ansi.Mode) { e.setMode(m, true) },
		DisableMode: func(m ansi.Mode) { e.setMode(m, false) },
		Title:       func(s string) { e.title = s },
		Bell:        func() { e.bells++ },
	})
	e.vt.RegisterCsiHandler(ansi.Command('>', 0, 'u'), func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 0)
		e.flags = append(e.flags, n)
		return true
	})
	e.vt.RegisterCsiHandler(ansi.Command('<', 0, 'u'), func(p ansi.Params) bool {
		n, _, _ := p.Param(0, 1)
		e.flags = e.flags[:max(len(e.flags)-n, 0)]
		return true
	})
	e.vt.RegisterCsiHandler(ansi.Command('?', 0, 'u'), func(ansi.Params) bool {
		if e.kitty {
			e.reply(fmt.Sprintf("\x1b[?%du", e.kittyFlags()))
		}
		return true
	})
	e.vt.RegisterCsiHandler(ansi.Command('>', 0, 'm'), func(p ansi.Params) bool {
		if n, _, _ := p.Param(0, 0); n == 4 {
			e.otherKey, _, _ = p.Param(1, 0)
		}
		return true
	})
	e.vt.RegisterCsiHandler('t', func(p ansi.Params) bool {
		switch n, _, _ := p.Param(0, 0); n {
		case 22:
			e.titles++
		case 23:
			e.titles--
		}
		return true
	})
	e.vt.RegisterCsiHandler(ansi.Command('?', '$', 'p'), func(p ansi.Params) bool {
		if n, _, _ := p.Param(0, 0); n == 2026 && e.sync {
			e.reply("\x1b[?2026;2$y")
			return true
		}
		return false
	})
	e.vt.RegisterCsiHandler(ansi.Command('>', 0, 'q'), func(ansi.Params) bool {
		e.reply("\x1bP>|tuitest 1.0\x1b\\")
		return true
	})
	return e
}

// reply answers the program, if the terminal answers at all.
func (e *emulator) reply(s string) { _, _ = io.WriteString(e.vt.InputPipe(), s) }

func (e *emulator) kittyFlags() int {
	if len(e.flags) == 0 {
		return 0
	}
	return e.flags[len(e.flags)-1]
}

// setMode is called by the emulator within write.
func (e *emulator) setMode(m ansi.Mode, on bool) {
	dec, ok := m.(ansi.DECMode)
	if !ok {
		return
	}
	if int(dec) == 2026 {
		e.within = on
	}
	if on == e.initial[int(dec)] {
		delete(e.modes, int(dec))
	} else {
		e.modes[int(dec)] = on
	}
}

// mode reports whether a DEC mode is on.
func (e *emulator) mode(n int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := e.modes[n]; ok {
		return v
	}
	return e.initial[n]
}

// answer passes what the terminal says by itself to send, until close.
func (e *emulator) answer(send func([]byte)) {
	go func() {
		defer close(e.drained)
		buf := make([]byte, 4096)
		for {
			n, err := e.vt.Read(buf)
			if err != nil {
				return
			}
			if !e.silent {
				send(buf[:n])
			}
		}
	}()
}

// close ends answer. The emulator's own Close races with its Read.
func (e *emulator) close() {
	if c, ok := e.vt.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
	<-e.drained
}

func (e *emulator) write(b []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, _ = e.vt.Write(b)
}

func (e *emulator) resize(w, h int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vt.Resize(w, h)
}

func (e *emulator) size() (w, h int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.vt.Width(), e.vt.Height()
}

// changedModes names what is not as it was before the program.
func (e *emulator) changedModes() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var errs []error
	modes := make([]int, 0, len(e.modes))
	for m := range e.modes {
		modes = append(modes, m)
	}
	sort.Ints(modes)
	for _, m := range modes {
		errs = append(errs, fmt.Errorf("mode %s is %v", modeName(m), e.modes[m]))
	}
	if e.vt.IsAltScreen() {
		errs = append(errs, errors.New("the alternate screen is shown"))
	}
	if e.vt.CursorHidden() {
		errs = append(errs, errors.New("the cursor is hidden"))
	}
	if len(e.flags) > 0 {
		errs = append(errs, fmt.Errorf("%d entries on the stack of the keyboard protocol", len(e.flags)))
	}
	if e.otherKey != 0 {
		errs = append(errs, fmt.Errorf("modifyOtherKeys is %d", e.otherKey))
	}
	if e.titles != 0 {
		errs = append(errs, fmt.Errorf("the title stack has %+d entries", e.titles))
	}
	return errors.Join(errs...)
}

func modeName(m int) string {
	names := map[int]string{
		7: "wrap", 25: "cursor", 1000: "mouse", 1002: "mouse drag", 1003: "mouse motion", 1004: "focus", 1006: "mouse SGR",
		1049: "alternate screen", 2004: "bracketed paste", 2026: "synchronized output", 2027: "grapheme clusters", 2031: "theme reports",
	}
	return strconv.Itoa(m) + " " + names[m]
}
