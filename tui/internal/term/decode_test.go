package term

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

// describe writes a message as these tests spell it.
func describe(m tea.Msg) string {
	switch m := m.(type) {
	case tea.KeyMsg:
		if m.Paste { // several characters at once
			return string(m.Runes)
		}
		return m.String()
	case Key:
		return "key:" + m.String()
	case tea.MouseMsg:
		return fmt.Sprintf("mouse:%v@%d,%d", m, m.X, m.Y)
	case PasteMsg:
		return fmt.Sprintf("paste:%q", m.Text)
	}
	return fmt.Sprintf("%T%+v", m, m)
}

func describeAll(msgs []tea.Msg) string {
	var parts []string
	for _, m := range msgs {
		parts = append(parts, describe(m))
	}
	return strings.Join(parts, " | ")
}

// decodeAll feeds the pieces and lets every patience run out at the end.
func decodeAll(pieces ...string) []tea.Msg {
	d := newDecoder()
	var out []tea.Msg
	for _, p := range pieces {
		out = append(out, d.feed([]byte(p))...)
	}
	return append(out, expireAll(d)...)
}

func expireAll(d *decoder) []tea.Msg {
	var out []tea.Msg
	for d.held != holdNone {
		out = append(out, d.expire()...)
	}
	return out
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		// Text and control bytes.
		{"a", "a"},
		{"abc d", "abc d"},
		{" ", " "},
		{"é世👩‍👩‍👧", "é世👩‍👩‍👧"},
		{"a\xffb", "ab"},
		{"\r", "enter"},
		{"\n", "ctrl+j"},
		{"\t", "tab"},
		{"\x7f", "backspace"},
		{"\x00", "ctrl+@"},
		{"\x03\x1a\x1c\x1d\x1e\x1f", "ctrl+c | ctrl+z | ctrl+\\ | ctrl+] | ctrl+^ | ctrl+_"},
		{"msg 1\r", "msg 1 | enter"},
		// Escape and Alt.
		{"\x1b", "esc"},
		{"\x1b\x1b", "esc | esc"},
		{"\x1ba", "alt+a"},
		{"\x1b\r", "alt+enter"},
		{"\x1b\x7f", "alt+backspace"},
		{"\x1b ", "alt+ "},
		{"\x1bс", "alt+c"}, // Cyrillic, by place
		{"\x1b[", "alt+["},
		{"\x1b]", "alt+]"},
		{"\x1bO", "alt+O"},
		{"\x1b]x", "alt+] | x"},
		{"\x1bPx", "alt+P | x"},
		{"\x1b\x1b[A", "alt+up"},
		{"\x1b\x1b[<0;1;1M", "esc | mouse:left press@0,0"},
		{"\x1b\x1b]11;rgb:00/00/00\x07", "esc | term.BackgroundMsg{R:0 G:0 B:0 Dark:true}"},
		// Cursor and function keys.
		{"\x1b[A\x1b[B\x1b[C\x1b[D", "up | down | right | left"},
		{"\x1bOA\x1bOB\x1bOH\x1bOF", "up | down | home | end"},
		{"\x1b[1;2A\x1b[1;5C\x1b[1;6D\x1b[1;3B", "shift+up | ctrl+right | ctrl+shift+left | alt+down"},
		{"\x1b[1;7H", "alt+ctrl+home"},
		{"\x1b[1;9A", "key:super+up"},
		{"\x1b[1;129A", "up"}, // num lock
		{"\x1b[1;1:3A", ""},   // let go
		{"\x1b[1;1:2A", "up"}, // repeated
		{"\x1b[H\x1b[4~\x1b[2~\x1b[3~\x1b[5~\x1b[6~", "home | end | insert | delete | pgup | pgdown"},
		{"\x1b[5;5~\x1b[3;5~\x1b[5;2~", "ctrl+pgup | key:ctrl+delete | key:shift+pgup"},
		{"\x1b[7$\x1b[7^\x1b[a\x1bOa", "shift+home | ctrl+home | shift+up | ctrl+up"}, // rxvt
		{"\x1bOP\x1b[Q\x1b[13~\x1b[14~\x1b[15~\x1b[24~", "f1 | f2 | f3 | f4 | f5 | f12"},
		{"\x1b[[A\x1b[[E", "f1 | f5"}, // Linux console
		{"\x1b[1;2Q\x1b[1;5R\x1b[15;2~\x1b[1;3P", "key:shift+f2 | key:ctrl+f3 | key:shift+f5 | alt+f1"},
		{"\x1b[Z", "shift+tab"},
		{"\x1bOM\x1bOj\x1bOp", "enter | * | 0"},
		{"\x1b[E", "key:begin"},
		// Kitty keyboard protocol.
		{"\x1b[13;2u", "key:shift+enter"},
		{"\x1b[13;5u", "key:ctrl+enter"},
		{"\x1b[13;3u", "alt+enter"},
		{"\x1b[27u", "esc"},
		{"\x1b[9;2u", "shift+tab"},
		{"\x1b[127;5u", "key:ctrl+backspace"},
		{"\x1b[97u", "a"},
		{"\x1b[97;5u\x1b[99;5u", "ctrl+a | ctrl+c"},
		{"\x1b[1089::99;5u", "ctrl+c"},
		{"\x1b[1082::114;5u", "ctrl+r"},
		{"\x1b[1089;5u", "ctrl+c"}, // no base key: by place
		{"\x1b[97:65;4u", "alt+A"},
		{"\x1b[97;6u", "key:ctrl+shift+a"},
		{"\x1b[99;9u", "key:super+c"},
		{"\x1b[91;5u\x1b[32;5u\x1b[47;5u", "esc | ctrl+@ | ctrl+_"},
		{"\x1b[49;5u", "key:ctrl+1"},
		{"\x1b[97;1:3u", ""},
		{"\x1b[57414u\x1b[57399u\x1b[57419;5u", "enter | 0 | ctrl+up"},
		{"\x1b[57441u", ""}, // left shift by itself
		{"\x1b[57376u", "f13"},
		// xterm's modifyOtherKeys.
		{"\x1b[27;2;13~", "key:shift+enter"},
		{"\x1b[27;5;99~", "ctrl+c"},
		{"\x1b[27;6;67~", "key:ctrl+shift+c"},
		{"\x1b[27;3;120~", "alt+x"},
		// Mouse and focus.
		{"\x1b[<0;10;5M\x1b[<0;10;5m", "mouse:left press@9,4 | mouse:left release@9,4"},
		{"\x1b[<64;1;1M\x1b[<65;1;1M", "mouse:wheel up@0,0 | mouse:wheel down@0,0"},
		{"\x1b[<32;1;1M\x1b[<32;7;1M", "mouse:left motion@6,0"}, // a drag, merged
		{"\x1b[<20;3;4M", "mouse:ctrl+shift+left press@2,3"},
		{"\x1b[M !!", "mouse:left press@0,0"},
		{"\x1b[I\x1b[O", "tea.FocusMsg{} | tea.BlurMsg{}"},
		// Paste.
		{"\x1b[200~hi\x1b[201~", `paste:"hi"`},
		{"\x1b[200~a\r\nb\rc\td\x1b[201~x", `paste:"a\nb\nc\td" | x`},
		{"\x1b[200~\x1b[201~", `paste:""`},
		{"\x1b[200~hi \x1b[201~ \r y \x03 rm -rf ~\x1b[201~", `paste:"hi  \n y  rm -rf ~"`},
		{"\x1b[200~a\x1b[201~\r\x1b[200~b\x1b[201~k", `paste:"a\nb" | k`},
		{"\x1b[200~\x1b[31mred\x00\u0085\x1b[201~", `paste:"[31mred"`},
		{"\x1b[200~never ends", `paste:"never ends"`},
		{"\x1b[200~x\x1b[201~\x1b[A\r", `paste:"x" | up | enter`},
		// Answers.
		{"\x1b[?2026;2$y", "term.modeReport{mode:2026 value:2}"},
		{"\x1b[?5u", "term.kittyReport{flags:5}"},
		{"\x1b[?64;1;2c", "term.classReport{}"},
		{"\x1b[>1;10;0c\x1b[24;80R\x1b[8;24;80t\x1b[?12;40R\x1b[0n", ""},
		{"\x1b[?997;1n", "term.themeReport{}"},
		{"\x1b]11;rgb:1d1d/1f1f/2121\x1b\\", "term.BackgroundMsg{R:29 G:31 B:33 Dark:true}"},
		{"\x1b]11;rgb:ff/ff/ff\x07a", "term.BackgroundMsg{R:255 G:255 B:255 Dark:false} | a"},
		{"\x1b]11;#102030\x07", "term.BackgroundMsg{R:16 G:32 B:48 Dark:true}"},
		{"\x1b]10;rgb:ff/ff/ff\x1b\\\x1b]52;c;aGk=\x07", ""},
		{"\x1bP>|kitty(0.39)\x1b\\", "term.nameReport{name:kitty(0.39)}"},
		{"\x1b_Gi=1;OK\x1b\\", ""},
		{"\x9b?64;1c\x9d11;rgb:00/00/00\x9c", "term.classReport{} | term.BackgroundMsg{R:0 G:0 B:0 Dark:true}"},
		// Broken off: nothing of it becomes text, what follows does.
		{"\x1b[1;", ""},
		{"\x1b[1;\rx", "enter | x"},
		{"\x1b]11;rgb:1d", ""},
		{"\x1b]11;rgb\x1b[A", "up"},
		{"\x1b]11;rgb\x03", "ctrl+c"},
		{"\xe4\xb8", ""},
	} {
		if got := describeAll(decodeAll(c.in)); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestDecodeTypes checks the fields that a name does not show.
func TestDecodeTypes(t *testing.T) {
	got := decodeAll("ab \x1b \x1bx ")
	want := []tea.Msg{
		tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("ab "), Paste: true},
		tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: true},
		tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'x'}, Alt: true},
		tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v", got)
	}
}

