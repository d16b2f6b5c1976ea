package app_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// tricky is an answer with everything that is drawn in another way when only
// its beginning is there. Its end mark follows.
const tricky = "# Überschrift 标题\n\nSome **bold**, *italic*, `code` and a [link](https://example.org/x?a=1&b=2) in 一段很长的中文文字 which wraps.\n\n" +
	"| 城市 | temp | flag |\n|:--|--:|:-:|\n| 柏林 | 21 | 🇩🇪 |\n| e\u0301 cafe | 7 | 👩‍👩‍👧 |\n\n" +
	"1. first\n   - nested `x`\n2. second\n\n> quoted\n> text\n\n" +
	"```python\ndef f(x):\n    return {\"k\": x}  # ``` is not the end\n```\n\n" +
	"Half a fence:\n\n~~~\n| not | a table |\n~~~\n\nSetext\n======\n\n✅ done 👍🏽 &amp; **un"

// answerRows is the conversation below the last message of the user.
func answerRows(s tuitest.Snapshot) []string {
	rows := pane(s)
	end := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, "───") })
	begin := 0
	for i, row := range rows[:end] {
		if strings.HasPrefix(row, " hermes") {
			begin = i
		}
	}
	for end > begin && rows[end-1] == "" {
		end-- // the pane is not full
	}
	return rows[begin:end]
}

// However an answer arrives, it ends as the same screen: whole, in pieces of a
// few characters, cut within characters and within the lines of the protocol.
func TestAnswerLooksTheSameHoweverItArrives(t *testing.T) {
	body := func(text string) string {
		chunk, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": nil}}})
		must(t, err)
		return "data: " + string(chunk) + "\n\n" + `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	}
	cut := func(s string, n int) (out []string) {
		for len(s) > n {
			out, s = append(out, s[:n]), s[n:]
		}
		return append(out, s)
	}
	ways := []func(text string) llmtest.Step{
		func(text string) llmtest.Step { return llmtest.Step{Text: text, ChunkChars: len(text)} },
		func(text string) llmtest.Step { return llmtest.Step{Text: text, ChunkChars: 1} },
	}
	for _, n := range []int{2, 3, 5, 7, 11} {
		ways = append(ways, func(text string) llmtest.Step { return llmtest.Step{Text: text, ChunkChars: n} })
	}
	for _, n := range []int{1, 2, 3, 17} {
		ways = append(ways, func(text string) llmtest.Step { return llmtest.Step{RawChunks: cut(body(text), n)} })
	}
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			var steps []llmtest.Step
			for i, way := range ways {
				steps = append(steps, way(tricky+fmt.Sprintf("\n\nend of %c", 'A'+i)))
			}
			r := startApp(t, size.w, size.h, withModel(steps...))
			var whole []string
			for i := range ways {
				r.send("go")
				mark := fmt.Sprintf("end of %c", 'A'+i)
				got := answerRows(r.waitIdle(mark))
				for j := range got {
					got[j] = strings.ReplaceAll(got[j], mark, "end")
				}
				switch {
				case i > 0 && !slices.Equal(got, whole):
					t.Errorf("way %d: the answer looks different\n%s\nwhole:\n%s", i, strings.Join(got, "\n"), strings.Join(whole, "\n"))
				case i == 0:
					whole = got
				}
			}
			if size.h >= 40 {
				has(t, "answer", whole, // the table's columns, in cells
					"        城市   │ temp │ flag",
					"       ────────┼──────┼──────",
					"        柏林   │   21 │  🇩🇪",
					"        e\u0301 cafe │    7 │  👩‍👩‍👧",
				)
				has(t, "answer", whole, `         def f(x):`, `             return {"k": x}  # `+"``` is not the end")
			}
		})
	}
}

// has asserts that rows stand in this order, next to each other.
func has(t *testing.T, where string, rows []string, want ...string) {
	t.Helper()
	if !strings.Contains("\n"+strings.Join(rows, "\n")+"\n", "\n"+strings.Join(want, "\n")+"\n") {
		t.Errorf("%s: no\n%s\nin\n%s", where, strings.Join(want, "\n"), strings.Join(rows, "\n"))
	}
}
