package transcript

import (
	"strings"
	"time"

	"hermes/tui/internal/look"
	"hermes/tui/internal/markdown"
	"hermes/tui/internal/render"
)

// canvas is what items draw with.
type canvas struct {
	*look.Look
	md    *markdown.Renderer
	now   time.Time
	frame int // of the spinner
}

// spacing decides whether a blank row stands between two items.
type spacing uint8

const (
	spaceBlock spacing = iota // banner, user message, command output: blank around
	spaceHead                 // speaker's name: blank before, none after
	spaceText                 // answer: none after the head, else blank around
	spaceLine                 // cards and single lines: close together
)

// item is one part of the conversation. Items are changed by the model only,
// which bumps rev; rows are cached until then.
type item interface {
	rows(c *canvas, width int) []string
	rev() int
	spacing() spacing
	// live tells that rows change with time, without a change of rev.
	live() bool
	// toggle folds or unfolds; it returns false when there is nothing to fold.
	toggle() bool
	// fold sets the fold state; items without one ignore it.
	fold(folded bool)
}

// base gives items the parts that most do not need.
type base struct{ n int }

func (b *base) rev() int     { return b.n }
func (b *base) touch()       { b.n++ }
func (b *base) live() bool   { return false }
func (b *base) toggle() bool { return false }
func (b *base) fold(bool)    {}

// Widths of the left margin: the label column where there is room for it.
const (
	labelWidth  = 7
	narrowWidth = 50 // below it, text begins at column 2
	rightMargin = 5  // between a card's fold mark and the edge
)

// margins returns the indent of text and of cards, and the right margin.
func margins(width int) (text, card, right int) {
	if width < narrowWidth {
		return 2, 1, 1
	}
	return labelWidth, labelWidth - 2, rightMargin
}

// indent puts blanks before every row that is not empty.
func indent(rows []string, n int) []string {
	pad := strings.Repeat(" ", n)
	out := make([]string, len(rows))
	for i, row := range rows {
		if row != "" {
			out[i] = pad + row
		}
	}
	return out
}

// block is an item drawn by someone else: the banner.
type block struct {
	base
	draw func(l *look.Look, width int) []string
}

func (b *block) rows(c *canvas, width int) []string { return b.draw(c.Look, width) }
func (b *block) spacing() spacing                   { return spaceBlock }

// line is one or a few rows of plain text: a notice, a retry, the outcome of a
// turn.
type line struct {
	base
	glyph func(*look.Look) string // nil for none
	text  func(*look.Look) string
	style func(look.Styles) look.Style
}

func (l *line) spacing() spacing { return spaceLine }

func (l *line) rows(c *canvas, width int) []string {
	_, margin, _ := margins(width)
	text := render.Sanitize(l.text(c.Look), 0)
	style := l.style(c.Style)
	lead := ""
	if l.glyph != nil {
		lead = l.glyph(c.Look) + " "
	}
	hang := render.Width(lead)
	var out []string
	for i, row := range render.Wrap(text, max(width-margin-hang, 1)) {
		if i == 0 {
			row = lead + row
		} else {
			row = strings.Repeat(" ", hang) + row
		}
		out = append(out, strings.Repeat(" ", margin)+style.Render(row))
	}
	return out
}

func muted(s look.Styles) look.Style { return s.Muted }
func warn(s look.Styles) look.Style  { return s.Warn }
func bad(s look.Styles) look.Style   { return s.Error }

// static wraps a text that does not depend on the look.
func static(text string) func(*look.Look) string {
	return func(*look.Look) string { return text }
}
