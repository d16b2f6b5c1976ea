package tui

import (
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/panel"
)

// helpSections lists every key with what it does, for the help page.
func (m *model) helpSections(l *look.Look) []panel.HelpSection {
	section := func(title locale.Msg, rows ...any) panel.HelpSection {
		s := panel.HelpSection{Title: l.T(title)}
		for i := 0; i+1 < len(rows); i += 2 {
			s.Keys = append(s.Keys, [2]string{rows[i].(string), l.T(rows[i+1].(locale.Msg))})
		}
		return s
	}
	return []panel.HelpSection{
		section(locale.UIHelpCompose,
			"Enter", locale.UIKeySend,
			"Alt+Enter Ctrl+J \\+Enter", locale.UIKeyNewline,
			"Up Down", locale.UIKeyUpDown,
			"Ctrl+R", locale.UIKeySearch,
			"Ctrl+A Ctrl+E Home End", locale.UIKeyLineEnds,
			"Ctrl+Left Ctrl+Right", locale.UIKeyWords,
			"Ctrl+W Ctrl+U Ctrl+K", locale.UIKeyDelete,
			"Ctrl+Y", locale.UIKeyYank,
			"Ctrl+G", locale.UIKeyEditor,
			"/", locale.UIKeySlash,
			"@", locale.UIKeyFiles,
			"Tab", locale.UIKeyTab,
		),
		section(locale.UIHelpTurn,
			"Esc Esc", locale.UIKeyInterrupt,
			"Ctrl+C", locale.UIKeyStop,
			"Ctrl+D", locale.UIKeyLeave,
			"Alt+S", locale.UIKeySkip,
			"Ctrl+X", locale.UIKeyDrop,
		),
		section(locale.UIHelpRead,
			"PgUp PgDn", locale.UIKeyPage,
			"Shift+Up Shift+Down", locale.UIKeyRow,
			"Ctrl+Home Ctrl+End End", locale.UIKeyEnds,
			"Ctrl+F", locale.UIKeyFind,
			"Ctrl+O", locale.UIKeyFold,
			"Tab v y", locale.UIKeyCopy,
			"/copy [N|code]", locale.UIKeyCopyCommand,
			"Ctrl+C", locale.UIKeyCopySelection,
		),
		section(locale.UIHelpViews,
			"F1 ?", locale.UIKeyHelp,
			"Ctrl+P", locale.UIKeyPalette,
			"F2 Alt+P", locale.UIKeyPlugins,
			"Shift+F2", locale.UIKeyPanel,
			"F3 Alt+H", locale.UIKeyHooks,
			"F4 Alt+T", locale.UIKeyTools,
			"F5 … F8", locale.UIKeyOffer,
			"Ctrl+X", locale.UIKeySessions,
			"Ctrl+L", locale.UIKeyRepaint,
			"Ctrl+Z", locale.UIKeySuspend,
		),
	}
}
