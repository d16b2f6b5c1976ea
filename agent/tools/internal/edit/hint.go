package edit

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of Closest.
const (
	maxClosest   = 3
	closeEnough  = 0.3
	aroundClose  = 2
	maxHintLines = 5_000 // of the text that are looked at
)

// Closest shows the places of text that resemble old most, numbered and with
// the lines around them; empty when nothing does.
func Closest(text, old string) string {
	want := ""
	n := 0
	for line := range strings.SplitSeq(old, "\n") {
		if n++; want == "" {
			want = strings.TrimSpace(line)
		}
	}
	have := strings.Split(text, "\n")
	if want == "" {
		return ""
	}
	type place struct {
		line  int
		alike float64
	}
	var found []place
	for i, line := range have[:min(len(have), maxHintLines)] {
		if line = strings.TrimSpace(line); line != "" && ratioAtLeast(want, line, closeEnough) {
			found = append(found, place{i, ratio(want, line)})
		}
	}
	slices.SortStableFunc(found, func(a, b place) int {
		switch {
		case a.alike > b.alike:
			return -1
		case a.alike < b.alike:
			return 1
		}
		return 0
	})
	var shown []string
	for _, p := range found[:min(len(found), maxClosest)] {
		var b strings.Builder
		for i := max(p.line-aroundClose, 0); i < min(p.line+n+aroundClose, len(have)); i++ {
			fmt.Fprintf(&b, "%4d| %s\n", i+1, have[i])
		}
		shown = append(shown, strings.TrimSuffix(b.String(), "\n"))
	}
	return strings.Join(shown, "\n---\n")
}
