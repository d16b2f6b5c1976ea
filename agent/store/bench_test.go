package store

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
)

// session5k fills a session with n messages of everyday size, quickly.
func fillSession(b *testing.B, s *Store, n int) {
	b.Helper()
	var msgs []llm.Message
	for i := range n {
		switch i % 4 {
		case 0:
			msgs = append(msgs, llm.Message{Role: "user", Content: fmt.Sprintf("question %d %s", i, strings.Repeat("word ", 20))})
		case 1:
			msgs = append(msgs, llm.Message{Role: "assistant", ToolCalls: []llm.ToolCall{{ID: fmt.Sprint("c", i), Name: "read_file", Arguments: `{"path": "main.go"}`}}})
		case 2:
			msgs = append(msgs, llm.Message{Role: "tool", Name: "read_file", ToolCallID: fmt.Sprint("c", i-1), Content: strings.Repeat("func main() {}\n", 100)})
		case 3:
			msgs = append(msgs, llm.Message{Role: "assistant", Content: strings.Repeat("An answer. ", 60), Reasoning: "hm"})
		}
	}
	_, err := s.AppendStep(ctx, Step{Session: "a", Create: &New{ID: "a", Source: "cli"}, Messages: msgs})
	must(b, err)
}

// BenchmarkAppend is one step of a turn; it must not grow with the session.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{10, 1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := Open(filepath.Join(b.TempDir(), "state.db"), Options{Now: time.Now})
			defer s.Close()
			fillSession(b, s, n)
			step := Step{Session: "a", Usage: &Usage{Model: "m", Calls: 1, In: 1000}, Messages: []llm.Message{
				{Role: "assistant", ToolCalls: []llm.ToolCall{{ID: "c", Name: "read_file", Arguments: `{"path": "main.go"}`}}},
				{Role: "tool", Name: "read_file", ToolCallID: "c", Content: strings.Repeat("func main() {}\n", 20)},
			}}
			for b.Loop() {
				if _, err := s.AppendStep(ctx, step); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLoad is resuming a session: a new process opens the file and reads.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{100, 2000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "state.db")
			s := Open(path, Options{})
			fillSession(b, s, n)
			must(b, s.Close())
			for b.Loop() {
				s := Open(path, Options{})
				got, err := s.Load(ctx, "a")
				if err != nil || len(got.History) != n {
					b.Fatal(err, len(got.History))
				}
				must(b, s.Close())
			}
		})
	}
}

// BenchmarkFirstUse makes the file.
func BenchmarkFirstUse(b *testing.B) {
	dir := b.TempDir()
	i := 0
	for b.Loop() {
		i++
		s := Open(filepath.Join(dir, fmt.Sprint(i), "state.db"), Options{})
		must(b, s.Warm(ctx))
		must(b, s.Close())
	}
}

func BenchmarkSearch(b *testing.B) {
	s := Open(filepath.Join(b.TempDir(), "state.db"), Options{})
	defer s.Close()
	fillSession(b, s, 5000)
	for name, text := range map[string]string{"words": "question 4000", "part": "uestion", "short_cjk": "数据"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(ctx, Search{Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRecent(b *testing.B) {
	s := Open(filepath.Join(b.TempDir(), "state.db"), Options{})
	defer s.Close()
	for i := range 500 {
		add(b, s, fmt.Sprintf("2026%04d", i), "user", "question", "assistant", "answer")
	}
	for b.Loop() {
		if _, err := s.Recent(ctx, 50); err != nil {
			b.Fatal(err)
		}
	}
}
