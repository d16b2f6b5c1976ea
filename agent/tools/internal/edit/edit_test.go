package edit

import (
	"errors"
	"strings"
	"testing"
)

func TestReplace(t *testing.T) {
	for _, tc := range []struct{ name, text, old, next, want, by string }{
		{"exact text", "a b c", "b", "X", "a X c", "exact"},
		{"another indentation", "def f():\n\tx = 1\n\ty = 2\n", "  x = 1\n  y = 2", "  x = 3\n  if y:\n    y = 4", "def f():\n\tx = 3\n\tif y:\n\t  y = 4\n", "line_trimmed"},
		{"other blanks", "a  =   b\nc", "a = b", "a = d", "a = d\nc", "whitespace_normalized"},
		{"indentation left out", "if a:\n    b(1,  2)\n    c()\n", "b(1, 2)\n c()", "d()\n e()", "if a:\n    d()\n    e()\n", "whitespace_normalized"},
		{"indentation left out of one line", "if a:\n    b(1,  2)\n", "b(1, 2)", "d()\ne()", "if a:\n    d()\n    e()\n", "whitespace_normalized"},
		{"escaped line ends", "a\nb\n", `a\nb`, "c", "c\n", "escape_normalized"},
		{"escaped tabs", "x\ty\n", `x\ty`, `x\tz`, "x\tz\n", "escape_normalized"},
		{"escaped tabs that indent", "\tf(a)\n\tg(b)\n", `\tf(a)\n\tg(b)`, `\tf(c)`, "\tf(c)\n", "escape_normalized"},
		{"tabs written as such beside a quoted one", "\tf(a)\n", "\tf(a)", "\tf(\"\\t\")", "\tf(\"\\t\")\n", "exact"},
		{"curly quotes", "x = “hi” — ok\n", `x = "hi" -- ok`, `x = "ho" -- ok`, "x = “ho” — ok\n", "unicode_normalized"},
		{"anchors", "start\nfoo 1\nfoo 2\nend\n", "start\nfoo 1\nfoo 3\nend", "x", "x\n", "block_anchor"},
		{"lines that resemble", "start\nfoo 1\nbar 2\nend\n", "start\nfoo 1\nbar 9\nends", "x", "x\n", "context_aware"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Replace(tc.text, tc.old, tc.next, false)
			if err != nil || got.Text != tc.want || got.Strategy != tc.by || got.Count != 1 {
				t.Errorf("got %+v, %v\nwant %q by %s", got, err, tc.want, tc.by)
			}
		})
	}
}

func TestReplaceRefuses(t *testing.T) {
	var many *AmbiguousError
	var drift *EscapedError
	if _, err := Replace("a", "", "x", false); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := Replace("a", "a", "a", false); !errors.Is(err, ErrSame) {
		t.Error(err)
	}
	if _, err := Replace("a", "zzz", "x", false); !errors.Is(err, ErrNoMatch) {
		t.Error(err)
	}
	if _, err := Replace("a a", "a", "x", false); !errors.As(err, &many) || many.Count != 2 {
		t.Error(err)
	}
	if _, err := Replace("  it's x\n", `it\'s x`, `it\'s y`, false); !errors.As(err, &drift) {
		t.Error(err)
	}
	if got, err := Replace("aaaa", "aa", "b", true); err != nil || got.Text != "bb" || got.Count != 2 {
		t.Error(got, err)
	}
}

func TestClosest(t *testing.T) {
	got := Closest("a\nfoo bra\nbaz\nqux\n", "foo bar\nbaz")
	if want := "   1| a\n   2| foo bra\n   3| baz\n   4| qux\n   5| "; !strings.HasPrefix(got, want+"\n---\n") {
		t.Errorf("got %q", got)
	}
	if got := Closest("a\nb\n", "zzzzz"); got != "" {
		t.Errorf("got %q", got)
	}
}

// Whatever the strings, Replace ends, and changes nothing but what it found.
func FuzzReplace(f *testing.F) {
	f.Add("def f():\n\tx\n", "  x\n", "y", false)
	f.Add("“a” — b…\r\n", `"a" -- b...`, "c", true)
	f.Add("a\\nb\tc  d", `a\nb`, "\\t'", true)
	f.Fuzz(func(t *testing.T, text, old, next string, all bool) {
		if len(text)+len(old) > 2_000 {
			return
		}
		got, err := Replace(text, old, next, all)
		if err != nil {
			if got.Text != "" || err.Error() == "" {
				t.Fatalf("%+v, %q", got, err)
			}
			return
		}
		if got.Count < 1 || got.Count > 1 && !all {
			t.Fatalf("%d passages", got.Count)
		}
		if got.Strategy == "exact" && got.Text != strings.Replace(text, old, next, got.Count) {
			t.Fatalf("got %q", got.Text)
		}
		Closest(text, old)
	})
}
