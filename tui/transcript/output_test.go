package transcript

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/event"
)

// What a command printed is broken between words, and goes on below the
// beginning of its line.
func TestOutputBreaksBetweenWords(t *testing.T) {
	text := "Keys\n  F1           all keys and commands of this page\nlast"
	for name, tc := range map[string]struct {
		pre  bool
		want []string
	}{
		"as it is": {true, []string{
			" ❯ /help", "Keys", "  F1           all keys and", "  commands of this page", "last", "",
		}},
		"as text": {false, []string{
			" ❯ /help", "  Keys", "    F1           all keys and", "    commands of this page", "  last", "",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel()
			m.SetSize(34, 6)
			m.Apply(event.CommandDone{Line: "/help", Text: text, Pre: tc.pre})
			if diff := cmp.Diff(tc.want, plain(m)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
