package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

var project = []string{"README.md", "cmd/hermes/main.go", "docs/my notes.md", "docs/天气.md", "internal/format/folder.go", "internal/format/format.go", "src/foo.go"}

// A file is found by some of its letters and put into the draft as a reference;
// the list comes when it is there, and what is typed meanwhile is kept.
func TestFilesForTheDraft(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.Type("look at @fold")
			r.WaitText("❯ look at @fold", "looking for files").AssertSound(t)
			r.waitCall(t, "files")
			r.bus.Emit(event.FilesListed{Files: project})
			s := r.WaitText("▸ internal/format/folder.go")
			s.AssertSound(t)
			s.AssertOneComposer(t)
			if s.Contains("README.md") {
				t.Errorf("what does not fit is offered\n%s", s.Dump())
			}
			r.Press("tab")
			s = r.WaitText("❯ look at @file:internal")
			if s.Contains("╭─ @fold") {
				t.Errorf("the list is still there\n%s", s.Dump())
			}
			r.Type("and @my")
			r.WaitText("▸ docs/my notes.md")
			r.Press("enter")
			r.WaitGone("▸ docs/my notes.md")
			r.Type("and @天")
			r.WaitText("▸ docs/天气.md")
			r.Press("esc")
			r.WaitGone("▸ docs/天气.md")
			r.Press("enter")
			r.waitCall(t, "submit \"look at @file:internal/format/folder.go and @file:`docs/my notes.md` and @天\"")
			if n := strings.Count(r.log(), "files"); n != 1 {
				t.Errorf("the files were listed %d times", n)
			}
		})
	}
}

func TestFilesThatAreMissing(t *testing.T) {
	r := startLoaded(t, 80, 24, inChinese)
	r.Type("a@b ") // an address is no reference
	r.WaitText("❯ a@b")
	if r.log() != "" {
		t.Errorf("files were asked for: %s", r.log())
	}
	r.Type("@")
	r.waitCall(t, "files")
	r.bus.Emit(event.FilesListed{Err: "permission denied"})
	r.WaitText("无法列出文件：permission denied")
	r.Press("esc", "backspace")
	r.clock.add(time.Minute)
	r.Type("@zzzz")
	r.bus.Emit(event.FilesListed{Files: project, More: true})
	r.WaitText("没有匹配的文件", "前 7 个中的 0 个").AssertSound(t)
	r.Press("enter") // nothing to take: it is sent
	r.waitCall(t, `submit "a@b @zzzz"`)
}

// Everything is in one list: commands, keys, plugins, sessions.
func TestPalette(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.Type("draft")
			r.WaitText("❯ draft")
			r.bus.Emit(event.SessionsListed{Sessions: []event.StoredSession{{ID: "s1", Title: "柏林 trip"}}})
			r.bus.Emit(event.Notice{Text: "listed now"})
			r.WaitText("listed now")
			open := func(query, want string) tuitest.Snapshot {
				t.Helper()
				r.Press("ctrl+p")
				r.WaitText("everything:")
				r.Type(query)
				s := r.WaitText("everything: "+query+" ─", "▸ "+want)
				s.AssertSound(t)
				return s
			}
			open("sidepan", "side panel")
			r.Press("esc")
			r.WaitGone("everything:")
			open("/plu", "/plugins")
			r.Press("enter")
			r.waitCall(t, `command "/plugins"`)
			open("柏林", "柏林 trip")
			r.Press("enter")
			r.waitCall(t, `command "/resume s1"`)
			open("langfuse", "langfuse")
			r.Press("enter")
			r.WaitText("▸▲ langfuse")
			r.Press("esc")
			open("search the", "search the")
			r.Press("enter")
			r.WaitText("history:")
			r.Press("esc")
			open("/weather-", "/weather-units")
			r.Press("ctrl+c")
			r.WaitGone("everything:")
			r.WaitText("❯ draft")
		})
	}
}

// A plugin that lacks a key gets it from its row; the key is never shown and
// the page is there again afterwards.
func TestKeyOfAPlugin(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 14}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.Press("f2")
			r.WaitText("langfuse", "▸✗ broken")
			r.Type("k")
			r.Press("down")
			if s := r.WaitText("▸▲ langfuse"); size.h >= 24 && !s.Contains("k set key") {
				t.Errorf("the key is not named\n%s", s.Dump())
			}
			r.Type("k")
			r.WaitText("╔═ LANGFUSE_KEY for langfuse", "▸ the value (not shown)").AssertSound(t)
			r.clock.add(time.Second)
			r.Type("sk-Wert 密")
			r.WaitText("••••")
			r.Press("enter")
			r.waitCall(t, `set LANGFUSE_KEY "sk-Wert 密"`)
			s := r.WaitText("▸▲ langfuse")
			if s.Contains("sk-Wert") || r.Wrote("Wert") || r.Wrote("密") {
				t.Error("the key was shown")
			}
			r.Press("enter", "5", "k")
			r.WaitText("╔═ LANGFUSE_KEY")
			r.clock.add(time.Second)
			r.Press("esc")
			r.WaitGone("╔═ LANGFUSE_KEY")
			if n := strings.Count(r.log(), "set "); n != 1 {
				t.Errorf("it was set %d times: %s", n, r.log())
			}
		})
	}
}
