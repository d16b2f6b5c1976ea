package tui

import (
	"encoding/base64"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

var osc52 = regexp.MustCompile("\x1b\\]52;c;([A-Za-z0-9+/=]*)\x1b\\\\")

// copied waits for the nth text that was put on the clipboard, from 1.
func (r *rig) copied(t *testing.T, n int) string {
	t.Helper()
	var found [][][]byte
	r.WaitFor(func(tuitest.Snapshot) bool {
		found = osc52.FindAllSubmatch(r.Bytes(), -1)
		return len(found) >= n
	})
	text, err := base64.StdEncoding.DecodeString(string(found[n-1][1]))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// mouse sends reports of the left button: press, drag and release at cells.
func (r *rig) down(x, y int) { r.Raw(fmt.Sprintf("\x1b[<0;%d;%dM", x+1, y+1)) }
func (r *rig) move(x, y int) { r.Raw(fmt.Sprintf("\x1b[<32;%d;%dM", x+1, y+1)) }
func (r *rig) up(x, y int)   { r.Raw(fmt.Sprintf("\x1b[<0;%d;%dm", x+1, y+1)) }

func (r *rig) drag(x, y, toX, toY int) {
	r.down(x, y)
	r.move(toX, toY)
	r.up(toX, toY)
}

// reversed tells whether a cell is drawn in reverse.
func reversed(s tuitest.Snapshot, x, y int) bool { return s.Cell(x, y).Style.Attrs&uv.AttrReverse != 0 }

// answered runs a turn that ends with an answer.
func (r *rig) answered(id, question, answer string) {
	r.bus.Emit(event.TurnStarted{Meta: meta(id), Text: question})
	r.bus.Emit(event.Delta{Meta: meta(id), Msg: id, Kind: event.KindText, Text: answer})
	r.bus.Emit(event.MessageDone{Meta: meta(id), Msg: id, Content: answer})
	r.bus.Emit(event.TurnDone{Meta: meta(id), Outcome: event.OutcomeDone})
}

// What the mouse selects is copied as it was written: wrapped lines are one,
// margins are gone, the marks of Markdown are there (U023).
func TestMouseSelectsTheSource(t *testing.T) {
	const answer = "Some **bold words** and `code` in one long paragraph that does not fit in a row of this screen, 柏林 included, by far.\n\n```go\nfunc main() {\n\tif x {\n\t}\n}\n```\n\nThe end."
	for _, size := range []struct{ w, h int }{{40, 24}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.answered("a", "go on 请", answer)
			s := r.WaitText("Some bold words", "The end.", "ready")
			x, y, _ := s.Find("Some bold")
			ex, ey, _ := s.Find("far.")
			r.drag(x+5, y, ex+2, ey) // from bold to far
			want := answer[strings.Index(answer, "bold"):strings.Index(answer, ".\n")]
			if got := r.copied(t, 1); got != want {
				t.Errorf("copied %q, want %q", got, want)
			}
			r.WaitText("copied 1").AssertSound(t)
			x, y, _ = s.Find("func main")
			_, ey, _ = s.Find("The end.")
			r.drag(x, y, x+12, ey-2)
			if got, want := r.copied(t, 2), "func main() {\n\tif x {\n\t}\n}"; got != want {
				t.Errorf("copied %q, want %q", got, want)
			}
			x, y, _ = s.Find("go on 请")
			ex, ey, _ = s.Find("The end.")
			r.drag(ex+7, ey, x, y) // upwards, over several items
			if got := r.copied(t, 3); !strings.HasPrefix(got, "go on 请\n\n") || !strings.HasSuffix(got, answer) {
				t.Errorf("copied %q", got)
			}
		})
	}
}

// Two clicks mark a word, three a row; what is marked is shown in reverse until
// the next key; a click alone marks nothing.
func TestWordAndRow(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.answered("a", "q", "see src/main.go:12 and 柏林天气 now")
	s := r.WaitText("see src/main.go")
	x, y, _ := s.Find("main.go")
	click := func() { r.down(x, y); r.up(x, y) }
	click()
	click()
	if got := r.copied(t, 1); got != "src/main.go" {
		t.Errorf("a word is %q", got)
	}
	s = r.WaitText("copied 11 characters")
	if !reversed(s, x, y) {
		t.Error("the word is not marked")
	}
	if reversed(s, x+12, y) {
		t.Error("more than the word is marked")
	}
	click()
	if got := r.copied(t, 2); got != "see src/main.go:12 and 柏林天气 now" {
		t.Errorf("a row is %q", got)
	}
	r.clock.add(time.Second)
	x, _, _ = s.Find("柏林")
	click()
	click()
	if got := r.copied(t, 3); got != "柏林天气" {
		t.Errorf("a word is %q", got)
	}
	r.Type("x")
	s = r.WaitText("❯ x")
	if reversed(s, x, y) || s.Contains("copied") {
		t.Errorf("it is still marked\n%s", s.Dump())
	}
}

