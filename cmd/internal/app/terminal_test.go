package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// A terminal that changes its size while an answer streams ends with the
// screen of one that did not.
func TestResizeWhileStreaming(t *testing.T) {
	t.Parallel()
	s, step := streamed(t, tricky+"\n\nThe end.", 7)
	r := startApp(t, 120, 40, withPlugin("weather"), withModel(
		llmtest.Use("call_1", "get_weather", `{"city":"Berlin"}`), step,
		llmtest.Use("call_2", "get_weather", `{"city":"Berlin"}`), llmtest.Say(tricky+"\n\nThe end."),
	))
	r.send("question")
	r.Type("a draft")
	for _, size := range []struct{ w, h int }{{80, 24}, {200, 50}, {40, 12}, {39, 11}, {30, 8}, {20, 6}, {10, 3}, {1, 1}, {61, 17}, {110, 30}, {160, 45}, {120, 40}} {
		s.pieces(4)
		r.Resize(size.w, size.h)
		snap := r.WaitFor(func(s tuitest.Snapshot) bool {
			return s.W == size.w && s.H == size.h && (size.w < 20 || size.h < 6 || s.Contains("❯ a draft"))
		})
		if size.w >= 20 && size.h >= 6 {
			r.assertChat(snap)
		}
		snap.AssertSound(t)
	}
	s.rest()
	first := answerRows(r.waitIdle("The end.", "❯ a draft"))
	r.Press("ctrl+u")
	r.WaitGone("❯ a draft")
	r.send("the same without")
	second := answerRows(r.WaitFor(func(s tuitest.Snapshot) bool {
		return idle(s) && s.Contains("The end.") && s.Contains("the same without")
	}))
	n := min(len(first), len(second)) // the newest rows: the head may have scrolled off
	first, second = first[len(first)-n:], second[len(second)-n:]
	for i := range first { // the time of the call differs
		if strings.Contains(first[i], "✓ get_weather") {
			first[i], second[i] = "", ""
		}
	}
	if !slices.Equal(first, second) {
		t.Errorf("after the changes of size:\n%s\nwithout:\n%s", strings.Join(first, "\n"), strings.Join(second, "\n"))
	}
}

// A paste of any size is one chip, sends nothing, and reaches the model as it
// was, beside what was typed around it.
func TestBigPaste(t *testing.T) {
	t.Parallel()
	r := startApp(t, 80, 24, withModel(llmtest.Say("Read.")))
	var lines []string
	for i := range 12000 {
		lines = append(lines, fmt.Sprintf("%d\tline 中文 \\x1b[31m with more text to make it long, %d", i, i))
	}
	text := strings.Join(lines, "\r\n")
	r.waitIdle("ready")
	r.Type("before ")
	r.Raw("\x1b[200~" + text + "\x1b[201~") // as it is: Paste would send the line ends as CR
	s := r.WaitText("❯ before [Pasted text #1: 12000 lines]")
	r.assertChat(s)
	r.Type(" after")
	r.WaitText("lines] after")
	if n := len(r.server.Requests()); n != 0 {
		t.Errorf("the paste sent %d requests", n)
	}
	r.Press("enter")
	r.waitIdle("Read.")
	want := "before " + strings.Join(lines, "\n") + " after"
	if got := userTexts(r.requests(1)[0]); len(got) != 1 || got[0] != want {
		t.Errorf("the model got %d bytes in %d messages, want %d bytes", len(strings.Join(got, "")), len(got), len(want))
	}
}

// A paste cannot press keys: it stays text, also with its own end mark.
func TestHostilePaste(t *testing.T) {
	t.Parallel()
	r := startApp(t, 80, 24, withModel(llmtest.Say("Read.")))
	r.waitIdle("ready")
	r.Paste("/quit\nhi \x1b[201~\x03\x04 rm -rf\x1b[A ~\n")
	s := r.waitIdle("rm -rf")
	if n := len(r.server.Requests()); n != 0 {
		t.Errorf("the paste sent %d requests\n%s", n, s.Dump())
	}
}

// Answers of the terminal never become text, in pieces, late or unasked; nor
// does a terminal that answers nothing or knows nothing new keep anyone waiting.
func TestTerminalAnswers(t *testing.T) {
	t.Run("split", func(t *testing.T) {
		t.Parallel()
		r := startApp(t, 80, 24)
		r.waitIdle("plugins  2 off")
		for _, reply := range []string{"\x1b]11;rgb:1d1d/1f1f/2121\x1b\\", "\x1b[?62;22c", "\x1b[?2026;2$y", "\x1bP>|term 1.2\x1b\\", "\x1b[?1u", "\x1b[I", "\x1b[O"} {
			for i := 2; i < len(reply); i++ { // a lone Escape is a key
				r.Raw(reply[:i])
				r.Raw(reply[i:])
			}
			r.Raw(reply)
		}
		r.Type("x")
		if s := r.WaitText("❯ x"); strings.TrimSpace(s.Row(21)) != "❯ x" {
			t.Errorf("the composer holds %q", s.Row(21))
		}
	})
	for name, terminal := range map[string]tuitest.Option{"silent": tuitest.Silent(), "no keyboard protocol": tuitest.NoKitty(), "no synchronized output": tuitest.NoSync()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startApp(t, 80, 24, onTerminal(terminal), withModel(llmtest.Say("Fine.")))
			r.Type("two")
			r.Press("alt+enter")
			r.Type("lines")
			r.WaitText("❯ two", "  lines")
			r.Press("enter")
			r.waitIdle("Fine.")
			if got := userTexts(r.requests(1)[0]); got[0] != "two\nlines" {
				t.Errorf("the model was asked %q", got)
			}
			r.Press("f1")
			r.WaitText("Keys")
			r.Press("esc")
			r.waitIdle("Fine.")
		})
	}
}

// Escape sequences in what the model and the tools say do nothing.
func TestUntrustedTextIsInert(t *testing.T) {
	t.Parallel()
	const payload = "before \x1b]52;c;c3RvbGVu\x07 \x1b]0;stolen title\x07 \x1b[2J \x1b[6n \x1bc \x1bPstolen\x1b\\ \x1b_stolen\x1b\\ \u202e \u009b31m after"
	hostile := "def run(args, **kw):\n    return " + fmt.Sprintf("%+q", payload) + "\n" + `
def register(ctx):
    ctx.register_tool("hostile", "hostile", {"name": "hostile", "description": "d\x1b]0;stolen title\x07"}, run)
`
	r := startApp(t, 120, 40, withCode("hostile", hostile), withModel(
		llmtest.Use("call_1", "hostile", `{}`), llmtest.Say("Answer "+payload+"\x1b]0;stolen title"),
	))
	r.send("go")
	s := r.waitIdle("after")
	s.AssertSound(t)
	wrote := string(r.Bytes())
	for _, bad := range []string{"stolen title", "c3RvbGVu", "\x1b[6n", "\x1bc", "\u202e", "\u009b"} {
		if strings.Contains(wrote, "\x1b]0;"+bad) || strings.Contains(wrote, "\x1b]52;c;"+bad) || strings.HasPrefix(bad, "\x1b") && strings.Contains(wrote, bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	for _, bad := range []string{"\u202e", "\u009b"} {
		if strings.Contains(wrote, bad) {
			t.Errorf("%q reached the terminal", bad)
		}
	}
	if strings.Contains(s.Title, "stolen") {
		t.Errorf("the title is %q", s.Title)
	}
	if n := strings.Count(s.String(), "before"); n < 2 {
		t.Errorf("the text before the payload stands %d times\n%s", n, s.Dump())
	}
}
