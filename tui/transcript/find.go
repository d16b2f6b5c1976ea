package transcript

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// finder looks for a text in the conversation. What is searched is the source
// of the items, so that nothing has to be drawn for it; where a match stands on
// the screen is worked out for what is in the window only.
type finder struct {
	on     bool
	query  string // lower case, one blank between words
	key    string // the same without blanks: layout moves them
	hits   []hit  // in the order of the conversation
	at     int    // the one that is shown, -1 for none
	opened []int  // entries that were unfolded to show a match
	place  viewport
	bottom int // entry at the bottom of the window when the search began
	spans  map[int]spanCache
}

// hit is a match: the nth one in an entry, from 0.
type hit struct{ entry, nth int }

// spanCache is where the matches in the rows of an entry are.
type spanCache struct {
	key  cacheKey
	rows map[int][]span
	all  []span
}

// span is a part of a row that belongs to a match.
type span struct{ row, from, to, nth int }

// Find looks for query and shows the match that is nearest above the bottom of
// the window. The first call of a search remembers the reader's place.
func (m *Model) Find(query string) {
	f := &m.find
	if !f.on {
		f.on, f.place = true, m.view
		f.place.shown = nil
		if m.view.follow {
			f.place.at, f.place.row = m.top()
		}
		f.bottom = len(m.entries)
		if n := len(m.view.shown); n > 0 {
			f.bottom = m.view.shown[n-1].entry
		}
	}
	query = strings.Join(strings.Fields(strings.ToLower(query)), " ")
	f.query, f.key = query, strings.ReplaceAll(query, " ", "")
	f.hits, f.at, f.spans = nil, -1, map[int]spanCache{}
	if f.key == "" {
		return
	}
	m.search()
	for i := len(f.hits) - 1; i >= 0; i-- {
		if f.at = i; f.hits[i].entry <= f.bottom {
			break
		}
	}
	m.showHit()
}

// search lists the matches.
func (m *Model) search() {
	f := &m.find
	f.hits = f.hits[:0]
	for i, e := range m.entries {
		text := strings.ToLower(searched(e.item, m.canvas.Look))
		if strings.Contains(f.query, " ") {
			text = strings.Join(strings.Fields(text), " ")
		}
		for n := range strings.Count(text, f.query) {
			f.hits = append(f.hits, hit{i, n})
		}
	}
}

// searched is the text of an item that is searched.
func searched(it item, l *look.Look) string {
	switch it := it.(type) {
	case *card:
		return it.call.Name + " " + it.call.Args + "\n" + it.source()
	case *output:
		return it.line + "\n" + it.text + "\n" + it.err
	case *line:
		return it.text(l)
	}
	return source(it)
}

// FindNext goes to the next match, towards the beginning when dir is negative,
// and around at the ends. What came meanwhile is searched, too.
func (m *Model) FindNext(dir int) {
	f := &m.find
	if f.key == "" {
		return
	}
	var now hit
	if f.at >= 0 && f.at < len(f.hits) {
		now = f.hits[f.at]
	}
	m.search()
	n := len(f.hits)
	if n == 0 {
		f.at = -1
		return
	}
	at := 0
	for i, h := range f.hits {
		if h == now {
			at = i
		}
	}
	f.at = ((at+dir)%n + n) % n
	m.showHit()
}

// Found is the number of the match that is shown, from 1, and of all.
func (m *Model) Found() (at, n int) { return m.find.at + 1, len(m.find.hits) }

// EndFind closes the search. Unless stay is set the reader is back where it
// began, and what was unfolded for it is folded again.
func (m *Model) EndFind(stay bool) {
	f := m.find
	m.find = finder{}
	if !f.on || stay {
		return
	}
	for _, i := range f.opened {
		if i < len(m.entries) {
			m.entries[i].item.fold(true)
		}
	}
	width, height, shown := m.view.width, m.view.height, m.view.shown
	m.view = f.place
	m.view.width, m.view.height, m.view.shown = width, height, shown
}

// showHit scrolls to the match, unfolding its item when it is folded away.
func (m *Model) showHit() {
	f := &m.find
	if f.at < 0 || f.at >= len(f.hits) {
		return
	}
	h := f.hits[f.at]
	all := m.spansOf(h.entry).all
	if len(all) == 0 || all[len(all)-1].nth < h.nth {
		if m.entries[h.entry].item.toggle() {
			f.opened = append(f.opened, h.entry)
			all = m.spansOf(h.entry).all
		}
	}
	row := 0
	for _, s := range all {
		if row = s.row; s.nth >= h.nth {
			break
		}
	}
	m.Render() // what is in the window now
	for _, p := range m.view.shown {
		if p.entry == h.entry && p.row == row {
			return
		}
	}
	at, top := m.back(h.entry, row, m.view.height/3)
	m.hold(at, top)
}

// spansOf returns where the matches in the rows of entry i are.
func (m *Model) spansOf(i int) spanCache {
	rows := m.rowsOf(i)
	key := m.entries[i].key
	if c, ok := m.find.spans[i]; ok && c.key == key && !m.entries[i].item.live() {
		return c
	}
	c := spanCache{key: key, rows: map[int][]span{}}
	var text strings.Builder
	type cell struct{ at, row, from, to int }
	var cells []cell
	for r, row := range rows {
		row, col := ansi.Strip(row), 0
		for len(row) > 0 {
			var seg render.Segment
			seg, row = render.Next(row)
			if strings.IndexFunc(seg.Text, unicode.IsSpace) < 0 && seg.Width > 0 {
				cells = append(cells, cell{text.Len(), r, col, col + seg.Width})
				text.WriteString(strings.ToLower(seg.Text))
			}
			col += seg.Width
		}
	}
	all, from, k := text.String(), 0, 0
	for nth := 0; ; nth++ {
		j := strings.Index(all[from:], m.find.key)
		if j < 0 {
			break
		}
		start, end := from+j, from+j+len(m.find.key)
		for k < len(cells) && cells[k].at < start {
			k++
		}
		for ; k < len(cells) && cells[k].at < end; k++ {
			s := span{cells[k].row, cells[k].from, cells[k].to, nth}
			if n := len(c.all); n > 0 && c.all[n-1].nth == nth && c.all[n-1].row == s.row {
				c.all[n-1].to = s.to
				continue
			}
			c.all = append(c.all, s)
		}
		from = end
	}
	for _, s := range c.all {
		c.rows[s.row] = append(c.rows[s.row], s)
	}
	m.find.spans[i] = c
	return c
}

// highlighted draws the matches in a row; the one that is shown in reverse.
func (m *Model) highlighted(text string, entry, row int) string {
	spans := m.spansOf(entry).rows[row]
	if len(spans) == 0 {
		return text
	}
	f := &m.find
	current := hit{-1, 0}
	if f.at >= 0 && f.at < len(f.hits) {
		current = f.hits[f.at]
		// Layout may show a match less often than it is there.
		if all := m.spansOf(current.entry).all; len(all) > 0 {
			current.nth = min(current.nth, all[len(all)-1].nth)
		}
	}
	var b strings.Builder
	at, width := 0, render.Width(text)
	for _, s := range spans {
		style := m.canvas.Style.Match
		if current == (hit{entry, s.nth}) {
			style = m.canvas.Style.Reverse
		}
		b.WriteString(render.Cut(text, at, s.from))
		b.WriteString(style.Render(ansi.Strip(render.Cut(text, s.from, s.to))))
		at = s.to
	}
	b.WriteString(render.Cut(text, at, width))
	return b.String()
}
