package proc

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// cleaned feeds s in pieces of n bytes.
func cleaned(c Cleaner, s string, n int) string {
	var out []byte
	for p := []byte(s); len(p) > 0; {
		k := min(n, len(p))
		out = c.Append(out, p[:k])
		p = p[k:]
	}
	return string(c.Flush(out))
}

func TestCleaner(t *testing.T) {
	for _, tc := range []struct {
		in, want string
		tty      bool
	}{
		{in: "plain 界\t\n", want: "plain 界\t\n"},
		{in: "\x1b[1;31mred\x1b[0m \x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", want: "red xlink"},
		{in: "\x1b(B\x1b)0\x1b=\x1b>\x1bMa\x1b[?25lb\x1bPq#0\x1b\\c", want: "abc"},
		{in: "a\x1b", want: "a"},
		{in: "a\x1b]0;never closed\nb", want: "a\nb"},
		{in: "a\x1b[12\nb", want: "a\nb"},
		{in: "a\x1b\x1b[31mb", want: "ab"},
		{in: "\xffa\xc3(b\xe4\xb8", want: "\ufffda\ufffd(b\ufffd"},
		{in: "a\x00b", want: "a\x00b"},
		{in: "a\r\nb\rc\r", want: "a\r\nb\rc\r"},
		{in: "a\r\nb\rc\r", want: "a\nb\rc\r", tty: true},
		{in: "\x1b[K\r\n", want: "\n", tty: true},
	} {
		for n := 1; n <= len(tc.in); n++ {
			if got := cleaned(Cleaner{TTY: tc.tty}, tc.in, n); got != tc.want {
				t.Errorf("%q in pieces of %d: %q, want %q", tc.in, n, got, tc.want)
			}
		}
	}
}

// However the text is cut, the result is the same, is UTF-8, and holds no
// control sequence that a terminal would know.
func FuzzCleaner(f *testing.F) {
	f.Add("\x1b[31m界\xff\x1b]0;x\x07\r\n", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 1 || n > len(s) {
			n = 1
		}
		whole := cleaned(Cleaner{}, s, len(s)+1)
		if pieces := cleaned(Cleaner{}, s, n); pieces != whole && strings.ReplaceAll(pieces, "\ufffd", "") != strings.ReplaceAll(whole, "\ufffd", "") {
			t.Fatalf("%q in pieces of %d: %q, whole %q", s, n, pieces, whole)
		}
		if !utf8.ValidString(whole) || strings.Contains(whole, "\x1b") {
			t.Fatalf("%q left %q", s, whole)
		}
		if !strings.Contains(s, "\x1b") && utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 && r < 0xa0 }) < 0 && whole != s {
			t.Fatalf("plain %q became %q", s, whole)
		}
	})
}

func TestWindow(t *testing.T) {
	for _, tc := range []struct {
		head, tail int
		writes     []string
		h, t       string
	}{
		{3, 3, []string{"ab"}, "ab", ""},
		{3, 3, []string{"abcdef"}, "abc", "def"},
		{3, 3, []string{"ab", "cd", "efg", "h"}, "abc", "fgh"},
		{2, 2, []string{"界面测试", "完"}, "界面", "试完"},
		{0, 2, []string{"a", "b", "c", "d", "e", "f"}, "", "ef"},
	} {
		w := NewWindow(tc.head, tc.tail)
		n := 0
		for _, s := range tc.writes {
			w.Write([]byte(s))
			n += utf8.RuneCountInString(s)
		}
		h, tail, total := w.Text()
		if h != tc.h || tail != tc.t || total != n {
			t.Errorf("%v: %q %q %d", tc, h, tail, total)
		}
	}
	w := NewWindow(2, 4)
	w.Write([]byte("abcdef"))
	if got := w.Last(5); got != "bcdef" {
		t.Errorf("%q", got)
	}
	if got := w.Last(2); got != "ef" {
		t.Errorf("%q", got)
	}
}

func TestEnviron(t *testing.T) {
	in := []string{
		"PATH=/bin", "OPENAI_API_KEY=1", "WHATEVER_API_KEY=1", "openai_base_url=1", "SLACK_BOT_TOKEN=1", "SLACK_CHANNEL=c", "GH_TOKEN=1",
		"NPM_TOKEN=n", "AWS_SECRET_ACCESS_KEY=a", "EDITOR=vi", "=C:=C:\\", "HERMES_HOME=/h", "SUDO_PASSWORD=1", "KEYMAP=us", "EMPTY",
	}
	want := "PATH=/bin SLACK_CHANNEL=c NPM_TOKEN=n AWS_SECRET_ACCESS_KEY=a EDITOR=vi =C:=C:\\ HERMES_HOME=/h KEYMAP=us EMPTY"
	if got := strings.Join(Environ(in, nil), " "); got != want {
		t.Errorf("%s", got)
	}
	if got := strings.Join(Environ([]string{"GH_TOKEN=1"}, []string{"GH_TOKEN"}), " "); got != "GH_TOKEN=1" {
		t.Errorf("%s", got)
	}
	want = "PATH=/bin SLACK_CHANNEL=c EDITOR=vi =C:=C:\\ HERMES_HOME=/h EMPTY"
	if got := strings.Join(StrictEnviron(in, nil), " "); got != want {
		t.Errorf("%s", got)
	}
	if got := strings.Join(Dropped(in, []string{"GH_TOKEN"}), " "); got != "OPENAI_API_KEY SLACK_BOT_TOKEN SUDO_PASSWORD WHATEVER_API_KEY openai_base_url" {
		t.Errorf("%s", got)
	}
}
