package dialog

import (
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/internal/look"
)

// What is typed while a password is asked for never goes to the draft, where it
// would be seen: too early it is dropped.
func TestEarlyKeysOfASecret(t *testing.T) {
	now := time.Unix(1000, 0)
	m := New(look.New(look.Options{}, 1))
	m.Apply(event.Ask{ID: "s", Kind: event.AskSecret, Choices: []event.Choice{{ID: "give", Input: true}, {ID: "skip"}}, Default: 1}, now)
	if a, handled := m.Key("h", []rune("h"), now); a != nil || !handled {
		t.Errorf("an early key: answer %v, handled %v", a, handled)
	}
	if !m.Paste("hunter2", now) {
		t.Error("an early paste goes to the draft")
	}
	now = now.Add(time.Second)
	for _, r := range "pass" {
		m.Key(string(r), []rune{r}, now)
	}
	if a, _ := m.Key("enter", nil, now); a == nil || a.Text != "pass" || a.Choice != "give" {
		t.Errorf("answer %+v", a)
	}
	if a, _ := m.Key("esc", nil, now); a == nil || a.Choice != "skip" {
		t.Errorf("esc answers %+v", a)
	}
}

// Text that came too early for an approval is the user's draft.
func TestEarlyKeysOfAnApproval(t *testing.T) {
	now := time.Unix(1000, 0)
	m := New(look.New(look.Options{}, 1))
	m.Apply(event.Ask{ID: "a", Kind: event.AskApproval, Choices: []event.Choice{{ID: "once"}, {ID: "deny"}}, Default: 1}, now)
	if a, handled := m.Key("1", []rune("1"), now); a != nil || handled {
		t.Errorf("an early key: answer %v, handled %v", a, handled)
	}
	if m.Paste("text", now.Add(time.Hour)) {
		t.Error("a paste answers a question without a field")
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain 中文 👩‍💻\n\ttext": "plain 中文 👩‍💻\n\ttext",
		"a\x1b[8mb\rc\x00":     "a^[[8mb^Mc^@",
		"x\u202ey\u200bz\x7f":  `x\u202ey\u200bz\u007f`,
		"tag\U000e0041":        `tag\U000e0041`,
	} {
		if got := visible(in); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}
