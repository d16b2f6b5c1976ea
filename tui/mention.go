package tui

import (
	"sort"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/popup"
	"hermes/tui/internal/render"
)

// Files are listed again when the list is older than this and one is wanted;
// at most shownFiles are offered for what is typed.
const (
	filesKept  = 30 * time.Second
	shownFiles = 200
)

// mention is the list of files for an @ in the draft.
type mention struct {
	open   bool
	query  string // what is typed after the @
	shut   string // word that the user closed it for
	files  []string
	more   bool
	known  bool
	err    string
	asked  time.Time
	found  int
	list   popup.List
	search int // number of the newest search
}

// matchedMsg brings the files that fit a query.
type matchedMsg struct {
	search int
	items  []popup.Item
	found  int
}

// mentioned opens, filters or shuts the list for the word at the caret.
func (m *model) mentioned(allowed bool) {
	f := &m.mention
	word := m.composer.Word()
	query, ok := strings.CutPrefix(word, "@")
	query = strings.TrimPrefix(query, "file:")
	if !ok || !allowed || word == f.shut || strings.ContainsAny(query, ":\"`") {
		f.open = false
		if word != f.shut {
			f.shut = ""
		}
		return
	}
	f.shut = ""
	if f.asked.IsZero() || m.at.Sub(f.asked) > filesKept {
		f.asked = m.at
		m.backend.Files()
	}
	if f.open && query == f.query {
		return
	}
	f.open, f.query = true, query
	m.matchFiles()
}

// filesListed takes a new list in.
func (m *model) filesListed(e event.FilesListed) {
	f := &m.mention
	f.files, f.more, f.err, f.known = e.Files, e.More, e.Err, true
	if f.open {
		m.matchFiles()
	}
}

// matchFiles looks for the files that fit, outside of the event loop: with many
// of them it takes longer than a key may.
func (m *model) matchFiles() {
	f := &m.mention
	f.search++
	search, query, files := f.search, f.query, f.files
	m.work.do(func() tea.Msg {
		items, found := fitFiles(files, query)
		return matchedMsg{search, items, found}
	})
}

func (m *model) matched(msg matchedMsg) {
	f := &m.mention
	if msg.search != f.search {
		return // of a query before
	}
	f.list.Items, f.list.Pick, f.found = msg.items, 0, msg.found
	m.dirty = true
}

// fitFiles ranks the files for a query: those whose name has it first, then by
// how well the letters fit, then the shorter ones.
func fitFiles(files []string, query string) (items []popup.Item, found int) {
	if query == "" {
		for _, path := range files[:min(len(files), shownFiles)] {
			items = append(items, popup.Item{Label: path})
		}
		return items, len(files)
	}
	matches := fuzzy.Find(query, files)
	low := strings.ToLower(query)
	inName := func(path string) bool {
		return strings.Contains(strings.ToLower(path[strings.LastIndexByte(path, '/')+1:]), low)
	}
	sort.SliceStable(matches, func(i, j int) bool {
		a, b := matches[i], matches[j]
		if x, y := inName(a.Str), inName(b.Str); x != y {
			return x
		}
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		return len(a.Str) < len(b.Str)
	})
	for _, mt := range matches[:min(len(matches), shownFiles)] {
		items = append(items, popup.Item{Label: mt.Str, At: mt.MatchedIndexes})
	}
	return items, len(matches)
}

// mentionKey is a key while the list is open.
func (m *model) mentionKey(name string) bool {
	f := &m.mention
	switch name {
	case "up", "ctrl+p":
		f.list.Move(-1)
	case "down", "ctrl+n":
		f.list.Move(1)
	case "tab", "enter":
		if f.list.Pick >= len(f.list.Items) {
			f.open = false
			return name == "tab"
		}
		m.takeFile(f.list.Items[f.list.Pick].Label)
	case "esc":
		f.open, f.shut = false, m.composer.Word()
	default:
		return false
	}
	return true
}

// takeFile puts a reference to a file in the place of the word.
func (m *model) takeFile(path string) {
	if strings.ContainsAny(path, " \t") {
		path = "`" + path + "`"
	}
	m.composer.ReplaceWord("@file:" + path + " ")
	m.mention.open = false
}

// mentionRows draws the list.
func (m *model) mentionRows(width, height int) []string {
	f, l := &m.mention, m.look
	if !f.open {
		return nil
	}
	f.list.Title = l.T(locale.UIFilesTitle, render.Line(f.query))
	keys := locale.UIFilesKeys
	if f.more {
		keys = locale.UIFilesKeysMore
	}
	f.list.Keys = l.T(keys, f.found, len(f.files))
	f.list.Empty = l.T(locale.UIFilesNone)
	switch {
	case !f.known:
		f.list.Empty = l.T(locale.UIFilesReading)
	case f.err != "":
		f.list.Empty = l.T(locale.UIFilesFailed, render.Line(f.err))
	}
	return f.list.Render(l, width, height)
}
