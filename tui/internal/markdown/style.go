package markdown

import (
	"fmt"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/charmbracelet/glamour/ansi"

	"hermes/themes"
	"hermes/tui/internal/look"
)

// config is glamour's style sheet for a look: no margins, since indenting is
// the transcript's affair, and no background colours.
func config(l *look.Look) ansi.StyleConfig {
	on, zero := true, uint(0)
	bar := l.Glyph.V + " "
	sep := func(s string) *string { return &s }
	text := func(c themes.Color) ansi.StylePrimitive { return ansi.StylePrimitive{Color: color(l, c)} }
	heading := text(l.Palette.Title)
	heading.Bold, heading.BlockSuffix = &on, "\n"
	link := text(l.Palette.Accent)
	link.Underline = &on
	quote := text(l.Palette.Muted)
	code := text(l.Palette.Code)
	item, tick, untick := "• ", "[✓] ", "[ ] "
	if l.ASCII {
		item, tick = "- ", "[x] "
	}
	if l.NoColor {
		code.Prefix, code.Suffix = "`", "`"
	}
	one, two := uint(1), uint(2)
	return ansi.StyleConfig{
		Document:       ansi.StyleBlock{Margin: &zero},
		BlockQuote:     ansi.StyleBlock{StylePrimitive: quote, Indent: &one, IndentToken: &bar},
		List:           ansi.StyleList{LevelIndent: 2},
		Heading:        ansi.StyleBlock{StylePrimitive: heading},
		H1:             ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Underline: &on}},
		Strikethrough:  ansi.StylePrimitive{CrossedOut: &on},
		Emph:           ansi.StylePrimitive{Italic: &on},
		Strong:         ansi.StylePrimitive{Bold: &on},
		HorizontalRule: ansi.StylePrimitive{Color: color(l, l.Palette.Border), Format: rule(l)},
		Item:           ansi.StylePrimitive{BlockPrefix: item},
		Enumeration:    ansi.StylePrimitive{BlockPrefix: ". "},
		Task:           ansi.StyleTask{Ticked: tick, Unticked: untick},
		Link:           link,
		LinkText:       ansi.StylePrimitive{Bold: &on},
		Image:          link,
		ImageText:      ansi.StylePrimitive{Format: "{{.text}}:"},
		Code:           ansi.StyleBlock{StylePrimitive: code},
		CodeBlock: ansi.StyleCodeBlock{
			StyleBlock: ansi.StyleBlock{StylePrimitive: text(l.Palette.Code), Margin: &two},
			Theme:      chromaStyle(l),
		},
		Table: ansi.StyleTable{CenterSeparator: sep(cross(l)), ColumnSeparator: sep(l.Glyph.V), RowSeparator: sep(l.Glyph.H)},
	}
}

func rule(l *look.Look) string {
	s := "\n"
	for range 8 {
		s += l.Glyph.H
	}
	return s + "\n"
}

func cross(l *look.Look) string {
	if l.ASCII {
		return "+"
	}
	return "┼"
}

// color returns glamour's notation of a colour, nil where there is none.
func color(l *look.Look, c themes.Color) *string {
	if !c.Set || l.NoColor {
		return nil
	}
	s := c.String()
	return &s
}

// chromaStyle registers the highlighting for a palette with chroma, whose
// registry is the only way to hand a style to glamour, and returns its name.
// Only the event loop renders, so nothing reads the registry meanwhile.
func chromaStyle(l *look.Look) string {
	if l.NoColor {
		return ""
	}
	p := l.Palette
	name := fmt.Sprintf("hermes-%v%v%v%v%v", p.Accent, p.OK, p.Muted, p.Code, p.Warn)
	if _, ok := styles.Registry[name]; !ok {
		styles.Register(chroma.MustNewStyle(name, chroma.StyleEntries{
			chroma.Comment:             p.Muted.String(),
			chroma.CommentPreproc:      p.Accent.String(),
			chroma.Keyword:             p.Accent.String(),
			chroma.NameBuiltin:         p.Code.String(),
			chroma.NameClass:           "bold",
			chroma.NameFunction:        p.Code.String(),
			chroma.NameTag:             p.Accent.String(),
			chroma.NameAttribute:       p.Code.String(),
			chroma.LiteralNumber:       p.Warn.String(),
			chroma.LiteralString:       p.OK.String(),
			chroma.LiteralStringEscape: p.Warn.String(),
			chroma.GenericDeleted:      p.Error.String(),
			chroma.GenericInserted:     p.OK.String(),
			chroma.GenericEmph:         "italic",
			chroma.GenericStrong:       "bold",
		}))
	}
	return name
}
