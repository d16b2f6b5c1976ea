package tui

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"hermes/agent/event"
	"hermes/themes"
	"hermes/tui/internal/look"
	"hermes/tui/tuitest"
)

// The skin that the configuration names is read and used; a broken one is told
// with file and line, and the one before stays.
func TestSkinOfTheConfiguration(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "skins"), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(home, "skins", name+".yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine", "name: mine\nbranding:\n  agent_name: My Agent\n  prompt_symbol: '»'\n  response_label: mia\n")
	write("broken", "colors:\n  ui_ok: green\n")
	r := startLoaded(t, 80, 24)
	use := func(name string) {
		r.bus.Emit(event.ConfigLoaded{Path: filepath.Join(home, "config.yaml"), Theme: name, Lang: "en"})
	}
	use("mine")
	r.WaitText("╭─ My Agent 0.1.0", "»")
	r.begin("hello")
	r.says("hi")
	r.WaitText(" mia ", "       hi")
	use("broken")
	r.WaitFor(func(s tuitest.Snapshot) bool { // the path wraps
		return strings.Contains(strings.Join(strings.Fields(s.String()), ""), "broken.yaml:line2:colors.ui_ok") && s.Contains("»")
	})
	use("nowhere")
	r.WaitText(`there is no skin named "nowhere"`)
	use("../mine")
	r.WaitText(`there is no skin named "../mine"`, "»")
	use("mono")
	r.WaitText("❯")
}

// Every colour on the screen can be read on the background that the terminal
// says it has (property U067).
func TestContrast(t *testing.T) {
	for name, bg := range map[string][3]uint8{"black": {0, 0, 0}, "white": {255, 255, 255}, "grey": {128, 128, 128}} {
		t.Run(name, func(t *testing.T) {
			r := startOn(t, 120, 40, []tuitest.Option{tuitest.Background(bg[0], bg[1], bg[2])})
			r.loaded()
			r.begin("colours")
			r.bus.Emit(event.ToolDone{Meta: turn1, Call: "1", Name: "t", Owner: "weather", Args: `{"a":1}`, Status: event.StatusError, Err: "bad", Ms: 1})
			r.says("# Title\n\n`code` and [link](http://x.y)\n\n```go\nfunc f() string { return \"x\" } // 1\n```\n\n> quote\n")
			back := themes.Color{R: bg[0], G: bg[1], B: bg[2], Set: true}
			// The answer about the background may come after the text.
			readable := func(texts ...string) {
				r.WaitText(texts...)
				r.WaitFor(func(s tuitest.Snapshot) bool { return len(tooPale(s, back)) == 0 })
			}
			readable("func f()", "✗ t")
			r.Type("/")
			readable("11 of 11")
			r.Press("esc", "f2")
			readable("sort: state")
			r.Press("f3")
			readable("plugin · callback")
		})
	}
}

// tooPale lists the cells whose colour cannot be told from the background:
// below 4.5 for text, below 3 for lines.
func tooPale(s tuitest.Snapshot, bg themes.Color) []string {
	var out []string
	for y := range s.H {
		for x := range s.W {
			c := s.Cell(x, y)
			if c.Style.Fg == nil || strings.TrimSpace(c.Content) == "" {
				continue
			}
			want := themes.TextContrast
			if strings.ContainsAny(c.Content, "─│╭╮╰╯├┤┼┄═║╔╗╚╝") {
				want = themes.ShapeContrast
			}
			r, g, b, _ := color.NRGBAModel.Convert(c.Style.Fg).RGBA()
			fg := themes.Color{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), Set: true}
			if got := themes.Contrast(fg, bg); got < want {
				out = append(out, strings.Join([]string{c.Content, fg.String(), "on", bg.String()}, " "))
			}
		}
	}
	return out
}

// Every key that acts everywhere stands on the help page.
func TestHelpNamesEveryKey(t *testing.T) {
	m := benchModel(0)
	var text strings.Builder
	for _, s := range m.helpSections(look.New(look.Options{}, 1)) {
		for _, k := range s.Keys {
			text.WriteString(" " + strings.ToLower(k[0]) + " ")
		}
	}
	help := strings.NewReplacer("pgdn", "pgdown").Replace(text.String())
	k := m.keys
	for _, b := range []key.Binding{
		k.Quit, k.Stop, k.Repaint, k.Suspend, k.Help, k.Plugins, k.Panel, k.Hooks, k.Tools, k.PageUp, k.PageDown, k.LineUp, k.LineDown,
		k.Top, k.End, k.FoldAll, k.SearchHistory, k.Tab, k.SkipHook, k.DropQueued,
	} {
		if !strings.Contains(help, " "+b.Keys()[0]+" ") {
			t.Errorf("%s is not on the help page", b.Keys()[0])
		}
	}
}

// The wheel moves the conversation by the same number of rows everywhere.
func TestWheel(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("go")
	var b strings.Builder
	for i := range 80 {
		b.WriteString("- row " + string(rune('a'+i/26)) + string(rune('a'+i%26)) + "\n")
	}
	r.says(b.String())
	r.WaitText("row db")
	for i := range 5 {
		r.Raw("\x1b[<64;10;5M")
		last := 79 - 3*(i+1)
		want := "row " + string(rune('a'+last/26)) + string(rune('a'+last%26))
		r.WaitFor(func(s tuitest.Snapshot) bool { return strings.Contains(s.Row(19), want) })
	}
	for range 5 {
		r.Raw("\x1b[<65;10;5M")
	}
	r.WaitFor(func(s tuitest.Snapshot) bool { return strings.Contains(s.Row(19), "row db") })
}
