package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// longAnswer is about n bytes of what models write.
func longAnswer(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "## Part %d\n\nSome **text** with `code` and a [link](http://example.com/%d) that goes on for a while so that it has to wrap.\n\n- one\n- two\n  - three\n\n", i, i)
		if i%5 == 0 {
			b.WriteString("```go\n")
			for line := range 30 {
				fmt.Fprintf(&b, "func f%d(x int) string { return \"text %d\" } // comment\n", i, line)
			}
			b.WriteString("```\n\n")
		}
		if i%20 == 0 {
			b.WriteString("| a | b |\n|---|---|\n" + strings.Repeat("| cell | cell |\n", 8) + "\n")
		}
	}
	return b.String()
}

// BenchmarkResize is a frame at another width with one answer of 170 KB, at its
// end and in the middle of it (property U017).
func BenchmarkResize(b *testing.B) {
	for name, up := range map[string]int{"end": 0, "middle": 1500} {
		b.Run(name, func(b *testing.B) {
			m := newModel()
			m.SetSize(100, 30)
			say(m, "t", "question", longAnswer(170<<10))
			m.Render()
			m.Scroll(-up)
			for i := 0; b.Loop(); i++ {
				m.SetSize(60+i%60, 30)
				m.Render()
			}
		})
	}
}