// TestLateRest is what happens when the patience for ESC ran out and the rest
// of a report comes after it: the rest is not text either. What a person types
// after Esc is.
func TestLateRest(t *testing.T) {
	for _, c := range []struct{ rest, want string }{
		{"]11;rgb:1d1d/1f1f/2121\x1b\\", "term.BackgroundMsg{R:29 G:31 B:33 Dark:true}"},
		{"[?64;1;2c", "term.classReport{}"},
		{"P>|xterm(390)\x1b\\", "term.nameReport{name:xterm(390)}"},
		{"[<0;3;4M", "mouse:left press@2,3"},
		{"[I", "tea.FocusMsg{}"},
		{"[A", "up"},
		{"[200~evil\r\x1b[201~", `paste:"evil\n"`},
		{"[13;2u", "key:shift+enter"},
		{"a", "a"},
		{"[link", "[link"},
		{"[1] note", "[1] note"},
		{"]", "]"},
		{"]0;x", "]0;x"},
		{"Please", "Please"},
		{"_x", "_x"},
		{"\r", "enter"},
	} {
		d := newDecoder()
		d.feed([]byte("\x1b"))
		if got := describeAll(d.expire()); got != "esc" {
			t.Fatalf("ESC alone gave %s", got)
		}
		got := describeAll(append(d.feed([]byte(c.rest)), expireAll(d)...))
		if got != c.want {
			t.Errorf("esc, then %q:\n got %s\nwant %s", c.rest, got, c.want)
		}
	}
}

