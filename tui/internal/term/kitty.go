package term

import (
	"strconv"
	"strings"
	"unicode"
)

// kittyName returns the name of a key of the kitty keyboard protocol that has
// no character, by its code point, or nothing.
func kittyName(code int) string {
	switch code {
	case 8, 127:
		return "backspace"
	case 9:
		return "tab"
	case 13:
		return "enter"
	case 27:
		return "esc"
	case 57363:
		return "menu"
	}
	if i := code - 57414; i >= 0 && i < len(keypadNames) {
		return keypadNames[i]
	}
	return ""
}

// keypadNames are the keys of the keypad from code point 57414 on.
var keypadNames = [...]string{
	0: "enter", 3: "left", 4: "right", 5: "up", 6: "down", 7: "pgup", 8: "pgdown",
	9: "home", 10: "end", 11: "insert", 12: "delete", 13: "begin",
}

// keypadRunes are the characters of the keypad from code point 57399 on.
const keypadRunes = "0123456789./*-+"

// kittyKey emits the key of CSI code:shifted:base ; modifiers:event ; text u.
func (d *decoder) kittyKey(c csi) {
	code := c.sub(0, 0, 0)
	if code <= 0 || code > unicode.MaxRune || released(c) {
		return
	}
	mod := c.mod(1)
	switch {
	case kittyName(code) != "":
		d.key(kittyName(code), mod)
	case code >= 57376 && code <= 57398: // F13 to F35
		d.key("f"+strconv.Itoa(code-57376+13), mod)
	case code >= 57399 && code < 57399+len(keypadRunes):
		d.typed(rune(keypadRunes[code-57399]), 0, 0, mod)
	case code == 57415:
		d.typed('=', 0, 0, mod)
	case code == 57416:
		d.typed(',', 0, 0, mod)
	case code >= 0xe000 && code <= 0xf8ff:
		// Locks, media keys and modifiers by themselves: nothing to do.
	default:
		d.typed(rune(code), rune(c.sub(0, 1, 0)), rune(c.sub(0, 2, 0)), mod)
	}
}

// typed emits a character key: r without Shift, shifted with it, and base in
// its place on the basic layout; the last two are 0 when not known.
func (d *decoder) typed(r, shifted, base rune, mod Mod) {
	if mod&^Shift != 0 && base != 0 && r >= 0x80 {
		r, shifted = base, unicode.ToUpper(base)
	}
	if mod&(Ctrl|Super|Hyper|Meta) == 0 && mod&Shift != 0 {
		if shifted == 0 {
			shifted = unicode.ToUpper(r)
		}
		r = shifted
		mod &^= Shift
	}
	d.runeKey(r, mod)
}

// otherKey emits the key of xterm's modifyOtherKeys: CSI 27 ; modifiers ; code ~.
func (d *decoder) otherKey(c csi) {
	code := c.param(2, 0)
	if code <= 0 || code > unicode.MaxRune {
		return
	}
	mod := c.mod(1)
	if name := kittyName(code); name != "" {
		d.key(name, mod)
		return
	}
	// The code is the character with Shift already in it.
	r := rune(code)
	if mod&(Ctrl|Super|Hyper|Meta) == 0 || strings.ContainsRune("@^_", r) {
		mod &^= Shift
	}
	d.runeKey(r, mod)
}