// Ctrl+C copies what is selected before it does anything else (decision D22).
func TestCtrlCCopiesTheSelection(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.answered("a", "q", "first answer")
	r.WaitText("first answer")
	r.bus.Emit(event.TurnStarted{Meta: meta("b"), Text: "question-b"})
	r.Type("draft")
	x, y, _ := r.WaitText("first answer", "❯ draft", "question-b").Find("first answer")
	r.drag(x, y, x+4, y)
	if got := r.copied(t, 1); got != "first" {
		t.Errorf("copied %q", got)
	}
	r.Press("ctrl+c")
	if got := r.copied(t, 2); got != "first" {
		t.Errorf("copied %q", got)
	}
	if r.log() != "" {
		t.Fatalf("it did more than that: %s", r.log())
	}
	r.Press("ctrl+c")
	r.waitCall(t, "interrupt")
	r.WaitText("❯ draft")
}

// The window follows a drag over its edge.
func TestDragBeyondTheEdge(t *testing.T) {
	r := startLoaded(t, 80, 24)
	var long strings.Builder
	for i := range 100 {
		fmt.Fprintf(&long, "- line %d\n", i)
	}
	r.answered("a", "q", long.String())
	s := r.WaitText("line 99", "ready")
	x, y, _ := s.Find("line 99")
	r.down(x+6, y)
	r.move(x, 0)
	r.WaitText("line 60") // it was far above
	r.up(x, 0)
	got := r.copied(t, 1)
	if !strings.HasSuffix(got, "line 99") || !strings.Contains(got, "line 61\n- line 62\n") || !strings.Contains(r.Snapshot().String(), "new rows") && r.Snapshot().Contains("line 99") {
		t.Errorf("copied %q", got)
	}
}

// Reading by keyboard: y copies what the item was made from, v a range.
func TestCopyByKeyboard(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h, inChinese)
			r.bus.Emit(event.TurnStarted{Meta: meta("a"), Text: "what\nis **it**"})
			result := strings.Repeat("row 柏\n", 300)
			r.bus.Emit(event.ToolStarted{Meta: meta("a"), Call: "c", Name: "t", Args: `{"a":1}`})
			r.bus.Emit(event.ToolDone{Meta: meta("a"), Call: "c", Name: "t", Args: `{"a":1}`, Status: event.StatusOK, Preview: result, Size: len(result)})
			r.bus.Emit(event.Delta{Meta: meta("a"), Msg: "m", Kind: event.KindText, Text: "It is *this*."})
			r.bus.Emit(event.MessageDone{Meta: meta("a"), Msg: "m", Content: "It is *this*."})
			r.bus.Emit(event.TurnDone{Meta: meta("a"), Outcome: event.OutcomeDone})
			r.WaitText("It is this.", "就绪")
			r.Press("tab", "y")
			if got := r.copied(t, 1); got != "It is *this*." {
				t.Errorf("copied %q", got)
			}
			r.WaitText("已复制").AssertSound(t)
			r.Press("up", "y")
			if got := r.copied(t, 2); got != strings.TrimSpace(result) {
				t.Errorf("copied %q", got)
			}
			r.Press("up", "y", "v", "down", "down", "y")
			if got := r.copied(t, 3); got != "what\nis **it**" {
				t.Errorf("copied %q", got)
			}
			if got, want := r.copied(t, 4), "what\nis **it**\n\n"+strings.TrimSpace(result)+"\n\nIt is *this*."; got != want {
				t.Errorf("copied %q", got)
			}
			if r.log() != "" {
				t.Errorf("something was sent: %s", r.log())
			}
		})
	}
}

