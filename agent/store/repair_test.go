package store

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// filled makes a database of n messages, closed.
func database(t *testing.T, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	s := Open(path, Options{Now: clock()})
	for i := range n / 2 {
		id := "s" + strconv.Itoa(i%5)
		add(t, s, id, "user", "question "+strconv.Itoa(i)+strings.Repeat(" word", 40), "assistant", "answer "+strconv.Itoa(i))
	}
	must(t, s.SetTitle(ctx, "s0", "Kept"))
	must(t, s.Close())
	return path
}

func TestRepairSavesWhatCanBeRead(t *testing.T) {
	path := database(t, 400)
	b, err := os.ReadFile(path)
	must(t, err)
	for i := 30; i < 33; i++ { // three pages in the middle
		copy(b[i*4096:(i+1)*4096], strings.Repeat("garbage!", 512))
	}
	must(t, os.WriteFile(path, b, 0o600))

	r, err := Repair(ctx, path, true, nil)
	must(t, err)
	if r.Healthy || len(r.Problems) == 0 {
		t.Fatalf("the damage was not seen: %+v", r)
	}
	kept, err := os.ReadFile(r.Backup)
	must(t, err)
	if string(kept) != string(b) {
		t.Error("the copy of the damaged file differs from it")
	}
	problems, err := Check(ctx, path)
	must(t, err)
	equal(t, "problems afterwards", problems, []string(nil))
	s := openAt(t, path)
	st, err := s.Stats(ctx)
	must(t, err)
	equal(t, "stats", []int{st.Sessions, st.Messages}, []int{r.Sessions, r.Messages})
	if r.Messages < 250 || r.Messages > 400 || r.Sessions != 5 {
		t.Errorf("%d messages and %d sessions of 400 and 5 were saved", r.Messages, r.Sessions)
	}
	if r.Messages < 400 && r.Lost == 0 {
		t.Error("the loss is not told")
	}
	add(t, s, "s0", "user", "goes on")
}

func TestRepairOfADamagedSearchIndex(t *testing.T) {
	path := database(t, 40)
	s := Open(path, Options{})
	must(t, s.Warm(ctx))
	_, err := s.conn.write.Exec(`DELETE FROM messages_fts_data WHERE id > 10`)
	must(t, err)
	must(t, s.Close())
	r, err := Repair(ctx, path, true, nil)
	must(t, err)
	if r.Healthy || r.Messages != 40 || r.Lost != 0 {
		t.Errorf("%+v", r)
	}
	s = openAt(t, path)
	hits, err := s.Search(ctx, Search{Text: "question"})
	must(t, err)
	equal(t, "hits", len(hits), 20)
}

// An index that breaks while the program runs is mended by the next write.
func TestBrokenSearchIndexDoesNotLoseAMessage(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "zebra")
	_, err := s.conn.write.Exec(`DELETE FROM messages_fts_data; DELETE FROM messages_fts_idx`)
	must(t, err)
	add(t, s, "a", "user", "zebra again")
	hits, err := s.Search(ctx, Search{Text: "zebra"})
	must(t, err)
	equal(t, "hits", len(hits), 2)
}

// Nothing can be read: the file is set aside, never thrown away.
func TestRepairOfGarbage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	garbage := strings.Repeat("this is not a database. ", 400)
	must(t, os.WriteFile(path, []byte(garbage), 0o600))
	if _, err := Repair(ctx, path, false, nil); err == nil {
		t.Error("the only copy would be gone")
	}
	r, err := Repair(ctx, path, true, nil)
	must(t, err)
	kept, err := os.ReadFile(r.Backup)
	must(t, err)
	if string(kept) != garbage || r.Messages != 0 || r.Lost == 0 {
		t.Errorf("%+v", r)
	}
	add(t, openAt(t, path), "a", "user", "begins anew")
	left, err := filepath.Glob(path + ".repaired*")
	must(t, err)
	equal(t, "left over", len(left), 0)
}

