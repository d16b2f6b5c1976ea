package term

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"
	"pgregory.net/rapid"

	"hermes/tui/internal/render"
)

// emulate returns a terminal of w by h cells and a function that feeds it.
func emulate(t interface{ Cleanup(func()) }, w, h int) *vt.Emulator {
	e := vt.NewEmulator(w, h)
	done := make(chan struct{})
	go func() { defer close(done); _, _ = io.Copy(io.Discard, e) }()
	t.Cleanup(func() {
		_ = e.InputPipe().(io.Closer).Close()
		<-done
	})
	return e
}

// alphabet is what random rows are made of: one and two cells wide, combining,
// sequences that terminals dispute, styles, links, and what must not get out.
var alphabet = []string{
	"a", "b", " ", " ", "  ", "é", "e\u0301", "世", "界", "甲乙丙", "👩‍👩‍👧", "🇯🇵", "✅", "☀️", "1️⃣", "한", "नि", "─", "│", "█",
	"\x1b[31m", "\x1b[1;4m", "\x1b[m", "\x1b[48;5;21m", "\x1b[38;2;1;2;3m", "\x1b[7m", "\x1b[22m", "\x1b[4:3m",
	"\x1b]8;;https://example.org\x1b\\", "\x1b]8;;\x1b\\",
	"\u200b", "\t", "\n", "\x1b[2J", "\x1b]0;x\x07", "\x07", "\u009b", "hello world",
}

func drawLine(t *rapid.T, w int) string {
	n := rapid.IntRange(0, w/2).Draw(t, "parts")
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(alphabet), n, n).Draw(t, "line"), "")
}

func drawFrame(t *rapid.T, before *Frame, w, h int) *Frame {
	f := &Frame{}
	for y := range h + rapid.IntRange(-1, 1).Draw(t, "rows") {
		switch {
		case y < len(before.Lines) && rapid.IntRange(0, 2).Draw(t, "keep") > 0:
			f.Lines = append(f.Lines, before.Lines[y])
		case len(before.Lines) > 0 && rapid.Bool().Draw(t, "scroll"):
			f.Lines = append(f.Lines, before.Lines[(y+1)%len(before.Lines)])
		default:
			f.Lines = append(f.Lines, drawLine(t, w))
		}
	}
	f.Cursor = Cursor{
		X: rapid.IntRange(-1, w).Draw(t, "x"), Y: rapid.IntRange(-1, h).Draw(t, "y"),
		Visible: rapid.Bool().Draw(t, "visible"),
	}
	f.Title = rapid.SampledFrom([]string{"", "one", "two"}).Draw(t, "title")
	return f
}

// checkScreen compares the emulator's screen with what the frame says, cell by
// cell, as parsed by itself.
func checkScreen(t interface{ Fatalf(string, ...any) }, e *vt.Emulator, p *parser, f *Frame, out []byte) {
	w, h := e.Width(), e.Height()
	for y := range h {
		line := ""
		if y < len(f.Lines) {
			line = f.Lines[y]
		}
		want := p.parse(nil, line, w)
		for x := range w {
			got := e.CellAt(x, y)
			text := got.Content
			if text == "" && want[x].width == 1 {
				text = " "
			}
			if text != want[x].text || got.Width != int(want[x].width) {
				t.Fatalf("cell %d,%d is %q (%d), not %q (%d)\nline  %q\nwrote %q", x, y, got.Content, got.Width, want[x].text, want[x].width, line, out)
			}
			if want[x].width == 0 {
				continue // the emulator keeps no style in second halves
			}
			style := render.Style{Link: got.Link.URL}.Apply(got.Style.String())
			if got := style; blankStyle(want[x], got) != want[x].style {
				t.Fatalf("cell %d,%d %q has style %+v, not %+v\nline  %q\nwrote %q", x, y, text, got, want[x].style, line, out)
			}
		}
	}
	x, y := min(max(f.Cursor.X, 0), w-1), min(max(f.Cursor.Y, 0), h-1)
	if pos := e.CursorPosition(); f.Cursor.Visible && (pos.X != x || pos.Y != y) {
		t.Fatalf("cursor at %v, not %d,%d\nwrote %q", pos, x, y, out)
	}
	if e.CursorHidden() == f.Cursor.Visible {
		t.Fatalf("cursor visible is not %v\nwrote %q", f.Cursor.Visible, out)
	}
}

