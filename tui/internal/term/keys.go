package term

import (
	"unicode"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	esc = 0x1b
	bel = 0x07
	del = 0x7f
)

// noKey marks a combination that Bubble Tea has no type for.
const noKey = tea.KeyType(-1000)

// keyTypes are Bubble Tea's types of a key: alone, with Shift, with Ctrl, with
// both. Bubble Tea calls Shift+F2 F14, as terminals without modifiers do; here
// it is Shift+F2.
var keyTypes = [...]struct {
	name  string
	types [4]tea.KeyType
}{
	{"up", [4]tea.KeyType{tea.KeyUp, tea.KeyShiftUp, tea.KeyCtrlUp, tea.KeyCtrlShiftUp}},
	{"down", [4]tea.KeyType{tea.KeyDown, tea.KeyShiftDown, tea.KeyCtrlDown, tea.KeyCtrlShiftDown}},
	{"right", [4]tea.KeyType{tea.KeyRight, tea.KeyShiftRight, tea.KeyCtrlRight, tea.KeyCtrlShiftRight}},
	{"left", [4]tea.KeyType{tea.KeyLeft, tea.KeyShiftLeft, tea.KeyCtrlLeft, tea.KeyCtrlShiftLeft}},
	{"home", [4]tea.KeyType{tea.KeyHome, tea.KeyShiftHome, tea.KeyCtrlHome, tea.KeyCtrlShiftHome}},
	{"end", [4]tea.KeyType{tea.KeyEnd, tea.KeyShiftEnd, tea.KeyCtrlEnd, tea.KeyCtrlShiftEnd}},
	{"pgup", [4]tea.KeyType{tea.KeyPgUp, noKey, tea.KeyCtrlPgUp, noKey}},
	{"pgdown", [4]tea.KeyType{tea.KeyPgDown, noKey, tea.KeyCtrlPgDown, noKey}},
	{"insert", [4]tea.KeyType{tea.KeyInsert, noKey, noKey, noKey}},
	{"delete", [4]tea.KeyType{tea.KeyDelete, noKey, noKey, noKey}},
	{"enter", [4]tea.KeyType{tea.KeyEnter, noKey, noKey, noKey}},
	{"tab", [4]tea.KeyType{tea.KeyTab, tea.KeyShiftTab, noKey, noKey}},
	{"backspace", [4]tea.KeyType{tea.KeyBackspace, noKey, noKey, noKey}},
	{"esc", [4]tea.KeyType{tea.KeyEscape, noKey, noKey, noKey}},
	{"f1", [4]tea.KeyType{tea.KeyF1, noKey, noKey, noKey}},
	{"f2", [4]tea.KeyType{tea.KeyF2, noKey, noKey, noKey}},
	{"f3", [4]tea.KeyType{tea.KeyF3, noKey, noKey, noKey}},
	{"f4", [4]tea.KeyType{tea.KeyF4, noKey, noKey, noKey}},
	{"f5", [4]tea.KeyType{tea.KeyF5, noKey, noKey, noKey}},
	{"f6", [4]tea.KeyType{tea.KeyF6, noKey, noKey, noKey}},
	{"f7", [4]tea.KeyType{tea.KeyF7, noKey, noKey, noKey}},
	{"f8", [4]tea.KeyType{tea.KeyF8, noKey, noKey, noKey}},
	{"f9", [4]tea.KeyType{tea.KeyF9, noKey, noKey, noKey}},
	{"f10", [4]tea.KeyType{tea.KeyF10, noKey, noKey, noKey}},
	{"f11", [4]tea.KeyType{tea.KeyF11, noKey, noKey, noKey}},
	{"f12", [4]tea.KeyType{tea.KeyF12, noKey, noKey, noKey}},
	{"f13", [4]tea.KeyType{tea.KeyF13, noKey, noKey, noKey}},
	{"f14", [4]tea.KeyType{tea.KeyF14, noKey, noKey, noKey}},
	{"f15", [4]tea.KeyType{tea.KeyF15, noKey, noKey, noKey}},
	{"f16", [4]tea.KeyType{tea.KeyF16, noKey, noKey, noKey}},
	{"f17", [4]tea.KeyType{tea.KeyF17, noKey, noKey, noKey}},
	{"f18", [4]tea.KeyType{tea.KeyF18, noKey, noKey, noKey}},
	{"f19", [4]tea.KeyType{tea.KeyF19, noKey, noKey, noKey}},
	{"f20", [4]tea.KeyType{tea.KeyF20, noKey, noKey, noKey}},
}

