package tui

import "github.com/charmbracelet/bubbles/key"

// keyMap holds the keys that act everywhere; those of the composer and of the
// pages are theirs. Every action has a key that needs no enhanced keyboard
// protocol.
type keyMap struct {
	Quit, Stop, Repaint, Suspend, Help, Plugins, Panel, Hooks, Tools          key.Binding
	PageUp, PageDown, LineUp, LineDown, Top, End, FoldAll, SearchHistory, Tab key.Binding
	SkipHook, DropQueued, Sessions, Editor, Find, Palette                     key.Binding
}

func defaultKeys() keyMap {
	b := func(keys ...string) key.Binding { return key.NewBinding(key.WithKeys(keys...)) }
	return keyMap{
		Quit: b("ctrl+d"), Stop: b("ctrl+c"), Repaint: b("ctrl+l"), Suspend: b("ctrl+z"),
		Help: b("f1"), Plugins: b("f2", "alt+p"), Panel: b("shift+f2", "f14"), Hooks: b("f3", "alt+h"), Tools: b("f4", "alt+t"),
		PageUp: b("pgup"), PageDown: b("pgdown"), LineUp: b("shift+up"), LineDown: b("shift+down"),
		Top: b("ctrl+home"), End: b("ctrl+end"), FoldAll: b("ctrl+o"), SearchHistory: b("ctrl+r"), Tab: b("tab", "shift+tab"),
		SkipHook: b("alt+s"), DropQueued: b("ctrl+x"), Sessions: b("ctrl+x"),
		Editor: b("ctrl+g"), Find: b("ctrl+f"), Palette: b("ctrl+p"),
	}
}

// is tells whether a key by name belongs to a binding.
func is(name string, b key.Binding) bool {
	for _, k := range b.Keys() {
		if k == name {
			return true
		}
	}
	return false
}
