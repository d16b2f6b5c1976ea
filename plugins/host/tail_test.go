package host

import (
	"fmt"
	"strings"
	"testing"
)

func TestTailKeepsTheLastLines(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	b.WriteString(strings.Repeat("x", 100_000) + "\nno end")
	passed := 0
	tail := &tail{raw: func(string) { passed++ }}
	tail.read(strings.NewReader(b.String()))
	got := tail.last()
	if len(got) != tailLines || passed != 502 {
		t.Fatalf("%d lines kept, %d passed on", len(got), passed)
	}
	if got[0] != "line 302" || got[tailLines-3] != "line 499" || len(got[tailLines-2]) != lineBytes || got[tailLines-1] != "no end" {
		t.Errorf("first %q, then %q, %d bytes, %q", got[0], got[tailLines-3], len(got[tailLines-2]), got[tailLines-1])
	}
}