// key emits a named key; an empty name is a key that nobody knows.
func (d *decoder) key(name string, mod Mod) {
	if name == "" {
		return
	}
	i := 0
	if mod&Shift != 0 {
		i |= 1
	}
	if mod&Ctrl != 0 {
		i |= 2
	}
	if mod&^(Shift|Alt|Ctrl) == 0 {
		for _, k := range keyTypes {
			if k.name == name && k.types[i] != noKey {
				d.emit(tea.KeyMsg{Type: k.types[i], Alt: mod&Alt != 0})
				return
			}
		}
	}
	d.emit(Key{Name: name, Mod: mod})
}

// controlKey emits the key of a control byte.
func (d *decoder) controlKey(c byte, mod Mod) {
	switch c {
	case '\r':
		d.key("enter", mod)
	case '\t':
		d.key("tab", mod)
	case del:
		d.key("backspace", mod)
	case esc:
		d.key("esc", mod)
	default:
		d.emit(tea.KeyMsg{Type: tea.KeyType(c), Alt: mod&Alt != 0})
	}
}

// runeKey emits a character with modifiers other than Shift, which shows in
// the character itself.
func (d *decoder) runeKey(r rune, mod Mod) {
	if mod&(Ctrl|Super|Hyper|Meta) != 0 {
		d.chord(r, mod)
		return
	}
	if mod&Alt != 0 {
		r = latin(r)
	}
	if unicode.IsControl(r) {
		return
	}
	k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: mod&Alt != 0}
	if r == ' ' {
		k.Type = tea.KeySpace
	}
	d.emit(k)
}

// chord emits a character with Ctrl, or a modifier that text never has. Ctrl
// and a letter is the control byte that terminals without keyboard protocol
// send, so that a binding is the same everywhere.
func (d *decoder) chord(r rune, mod Mod) {
	r = unicode.ToLower(latin(r))
	if mod&^Alt == Ctrl {
		if c, ok := controlByte(r); ok {
			d.controlKey(c, mod&Alt)
			return
		}
	}
	name := string(r)
	if r == ' ' {
		name = "space"
	}
	d.emit(Key{Name: name, Mod: mod})
}

// controlByte returns what Ctrl makes of a character.
func controlByte(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z':
		return byte(r - 'a' + 1), true
	case r == ' ' || r == '@':
		return 0, true
	case r == '[':
		return esc, true
	case r == '\\':
		return 0x1c, true
	case r == ']':
		return 0x1d, true
	case r == '^':
		return 0x1e, true
	case r == '_' || r == '/':
		return 0x1f, true
	}
	return 0, false
}

// layouts are alphabets in the places of the keys of the first line, as the
// usual keyboard of each has them.
var layouts = [...][2]string{
	{"qwertyuiop[]asdfghjkl;'zxcvbnm,.`", "йцукенгшщзхъфывапролджэячсмитьбюё"}, // Russian
	{"s]'", "іїє"}, // Ukrainian
	{"wertyuiopasdfghjklzxcvbnm", "ςερτυθιοπασδφγηξκλζχψωβνμ"},     // Greek
	{"ertyuiopasdfghjkl;zxcvbnm,.", "קראטוןםפשדגכעיחלךףזסבהנמצתץ"}, // Hebrew
	{"qwertyuiopasdfghjklzxcvnm", "ضصثقفغعهخحشسيبلاتنمئءؤرىة"},     // Arabic
}

// latin returns the character that the key of r has on a Latin keyboard, by
// place, so that shortcuts work in every alphabet.
func latin(r rune) rune {
	if r < 0x370 {
		return r
	}
	lower := unicode.ToLower(r)
	for _, l := range layouts {
		keys := []rune(l[0])
		i := 0
		for _, c := range l[1] {
			if c == lower {
				if lower != r {
					return unicode.ToUpper(keys[i])
				}
				return keys[i]
			}
			i++
		}
	}
	return r
}
