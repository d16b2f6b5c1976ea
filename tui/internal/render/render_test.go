package render

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"pgregory.net/rapid"
)

// alphabet is what random text is made of.
var alphabet = []string{
	"a", "word", " ", "  ", "-", "é", "e\u0301", "世界", "。", "（", "」", "👩‍👩‍👧", "🇯🇵🇩🇪", "✅", "☀️", "1️⃣", "한글", "नमस्ते", "─", "…",
	"\x1b[31m", "\x1b[1;4m", "\x1b[m", "\x1b[38;2;1;2;3m", "\x1b[7m", "\x1b[0;32m", "\x1b]8;;https://example.org/x\x1b\\", "\x1b]8;;\x1b\\",
}

func drawText(t *rapid.T, more ...string) string {
	parts := append(append([]string(nil), alphabet...), more...)
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 40).Draw(t, "text"), "")
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "世界": 4, "e\u0301": 1, "👩‍👩‍👧": 2, "👩‍👩‍👧 ok": 5, "🇯🇵": 2, "✅": 2, "☀️": 2, "☀": 1, "1️⃣": 2,
		"论文 (%)": 8, "\x1b[31mred\x1b[m": 3, "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\": 4, "a\tb\n": 2, "─│┌": 3, "α±§…": 4,
		"\u200b": 0, "\u0301": 0, "한": 2, "ｱ": 1, "Ａ": 2, "a\u009bb": 2,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, not %d", s, got, want)
		}
		if !strings.ContainsAny(s, "\t\u009b") && lipgloss.Width(strings.TrimSuffix(s, "\n")) != want {
			t.Errorf("lipgloss.Width(%q) = %d, not %d", s, lipgloss.Width(s), want)
		}
	}
	if got := MaxWidth("a\n世界\nabc"); got != 4 {
		t.Errorf("MaxWidth = %d", got)
	}
}

// TestWidthIsSum: the fast way and the slow one agree, and both with lipgloss.
func TestWidthIsSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)
		if Width(s) != slowWidth(s) || Width(s) != lipgloss.Width(s) {
			t.Fatalf("%q: Width %d, slow %d, lipgloss %d", s, Width(s), slowWidth(s), lipgloss.Width(s))
		}
	})
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want string
	}{
		{"hello", 5, "hello"},
		{"hello", 4, "hel…"},
		{"hello", 1, "…"},
		{"hello", 0, ""},
		{"世界人", 5, "世界…"},
		{"世界人", 4, "世…"},
		{"👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"},
		{"\x1b[31mhello\x1b[m", 3, "\x1b[31mhe…\x1b[m"},
		{"\x1b[31mhello", 9, "\x1b[31mhello\x1b[m"},
		{"ab\x1b[31mcd", 2, "a…"},
	} {
		if got := Truncate(c.s, c.w, Ellipsis); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, not %q", c.s, c.w, got, c.want)
		}
	}
	if got := Fit("世界", 3); got != "世…" {
		t.Errorf("Fit = %q", got)
	}
	if got := Fit("世", 4) + PadLeft("x", 3); got != "世    x" {
		t.Errorf("Fit and PadLeft = %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		from, to int
		want     string
	}{
		{0, 2, "ab"}, {1, 4, "b\x1b[31m世\x1b[m"}, {3, 5, "\x1b[31m c\x1b[m"}, {2, 3, "\x1b[31m \x1b[m"}, {5, 9, "d"}, {9, 12, ""},
	} {
		if got := Cut("ab\x1b[31m世c\x1b[md", c.from, c.to); got != c.want {
			t.Errorf("Cut(%d, %d) = %q, not %q", c.from, c.to, got, c.want)
		}
	}
}

