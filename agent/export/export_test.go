package export

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hermes/agent/llm"
	"hermes/agent/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB) *store.Store {
	s := store.Open(filepath.Join(t.TempDir(), "state.db"), store.Options{})
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func session(t testing.TB, s *store.Store) *store.Dump {
	t.Helper()
	_, err := s.AppendStep(ctx, store.Step{
		Session: "a", Create: &store.New{ID: "a", Source: "cli", Model: "m", Dir: "/src", SystemPrompt: "Be brief."},
		Messages: []llm.Message{
			{Role: "user", Content: "look <b>中文</b> sk-secret", APIContent: "look\n\ninjected elephant"},
			{Role: "assistant", Reasoning: "hm\nhm", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "terminal", Arguments: `{"command": "echo sk-secret"}`}}},
			{Role: "tool", Name: "terminal", ToolCallID: "c1", Content: "```\nfence\n```"},
			{Role: "user", Content: "x", Parts: []llm.Part{{Text: "see"}, {Image: &llm.Image{URL: "https://x/a.png"}}}},
			{Role: "assistant", Content: "done", FinishReason: "stop"},
		},
	})
	must(t, err)
	must(t, s.SetTitle(ctx, "a", "A <title>"))
	d, err := s.Dump(ctx, "a", true)
	must(t, err)
	return d
}

func render(t testing.TB, format string, dumps ...*store.Dump) string {
	t.Helper()
	var b bytes.Buffer
	must(t, Write(&b, format, dumps))
	return b.String()
}

func TestJSONLinesComeBack(t *testing.T) {
	from := open(t)
	d := session(t, from)
	for _, format := range []string{JSONL, JSON} {
		text := render(t, format, d)
		dumps, err := Read(strings.NewReader("\xef\xbb\xbf" + text))
		must(t, err)
		to := open(t)
		im, err := to.Import(ctx, dumps)
		must(t, err)
		if im.Sessions != 1 || im.Messages != 5 {
			t.Errorf("imported %+v", im)
		}
		want, err := from.Load(ctx, "a")
		must(t, err)
		got, err := to.Load(ctx, "a")
		must(t, err)
		want.History[0].APIContent = "" // never exported
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-exported +imported):\n%s", format, d)
		}
		im, err = to.Import(ctx, dumps)
		must(t, err)
		if im.Sessions != 0 || len(im.Skipped) != 1 {
			t.Errorf("imported twice: %+v", im)
		}
		hits, err := to.Search(ctx, store.Search{Text: "fence"})
		must(t, err)
		if len(hits) != 1 {
			t.Errorf("%d hits in what was imported", len(hits))
		}
	}
}

func TestImportFitsIn(t *testing.T) {
	s := open(t)
	session(t, s)
	dumps, err := Read(strings.NewReader(`{"id": "b", "title": "A <title>", "parent_session_id": "gone", "unknown": [1], "messages": [{"role": "user", "content": "q"}]}
[{"id": "c", "source": "irc", "started_at": 5, "archived": true, "messages": []}]`))
	must(t, err)
	im, err := s.Import(ctx, dumps)
	must(t, err)
	if im.Sessions != 2 || len(im.Renamed) != 1 || len(im.Detached) != 1 {
		t.Errorf("imported %+v", im)
	}
	b, err := s.Session(ctx, "b")
	must(t, err)
	if b.Title != "A <title> #2" || b.Source != "import" || b.Messages != 1 {
		t.Errorf("session %+v", b)
	}
	c, err := s.Session(ctx, "c")
	must(t, err)
	if !c.Archived || c.Started.Unix() != 5 {
		t.Errorf("session %+v", c)
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"{\"id\": \"a\"}\n\n{\"id\": ":      "line 3",
		`{"source": "cli"}`:                 "line 1, session 1: id is missing",
		`{"id": 5}`:                         "id is missing",
		`[1]`:                               "is no object",
		`{"id": "a", "started_at": "soon"}`: "started_at is no number",
		`{"id": "a", "messages": {}}`:       "messages is no list",
		`{"id": "a", "messages": [{"role": "user"}, {"text": "x"}]}`: "message 2: role is missing",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

func TestNothingInjectedIsExported(t *testing.T) {
	d := session(t, open(t))
	for _, format := range []string{JSONL, JSON, Markdown, HTML} {
		if text := render(t, format, d); strings.Contains(text, "elephant") || !strings.Contains(text, "done") {
			t.Errorf("%s:\n%s", format, text)
		}
	}
}

func TestRedactedExportHoldsNoSecret(t *testing.T) {
	d := Redact(session(t, open(t)), func(s string) string { return strings.ReplaceAll(s, "sk-secret", "***") })
	for _, format := range []string{JSONL, JSON, Markdown, HTML} {
		text := render(t, format, d)
		if strings.Contains(text, "sk-secret") || !strings.Contains(text, "***") {
			t.Errorf("%s:\n%s", format, text)
		}
	}
	var back map[string]any
	must(t, json.Unmarshal([]byte(render(t, JSONL, d)), &back))
}

func TestMarkdownCanBeRead(t *testing.T) {
	text := render(t, Markdown, session(t, open(t)))
	for _, want := range []string{
		"session_id: \"a\"\ntitle: \"A <title>\"\n", "\n# A <title>\n", "\n## User — 20", "\n> hm\n> hm\n",
		"Call `terminal`\n\n```json\n{\"command\": \"echo sk-secret\"}\n```\n", "\n````\n```\nfence\n```\n````\n", "see\n[image_url]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
}

func TestHTMLEscapesAndRunsNothing(t *testing.T) {
	d := session(t, open(t))
	text := render(t, HTML, d, d)
	for _, want := range []string{"A &lt;title&gt;", "look &lt;b&gt;中文&lt;/b&gt;", "default-src 'none'", `href="#a"`} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q:\n%s", want, text)
		}
	}
	for _, bad := range []string{"<b>", "<script", "http-equiv=\"refresh\"", "src=\"http"} {
		if strings.Contains(text, bad) {
			t.Errorf("with %q", bad)
		}
	}
}

// Whatever is read can be written in every format and read again. (What the
// database makes of it is TestHostileRows of the store.)
func FuzzRead(f *testing.F) {
	f.Add(`{"id": "a", "source": "cli", "messages": [{"role": "assistant", "content": [{"type": "text", "text": "x"}], "tool_calls": "[{}]"}]}`)
	f.Add(`[{"id": "a", "title": "t", "started_at": 1e300}]`)
	f.Add(`{"id": "a", "messages": [{"role": "user", "content": "\u0000json:[", "timestamp": -1, "active": 7, "reasoning_details": "{"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		dumps, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var list []*store.Dump
		for i := range dumps {
			list = append(list, Redact(&dumps[i], strings.ToUpper), &dumps[i])
		}
		for _, format := range []string{Markdown, HTML, JSON} {
			render(t, format, list...)
		}
		again, err := Read(strings.NewReader(render(t, JSONL, list...)))
		if err != nil || len(again) != len(list) {
			t.Fatalf("read back: %v, %d sessions of %d", err, len(again), len(list))
		}
		for i, d := range again {
			if d.Session.Text("id") != list[i].Session.Text("id") || len(d.Messages) != len(list[i].Messages) {
				t.Fatalf("session %d: %q with %d messages", i, d.Session.Text("id"), len(d.Messages))
			}
		}
	})
}
