package composer

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"hermes/agent/locale"
	"hermes/tui/internal/render"
)

// historyKept bounds what is read of the history file, in entries.
const historyKept = 2000

// history is what was sent before, oldest first.
type history struct {
	entries []string
	at      int    // entry that is shown, -1 for the draft
	draft   string // kept while walking
}

// SetHistory puts the entries of earlier sessions before those of this one.
func (m *Model) SetHistory(entries []string) {
	m.history.entries = append(append([]string{}, entries...), m.history.entries...)
	if m.history.at >= 0 {
		m.history.at += len(entries)
	}
}

// Remember adds what was sent; the same text twice in a row counts once. It
// returns false when nothing was added.
func (m *Model) Remember(s string) bool {
	h := &m.history
	h.leave()
	if strings.TrimSpace(s) == "" || len(h.entries) > 0 && h.entries[len(h.entries)-1] == s {
		return false
	}
	h.entries = append(h.entries, s)
	return true
}

func (h *history) leave() { h.at, h.draft = -1, "" }

// Older shows the entry before, Newer the one after; they return false at the
// ends.
func (m *Model) Older() bool {
	h := &m.history
	i := h.at
	if i < 0 {
		i = len(h.entries)
	}
	if i == 0 {
		return false
	}
	if h.at < 0 {
		h.draft = m.Text()
	}
	h.at = i - 1
	m.recall(h.entries[h.at])
	return true
}

// Newer shows the entry after the one that is shown, then the draft.
func (m *Model) Newer() bool {
	h := &m.history
	if h.at < 0 {
		return false
	}
	if h.at+1 < len(h.entries) {
		h.at++
		m.recall(h.entries[h.at])
		return true
	}
	draft := h.draft
	h.leave()
	m.recall(draft)
	return true
}

func (m *Model) recall(s string) {
	m.buf.set(s)
	m.wanted, m.edited = -1, false
}

// search is the search through the history (Ctrl+R).
type search struct {
	query string
	at    int // entry found, -1 for none
	from  buffer
}

// Search begins a search, or goes on to an older match.
func (m *Model) Search() {
	if m.search == nil {
		m.search = &search{at: len(m.history.entries), from: m.buf}
		if m.search.query == "" {
			return
		}
	}
	m.find(m.search.at - 1)
}

// Searching tells whether a search is open.
func (m *Model) Searching() bool { return m.search != nil }

// find looks for the query from an entry towards older ones.
func (m *Model) find(from int) {
	q := strings.ToLower(m.search.query)
	for i := min(from, len(m.history.entries)-1); i >= 0; i-- {
		if strings.Contains(strings.ToLower(m.history.entries[i]), q) {
			m.search.at = i
			return
		}
	}
}

// EndSearch closes the search; with take the match becomes the draft.
func (m *Model) EndSearch(take bool) {
	s := m.search
	m.search = nil
	if s == nil {
		return
	}
	if take && s.at >= 0 && s.at < len(m.history.entries) {
		m.history.leave()
		m.buf.set(m.history.entries[s.at])
		m.changed()
		return
	}
	m.buf = s.from
}

func (m *Model) searchKey(name string, runes []rune) bool {
	s := m.search
	switch name {
	case "enter", "tab", "right", "end":
		m.EndSearch(true)
	case "esc", "ctrl+g":
		m.EndSearch(false)
	case "ctrl+r", "up":
		m.find(s.at - 1)
	case "down", "ctrl+s":
		for i := s.at + 1; i < len(m.history.entries); i++ {
			if strings.Contains(strings.ToLower(m.history.entries[i]), strings.ToLower(s.query)) {
				s.at = i
				break
			}
		}
	case "backspace", "ctrl+h":
		if r := []rune(s.query); len(r) > 0 {
			s.query = string(r[:len(r)-1])
			s.at = len(m.history.entries)
			m.find(s.at - 1)
		}
	default:
		if len(runes) == 0 || strings.HasPrefix(name, "alt+") {
			return false
		}
		s.query += clean(string(runes))
		m.find(min(s.at, len(m.history.entries)-1))
	}
	return true
}

func (m *Model) renderSearch(prompt string) (rows []string, x, y int) {
	s := m.search
	title := m.look.T(locale.UIHistory) + ": "
	found := ""
	if s.query != "" && s.at < len(m.history.entries) && s.at >= 0 {
		found = m.history.entries[s.at]
	}
	lead := promptWidth + render.Width(title) + render.Width(s.query)
	row := prompt + m.look.Style.Muted.Render(title) + s.query
	if found != "" {
		row += "  " + m.look.Style.Muted.Render(render.Truncate(render.Line(found), max(m.width-lead-3, 1), render.Ellipsis))
	}
	return []string{render.Truncate(row, m.width, render.Ellipsis)}, min(lead, m.width-1), 0
}

// ReadHistory reads a history file in the format of the reference's line
// editor: entries of lines that begin with +, a comment with the time before
// each. A missing file is an empty history.
func ReadHistory(path string) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	defer f.Close()
	var out []string
	var entry []string
	flush := func() {
		if entry != nil {
			if s := strings.Join(entry, "\n"); len(out) == 0 || out[len(out)-1] != s {
				out = append(out, s)
			}
			entry = nil
		}
	}
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadString('\n')
		if s, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "+"); ok {
			entry = append(entry, render.StripAll(s))
		} else {
			flush()
		}
		if err != nil {
			break // io.EOF, or what was read so far has to do
		}
	}
	flush()
	if len(out) > historyKept {
		out = out[len(out)-historyKept:]
	}
	return out, nil
}

// AppendHistory adds an entry to the file, readable for the user only.
func AppendHistory(path, entry string, at time.Time) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n# %s\n", at.Format("2006-01-02 15:04:05.000000"))
	for line := range strings.SplitSeq(entry, "\n") {
		b.WriteString("+" + line + "\n")
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	_, err = f.WriteString(b.String())
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write history: %w", err)
	}
	return nil
}
