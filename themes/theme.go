// Package themes holds how the interface looks: palettes for dark and light
// backgrounds, the words and signs of a skin, and the reader of skin files.
// It knows nothing of a terminal: what a colour becomes on the wire is the
// view's affair.
package themes

// Theme is everything a user can change about the looks.
type Theme struct {
	Name        string
	Description string
	Dark, Light Palette
	Branding    Branding
	// ThinkingVerbs are shown while the model is waited for; empty means the
	// catalogue's word.
	ThinkingVerbs []string
	// ToolEmojis maps a tool's name to the sign before it.
	ToolEmojis map[string]string
}

// Palette names a colour by what it says, never by its hue. Body text has no
// entry: it keeps the terminal's own foreground.
type Palette struct {
	Accent Color // what can be acted on, the prompt, matched letters
	Title  Color // headings
	Label  Color // who speaks
	OK     Color
	Warn   Color
	Error  Color
	Muted  Color // what matters less
	Border Color // lines; needs ShapeContrast only
	Code   Color // code and literal words
}

// Branding holds the words of a skin. Empty means the program's own.
type Branding struct {
	AgentName     string
	Welcome       string
	Goodbye       string
	ResponseLabel string
	PromptSymbol  string
}

// On returns the palette for a background, every colour moved until it can be
// read there.
func (t *Theme) On(bg Color) Palette {
	p := t.Dark
	if bg.Luminance() > lightFrom {
		p = t.Light
	}
	for _, c := range p.text() {
		*c = Readable(*c, bg, TextContrast)
	}
	p.Border = Readable(p.Border, bg, ShapeContrast)
	return p
}

// lightFrom is the luminance where black and white have the same contrast
// (sqrt(1.05*0.05) - 0.05).
const lightFrom = 0.179

func (p *Palette) text() []*Color {
	return []*Color{&p.Accent, &p.Title, &p.Label, &p.OK, &p.Warn, &p.Error, &p.Muted, &p.Code}
}

// DarkBackground and LightBackground are what is assumed when the terminal
// does not say.
func DarkBackground() Color { return Color{R: 0x14, G: 0x14, B: 0x18, Set: true} }

// LightBackground is the assumption for light terminals.
func LightBackground() Color { return Color{R: 0xff, G: 0xff, B: 0xff, Set: true} }
