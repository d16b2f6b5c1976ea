package memory

import (
	"slices"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                nil,
		" \n":                             nil,
		"one":                             {"one"},
		"one\n§\ntwo\nlines\n":            {"one", "two\nlines"},
		"one\r\n§\r\ntwo":                 {"one", "two"},
		"\n§\n\n§\n a \n\n§\n\nb\n§\na\n": {"a", "b"},
		"§ 3 of the law":                  {"§ 3 of the law"},
		"\uFEFFone":                       {"one"},
	} {
		if got := Parse(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if n := Chars([]string{"用户", "é"}); n != 6 {
		t.Errorf("%d characters", n)
	}
}

// What is written is read again.
func FuzzParse(f *testing.F) {
	f.Add("one\n§\ntwo")
	f.Add("\n§\n§\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries := Parse(text)
		if again := Parse(Join(entries)); !slices.Equal(again, entries) {
			t.Fatalf("%q became %q", entries, again)
		}
	})
}
