package demo

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// tools reads the schemas of testdata files and offers them as a request does.
func tools(t testing.TB, files ...string) []llm.ToolDef {
	t.Helper()
	var out []llm.ToolDef
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join("testdata", f+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var defs []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		}
		if err := json.Unmarshal(b, &defs); err != nil {
			t.Fatal(err)
		}
		for _, d := range defs {
			out = append(out, llm.ToolDef{Name: d.Name, Description: d.Description, Parameters: d.Parameters})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// tool builds one tool from a schema of its properties.
func tool(name, desc, properties string, required ...string) llm.ToolDef {
	req, _ := json.Marshal(append([]string{}, required...))
	return llm.ToolDef{Name: name, Description: desc, Parameters: json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":` + string(req) + `}`)}
}

// conversation plays one turn against the demo model, answering its calls with
// run, and returns the calls and the answer.
func conversation(t testing.TB, defs []llm.ToolDef, prompt string, run func(llm.ToolCall) string) (calls []string, answer string) {
	t.Helper()
	c := New(nil)
	msgs := []llm.Message{{Role: llm.RoleSystem, Content: "system"}, {Role: llm.RoleUser, Content: prompt}}
	for range 20 {
		var streamed strings.Builder
		resp, err := c.Stream(context.Background(), llm.Request{Messages: msgs, Tools: defs}, func(d llm.Delta) { streamed.WriteString(d.Text) })
		if err != nil {
			t.Fatal(err)
		}
		if streamed.String() != resp.Message.Content {
			t.Errorf("%q: the deltas differ from the message", prompt)
		}
		if len(resp.Message.ToolCalls) == 0 {
			return calls, resp.Message.Content
		}
		msgs = append(msgs, resp.Message)
		for _, k := range resp.Message.ToolCalls {
			calls = append(calls, k.Name+" "+k.Arguments)
			msgs = append(msgs, llm.Message{Role: llm.RoleTool, ToolCallID: k.ID, Name: k.Name, Content: run(k)})
		}
	}
	t.Fatalf("%q: no answer after 20 rounds: %v", prompt, calls)
	return nil, ""
}

func quiet(llm.ToolCall) string { return "done" }

// calls returns the calls that a prompt leads to, one a line.
func calls(t testing.TB, defs []llm.ToolDef, prompt string) string {
	t.Helper()
	got, _ := conversation(t, defs, prompt, quiet)
	return strings.Join(got, "\n")
}

func english() locale.Lang { return locale.EN }
