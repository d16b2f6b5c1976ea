package markdown

import (
	"strings"

	"github.com/charmbracelet/glamour"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Renderer renders blocks in one look. It builds glamour at the first block,
// not before: the first frame of the program must not pay for it.
type Renderer struct {
	look    *look.Look
	free    *glamour.TermRenderer // does not wrap
	bound   *glamour.TermRenderer // wraps cells of tables to boundTo cells
	boundTo int
	langs   map[string]bool // languages that were asked for, and whether they are known
	memo    memo            // of what free rendered
}

// NewRenderer returns a renderer for l.
func NewRenderer(l *look.Look) *Renderer { return &Renderer{look: l} }

// Look is what it renders in.
func (r *Renderer) Look() *look.Look { return r.look }

func (r *Renderer) build(width int) *glamour.TermRenderer {
	// Colours are given in 24 bits; the terminal layer reduces them.
	profile, formatter := termenv.TrueColor, "terminal16m"
	if r.look.NoColor {
		profile, formatter = termenv.Ascii, "noop"
	}
	g, err := glamour.NewTermRenderer(
		glamour.WithStyles(config(r.look)),
		glamour.WithColorProfile(profile),
		glamour.WithChromaFormatter(formatter),
		glamour.WithWordWrap(width),
		glamour.WithInlineTableLinks(true),
	)
	if err != nil {
		// No option above can fail; a nil renderer shows the text as it is.
		return nil
	}
	return g
}

// Block renders one block to rows of at most width cells, without blank rows
// around it.
func (r *Renderer) Block(block string, width int) []string {
	width = max(width, 1)
	if strings.TrimSpace(block) == "" {
		return nil
	}
	var out []string
	for _, s := range sections(render.StripAll(block)) {
		switch s.kind {
		case kindList:
			out = append(out, r.list(s.lines, width)...)
		case kindQuote:
			out = append(out, r.quote(s.lines, width)...)
		default:
			out = append(out, r.leaf(strings.Join(s.lines, "\n"), width)...)
		}
	}
	return out
}

// leaf renders what holds no list or quote: paragraphs, headings, code, tables.
func (r *Renderer) leaf(block string, width int) []string {
	if strings.TrimSpace(block) == "" {
		return nil
	}
	if r.free == nil {
		r.free = r.build(0)
	}
	src := r.prepare(block)
	rows := r.memo.get(src, func() []string { return rowsOf(r.free, src) })
	if !hasTable(block) || !tooWide(rows, width) {
		return wrapRows(rows, width)
	}
	// A table is the one thing that has to know the width before.
	if r.bound == nil || r.boundTo != width {
		r.bound, r.boundTo = r.build(width), width
	}
	if rows = trimRows(rowsOf(r.bound, src)); tooWide(rows, width) || columns(block) > width/minColumn {
		return r.pairs(block, width)
	}
	return rows
}

// minColumn is the least width of a table's column, with its border, at which
// words in it can still be read.
const minColumn = 10

// rowsOf runs glamour over a block; what it cannot render stays as it is.
func rowsOf(g *glamour.TermRenderer, src string) []string {
	out := src
	if g != nil {
		if s, err := g.Render(src); err == nil {
			out = s
		}
	}
	// Entities in the text may have become control characters.
	return trimBlank(strings.Split(render.Sanitize(out, render.KeepSGR), "\n"))
}

// hasTable tells whether a block contains a table: a row of dashes between
// bars.
func hasTable(block string) bool {
	for line := range strings.SplitSeq(block, "\n") {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "-") && strings.Contains(line, "|") && strings.Trim(line, "|-: \t") == "" {
			return true
		}
	}
	return false
}

func tooWide(rows []string, width int) bool {
	for _, row := range rows {
		if render.Width(row) > width {
			return true
		}
	}
	return false
}

func trimBlank(rows []string) []string {
	blank := func(s string) bool { return strings.TrimSpace(ansi.Strip(s)) == "" }
	for len(rows) > 0 && blank(rows[0]) {
		rows = rows[1:]
	}
	for len(rows) > 0 && blank(rows[len(rows)-1]) {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// wrapRows wraps rows that are too wide; code keeps its indent.
func wrapRows(rows []string, width int) []string {
	var out []string
	for _, row := range rows {
		if render.Width(row) <= width {
			out = append(out, trimRight(row))
			continue
		}
		pad := indent(ansi.Strip(row))
		if pad == 0 || pad > width/2 {
			out = append(out, render.Wrap(row, width)...)
			continue
		}
		margin := strings.Repeat(" ", pad)
		for _, line := range render.Wrap(render.Cut(row, pad, render.Width(row)), width-pad) {
			out = append(out, margin+line)
		}
	}
	return out
}

func trimRows(rows []string) []string {
	for i := range rows {
		rows[i] = trimRight(rows[i])
	}
	return rows
}

// trimRight drops the blanks that padding left at the end of a row.
func trimRight(row string) string {
	if !strings.HasSuffix(row, " ") {
		return row
	}
	return strings.TrimRight(row, " ")
}