// /copy takes an answer, /copy code a block of it, exactly (U025).
func TestCopyCommand(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.commands(event.Command{Name: "copy", Args: "[N|code [N]]", Description: "copy", UI: "copy"})
	run := func(line string) {
		r.Type(line)
		r.WaitText("❯ " + line)
		r.Press("enter")
	}
	run("/copy")
	r.WaitText("there is no answer number 1")
	r.answered("a", "q", "older answer")
	r.answered("b", "q", "no code here")
	r.WaitText("no code here", "ready")
	run("/copy code")
	r.WaitText("no answer has a code block")
	blocks := []string{"one\n\n  two\t柏", "$ ls\n```not a fence", "last"}
	r.answered("c", "q", "A:\n\n```sh\n"+blocks[0]+"\n```\n\n- item\n\n  ~~~~\n  "+strings.ReplaceAll(blocks[1], "\n", "\n  ")+"\n  ~~~~\n\n```\n"+blocks[2]+"\n```\n\n```open\nnever closed")
	r.WaitText("never closed", "ready")
	run("/copy 2")
	if got := r.copied(t, 1); got != "no code here" {
		t.Errorf("copied %q", got)
	}
	run("/copy 3")
	if got := r.copied(t, 2); got != "older answer" {
		t.Errorf("copied %q", got)
	}
	run("/copy code")
	r.WaitText("╔═ Copy which block?", "1  last", "2  $ ls", "3  one").AssertSound(t)
	r.clock.add(time.Second)
	r.Press("2")
	if got := r.copied(t, 3); got != blocks[1] {
		t.Errorf("copied %q, want %q", got, blocks[1])
	}
	r.WaitGone("Copy which block?")
	run("/copy code 3")
	if got := r.copied(t, 4); got != blocks[0] {
		t.Errorf("copied %q, want %q", got, blocks[0])
	}
	run("/copy code")
	r.WaitText("╔═ Copy which block?")
	r.clock.add(time.Second)
	r.Press("esc")
	r.WaitGone("Copy which block?")
	run("/copy everything")
	r.WaitText("usage: /copy [N]")
	if n := len(osc52.FindAll(r.Bytes(), -1)); n != 4 {
		t.Errorf("%d texts were copied", n)
	}
	if r.log() != "" {
		t.Errorf("something was sent: %s", r.log())
	}
}

// A text that terminals would refuse goes to a file (U026).
func TestCopyOfALongText(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r := startLoaded(t, 120, 40, env("SSH_CONNECTION", "1"))
	r.commands(event.Command{Name: "copy", UI: "copy"})
	text := strings.Repeat("long 文本 ", 20000) + "the-end"
	r.answered("a", "q", text)
	r.WaitText("the-end")
	r.Type("/copy")
	r.WaitText("❯ /copy")
	r.Press("enter")
	r.WaitText("characters are too many for the terminal's clipboard")
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	got, err := os.ReadFile(dir + "/" + files[0].Name())
	if err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if osc52.Match(r.Bytes()) {
		t.Error("it was sent to the terminal, too")
	}
}

// The system's clipboard is that of the machine where the user sits.
func TestClipboardTool(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"wl-copy", "xclip", "pbcopy"} {
		if err := os.WriteFile(bin+"/"+name, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	for _, c := range []struct {
		goos, want string
		env        map[string]string
	}{
		{"linux", "", nil},
		{"linux", "wl-copy", map[string]string{"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}},
		{"linux", "xclip", map[string]string{"DISPLAY": ":0"}},
		{"linux", "", map[string]string{"DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"}},
		{"darwin", "pbcopy", nil},
		{"darwin", "", map[string]string{"SSH_CONNECTION": "x"}},
	} {
		got := ""
		if tool := clipboardTool(func(k string) string { return c.env[k] }, c.goos); tool != nil {
			got = tool[0]
		}
		if got != c.want {
			t.Errorf("%s %v: %q, want %q", c.goos, c.env, got, c.want)
		}
	}
}

// /mouse off leaves the mouse to the terminal at once.
func TestMouseCommand(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.commands(event.Command{Name: "mouse", Args: "on|off", UI: "mouse"})
	mark := r.Mark()
	r.Type("/mouse off")
	r.WaitText("❯ /mouse off")
	r.Press("enter")
	r.WaitText("the mouse is the terminal's again")
	if !strings.Contains(string(r.BytesSince(mark)), "\x1b[?1002l") {
		t.Error("it is still reported")
	}
	mark = r.Mark()
	r.Type("/mouse on")
	r.WaitText("❯ /mouse on")
	r.Press("enter")
	r.WaitText("the mouse selects and scrolls here")
	if !strings.Contains(string(r.BytesSince(mark)), "\x1b[?1002h") {
		t.Error("it is not reported")
	}
}

func FuzzCodeBlocks(f *testing.F) {
	f.Add("a\n```go\nx\n```\nb\n~~~\ny\n~~~")
	f.Add("  ```\n x\n\t```\n```")
	f.Add("````\n```\n````")
	f.Fuzz(func(t *testing.T, text string) {
		for _, block := range codeBlocks(text) {
			for line := range strings.SplitSeq(block, "\n") {
				if !strings.Contains(text, line) {
					t.Errorf("%q is nowhere in %q", line, text)
				}
			}
		}
	})
}