// TestAnswersCutAnywhere cuts every answer at every place, with the patience
// for a key running out in between: no text comes of it.
func TestAnswersCutAnywhere(t *testing.T) {
	for _, answer := range []string{
		"\x1b]11;rgb:1d1d/1f1f/2121\x1b\\", "\x1b[?64;1;2c", "\x1bP>|XTerm(390)\x1b\\",
		"\x1b[?2026;2$y", "\x1b[?5u", "\x1b[<35;20;10M", "\x1b[I",
	} {
		for cut := 1; cut < len(answer); cut++ {
			d := newDecoder()
			msgs := d.feed([]byte(answer[:cut]))
			if d.held == holdEsc { // 60 ms are longer than this patience only
				msgs = append(msgs, d.expire()...)
			}
			msgs = append(msgs, d.feed([]byte(answer[cut:]))...)
			if d.held != holdNone {
				t.Errorf("%q cut at %d: still waiting (%d)", answer, cut, d.held)
			}
			for _, m := range msgs {
				if k, ok := m.(tea.KeyMsg); ok && k.Type != tea.KeyEscape {
					t.Errorf("%q cut at %d: key %v", answer, cut, k)
				}
			}
		}
	}
}

func TestPasteOfAMegabyte(t *testing.T) {
	text := strings.Repeat(strings.Repeat("0123456789", 8)+"\tend\r\n", 12000)
	in := "\x1b[200~" + text + "\x1b[201~"
	d := newDecoder()
	var msgs []tea.Msg
	for len(in) > 0 {
		n := min(4095, len(in)) // as a terminal hands it out
		msgs = append(msgs, d.feed([]byte(in[:n]))...)
		in = in[n:]
	}
	msgs = append(msgs, expireAll(d)...)
	want := PasteMsg{strings.ReplaceAll(text, "\r\n", "\n")}
	if len(msgs) != 1 || msgs[0] != want {
		t.Errorf("%d messages", len(msgs))
	}
}

