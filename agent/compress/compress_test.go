package compress

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hermes/agent/llm"
)

func TestThreshold(t *testing.T) {
	for _, tc := range []struct {
		window, max int
		s           Settings
		want        int
	}{
		{0, 0, Settings{}, 0},
		{200_000, 0, Settings{}, 150_000},
		{200_000, 50_000, Settings{}, 112_500},
		{1_000_000, 0, Settings{}, 500_000},
		{1_000_000, 0, Settings{Threshold: 0.8}, 800_000},
		{70_000, 0, Settings{}, 64_000},
		{64_000, 0, Settings{}, 54_400},
		{8_192, 0, Settings{}, 6_963},
		{8_192, 65_536, Settings{}, 6_963}, // an answer larger than the window reserves nothing
	} {
		if got := Threshold(tc.window, tc.max, tc.s); got != tc.want {
			t.Errorf("window %d, answers %d: %d, want %d", tc.window, tc.max, got, tc.want)
		}
	}
}

// conversation draws a valid history: calls with their results, or plain talk.
func conversation(t *rapid.T) []llm.Message {
	var out []llm.Message
	id := 0
	for range rapid.IntRange(1, 12).Draw(t, "turns") {
		out = append(out, llm.Message{Role: llm.RoleUser, Content: text(t)})
		for range rapid.IntRange(0, 4).Draw(t, "batches") {
			m := llm.Message{Role: llm.RoleAssistant}
			var results []llm.Message
			for range rapid.IntRange(1, 3).Draw(t, "calls") {
				id++
				m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: fmt.Sprint(id), Name: "terminal", Arguments: "{}"})
				results = append(results, llm.Message{Role: llm.RoleTool, Name: "terminal", ToolCallID: fmt.Sprint(id), Content: text(t)})
			}
			out = append(append(out, m), results...)
		}
		out = append(out, llm.Message{Role: llm.RoleAssistant, Content: text(t)})
	}
	return out
}

func text(t *rapid.T) string {
	return strings.Repeat("word ", rapid.IntRange(1, 2000).Draw(t, "words"))
}

// Whatever the conversation: a call and its result stay on the same side, the
// running turn stays, and the plan is in order.
func TestCutNeverPartsACallFromItsResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := conversation(t)
		s := Settings{ProtectFirst: rapid.IntRange(1, 5).Draw(t, "first"), ProtectLast: rapid.IntRange(1, 25).Draw(t, "last")}
		plans := map[string]func() (Plan, bool){
			"cut":  func() (Plan, bool) { return Cut(h, rapid.IntRange(100, 20_000).Draw(t, "threshold"), s) },
			"keep": func() (Plan, bool) { return KeepTurns(h, rapid.IntRange(1, 5).Draw(t, "keep")) },
		}
		for name, plan := range plans {
			p, ok := plan()
			if !ok {
				continue
			}
			if p.Head < 0 || p.Tail > len(h) || p.Head >= p.Tail {
				t.Fatalf("%s: %+v of %d", name, p, len(h))
			}
			for _, i := range []int{p.Head, p.Tail} {
				if i < len(h) && h[i].Role == llm.RoleTool {
					t.Fatalf("%s: cut at %d, before a result", name, i)
				}
			}
			out := p.Apply(h, "SUMMARY")
			if ask, got := lastUser(h), lastUser(out); got < 0 || out[got].Content != h[ask].Content {
				t.Fatalf("%s: what the user asked last is gone: %+v", name, p)
			}
			valid(t, out)
		}
	})
}

// valid checks that every call has its result right behind it.
func valid(t *rapid.T, h []llm.Message) {
	for i := 0; i < len(h); i++ {
		calls := h[i].ToolCalls
		for _, c := range calls {
			i++
			if i >= len(h) || h[i].ToolCallID != c.ID {
				t.Fatalf("call %s has no result", c.ID)
			}
		}
		if len(calls) == 0 && h[i].Role == llm.RoleTool {
			t.Fatalf("result %s has no call", h[i].ToolCallID)
		}
	}
}

