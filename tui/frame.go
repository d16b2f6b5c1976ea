package tui

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"hermes/agent/locale"
	"hermes/tui/internal/render"
	"hermes/tui/internal/term"
	"hermes/tui/panel"
	"hermes/tui/status"
)

// compose makes the whole screen from the parts.
func (m *model) compose() term.Frame {
	m.transcript.SetNow(m.at, m.frame)
	l := divide(m.w, m.h, m.panel)
	f := term.Frame{Title: m.title()}
	switch {
	case l.class == tooSmall:
		f.Lines = []string{render.Truncate(m.look.T(locale.UITooSmall, leastWidth, leastHeight), m.w, render.Ellipsis)}
	case m.pages.open() && !m.dialog.Open():
		m.pages.compose(&f, l)
	default:
		m.composeChat(&f, l)
	}
	for i, line := range f.Lines {
		if render.Width(line) > m.w {
			line = render.Truncate(line, m.w, "")
		}
		if m.look.ASCII {
			line = asciiOnly(line)
		}
		f.Lines[i] = line
	}
	return f
}

// asciiOnly replaces what is outside ASCII, cell for cell: the signs of our
// own texts by their likes, everything else by question marks.
func asciiOnly(line string) string {
	likes := map[string]string{"·": "-", "…": ".", "—": "-", "↑": "^", "↓": "v", "→": ">", "←": "<", "«": "\"", "»": "\"", "›": ">", "×": "x", "│": "|", "•": "-", "✓": "+", "↻": "~"}
	var b strings.Builder
	for len(line) > 0 {
		var seg render.Segment
		seg, line = render.Next(line)
		if seg.Kind != render.Cluster || seg.Text[0] < utf8.RuneSelf && len(seg.Text) == 1 {
			b.WriteString(seg.Text)
			continue
		}
		like, ok := likes[seg.Text]
		if !ok {
			like = strings.Repeat("?", seg.Width)
		}
		b.WriteString(like)
	}
	return b.String()
}

func (m *model) title() string {
	name := m.state.Title
	if name == "" {
		name = filepath.Base(m.opts.Dir)
	}
	return "hermes " + m.look.Glyph.Dash + " " + render.Line(name)
}

// composeChat makes the screen of the conversation.
func (m *model) composeChat(f *term.Frame, l layout) {
	height := l.h - l.hints
	bottom := m.bottom(l)
	room := max(height-len(bottom.rows), 0)
	m.transcript.SetSize(l.left, room)
	rows := m.transcript.Render()
	m.marker(rows, l.left)
	x, y := m.overlay(rows, l.left)
	rows = append(rows, bottom.rows...)
	if len(rows) > height {
		rows = rows[:height]
	}
	if l.panel > 0 {
		m.besides(rows, room, bottom.rules, l)
	}
	f.Lines = append(rows, m.hints(l)...)
	if !m.reading || m.find.open {
		f.Cursor.X, f.Cursor.Y = min(bottom.x, l.w-1), min(room+bottom.y, l.h-1)
		f.Cursor.Visible = true
	}
	if x >= 0 {
		f.Cursor.X, f.Cursor.Y, f.Cursor.Visible = min(x, l.w-1), y, true
	}
}

// bottomRows is what stands below the conversation.
type bottomRows struct {
	rows  []string
	rules map[int]bool // which of them are rules
	x, y  int          // caret
}

func (m *model) bottom(l layout) bottomRows {
	var b bottomRows
	b.rules = map[int]bool{}
	rule := func() {
		b.rules[len(b.rows)] = true
		b.rows = append(b.rows, m.look.Style.Border.Render(strings.Repeat(m.look.Glyph.H, l.left)))
	}
	if q := m.queueLine(l.left); q != "" {
		b.rows = append(b.rows, q)
	}
	m.composer.SetSize(l.left, max(l.h*2/5, 1))
	roomy := l.class >= small && l.h >= 10
	over := m.overlaid()
	if roomy && !over {
		rule()
	}
	rows, x, y := m.composer.Render()
	if m.find.open {
		var row string
		row, x = m.findRow(m.look, l.left)
		rows, y = []string{row}, 0
	}
	b.x, b.y = x, y+len(b.rows)
	b.rows = append(b.rows, rows...)
	if roomy {
		rule()
	}
	if l.class <= small && l.h >= hintsFrom && (over || m.reading || m.find.open || m.queue.editing()) {
		b.rows = append(b.rows, " "+m.look.Style.Muted.Render(render.Truncate(m.hintText(), l.left-1, render.Ellipsis)))
	}
	b.rows = append(b.rows, m.statusLine(l, l.left, l.panel > 0, false))
	return b
}

// overlaid tells whether something stands over the conversation, above the
// composer.
func (m *model) overlaid() bool {
	return m.menu.Open() || m.dialog.Open() || m.palette.open || m.mention.open && !m.find.open
}

func (m *model) statusLine(l layout, width int, panelShown, page bool) string {
	o := status.Options{
		Width: width, Rows: l.h, Now: m.at, Frame: m.frame, Panel: panelShown, Host: page,
		Keys: l.hints == 0 && l.h >= hintsFrom && !m.overlaid() && !m.reading && !m.find.open && !page, Asks: m.dialog.Open(),
	}
	if l.class >= medium {
		o.Dir = m.shortDir()
	}
	o.Alert = m.flash
	if m.quit.arms {
		o.Alert = m.look.T(locale.UIQuitArmed)
	}
	return status.Line(m.look, m.state, o)
}