// blankStyle leaves out what does not show on a blank.
func blankStyle(want cell, got render.Style) render.Style {
	if want.text == " " {
		return blankIn(got).style
	}
	return got
}

// TestScreenShowsFrames: after any sequence of frames and resizes the terminal
// shows the last frame, whatever it can do.
func TestScreenShowsFrames(t *testing.T) {
	sizes := [][2]int{{1, 1}, {2, 3}, {7, 4}, {40, 12}}
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom(sizes).Draw(t, "size")
		w, h := size[0], size[1]
		e := emulate(t, w, h)
		_, _ = e.WriteString("\x1b[?7l\x1b[?25l")
		s := newScreen(TrueColor, true)
		s.sync, s.clusters = rapid.Bool().Draw(t, "sync"), rapid.Bool().Draw(t, "clusters")
		f := &Frame{}
		for range rapid.IntRange(1, 6).Draw(t, "frames") {
			if rapid.IntRange(0, 9).Draw(t, "resize") == 0 {
				w, h = rapid.IntRange(1, 50).Draw(t, "w"), rapid.IntRange(1, 14).Draw(t, "h")
				e.Resize(w, h)
			}
			f = drawFrame(t, f, w, h)
			out := s.draw(nil, f, w, h)
			_, _ = e.Write(out)
			checkScreen(t, e, &s.parser, f, out)
			if again := s.draw(nil, f, w, h); len(again) > 0 {
				t.Fatalf("the same frame again writes %q", again)
			}
		}
	})
}

// TestScreenWritesLittle is what a change costs in bytes.
func TestScreenWritesLittle(t *testing.T) {
	lines := func(change func([]string)) *Frame {
		f := &Frame{Lines: make([]string, 40), Cursor: Cursor{X: 5, Y: 39, Visible: true}}
		for y := range f.Lines {
			f.Lines[y] = strings.Repeat(fmt.Sprintf("\x1b[36mrow %d\x1b[m ", y), 12)
		}
		f.Lines[39] = "❯ abc"
		change(f.Lines)
		return f
	}
	s := newScreen(TrueColor, true)
	s.draw(nil, lines(func([]string) {}), 120, 40)
	for _, c := range []struct {
		name   string
		change func([]string)
		want   string
	}{
		{"a key", func(l []string) { l[39] = "❯ abcd" }, "d"},
		{"a letter in a row", func(l []string) {
			l[39] = "❯ abcd"
			l[3] = strings.Replace(l[3], "row", "rOw", 1)
		}, "\x1b[4;2H\x1b[36mO\x1b[m\x1b[40;6H"},
		{"the end of a row", func(l []string) {
			l[39] = "❯ abcd"
			l[3] = "row 3"
		}, "\x1b[?25l\x1b[4H"},
	} {
		f := lines(c.change)
		f.Cursor.X = 5 + len("d")
		if c.name != "a key" {
			f.Cursor.X = 5
		}
		got := string(s.draw(nil, f, 120, 40))
		switch {
		case c.name == "the end of a row":
			if len(got) > 40 || !strings.Contains(got, "\x1b[K") {
				t.Errorf("%s: wrote %q", c.name, got)
			}
		case got != c.want:
			t.Errorf("%s: wrote %q, not %q", c.name, got, c.want)
		}
	}
}

// TestNoEraseAfterFirstFrame is property U001: no display is erased after the
// first frame until a resize or a repaint, whatever changes.
func TestNoEraseAfterFirstFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newScreen(TrueColor, true)
		f := drawFrame(t, &Frame{}, 40, 12)
		if out := string(s.draw(nil, f, 40, 12)); strings.Count(out, "\x1b[2J") != 1 {
			t.Fatalf("first frame: %q", out)
		}
		for range 5 {
			f = drawFrame(t, f, 40, 12)
			if out := string(s.draw(nil, f, 40, 12)); strings.Contains(out, "J") && strings.Contains(out, "\x1b[2J") {
				t.Fatalf("erased: %q", out)
			}
		}
	})
}

