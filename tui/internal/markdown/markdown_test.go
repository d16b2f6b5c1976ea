package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

func renderer(o look.Options) *Renderer { return NewRenderer(look.New(o, 1)) }

// rows renders a whole text and returns it without styles.
func rows(t testing.TB, text string, width int) []string {
	t.Helper()
	var s Stream
	s.Append(text)
	s.Finish()
	var out []string
	for _, row := range s.Rows(renderer(look.Options{}), width, 0) {
		out = append(out, strings.TrimRight(ansi.Strip(row), " "))
	}
	return out
}

func TestBlocks(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want []string
	}{
		"a paragraph keeps its line breaks": {"one\ntwo", []string{"one", "two"}},
		"blocks are one row apart":          {"# Title\n\ntext\n\n\n\nmore", []string{"Title", "", "text", "", "more"}},
		"items hang below their text": {
			"1. foo long text to be wrapped here\n\n   second para\n\n   ```go\n   x := 1\n   ```\n\n2. baz\n   - nested",
			[]string{"1. foo long text to be", "   wrapped here", "", "   second para", "", "     x := 1", "", "2. baz", "   • nested"},
		},
		"a tight list stays tight":              {"Text:\n- x\n- y\n", []string{"Text:", "• x", "• y"}},
		"two blanks are enough to nest":         {"1. a\n  - b\n2. c", []string{"1. a", "   • b", "2. c"}},
		"numbers go on from the first":          {"3. a\n3. b", []string{"3. a", "4. b"}},
		"tasks have boxes":                      {"- [ ] a\n- [x] b", []string{"[ ] a", "[✓] b"}},
		"tags are text":                         {"use <name> and </b> <!-- c -->", []string{"use <name> and </b> <!--", "c -->"}},
		"tags in code stay":                     {"`<b>` and\n\n    <i>", []string{"<b> and", "", "  <i>"}},
		"links in angle brackets are links":     {"<https://a.b>", []string{"https://a.b"}},
		"quotes have a bar":                     {"> a quote that wraps somewhere\n> - item", []string{"│ a quote that wraps", "│ somewhere", "│ • item"}},
		"an open fence is code":                 {"```python\nprint(1)", []string{"  print(1)"}},
		"a fence without language is no riddle": {"```\nplain\n```", []string{"  plain"}},
		"a table keeps its natural width":       {"| 城市 | t |\n|---|--:|\n| 柏林 | 21 |", []string{" 城市 │  t", "──────┼────", " 柏林 │ 21"}},
		"a number in prose is no list":          {"It was\n1984. A year", []string{"It was", "1984. A year"}},
		"Chinese wraps between characters":      {"这是一个很长的段落，需要在终端里换行显示。", []string{"这是一个很长的段落，需要", "在终端里换行显示。"}},
		"entities cannot become escapes":        {"a &#27;[2J b &#7; c", []string{"a  b  c"}},
		"emoji families stay whole":             {"- 👩‍👩‍👧 ok 🇯🇵 é", []string{"• 👩‍👩‍👧 ok 🇯🇵 é"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, rows(t, tc.in, 24)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTableThatDoesNotFitTurnsIntoPairs(t *testing.T) {
	table := "| name | what it is | third | fourth |\n|---|---|---|---|\n| a | " + strings.Repeat("long ", 24) + "| x | y |\n| b | short | z | w |\n"
	got := rows(t, table, 34)
	text := strings.Join(got, "\n")
	for _, want := range []string{"name: a", "  what it is: long", "  fourth: y", "name: b", "  third: z"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, row := range got {
		if render.Width(row) > 34 {
			t.Errorf("row of %d cells: %q", render.Width(row), row)
		}
	}
}

func TestTableBordersLineUp(t *testing.T) {
	cells := []string{"甲", "论文 (%)", "👩‍👩‍👧 ok", "🇯🇵", "é", "✅", strings.Repeat("x", 40)}
	table := "| a | b |\n|---|:-:|\n"
	for _, c := range cells {
		table += "| " + c + " | " + c + " |\n"
	}
	for _, width := range []int{100, 60, 40} {
		at := -1
		for _, row := range rows(t, table, width) {
			i := strings.IndexAny(row, "│┼")
			if i < 0 {
				t.Fatalf("width %d: no border in %q", width, row)
			}
			if x := render.Width(row[:i]); at < 0 {
				at = x
			} else if x != at {
				t.Errorf("width %d: border at %d, before at %d: %q", width, x, at, row)
			}
		}
	}
}

func TestNoColourMarksCode(t *testing.T) {
	r := renderer(look.Options{NoColor: true})
	got := strings.Join(r.Block("some `code` here", 40), "\n")
	if !strings.Contains(got, "`code`") || strings.Contains(got, "38;") {
		t.Errorf("got %q", got)
	}
}

// draw makes texts of the pieces that models write.
func draw(t *rapid.T) string {
	pieces := []string{
		"para graph ", "你好，世界 ", "**bold", "**", "`code`", "\n", "\n\n", "- item\n", "  - nested\n", "1. first\n", "2. second\n\n", "   cont\n",
		"```go\n", "x := 1\n", "```\n", "> quote\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "# head\n", "---\n", "<tag>", "$$\nx\n$$\n", "    code\n", "👩‍👩‍👧 ", "\t", "[l](http://x.y) ",
	}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
}

// However a text arrives, the finished screen is the same, and what is shown
// before a piece arrives does not depend on how the pieces were cut.
func TestStreamEqualsWhole(t *testing.T) {
	r := renderer(look.Options{})
	rapid.Check(t, func(t *rapid.T) {
		text := draw(t)
		width := rapid.IntRange(2, 90).Draw(t, "width")
		var whole Stream
		whole.Append(text)
		whole.Finish()
		want := append([]string{}, whole.Rows(r, width, 0)...)
		var s Stream
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			s.Append(rest[:n])
			rest = rest[n:]
			for _, row := range s.Rows(r, width, 0) {
				if render.Width(row) > width && width > 1 {
					t.Fatalf("row of %d cells at width %d: %q", render.Width(row), width, row)
				}
			}
		}
		last := append([]string{}, s.Rows(r, width, 0)...)
		s.Finish()
		if diff := cmp.Diff(want, append([]string{}, s.Rows(r, width, 0)...)); diff != "" {
			t.Fatalf("streamed and whole differ for %q:\n%s", text, diff)
		}
		if diff := cmp.Diff(want, last); diff != "" {
			t.Fatalf("the last streamed screen differs from the final one for %q:\n%s", text, diff)
		}
	})
}

func TestSplitLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw(t)
		if got := strings.Join(Split(text), ""); got != text {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func FuzzBlock(f *testing.F) {
	f.Add("# a\n\n- b\n```\nc", 20)
	f.Add("| a |\n|--|\n| \\| |", 3)
	f.Add("> > - 1. x\n\n\t\t`` ` ``", 1)
	r := renderer(look.Options{})
	f.Fuzz(func(t *testing.T, text string, width int) {
		if len(text) > 4<<10 {
			return
		}
		width = 2 + (width%100+100)%100
		for _, row := range r.text(text, width) {
			if render.Width(row) > width {
				t.Fatalf("row of %d cells at width %d: %q", render.Width(row), width, row)
			}
			if strings.ContainsAny(row, "\n\r\a\b") {
				t.Fatalf("control character in %q", row)
			}
		}
	})
}

// longAnswer is 200 KB of what models write.
func longAnswer() string {
	var b strings.Builder
	for i := 0; b.Len() < 200<<10; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nSome **text** with `code` and a [link](http://example.com/%d) that goes on for a while so that it has to wrap.\n\n- one\n- two\n  - three\n\n", i, i)
		if i%5 == 0 {
			b.WriteString("```go\n" + strings.Repeat("func f(x int) string { return \"text\" } // comment\n", 30) + "```\n\n")
		}
		if i%20 == 0 {
			b.WriteString("| a | b |\n|---|---|\n" + strings.Repeat("| cell | cell |\n", 8) + "\n")
		}
	}
	return b.String()
}

// BenchmarkStream shows what a frame costs while a long answer streams: the
// last tenth must cost about what the second does.
func BenchmarkStream(b *testing.B) {
	text := longAnswer()
	for _, tenth := range []int{1, 9} {
		b.Run(fmt.Sprintf("tenth%d", tenth), func(b *testing.B) {
			r := renderer(look.Options{})
			from, to := len(text)/10*tenth, len(text)/10*(tenth+1)
			for b.Loop() {
				b.StopTimer()
				var s Stream
				s.Append(text[:from])
				s.Rows(r, 80, 0)
				b.StartTimer()
				for at := from; at < to; at += 200 {
					s.Append(text[at:min(at+200, to)])
					s.Rows(r, 80, 0)
				}
			}
		})
	}
}

func BenchmarkLongFence(b *testing.B) {
	r := renderer(look.Options{})
	line := "func f(x int) string { return \"text\" } // comment\n"
	for b.Loop() {
		var s Stream
		s.Append("```go\n")
		for range 1000 {
			s.Append(line)
			s.Rows(r, 80, 0)
		}
	}
}