// queueLine names what waits: queued 2: and push it · then open a PR (↑ edit).
func (m *model) queueLine(width int) string {
	if len(m.state.Queue) == 0 {
		return ""
	}
	l := m.look
	var texts []string
	for _, q := range m.state.Queue {
		text := render.Truncate(render.Line(q.Text), 40, render.Ellipsis)
		if q.ID == m.queue.id {
			text = l.Style.Reverse.Render(text)
		}
		texts = append(texts, text)
	}
	key := "   (" + l.T(locale.UIQueueEdit) + ")"
	switch {
	case m.queue.editing():
		key = "   (" + l.T(locale.UIQueueKeys) + ")"
	case m.state.Held && !m.state.Turn.Running:
		key = "   (" + l.T(locale.UIQueueHeld) + ")"
	}
	text := "  " + l.Style.Muted.Render(l.T(locale.UIQueuedN, len(texts))) + " " + strings.Join(texts, " "+l.Glyph.Bullet+" ")
	room := width - render.Width(key)
	if room < 10 {
		return render.Truncate(text, width, render.Ellipsis)
	}
	return render.Truncate(text, room, render.Ellipsis) + l.Style.Muted.Render(key)
}

// markerMargin is the room between the marker of new rows and the edge.
const markerMargin = 7

// marker says in the last row of the conversation how many rows came while the
// reader was elsewhere.
func (m *model) marker(rows []string, width int) {
	n := m.transcript.News()
	if n == 0 || len(rows) == 0 {
		return
	}
	text := m.look.Glyph.Down + " " + m.look.T(locale.UINewRows, n)
	at := width - markerMargin - render.Width(text)
	if at < 1 {
		at = max(width-render.Width(text), 0)
	}
	last := len(rows) - 1
	rows[last] = render.Fit(rows[last], at) + m.look.Style.Accent.Render(render.Truncate(text, width-at, ""))
}

// overlay lays a question or the slash menu over the last rows of the
// conversation. It returns the caret of a question that takes a text, else -1.
func (m *model) overlay(rows []string, width int) (x, y int) {
	d := m.dialog.Render(width, len(rows), m.at)
	over := d.Rows
	if over == nil {
		switch {
		case m.palette.open:
			over = m.paletteRows(width, len(rows))
		case m.mention.open && !m.find.open:
			over = m.mentionRows(width, len(rows))
		default:
			over = m.menu.Render(width, len(rows))
		}
	}
	over = over[:min(len(over), len(rows))]
	copy(rows[len(rows)-len(over):], over)
	if d.X < 0 {
		return -1, -1
	}
	return d.X, len(rows) - len(over) + min(d.Y, len(over)-1)
}

// besides puts the panel columns beside the rows of the conversation.
func (m *model) besides(rows []string, room int, rules map[int]bool, l layout) {
	side := m.side.rows(m, l, len(rows))
	for i := range rows {
		row := render.Fit(rows[i], l.left)
		beside := side[i]
		if i >= room && rules[i-room] {
			beside = m.tee(beside) + render.Cut(beside, 1, l.panel+l.detail)
		}
		rows[i] = row + beside
	}
}

// tee is the sign where a rule of the conversation meets the panel: a cross
// where a section of the panel begins in the same row.
func (m *model) tee(beside string) string {
	sign := m.look.Glyph.RT
	if strings.Contains(render.Cut(beside, 0, 1), m.look.Glyph.LT) {
		sign = m.look.Glyph.Cross
	}
	return m.look.Style.Border.Render(sign)
}

// sideCache keeps the panel's rows while nothing in them changed.
type sideCache struct {
	key  sideKey
	kept []string
}

type sideKey struct {
	rev, look, w, h int
	second          int64 // while a turn runs, its time is shown
}

func (c *sideCache) rows(m *model, l layout, height int) []string {
	key := sideKey{rev: m.state.Rev, look: m.look.Rev, w: l.w, h: height}
	if m.state.Turn.Running {
		key.second = m.at.Unix()
	}
	if key != c.key || c.kept == nil {
		c.key = key
		c.kept = panel.Side(m.look, m.state, l.panel, height, m.at)
		if l.detail > 0 {
			for i, row := range panel.Detail(m.look, m.state, l.detail, height, m.at) {
				c.kept[i] = render.Fit(c.kept[i], l.panel) + row
			}
		}
	}
	return c.kept
}

// hints is the last row of wide screens: the keys that matter now.
func (m *model) hints(l layout) []string {
	if l.hints == 0 {
		return nil
	}
	row := " " + m.look.Style.Muted.Render(render.Truncate(m.hintText(), l.w-1, render.Ellipsis))
	if l.hints == 1 {
		return []string{row}
	}
	return []string{m.look.Style.Border.Render(strings.Repeat(m.look.Glyph.H, l.w)), row}
}

// hintText names the keys of what is in front.
func (m *model) hintText() string {
	switch {
	case m.dialog.Open():
		return m.dialog.Keys()
	case m.palette.open:
		return m.look.T(locale.UIPaletteHint)
	case m.mention.open && !m.find.open:
		return m.look.T(locale.UIFilesHint)
	case m.menu.Open():
		return m.look.T(locale.UIMenuKeys)
	case m.find.open:
		return m.look.T(locale.UIHintsFind)
	case m.reading:
		return m.look.T(locale.UIHintsReading)
	case m.queue.editing():
		return m.look.T(locale.UIQueueKeys)
	case m.state.Turn.Running:
		return m.look.T(locale.UIHintsRunning)
	}
	return m.look.T(locale.UIHintsIdle)
}

// shortDir is the working directory with the home folder as ~.
func (m *model) shortDir() string {
	dir, home := m.opts.Dir, m.opts.Getenv("HOME")
	if home != "" && home != "/" {
		if rest, ok := strings.CutPrefix(dir, home); ok && (rest == "" || rest[0] == filepath.Separator) {
			return "~" + rest
		}
	}
	return dir
}
