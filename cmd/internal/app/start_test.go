package app_test

import (
	"strings"
	"testing"
)

// A newcomer's first minute: nothing is installed, no key is set.
func TestFirstMinute(t *testing.T) {
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			r := startApp(t, size.w, size.h)
			s := r.WaitText("Hermes Agent 0.1.0", "❯")
			r.assertChat(s)
			// The first frame is not made of answers: keys that come before
			// anything is loaded are in the draft.
			r.Type("What's 2")
			r.WaitText("❯ What's 2")
			s = r.waitIdle("demo model", "plugins  2 off")
			if size.h >= 20 && !(s.Contains("F5 enables it") && s.Contains("○ calculator example")) {
				t.Errorf("the example is not offered\n%s", s.Dump())
			}
			r.Press("f5")
			if size.w > 40 {
				r.waitIdle("calculator: calculate, unit_convert")
			} else { // a plugin's tools are never cut
				r.waitIdle("calculator: calculate,", "unit_convert")
			}
			r.send(" to the power of 16?")
			r.waitIdle("65536}")
			r.seek("Demo model · calculate answered 65536.")
			s = r.seek("What's 2 to the power of 16?")
			if _, _, ok := rowOf(s, "hermes · demo model"); !ok {
				t.Errorf("the answer does not say who gave it\n%s", s.Dump())
			}
			if _, _, ok := rowOf(s, "✓ calculate"); !ok {
				t.Errorf("no card below the question\n%s", s.Dump())
			}
			if got := r.file("config.yaml"); !strings.Contains(got, "calculator") {
				t.Errorf("config.yaml does not name the plugin:\n%s", got)
			}
			r.Press("ctrl+c", "ctrl+c")
			if err := r.WaitEnd(); err != nil {
				t.Errorf("quitting: %v", err)
			}
		})
	}
}