func TestSoundFileIsLeftAlone(t *testing.T) {
	path := database(t, 10)
	before, err := os.ReadFile(path)
	must(t, err)
	r, err := Repair(ctx, path, true, nil)
	must(t, err)
	if !r.Healthy || r.Backup != "" {
		t.Errorf("%+v", r)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if string(before) != string(after) {
		t.Error("the file was changed")
	}
	if _, err := Check(ctx, path+".nope"); err == nil {
		t.Error("a missing file is not an error")
	}
}

func TestDoubledTableInTheSchemaIsMended(t *testing.T) {
	path := database(t, 10)
	s := Open(path, Options{})
	must(t, s.Warm(ctx))
	c := s.conn.write
	_, err := c.Exec(`PRAGMA writable_schema = 1`)
	must(t, err)
	_, err = c.Exec(`INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'messages_fts'`)
	must(t, err)
	must(t, s.Close())
	bad := openAt(t, path)
	if err := bad.Warm(ctx); err == nil || !strings.Contains(err.Error(), "sessions repair") {
		t.Fatalf("the damage is not named: %v", err)
	}
	r, err := Repair(ctx, path, true, nil)
	must(t, err)
	equal(t, "saved", []int{r.Sessions, r.Messages, r.Lost}, []int{5, 10, 0})
	must(t, openAt(t, path).Warm(ctx))
}

func TestDeletePruneAndArchive(t *testing.T) {
	s := open(t)
	for _, id := range []string{"a", "b", "c"} {
		add(t, s, id, "user", "zebra "+id)
	}
	must(t, s.CreateSession(ctx, New{ID: "child", Source: "subagent", Parent: "a"}))
	must(t, s.AddUsage(ctx, Usage{Session: "a", Model: "m", Calls: 1}))
	n, err := s.Delete(ctx, "a", "nope")
	must(t, err)
	equal(t, "deleted", n, 1)
	hits, err := s.Search(ctx, Search{Text: "zebra"})
	must(t, err)
	equal(t, "hits", len(hits), 2)
	child, err := s.Session(ctx, "child")
	must(t, err)
	equal(t, "parent of a child", child.Parent, "")

	ids := func(f Filter) (out []string) {
		list, err := s.Candidates(ctx, f)
		must(t, err)
		for _, e := range list {
			out = append(out, e.ID)
		}
		return out
	}
	equal(t, "sessions that may be running", ids(Filter{}), []string(nil))
	must(t, s.EndSession(ctx, "b", EndClosed))
	must(t, s.EndSession(ctx, "b", EndNew))
	b, err := s.Session(ctx, "b")
	must(t, err)
	equal(t, "first reason", b.EndReason, EndClosed)
	equal(t, "ended", ids(Filter{}), []string{"b"})
	_, err = s.conn.write.Exec(`UPDATE messages SET timestamp = timestamp - 200000; UPDATE sessions SET started_at = started_at - 200000`)
	must(t, err)
	equal(t, "ended or abandoned", ids(Filter{Source: "cli"}), []string{"b", "c"})
	equal(t, "by end", ids(Filter{EndReason: EndClosed}), []string{"b"})
	n, err = s.Archive(ctx, "b", "b")
	must(t, err)
	equal(t, "archived", n, 1)
	equal(t, "without archived ones", ids(Filter{Source: "cli"}), []string{"c"})
	equal(t, "only archived ones", ids(Filter{Archived: ArchivedOnly}), []string{"b"})
	list, err := s.Recent(ctx, 10)
	must(t, err)
	equal(t, "listed", len(list), 1)
}

func TestRemoveFilesTakesOnlyTheSessions(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.json", "a.jsonl", "request_dump_a_1.json", "aa.json", "other.txt", "b.json"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must(t, RemoveFiles(dir, "a", "../b", "*", ""))
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	equal(t, "left", left, []string{"aa.json", "b.json", "other.txt"})
}

func TestOptimizeGivesSpaceBack(t *testing.T) {
	path := database(t, 2000)
	s := openAt(t, path)
	_, err := s.Delete(ctx, "s0", "s1", "s2", "s3")
	must(t, err)
	before, after, err := s.Optimize(ctx)
	must(t, err)
	if after >= before {
		t.Errorf("%d bytes before, %d after", before, after)
	}
	msgs, err := s.Messages(ctx, "s4")
	must(t, err)
	equal(t, "messages", len(msgs), 400)
}
