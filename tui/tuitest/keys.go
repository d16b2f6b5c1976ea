package tuitest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Modifier bits, as terminals encode them.
const (
	modShift = 1
	modAlt   = 2
	modCtrl  = 4
	modSuper = 8
)

// letterFinals are keys encoded as CSI letter, or CSI 1 ; modifiers letter.
var letterFinals = map[string]byte{
	"up": 'A', "down": 'B', "right": 'C', "left": 'D', "end": 'F', "home": 'H',
	"f1": 'P', "f2": 'Q', "f4": 'S',
}

// tildeNumbers are keys encoded as CSI number ~.
var tildeNumbers = map[string]int{
	"insert": 2, "delete": 3, "pgup": 5, "pgdown": 6, "f3": 13,
	"f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24,
}

// bytesOf are keys that have a byte of their own.
var bytesOf = map[string]byte{"enter": '\r', "tab": '\t', "esc": 0x1b, "backspace": 0x7f, "space": ' '}

// encode returns what the terminal sends for a key.
func (e *emulator) encode(key string) (string, error) {
	e.mu.Lock()
	kitty, other := e.kitty && e.kittyFlags()&1 != 0, e.otherKey > 0
	e.mu.Unlock()
	name, mod, err := splitKey(key)
	if err != nil {
		return "", err
	}
	if final, ok := letterFinals[name]; ok {
		switch {
		case mod != 0:
			return fmt.Sprintf("\x1b[1;%d%c", mod+1, final), nil
		case name[0] == 'f' && !kitty:
			return "\x1bO" + string(final), nil
		}
		return "\x1b[" + string(final), nil
	}
	if n, ok := tildeNumbers[name]; ok {
		switch {
		case name == "f3" && !kitty && mod == 0:
			return "\x1bOR", nil
		case mod != 0:
			return fmt.Sprintf("\x1b[%d;%d~", n, mod+1), nil
		}
		return fmt.Sprintf("\x1b[%d~", n), nil
	}
	code, special := bytesOf[name]
	r := rune(code)
	if !special {
		var size int
		if r, size = utf8.DecodeRuneInString(name); size != len(name) {
			return "", errors.New("no such key")
		}
	}
	switch {
	case kitty && (mod != 0 || name == "esc"):
		if !special && mod == modShift {
			return strings.ToUpper(name), nil
		}
		if mod == 0 {
			return fmt.Sprintf("\x1b[%du", r), nil
		}
		return fmt.Sprintf("\x1b[%d;%du", r, mod+1), nil
	case mod == 0:
		return string(r), nil
	}
	return legacy(name, r, special, mod, other)
}

// legacy encodes a key with modifiers without the keyboard protocol.
func legacy(name string, r rune, special bool, mod int, other bool) (string, error) {
	prefix := ""
	if mod&modAlt != 0 && (mod&modCtrl == 0 || !special) {
		prefix, mod = "\x1b", mod&^modAlt
	}
	switch {
	case mod == 0:
		return prefix + string(r), nil
	case name == "tab" && mod == modShift:
		return "\x1b[Z", nil
	case !special && mod == modShift:
		return prefix + strings.ToUpper(name), nil
	case name == "space" && mod == modCtrl:
		return prefix + "\x00", nil
	case !special && mod == modCtrl && strings.ContainsRune("abcdefghijklmnopqrstuvwxyz@[\\]^_", r):
		return prefix + string(r&0x1f), nil
	case other && special:
		return "\x1b[27;" + strconv.Itoa(mod+1) + ";" + strconv.Itoa(int(r)) + "~", nil
	}
	return "", errors.New("this terminal cannot send it")
}

// splitKey splits ctrl+alt+shift+name.
func splitKey(key string) (name string, mod int, err error) {
	name = key
	for {
		before, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			return name, mod, nil
		}
		switch before {
		case "shift":
			mod |= modShift
		case "alt":
			mod |= modAlt
		case "ctrl":
			mod |= modCtrl
		case "super":
			mod |= modSuper
		default:
			return "", 0, fmt.Errorf("no modifier %q", before)
		}
		name = rest
	}
}