// TestFramesAreBracketed: with mode 2026 everything that is written for a
// frame stands in one bracket.
func TestFramesAreBracketed(t *testing.T) {
	s := newScreen(TrueColor, true)
	s.sync = true
	for _, f := range []*Frame{
		{Lines: []string{"a"}},
		{Lines: []string{"a"}, Cursor: Cursor{Visible: true}},
		{Lines: []string{"b", "c"}, Title: "x"},
	} {
		out := string(s.draw(nil, f, 20, 5))
		if !strings.HasPrefix(out, "\x1b[?2026h") || !strings.HasSuffix(out, "\x1b[?2026l") || strings.Count(out, "2026") != 2 {
			t.Errorf("wrote %q", out)
		}
	}
}

// TestProfiles: colours are reduced to what there is, attributes stay.
func TestProfiles(t *testing.T) {
	line := "\x1b[1;38;2;250;10;10;48;5;21mx\x1b[0;4:3;58;2;1;2;3my\x1b[0;92mz"
	for p, want := range map[Profile]string{
		TrueColor: "\x1b[1;38;2;250;10;10;48;5;21mx\x1b[0;4:3;58;2;1;2;3my\x1b[0;92mz\x1b[m",
		ANSI256:   "\x1b[1;38;5;196;48;5;21mx\x1b[0;4:3;58;5;16my\x1b[0;92mz\x1b[m",
		ANSI:      "\x1b[1;91;44mx\x1b[0;4my\x1b[0;92mz\x1b[m",
		NoColor:   "\x1b[1mx\x1b[0;4my\x1b[mz",
	} {
		s := newScreen(p, true)
		s.draw(nil, &Frame{}, 10, 1)
		s.moved = 0
		if got := string(s.draw(nil, &Frame{Lines: []string{line}}, 10, 1)); got != want {
			t.Errorf("%v: wrote %q, not %q", p, got, want)
		}
	}
}

func BenchmarkOneChangedLine(b *testing.B) {
	s := newScreen(TrueColor, true)
	frames := [2]*Frame{{Lines: make([]string, 40)}, {Lines: make([]string, 40)}}
	for y := range 40 {
		line := strings.Repeat(fmt.Sprintf("\x1b[36mrow %d\x1b[m word ", y), 9)
		frames[0].Lines[y], frames[1].Lines[y] = line, line
	}
	frames[1].Lines[20] = strings.Replace(frames[1].Lines[20], "word", "WORD", 3)
	s.draw(nil, frames[0], 120, 40)
	buf := make([]byte, 0, 4096)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		buf = s.draw(buf[:0], frames[(i+1)%2], 120, 40)
	}
	b.ReportMetric(float64(len(buf)), "bytes/frame")
}

func BenchmarkScrolledFrame(b *testing.B) {
	s := newScreen(TrueColor, true)
	var lines []string
	for y := range 80 {
		lines = append(lines, strings.Repeat(fmt.Sprintf("\x1b[36mrow %d\x1b[m word ", y), 9))
	}
	buf := make([]byte, 0, 64<<10)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		buf = s.draw(buf[:0], &Frame{Lines: append([]string(nil), lines[i%40:i%40+40]...)}, 120, 40)
	}
	b.ReportMetric(float64(len(buf)), "bytes/frame")
}

// TestParseMatchesTerminal holds the parser against a terminal that is given
// the line itself.
func TestParseMatchesTerminal(t *testing.T) {
	var printable []string
	for _, a := range alphabet {
		if !strings.ContainsAny(a, "\t\n\a\u200b\u009b") && !strings.Contains(a, "\x1b[2J") {
			printable = append(printable, a)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(printable), 0, 30).Draw(t, "line"), "")
		w := max(render.Width(line), 1)
		e := emulate(t, w+4, 1)
		_, _ = e.WriteString(line)
		p := &parser{profile: TrueColor, links: true}
		for x, want := range p.parse(nil, line, w) {
			got := e.CellAt(x, 0)
			if text := got.Content; text != want.text && (text != "" || want.text != " ") {
				t.Fatalf("%q: cell %d is %q, not %q", line, x, text, want.text)
			}
			style := render.Style{Link: got.Link.URL}.Apply(got.Style.String())
			if want.width > 0 && blankStyle(want, style) != want.style {
				t.Fatalf("%q: cell %d has style %+v, not %+v", line, x, style, want.style)
			}
		}
	})
}
