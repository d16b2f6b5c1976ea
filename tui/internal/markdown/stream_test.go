package markdown

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/tui/internal/look"
)

// codeLines is a body of a fence that is longer than a group of lines.
func codeLines(n int) string {
	return strings.Repeat("x := 1 // some code\n", n)
}

// wholeRows renders a text that came at once.
func wholeRows(r *Renderer, text string, width int) []string {
	var s Stream
	s.Append(text)
	s.Finish()
	return slices.Clone(s.Rows(r, width, 0))
}

// A frame in the middle of a long fence keeps groups of its lines; a fence that
// opens before the next frame has nothing to do with them.
func TestFrameBetweenTwoFences(t *testing.T) {
	r := renderer(look.Options{})
	for name, tc := range map[string]struct{ before, between, after string }{
		"in the next block": {"```go\n" + codeLines(90), "```\n\n```go\n" + codeLines(3), "```\n"},
		"in the same block": {"```go\n" + codeLines(90), "```\ntext\n```go\n" + codeLines(45), "```\n"},
		"longer":            {"```go\n" + codeLines(45), "```\n\n~~~\n" + codeLines(200), "~~~\n"},
		"never closed":      {"```go\n" + codeLines(90), "```\n\n```go\n" + codeLines(90), ""},
	} {
		t.Run(name, func(t *testing.T) {
			var s Stream
			for _, chunk := range []string{tc.before, tc.between, tc.after} {
				s.Append(chunk)
				if len(s.Rows(r, 80, 0)) == 0 {
					t.Fatal("nothing is shown")
				}
			}
			s.Finish()
			if diff := cmp.Diff(wholeRows(r, tc.before+tc.between+tc.after, 80), s.Rows(r, 80, 0)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Frames come at any time between chunks, at any width; the finished screen
// does not depend on them.
func TestFramesAtAnyTime(t *testing.T) {
	r := renderer(look.Options{})
	long := []string{
		"```go\n", "```\n", "~~~~\n", "  ```\n", "$$\n", codeLines(45), codeLines(90), strings.Repeat("\n", 45), strings.Repeat("text\n\n", 20),
		"- item\n", "  ```go\n", "text\n", "\n", "> quote\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := draw(t) + strings.Join(rapid.SliceOfN(rapid.SampledFrom(long), 0, 12).Draw(t, "long"), "") + draw(t)
		width := rapid.IntRange(2, 90).Draw(t, "width")
		var s Stream
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			s.Append(rest[:n])
			rest = rest[n:]
			switch rapid.IntRange(0, 3).Draw(t, "frame") {
			case 0, 1:
				s.Rows(r, width, 0)
			case 2:
				s.Rows(r, rapid.IntRange(2, 90).Draw(t, "other width"), 0)
			}
		}
		s.Finish()
		if diff := cmp.Diff(wholeRows(r, text, width), slices.Clone(s.Rows(r, width, 0))); diff != "" {
			t.Fatalf("streamed and whole differ for %q:\n%s", text, diff)
		}
	})
}

// A paragraph without an end is drawn in pieces that stay as they are, so that
// a frame costs no more at its end than at its beginning.
func TestEndlessParagraphsAreDrawnInPieces(t *testing.T) {
	for name, unit := range map[string]string{"words": "lorem ", "no blank": "lorem", "lines": "lorem\n", "wide": "文字"} {
		t.Run(name, func(t *testing.T) {
			r := renderer(look.Options{})
			text := strings.Repeat(unit, 100<<10/len(unit))
			var s Stream
			for rest := text; rest != ""; {
				n := min(len(rest), 5000)
				s.Append(rest[:n])
				rest = rest[n:]
				s.Rows(r, 60, 0)
				if open := len(s.tail.text); open > maxBlock+2*maxLine+5000 {
					t.Fatalf("a block of %d bytes is still open", open)
				}
			}
			s.Finish()
			plain := func(rows []string) string {
				return strings.Join(strings.Fields(ansi.Strip(strings.Join(rows, " "))), "")
			}
			want := strings.Join(strings.Fields(text), "")
			if got := plain(s.Rows(r, 60, 0)); got != want {
				t.Errorf("%d bytes on the screen, %d in the text", len(got), len(want))
			}
			if strings.Join(Split(text), "") != text {
				t.Error("the blocks are not the text")
			}
		})
	}
}