// flatten splits text into its characters, so that messages can be compared
// whatever was read at once, and merges drags.
func flatten(msgs []tea.Msg) []tea.Msg {
	var out []tea.Msg
	for _, m := range msgs {
		switch m := m.(type) {
		case tea.KeyMsg:
			if m.Type == tea.KeyRunes && !m.Alt {
				for _, r := range m.Runes {
					k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
					if r == ' ' {
						k.Type = tea.KeySpace
					}
					out = append(out, k)
				}
				continue
			}
		case tea.MouseMsg:
			if n := len(out); n > 0 && m.Action == tea.MouseActionMotion && sameDrag(out[n-1], m) {
				out[n-1] = m
				continue
			}
		}
		out = append(out, m)
	}
	return out
}

// pieces are what input is made of in the tests below.
var pieces = []string{
	"a", " ", "é", "世", "👩‍👩‍👧", "\r", "\n", "\t", "\x7f", "\x03", "\x1b", "\x1b[A", "\x1bOP", "\x1b[1;5C", "\x1b[13;2u",
	"\x1b[27;2;13~", "\x1b[<32;4;5M", "\x1b[<0;4;5m", "\x1b[I", "\x1b[200~", "\x1b[201~", "\x1b]11;rgb:11/22/33\x1b\\",
	"\x1b[?64c", "\x1bP>|x\x1b\\", "\x1b]", "\x1b[", "\x9b", "\xff", ";", "0", "[", "]", "P", "\x1b[M", "\x1b\x1b", "\x07",
	"\x1b[200~one\x1b[201~", "\x1b[200~\r\n\x1b[201~two\x1b[201~",
}

// TestSplitAnywhere: how input is cut into reads does not matter.
func TestSplitAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 12).Draw(t, "pieces"), "")
		whole := flatten(decodeAll(in))
		var parts []string
		for rest := in; rest != ""; {
			n := min(rapid.IntRange(1, 9).Draw(t, "cut"), len(rest))
			parts = append(parts, rest[:n])
			rest = rest[n:]
		}
		if got := flatten(decodeAll(parts...)); !reflect.DeepEqual(got, whole) {
			t.Fatalf("%q cut as %q:\n got %s\nwant %s", in, parts, describeAll(got), describeAll(whole))
		}
	})
}

// FuzzDecode: any bytes, cut anywhere, with patience running out anywhere: no
// panic, no control character as text, and the decoder comes to rest.
func FuzzDecode(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p+"x"), uint64(0x5555), uint64(0x11))
	}
	f.Fuzz(func(t *testing.T, in []byte, cuts, expires uint64) {
		d := newDecoder()
		var msgs []tea.Msg
		start := 0
		for i := range in {
			if cuts>>(i%64)&1 == 1 || i == len(in)-1 {
				msgs = append(msgs, d.feed(in[start:i+1])...)
				start = i + 1
				if expires>>(i%64)&1 == 1 {
					msgs = append(msgs, d.expire()...)
				}
			}
		}
		for n := 0; d.held != holdNone; n++ {
			if n > len(in)+2 {
				t.Fatalf("never comes to rest: held %d, buffer %q", d.held, d.buf)
			}
			msgs = append(msgs, d.expire()...)
		}
		for _, m := range msgs {
			k, ok := m.(tea.KeyMsg)
			if !ok || (k.Type != tea.KeyRunes && k.Type != tea.KeySpace) {
				continue
			}
			if len(k.Runes) == 0 {
				t.Fatalf("%q: a key without characters", in)
			}
			for _, r := range k.Runes {
				if r < 0x20 || r >= 0x7f && r < 0xa0 {
					t.Fatalf("%q: control character %U as text", in, r)
				}
			}
		}
	})
}
