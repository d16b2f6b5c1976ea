package think

import (
	"strings"
	"testing"
)

var cases = []struct{ name, in, text, reasoning string }{
	{"no tags", "a < b and c > d", "a < b and c > d", ""},
	{"a block first", "<think>plan</think>\n\nAnswer", "Answer", "plan"},
	{"any case and name", "<THINKING>x</Thinking><REASONING_SCRATCHPAD>y</REASONING_SCRATCHPAD>A", "A", "xy"},
	{"in the middle", "One <think>x</think>two", "One two", "x"},
	{"never closed", "<think>plan goes on", "", "plan goes on"},
	{"never opened", "plan\n</think>\n\nAnswer", "Answer", "plan\n"},
	{"closing tag in a sentence", "the tag </think> ends it", "the tag  ends it", ""},
	{"in a code span", "write `<think>` first", "write `<think>` first", ""},
	{"in a fence", "```xml\n<think>x</think>\n```\nok", "```xml\n<think>x</think>\n```\nok", ""},
	{"after a fence", "```\ncode\n```\n<think>x</think>done", "```\ncode\n```\ndone", "x"},
	{"a tag that is none", "<thinker> <thi", "<thinker> <thi", ""},
	{"other tags", "<b>bold</b>", "<b>bold</b>", ""},
	{"only a block", "<think>x</think>", "", "x"},
	{"Chinese", "<think>想一想</think>答案是 42", "答案是 42", "想一想"},
	{"less-than inside", "<think>a<b</think>ok", "ok", "a<b"},
	{"a lone backtick on a line", "it`s\n<think>x</think>ok", "it`s\nok", "x"},
}

func TestHoweverItIsCut(t *testing.T) {
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			for size := 1; size <= len(tc.in); size++ {
				var f Filter
				for i := 0; i < len(tc.in); i += size {
					f.Push(tc.in[i:min(i+size, len(tc.in))])
				}
				f.Close()
				if f.Text() != tc.text || f.Reasoning() != tc.reasoning {
					t.Fatalf("in pieces of %d: text %q, thoughts %q; want %q, %q", size, f.Text(), f.Reasoning(), tc.text, tc.reasoning)
				}
			}
		})
	}
}

func TestNothingCertainIsHeldBack(t *testing.T) {
	var f Filter
	if text, _ := f.Push("Hello <b"); text != "Hello <b" {
		t.Errorf("held back: got %q", text)
	}
	if text, _ := f.Push(" <thin"); text != " " {
		t.Errorf("got %q, want the blank alone", text)
	}
	if text, _ := f.Push("gs"); text != "<things" {
		t.Errorf("got %q", text)
	}
}

// The split never depends on how the answer is cut, and without a tag nothing
// is lost.
func FuzzFilter(f *testing.F) {
	for _, tc := range cases {
		f.Add(tc.in, 3)
	}
	f.Fuzz(func(t *testing.T, s string, size int) {
		if size < 1 || size > 1000 {
			return
		}
		var whole, cut Filter
		whole.Push(s)
		whole.Close()
		for i := 0; i < len(s); i += size {
			cut.Push(s[i:min(i+size, len(s))])
		}
		cut.Close()
		if whole.Text() != cut.Text() || whole.Reasoning() != cut.Reasoning() {
			t.Fatalf("whole %q/%q, cut %q/%q", whole.Text(), whole.Reasoning(), cut.Text(), cut.Reasoning())
		}
		if !strings.Contains(s, "<") && whole.Text() != s {
			t.Fatalf("%q became %q", s, whole.Text())
		}
	})
}
