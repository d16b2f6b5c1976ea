package agent

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/tool"
)

// toolContents returns the contents of the tool messages of a request, as they
// went over the wire.
func toolContents(t *testing.T, raw []byte) []string {
	t.Helper()
	var body struct {
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range body.Messages {
		if m.Role == "tool" {
			out = append(out, string(m.Content))
		}
	}
	return out
}

// A result with a picture reaches a model that takes pictures as parts, another
// one as its summary, and the hooks as the mapping that handlers write.
func TestResultsWithPictures(t *testing.T) {
	const url = "data:image/png;base64,iVBORw0="
	picture, err := tool.ImageAt(url)
	if err != nil {
		t.Fatal(err)
	}
	result := func(parts ...tool.Part) fakeTool {
		look := echo("look")
		look.run = func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Content: "a red dot", Parts: parts}, nil
		}
		return look
	}
	text := tool.Part{Text: "key sk-secret-1 at 3,4"}
	long := tool.Part{Text: strings.Repeat("0123456789", 20_000)}
	image := tool.Part{Image: picture}
	const imageSent = `{"type":"image_url","image_url":{"url":"` + url + `"}}`
	for _, c := range []struct {
		name    string
		tool    tool.Tool
		noEyes  bool
		replace string // what transform_tool_result returns
		want    string // beginning of the content on the wire
		hook    string
	}{
		{
			name: "eyes", tool: result(text, image),
			want: `[{"type":"text","text":"key *** at 3,4"},` + imageSent + `]`,
			hook: `{"_multimodal":true,"content":[{"type":"text","text":"key *** at 3,4"},` + imageSent + `],"text_summary":"a red dot"}`,
		},
		{name: "no eyes", tool: result(text, image), noEyes: true, want: `"a red dot"`},
		{name: "replaced", tool: result(image), replace: `"nothing there"`, want: `"nothing there"`},
		{name: "long text", tool: result(long, image), want: `[{"type":"text","text":"<persisted-output>\nThis result is 200,000 characters`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{}}
			if c.replace != "" {
				hooks.answer[hook.TransformToolResult] = returns(c.replace)
			}
			b := newBench(t, benchOptions{
				tools: []tool.Tool{c.tool}, hooks: hooks,
				steps:  []llmtest.Step{llmtest.Use("c1", "look", `{}`), llmtest.Say("seen")},
				client: func(cfg *openai.Config) { cfg.NoImages = c.noEyes },
				change: func(o *Options) {
					o.Redact = func(s string) string { return strings.ReplaceAll(s, "sk-secret-1", "***") }
				},
			})
			b.turn("look")
			b.request(1)
			got := toolContents(t, b.srv.Requests()[1].Raw)
			if len(got) != 1 || !strings.HasPrefix(got[0], c.want) {
				t.Fatalf("sent %.300s\nwant %s", got, c.want)
			}
			if spilled, _ := filepath.Glob(filepath.Join(os.TempDir(), "hermes-results", "*")); (len(spilled) > 0) != (c.name == "long text") {
				t.Errorf("saved %v", spilled)
			}
			if c.name == "long text" && !strings.HasSuffix(got[0], ","+imageSent+"]") {
				t.Errorf("the picture is gone: %.300s", got[0])
			}
			if seen := string(hooks.of(hook.PostToolCall)[0]["result"]); c.hook != "" && seen != c.hook {
				t.Errorf("post_tool_call saw %s\nwant %s", seen, c.hook)
			}
		})
	}
}