func TestCutKeepsHeadAndTail(t *testing.T) {
	var h []llm.Message
	for i := range 40 {
		h = append(h, llm.Message{Role: llm.RoleUser, Content: fmt.Sprint("q", i)}, llm.Message{Role: llm.RoleAssistant, Content: strings.Repeat("a", 4000)})
	}
	p, ok := Cut(h, 50_000, Settings{})
	if !ok || p.Head != 3 || len(h)-p.Tail < 20 {
		t.Errorf("%+v %v", p, ok)
	}
	if _, ok := Cut(h[:4], 50_000, Settings{}); ok {
		t.Error("a short conversation was cut")
	}
	// One turn that fills the window keeps what was asked.
	one := []llm.Message{{Role: llm.RoleUser, Content: "the task"}}
	for i := range 30 {
		one = append(one, llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: fmt.Sprint(i), Name: "x"}}}, llm.Message{Role: llm.RoleTool, ToolCallID: fmt.Sprint(i), Content: strings.Repeat("r", 8000)})
	}
	p, ok = Cut(one, 20_000, Settings{})
	got := p.Apply(one, "S")
	if !ok || Tokens(got) > Tokens(one)*3/4 || got[0].Content != "the task" {
		t.Errorf("%+v %v: %d of %d tokens", p, ok, Tokens(got), Tokens(one))
	}
}

func TestMessageAndItsUpdate(t *testing.T) {
	m := Message("## Goal\nbuild it", []llm.Message{{Role: llm.RoleTool}})
	if m.Role != llm.RoleAssistant || !strings.HasPrefix(m.Content, "[CONTEXT COMPACTION — REFERENCE ONLY]") || !strings.HasSuffix(m.Content, endMark) || !IsSummary(m) {
		t.Errorf("%+v", m)
	}
	if Message("x", nil).Role != llm.RoleUser || Message("x", []llm.Message{{Role: llm.RoleAssistant}}).Role != llm.RoleUser {
		t.Error("roles do not alternate")
	}
	middle := []llm.Message{m, {Role: llm.RoleUser, Content: "and test it"}}
	got := Prompt(middle, "the tests", 500)
	for _, want := range []string{"<earlier_summary>\n## Goal\nbuild it\n</earlier_summary>", "[user] and test it", "the tests", "500 tokens", "[REDACTED]"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "build it") != 1 {
		t.Error("the earlier summary is given twice")
	}
}

func TestFallback(t *testing.T) {
	middle := []llm.Message{
		{Role: llm.RoleUser, Content: "fix the build"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{Name: "terminal", Arguments: `{"command":"make"}`}}},
		{Role: llm.RoleTool, Name: "terminal", Content: `{"output": "` + strings.Repeat("x", 500) + `", "exit_code": 2, "error": null}`},
		{Role: llm.RoleAssistant, Content: "It lacks a header."},
	}
	got := Fallback(middle)
	for _, want := range []string{"The user said: fix the build", `Called terminal {"command":"make"}`, "[terminal ended with exit code 2,", "The assistant said: It lacks a header."} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q in\n%s", want, got)
		}
	}
	for range 200 {
		middle = append(middle, llm.Message{Role: llm.RoleUser, Content: strings.Repeat("更多 ", 200)})
	}
	if n := utf8.RuneCountInString(Fallback(middle)); n > fallbackChars || n < fallbackChars/2 {
		t.Errorf("%d characters", n)
	}
}

func TestPrune(t *testing.T) {
	long := llm.Message{Role: llm.RoleTool, Name: "read_file", Content: `{"content": "` + strings.Repeat("x", 4000) + `", "total_lines": 7}`}
	h := []llm.Message{long, {Role: llm.RoleUser, Content: strings.Repeat("y", 4000)}, long}
	got, saved := Prune(h, 2)
	if got[0].Content != "[read_file read 7 lines, cleared]" || got[1].Content != h[1].Content || got[2].Content != long.Content || saved < 900 {
		t.Errorf("saved %d: %.80q", saved, got[0].Content)
	}
	if h[0].Content != long.Content {
		t.Error("the history itself was changed")
	}
}
