// Package look turns a theme, a language and what the terminal can do into
// the styles, signs and words that the parts of the view draw with. It writes
// colour and attribute sequences only; every other sequence belongs to the
// terminal layer.
package look

import (
	"fmt"
	"strings"

	"hermes/agent/locale"
	"hermes/themes"
)

// Options are what a Look is made from.
type Options struct {
	Lang       locale.Lang
	Theme      *themes.Theme // nil means the default theme
	Background themes.Color  // unset means dark
	NoColor    bool          // attributes only
	ASCII      bool          // no sign outside ASCII
	Still      bool          // reduced motion: no spinner
}

// Look is immutable; a change of theme or background makes a new one with
// another Rev, so that cached renders can tell.
type Look struct {
	Options
	Rev     int
	Palette themes.Palette
	Style   Styles
	Glyph   Glyphs
}

// New returns the look for o. rev must differ from every earlier one.
func New(o Options, rev int) *Look {
	if o.Theme == nil {
		o.Theme = themes.Default()
	}
	if !o.Background.Set {
		o.Background = themes.DarkBackground()
	}
	l := &Look{Options: o, Rev: rev, Palette: o.Theme.On(o.Background), Glyph: unicodeGlyphs()}
	if o.ASCII {
		l.Glyph = asciiGlyphs()
	} else if p := o.Theme.Branding.PromptSymbol; p != "" {
		l.Glyph.Prompt = p
	}
	l.Style = styles(l.Palette, o.NoColor)
	return l
}

// T returns a text of the catalogue in the look's language.
func (l *Look) T(m locale.Msg, args ...any) string { return m.In(l.Lang, args...) }

// N returns the text for a number: one for 1, many otherwise, with n filled in.
func (l *Look) N(n int, one, many locale.Msg) string {
	if n == 1 {
		return one.In(l.Lang, n)
	}
	return many.In(l.Lang, n)
}

// Agent is the name the program goes by.
func (l *Look) Agent() string {
	if n := l.Theme.Branding.AgentName; n != "" {
		return n
	}
	return "Hermes Agent"
}

// ASCIIOnly tells whether the locale of the environment is not UTF-8, as POSIX
// orders the variables. An empty environment counts as UTF-8: containers have
// none, and their terminals are modern.
func ASCIIOnly(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return !strings.Contains(v, "utf-8") && !strings.Contains(v, "utf8")
		}
	}
	return false
}

// Style is one way of writing text. The zero value writes it as it is.
type Style struct{ on string }

// Render returns text in the style. Text that ends styles of its own must not
// be passed: sequences do not nest.
func (s Style) Render(text string) string {
	if s.on == "" || text == "" {
		return text
	}
	return s.on + text + "\x1b[m"
}

// Styles are the ways of writing, by what they say.
type Styles struct {
	Accent, Title, Label, OK, Warn, Error, Muted, Border, Code Style
	Bold, Match, Reverse, Underline                            Style
}

func styles(p themes.Palette, noColor bool) Styles {
	c := func(c themes.Color, attrs ...string) Style {
		seq := attrs
		if c.Set && !noColor {
			seq = append(seq, fmt.Sprintf("38;2;%d;%d;%d", c.R, c.G, c.B))
		}
		if len(seq) == 0 {
			return Style{}
		}
		return Style{"\x1b[" + strings.Join(seq, ";") + "m"}
	}
	var none themes.Color
	return Styles{
		Accent: c(p.Accent), Title: c(p.Title, "1"), Label: c(p.Label, "1"), OK: c(p.OK), Warn: c(p.Warn),
		Error: c(p.Error), Muted: c(p.Muted), Border: c(p.Border), Code: c(p.Code),
		Bold: c(none, "1"), Match: c(p.Accent, "1", "4"), Reverse: c(none, "7"), Underline: c(none, "4"),
	}
}
