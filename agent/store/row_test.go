package store

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hermes/agent/llm"
)

// Rows that the reference wrote in real conversations come out of encode as
// they went into decode, byte for byte.
func TestRowsAreTheReferences(t *testing.T) {
	b, err := os.ReadFile("testdata/reference-rows.json")
	must(t, err)
	var recorded struct{ Rows []map[string]*string }
	must(t, json.Unmarshal(b, &recorded))
	if len(recorded.Rows) < 10 {
		t.Fatalf("only %d rows were recorded", len(recorded.Rows))
	}
	for i, want := range recorded.Rows {
		r := row{
			Role: *want["role"], Content: want["content"], CallID: want["tool_call_id"], Calls: want["tool_calls"], Tool: want["tool_name"],
			Effect: want["effect_disposition"], Finish: want["finish_reason"], Reasoning: want["reasoning"],
			ReasoningContent: want["reasoning_content"], ReasoningDetails: want["reasoning_details"],
			CodexItems: want["codex_reasoning_items"], Injected: want["api_content"],
		}
		m, _ := decode(r)
		if d := cmp.Diff(r, encode(m)); d != "" {
			t.Errorf("row %d (-reference +ours):\n%s", i+1, d)
		}
	}
}

// FuzzRow: rows of any program decode, and what was decoded comes back the
// same after it was stored again.
func FuzzRow(f *testing.F) {
	f.Add("user", "text", "", "", "", "", "")
	f.Add("assistant", "\x00json:[{\"type\": \"image_url\", \"image_url\": {\"url\": \"https://x\"}}]", `[{"id": "a", "function": {"name": "t", "arguments": {"x": 1}}}]`, "stop", "r", " ", "[]")
	f.Add("tool", "\x00json:{", "[1]", "", "\xff", "", `[{"type": "reasoning", "encrypted_content": 1}]`)
	f.Fuzz(func(t *testing.T, role, content, calls, finish, reasoning, reasoningContent, details string) {
		m, _ := decode(row{
			Role: role, Content: &content, Calls: &calls, CallID: &finish, Tool: &role, Finish: &finish,
			Reasoning: &reasoning, ReasoningContent: &reasoningContent, ReasoningDetails: &details, CodexItems: &details,
		})
		once, _ := decode(encode(m))
		twice, _ := decode(encode(once))
		if d := cmp.Diff(once, twice); d != "" {
			t.Errorf("changes each time it is stored:\n%s", d)
		}
	})
}

// FuzzSpell: Python's spelling is the same JSON.
func FuzzSpell(f *testing.F) {
	for _, s := range []string{`{"a": [1, "x\"é😀", null]}`, `"\\\u00e9"`, "1", "\"\u2028\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want, got any
		if json.Unmarshal([]byte(text), &want) != nil {
			return
		}
		spelled := pySpell([]byte(text))
		if err := json.Unmarshal([]byte(spelled), &got); err != nil {
			t.Fatalf("%q became %q: %v", text, spelled, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q became %q:\n%s", text, spelled, d)
		}
	})
}

// What json.dumps of Python 3.11 prints for the same values.
func TestSpellingIsPythons(t *testing.T) {
	got, err := pyJSON([]any{map[string]any{"a": "é中😀<&>\u2028\x7f"}, []int{1, 2}, "x, y: z", nil})
	must(t, err)
	equal(t, "spelling", got, `[{"a": "\u00e9\u4e2d\ud83d\ude00<&>\u2028`+"\x7f"+`"}, [1, 2], "x, y: z", null]`)
}

func TestPicturesAreNotStored(t *testing.T) {
	m, _ := decode(encode(llm.Message{Role: "user", Parts: []llm.Part{{Text: "see"}, {Image: &llm.Image{MIME: "image/png", Data: []byte("xx")}}}}))
	equal(t, "message", m, llm.Message{Role: "user", Content: "see\n[screenshot]"})
}

// Rows that no program should write do not keep a session from being read.
func TestHostileRows(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "x")
	_, err := s.conn.write.Exec(`INSERT INTO messages (session_id, role, content, tool_calls, timestamp, reasoning_details) VALUES
		('a', '', NULL, '{', -1, '{'), ('a', 'assistant', CAST(X'ff00fe' AS TEXT), '[null]', 1e300, 'null'), ('a', 'tool', X'00ff', 'x', 0, '[1]'),
		('a', 'user', 5, 7, 9e99, 3)`)
	must(t, err)
	_, err = s.conn.write.Exec(`UPDATE sessions SET model_config = '[', title = CAST(X'ff' AS TEXT), started_at = 1e300, archived = 7, message_count = NULL`)
	must(t, err)
	if _, err := s.Load(ctx, "a"); err != nil {
		t.Errorf("load: %v", err)
	}
	if _, err := s.List(ctx, ListOptions{Filter: Filter{Archived: ArchivedToo}}); err != nil {
		t.Errorf("list: %v", err)
	}
	if _, err := s.Dump(ctx, "a", true); err != nil {
		t.Errorf("dump: %v", err)
	}
	if _, err := s.Search(ctx, Search{Text: "x"}); err != nil {
		t.Errorf("search: %v", err)
	}
}
