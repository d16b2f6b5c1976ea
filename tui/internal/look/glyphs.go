package look

import "hermes/agent/event"

// Glyphs are the signs of the interface. Each has an ASCII twin; none is the
// only carrier of its meaning.
type Glyphs struct {
	Prompt, Said                      string // before the draft, before what was sent
	OK, Failed, Blocked, Attention    string // of a call or a run
	Folded, Open, Pick                string
	Down, Up, More, Dash, Bullet, Sep string
	Minus                             string
	Spinner                           []string
	H, V, Dots                        string // rule, border, dotted rule
	TL, TR, BL, BR, LT, RT, Cross     string // corners and tees
	Bars                              []string
	Live                              string

	starting, ok, partial, needsKey, failed, paused, off, skipped string
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Prompt: "❯", Said: "›", OK: "✓", Failed: "✗", Blocked: "⊘", Attention: "▲", Folded: "▸", Open: "▾", Pick: "▸",
		Down: "↓", Up: "↑", More: "…", Dash: "—", Bullet: "·", Sep: "│", Minus: "−",
		Spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		H:       "─", V: "│", Dots: "┄", TL: "╭", TR: "╮", BL: "╰", BR: "╯", LT: "├", RT: "┤", Cross: "┼",
		Bars: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Live: "●",
		starting: "◌", ok: "●", partial: "!", needsKey: "▲", failed: "✗", paused: "‖", off: "○", skipped: "·",
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Prompt: ">", Said: ">", OK: "ok", Failed: "x", Blocked: "-", Attention: "^", Folded: ">", Open: "v", Pick: ">",
		Down: "v", Up: "^", More: "...", Dash: "-", Bullet: "-", Sep: "|", Minus: "-",
		Spinner: []string{"|", "/", "-", "\\"},
		H:       "-", V: "|", Dots: "-", TL: "+", TR: "+", BL: "+", BR: "+", LT: "+", RT: "+", Cross: "+",
		Bars: []string{"_", ".", ":", "-", "=", "+", "*", "#"}, Live: "*",
		starting: "[..]", ok: "[ok]", partial: "[!]", needsKey: "[key]", failed: "[FAIL]", paused: "[hold]", off: "[off]", skipped: "[skip]",
	}
}

// Health is the state of a plugin as the screen shows it: what the program
// reports, refined by how its calls and hooks fared.
type Health uint8

// States, worst first: lists are sorted by them.
const (
	Failed Health = iota
	Crashed
	NeedsKey
	Failing
	SlowHooks
	Partial
	Paused
	Starting
	OK
	Off
	Skipped
)

// HealthOf maps a reported state.
func HealthOf(state string) Health {
	switch state {
	case event.PluginFailed:
		return Failed
	case event.PluginCrashed:
		return Crashed
	case event.PluginNeedsKey:
		return NeedsKey
	case event.PluginPartial:
		return Partial
	case event.PluginPaused:
		return Paused
	case event.PluginStarting:
		return Starting
	case event.PluginOK:
		return OK
	case event.PluginSkipped:
		return Skipped
	}
	return Off
}

// State returns the sign of a plugin's state in its colour.
func (l *Look) State(h Health) string {
	g, s := l.Glyph, l.Style
	switch h {
	case Failed:
		return s.Error.Render(g.failed)
	case Crashed:
		if l.ASCII {
			return s.Error.Render("[dead]")
		}
		return s.Error.Render(g.failed)
	case NeedsKey:
		return s.Warn.Render(g.needsKey)
	case Failing:
		if l.ASCII {
			return s.Warn.Render("[err]")
		}
		return s.Warn.Render(g.partial)
	case SlowHooks:
		if l.ASCII {
			return s.Warn.Render("[slow]")
		}
		return s.Warn.Render(g.partial)
	case Partial:
		return s.Warn.Render(g.partial)
	case Paused:
		return s.Warn.Render(g.paused)
	case Starting:
		return s.Muted.Render(g.starting)
	case OK:
		return s.OK.Render(g.ok)
	case Skipped:
		return s.Muted.Render(g.skipped)
	}
	return s.Muted.Render(g.off)
}

// Count returns the sign under which a state is counted in the status line,
// empty where it is not.
func (l *Look) Count(h Health) string {
	switch h {
	case OK:
		return l.Glyph.OK
	case NeedsKey:
		return l.Glyph.Attention
	case Failing, SlowHooks, Partial:
		return "!"
	case Failed, Crashed:
		return l.Glyph.Failed
	}
	return ""
}
