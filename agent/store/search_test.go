package store

import (
	"strings"
	"testing"

	"hermes/agent/llm"
)

func searchStore(t testing.TB) *Store {
	s := open(t)
	add(t, s, "a", "user", "Fix the docker compose deployment on prod-server",
		"assistant", "I changed docker-compose.yml. 数据库连接已经修复 with error_code E42")
	add(t, s, "b", "user", "请帮我写一个数据库迁移脚本", "assistant", "好的，迁移脚本完成")
	_, err := s.AppendStep(ctx, Step{Session: "c", Create: &New{ID: "c", Source: "telegram"}, Messages: []llm.Message{
		{Role: "user", Content: "docker swarm", APIContent: "docker swarm\n\ninjected elephant"},
		{Role: "assistant", ToolCalls: []llm.ToolCall{{ID: "1", Name: "write_file", Arguments: `{"path": "报告文件.md"}`}}},
		{Role: "tool", ToolCallID: "1", Name: "write_file", Content: "100% written"},
	}})
	must(t, err)
	return s
}

func hitsOf(t testing.TB, s *Store, q Search) string {
	t.Helper()
	hits, err := s.Search(ctx, q)
	must(t, err)
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.Session+string(rune('0'+h.MessageID)))
	}
	return strings.Join(ids, " ")
}

func TestSearchFinds(t *testing.T) {
	s := searchStore(t)
	for _, c := range []struct{ text, want string }{
		{"docker", "a1 a2 c5"},
		{"DOCKER compose", "a1 a2"},
		{"docker NOT compose", "c5"},
		{"swarm OR E42", "a2 c5"},
		{`"docker swarm"`, "c5"},
		{"dock*", "a1 a2 c5"},
		{"docker-compose.yml", "a2"},
		{"error_code", "a2"},
		{"prod-server", "a1"},
		{"ocker", "a1 a2 c5"}, // a part of a word
		{"数据库", "a2 b3"},
		{"数据", "a2 b3"},
		{"库", "a2 b3"},
		{"迁移 脚本", "b3 b4"},
		{"迁移 OR 连接", "a2 b3 b4"},
		{"数据库 docker", "a2"},
		{"数据库 NOT docker", "b3"},
		{"报告文件", "c6"}, // in the arguments of a call
		{"报告", "c6"},
		{"write_file", "c6 c7"},
		{"100%", "c7"},
		{"elephant", ""}, // injected context is not searched
		{"nothing", ""},
	} {
		if got := hitsOf(t, s, Search{Text: c.text, Sort: SortOldest}); got != c.want {
			t.Errorf("%q found %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSearchNarrows(t *testing.T) {
	s := searchStore(t)
	for _, c := range []struct {
		q    Search
		want string
	}{
		{Search{Text: "docker", Sort: SortNewest}, "c5 a2 a1"},
		{Search{Text: "docker", Sort: SortOldest, Limit: 1, Offset: 1}, "a2"},
		{Search{Text: "docker", Roles: []string{"assistant"}}, "a2"},
		{Search{Text: "docker", ExcludeSources: []string{"cli"}}, "c5"},
		{Search{Text: "docker", Sources: []string{"telegram", "x"}}, "c5"},
	} {
		if got := hitsOf(t, s, c.q); got != c.want {
			t.Errorf("%+v found %q, want %q", c.q, got, c.want)
		}
	}
}

func TestSearchNeverFailsOnItsText(t *testing.T) {
	s := searchStore(t)
	for _, text := range []string{
		"", " ", `"`, `""`, "*", "(", ")", "AND", "OR", "NOT", "NOT docker", "OR OR", "a AND", "{x", "^", "-docker", "content:docker",
		"NEAR(a b)", `"open`, "a\x00b", "\xff\xfe", "'; DROP TABLE messages; --", "col : x", "%", "_", "\\", "docker)", "* * *", "数据 *", `数"据`,
		strings.Repeat("x ", 5000), strings.Repeat("据", 3000),
	} {
		if _, err := s.Search(ctx, Search{Text: text}); err != nil {
			t.Errorf("%q: %v", text[:min(len(text), 40)], err)
		}
	}
	if got := hitsOf(t, s, Search{Text: "content:docker", Sort: SortOldest}); got != "" {
		t.Errorf("a column name is looked for as it stands; found %q", got)
	}
}

func FuzzSearch(f *testing.F) {
	for _, text := range []string{"docker", `"a b" OR c*`, "数据 NOT x", "((", "\x00"} {
		f.Add(text)
	}
	s := searchStore(f)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := s.Search(ctx, Search{Text: text}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func TestSnippetsMarkTheHit(t *testing.T) {
	s := searchStore(t)
	for text, want := range map[string]string{
		"swarm":  ">>>swarm<<<",
		"迁移脚本":   ">>>迁移脚本<<<",
		"迁移":     "请帮我写一个数据库>>>迁移<<<脚本",
		"compos": ">>>compos<<<e",
	} {
		hits, err := s.Search(ctx, Search{Text: text})
		must(t, err)
		ok := false
		for _, h := range hits {
			ok = ok || strings.Contains(h.Snippet, want)
		}
		if !ok {
			t.Errorf("%q: no snippet with %q in %+v", text, want, hits)
		}
	}
}