// TestShapesAreExact: whatever the text, results have the width that was asked
// for, end in the default style and hold nothing torn.
func TestShapesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t)
		w := rapid.IntRange(0, 30).Draw(t, "w")
		from := rapid.IntRange(0, 20).Draw(t, "from")
		check := func(what, got string, width int) {
			if Width(got) != width {
				t.Fatalf("%s of %q: %q is %d wide, not %d", what, s, got, Width(got), width)
			}
			if style := styleAfter(Style{}, got); style != (Style{}) {
				t.Fatalf("%s of %q: %q leaves %+v", what, s, got, style)
			}
			if !utf8.ValidString(got) {
				t.Fatalf("%s of %q: %q is torn", what, s, got)
			}
		}
		if got := Truncate(s, w, Ellipsis); Width(got) > w {
			t.Fatalf("Truncate(%q, %d) is %q", s, w, got)
		}
		if w > 0 {
			check("Fit", Fit(s, w), w)
		}
		check("Cut", Cut(s, from, from+w), min(max(Width(s)-from, 0), w))
	})
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want []string
	}{
		{"", 10, []string{""}},
		{"hello world", 20, []string{"hello world"}},
		{"hello world", 8, []string{"hello", "world"}},
		{"hello world", 5, []string{"hello", "world"}},
		{"hello   world", 8, []string{"hello", "world"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"ab cdefghij", 4, []string{"ab", "cdef", "ghij"}},
		{"  indented words", 12, []string{"  indented", "words"}},
		{"    abcdef", 6, []string{"    ab", "cdef"}},
		{"a\nb\n\nc", 5, []string{"a", "b", "", "c"}},
		{"well-known thing", 7, []string{"well-", "known", "thing"}},
		{"世界人民大团结", 6, []string{"世界人", "民大团", "结"}},
		{"世界人民，大团结", 8, []string{"世界人", "民，大团", "结"}},
		{"中文（括号）在此", 6, []string{"中文", "（括", "号）在", "此"}},
		{"mixed 世界 text", 8, []string{"mixed 世", "界 text"}},
		{"👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4, []string{"👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"}},
		{"世", 1, []string{" "}},
		{"\x1b[31mred words\x1b[m here", 6, []string{"\x1b[31mred\x1b[m", "\x1b[31mwords\x1b[m", "here"}},
		{"\x1b[1mbold\nstill", 9, []string{"\x1b[1mbold\x1b[m", "\x1b[1mstill\x1b[m"}},
		{"trailing  ", 20, []string{"trailing  "}},
		{"a\x1b[2Jb", 9, []string{"ab"}},
	} {
		if got := Wrap(c.s, c.w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Wrap(%q, %d):\n got %q\nwant %q", c.s, c.w, got, c.want)
		}
	}
	if got := WrapHard("a  b 世c", 3); !reflect.DeepEqual(got, []string{"a  ", "b ", "世c"}) {
		t.Errorf("WrapHard = %q", got)
	}
}

// visible returns text without styles.
func visible(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		var seg Segment
		if seg, s = Next(s); seg.Kind == Cluster {
			b.WriteString(seg.Text)
		}
	}
	return b.String()
}

// TestWrapKeepsText: no line is wider than asked, and but for blanks at breaks
// nothing is lost or added.
func TestWrapHang(t *testing.T) {
	for _, c := range []struct {
		s    string
		w    int
		want []string
	}{
		{"fits", 10, []string{"fits"}},
		{"  two words here\nnext", 11, []string{"  two words", "  here", "next"}},
		{"      too far in", 10, []string{"      too", "far in"}},
		{"  世界人民", 6, []string{"  世界", "  人民"}},
		{" 世", 2, []string{" ", "世"}},
		{"  \x1b[31mred words\x1b[m", 7, []string{"  \x1b[31mred\x1b[m", "  \x1b[31mwords\x1b[m"}},
		{"\x1b[1mbold\n  still bold", 8, []string{"\x1b[1mbold\x1b[m", "  \x1b[1mstill\x1b[m", "  \x1b[1mbold\x1b[m"}},
		{"  trailing  ", 12, []string{"  trailing  "}},
	} {
		if got := WrapHang(c.s, c.w); !reflect.DeepEqual(got, c.want) {
			t.Errorf("WrapHang(%q, %d):\n got %q\nwant %q", c.s, c.w, got, c.want)
		}
	}
}

func TestWrapKeepsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t, "\n")
		w := rapid.IntRange(2, 24).Draw(t, "w")
		for name, wrap := range map[string]func(string, int) []string{"Wrap": Wrap, "WrapHang": WrapHang, "WrapHard": WrapHard} {
			lines := wrap(s, w)
			var got strings.Builder
			for _, line := range lines {
				if Width(line) > w {
					t.Fatalf("%s(%q, %d): %q is %d wide", name, s, w, line, Width(line))
				}
				if style := styleAfter(Style{}, line); style != (Style{}) {
					t.Fatalf("%s(%q, %d): %q leaves %+v", name, s, w, line, style)
				}
				got.WriteString(visible(line))
			}
			have, want := got.String(), visible(s)
			if name != "WrapHard" {
				have, want = strings.ReplaceAll(have, " ", ""), strings.ReplaceAll(want, " ", "")
			}
			if have != want {
				t.Fatalf("%s(%q, %d) holds %q, not %q", name, s, w, have, want)
			}
		}
	})
}

// TestWrapFills: a line is broken only when the next word would not have
// fitted.
func TestWrapFills(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,9}`), 1, 20).Draw(t, "words")
		w := rapid.IntRange(10, 24).Draw(t, "w")
		lines := Wrap(strings.Join(words, " "), w)
		for i := 1; i < len(lines); i++ {
			word, _, _ := strings.Cut(lines[i], " ")
			if Width(lines[i-1])+1+Width(word) <= w {
				t.Fatalf("%q: %q would have fitted into %d", lines, word, w)
			}
		}
	})
}

func TestSanitize(t *testing.T) {
	for _, c := range []struct {
		in   string
		how  Clean
		want string
	}{
		{"plain\ntext", 0, "plain\ntext"},
		{"a\tb\n\tc", 0, "a   b\n    c"},
		{"世\tb", 0, "世  b"},
		{"a\r\nb\rc", 0, "a\nb\nc"},
		{"a\r\r\nb", 0, "a\nb"},
		{"\x1b[31mred\x1b[m x", 0, "red x"},
		{"\x1b[31mred\x1b[m x", KeepSGR, "\x1b[31mred\x1b[m x"},
		{"\x1b[31ma\nb", KeepSGR, "\x1b[31ma\x1b[m\n\x1b[31mb\x1b[m"},
		{"\x1b[8mhidden", KeepSGR, "hidden"},
		{"\x9b31mred", KeepSGR, "red"},
		{"a\x1b]52;c;aGk=\x07b", KeepSGR, "ab"},
		{"a\x1b]0;title\x1b\\b\x1b]8;;http://x\x1b\\l\x1b]8;;\x1b\\", KeepSGR, "abl"},
		{"a\x1b[2Jb\x1b[6nc\x1bcd\x1b(Be\x1b7f", KeepSGR, "abcdef"},
		{"a\x1bP1;2|data\x1b\\b\x1b_Gx\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e", KeepSGR, "abcde"},
		{"a\u009d0;t\u009cb\x9d0;t\x9cc\u0090x\u009cd", KeepSGR, "abcd"},
		{"a\x1b] after\nb", KeepSGR, "a after\nb"},
		{"a\x1b]0;title after\nb", KeepSGR, "a0;title after\nb"},
		{"a\x1b]52;c;aGk", Growing, "a"},
		{"a\x1b]52;c;aGk\nb", Growing, "a52;c;aGk\nb"},
		{"a\x1b", KeepSGR, "a"},
		{"a\x1b[", KeepSGR, "a"},
		{"a\x1b[31", KeepSGR, "a"},
		{"a\x1b[31\nb", KeepSGR, "a\nb"},
		{"a\u202eb\u2066c\u200bd\ufeffe\u00adf", 0, "abcdef"},
		{"👩\u200d👧 न\u200dम", 0, "👩\u200d👧 न\u200dम"},
		{"a\x00\x07\x08\x7fb\u0085c", 0, "ab\nc"},
		{"bad \xff\xfe utf", 0, "bad \uFFFD\uFFFD utf"},
		{"a\u2028b", 0, "a\nb"},
		{"e" + strings.Repeat("\u0301", 50), 0, "e" + strings.Repeat("\u0301", 8)},
		// The output of tools.
		{"10%\r20%\r100%\ndone", Overwrite, "100%\ndone"},
		{"keep\r\nthis\r", Overwrite, "keep\nthis"},
		{"ab\b\bc\bde", Overwrite, "de"},
		{"\x1b[31mab\x1b[32mc\bd", Overwrite | KeepSGR, "\x1b[31mab\x1b[32md\x1b[m"},
		{"\x1b[31mlong\r\x1b[32mx", Overwrite | KeepSGR, "\x1b[32mx\x1b[m"},
		{"世\bx", Overwrite, "x"},
		{"\b\bx", Overwrite, "x"},
		// What a user is asked to approve.
		{"rm \x1b[2K\u202e\x07x\x7f", Visible, "rm ␛[2K⟨U+202E⟩␇x␡"},
		{"a\nb\tc", OneLine, "a b c"},
	} {
		if got := Sanitize(c.in, c.how); got != c.want {
			t.Errorf("Sanitize(%q, %b):\n got %q\nwant %q", c.in, c.how, got, c.want)
		}
	}
	if got := Line("  a\n\x1b[31mb\x1b]0;x\x07 "); got != "a b" {
		t.Errorf("Line = %q", got)
	}
}

// hostile is what untrusted text may hold besides.
var hostile = []string{
	"\x1b", "\x1b[", "\x1b]", "\x1b]0;", "\x1bP", "\x1b_G", "\x07", "\x1b\\", "\x9b", "\x9d", "\u009b", "\u009d", "\u009c", "\x00", "\r", "\n", "\t",
	"\b", "\x7f", "\u202e", "\u200b", "\xff", "\xc2", "\x1b[2J", "\x1b[31m", "\x1b[99999;m", "\x1b(", ";", "m", "0",
}

// checkClean fails when anything but styles, newlines and text is in s.
func checkClean(t interface{ Fatalf(string, ...any) }, in, s string, how Clean) {
	if !utf8.ValidString(s) {
		t.Fatalf("Sanitize(%q, %b) = %q, which is not UTF-8", in, how, s)
	}
	for rest := s; rest != ""; {
		var seg Segment
		seg, rest = Next(rest)
		switch {
		case seg.Kind == SGR && how&KeepSGR != 0:
		case seg.Kind == Control && seg.Text == "\n" && how&OneLine == 0:
		case seg.Kind != Cluster:
			t.Fatalf("Sanitize(%q, %b) = %q, which holds %q", in, how, s, seg.Text)
		default:
			for _, r := range seg.Text {
				if unicode.IsControl(r) || hidden(r) {
					t.Fatalf("Sanitize(%q, %b) = %q, which holds %U", in, how, s, r)
				}
			}
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if style := styleAfter(Style{}, line); style != (Style{}) {
			t.Fatalf("Sanitize(%q, %b): line %q leaves %+v", in, how, line, style)
		}
	}
}

// TestSanitizeLeavesNothing: property U008 for random mixtures, and cleaning
// twice is cleaning once.
func TestSanitizeLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawText(t, hostile...)
		how := Clean(rapid.IntRange(0, 31).Draw(t, "how"))
		got := Sanitize(in, how)
		checkClean(t, in, got, how)
		if again := Sanitize(got, how&^Overwrite); again != got {
			t.Fatalf("Sanitize(%q, %b) = %q, and again %q", in, how, got, again)
		}
	})
}

// TestStyleTransitions: the sequences between two styles lead from one to the
// other.
func TestStyleTransitions(t *testing.T) {
	colors := []Color{Default, Indexed(1), Indexed(9), Indexed(200), RGB(1, 2, 3)}
	style := func(t *rapid.T, name string) Style {
		return Style{
			FG: rapid.SampledFrom(colors).Draw(t, name+" fg"), BG: rapid.SampledFrom(colors).Draw(t, name+" bg"),
			UL: rapid.SampledFrom(colors).Draw(t, name+" ul"), Attr: Attr(rapid.IntRange(0, 127).Draw(t, name+" attr")),
			Line: uint8(rapid.IntRange(0, 5).Draw(t, name+" line")), Link: rapid.SampledFrom([]string{"", "http://x", "y"}).Draw(t, name+" link"),
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		from, to := style(t, "from"), style(t, "to")
		seq := string(AppendTransition(nil, from, to))
		if got := styleAfter(from, seq); got != to {
			t.Fatalf("from %+v by %q to %+v, not %+v", from, seq, got, to)
		}
	})
}

func TestStyleApply(t *testing.T) {
	for seq, want := range map[string]Style{
		"\x1b[1;31m":             {Attr: Bold, FG: Indexed(1)},
		"\x1b[;1m":               {Attr: Bold},
		"\x1b[38;5;200;4m":       {FG: Indexed(200), Line: 1},
		"\x1b[38:2::1:2:3;1m":    {FG: RGB(1, 2, 3), Attr: Bold},
		"\x1b[38:2:1:2:3;1m":     {FG: RGB(1, 2, 3), Attr: Bold},
		"\x1b[48:5:7;1m":         {BG: Indexed(7), Attr: Bold},
		"\x1b[4:3;58;2;9;8;7m":   {Line: 3, UL: RGB(9, 8, 7)},
		"\x1b[4:0m":              {},
		"\x1b[38;2;300;1;1m":     {},
		"\x1b[38;5m":             {},
		"\x1b[99999999999999m":   {},
		"\x1b[97;107m":           {FG: Indexed(15), BG: Indexed(15)},
		"\x1b[21;53;9;7;5;3;2m":  {Line: 2, Attr: Overline | Strike | Reverse | Blink | Italic | Faint},
		"\x1b]8;id=1;http://x\a": {Link: "http://x"},
	} {
		if got := (Style{}).Apply(seq); got != want {
			t.Errorf("%q gives %+v, not %+v", seq, got, want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, h := range hostile {
		f.Add("a"+h+"b"+h, uint8(1))
	}
	f.Add(strings.Join(alphabet, ""), uint8(0))
	f.Fuzz(func(t *testing.T, in string, how uint8) {
		h := Clean(how & 31)
		checkClean(t, in, Sanitize(in, h), h)
	})
}

func FuzzWrap(f *testing.F) {
	f.Add("hello 世界 \x1b[31mred", 5)
	for _, h := range hostile {
		f.Add("ab cd"+h, 3)
	}
	f.Fuzz(func(t *testing.T, in string, w int) {
		w = max(w%100, 2)
		for _, line := range slices.Concat(Wrap(in, w), WrapHang(in, w), WrapHard(in, w)) {
			if Width(line) > w {
				t.Fatalf("Wrap(%q, %d): %q is %d wide", in, w, line, Width(line))
			}
		}
	})
}

func BenchmarkWrap(b *testing.B) {
	text := strings.Repeat(strings.Repeat("The quick brown fox jumps over the \x1b[1mlazy\x1b[m dog, 世界. ", 6)+"\n", 30)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Wrap(text, 80)
	}
}

func BenchmarkSanitize(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the \x1b[1mlazy\x1b[m dog, 世界.\r\n", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Sanitize(text, KeepSGR|Overwrite)
	}
}
