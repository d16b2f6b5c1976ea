package files

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func tree(w *world) {
	w.write("main.go", "package main\n\nfunc main() {\n\tneedle()\n}\n")
	w.write("sub/a.go", "needle one\nplain\nNEEDLE two\nneedle three\n")
	w.write("sub/b.txt", "a needle in a text\n")
	w.write("sub/bin.dat", "needle\x00\x01")
	w.write(".hidden/x.go", "needle hidden\n")
	w.write("out/gen.go", "needle generated\n")
	w.write("sub/skip.log", "needle log\n")
	w.write(".gitignore", "/out/\n*.log\n")
	w.write(".git/HEAD", "ref: refs/heads/main\n")
	now := time.Now()
	for i, name := range []string{"sub/b.txt", "sub/a.go", "main.go"} {
		if err := os.Chtimes(filepath.Join(w.dir, name), now, now.Add(time.Duration(i-10)*time.Minute)); err != nil {
			w.t.Fatal(err)
		}
	}
}

// engines runs f with the built-in search, and with ripgrep where there is one.
func engines(t *testing.T, f func(t *testing.T, w *world)) {
	t.Run("built-in", func(t *testing.T) { f(t, newWorld(t)) })
	t.Run("ripgrep", func(t *testing.T) {
		rg, err := exec.LookPath("rg")
		if err != nil {
			t.Skip("ripgrep is not installed")
		}
		f(t, newWorld(t, func(d *Deps) { d.Ripgrep = rg }))
	})
}

func TestSearchContents(t *testing.T) {
	engines(t, func(t *testing.T, w *world) {
		tree(w)
		w.want("search_files", `{"pattern":"func main"}`, `{"total_count":1,"matches":[{"path":"./main.go","line":3,"content":"func main() {"}]}`)
		w.want("search_files", `{"pattern":"needle"}`, `{"total_count":4,"matches":[{"path":"./main.go","line":4,"content":"\tneedle()"},{"path":"./sub/a.go","line":1,"content":"needle one"},{"path":"./sub/a.go","line":4,"content":"needle three"},{"path":"./sub/b.txt","line":1,"content":"a needle in a text"}]}`)
		w.want("search_files", `{"pattern":"(?i)needle"}`, `{"total_count":5,"matches_format":"a file's name on a line of its own, below it its lines as '  N: text'","matches_text":"./main.go\n  4: \tneedle()\n./sub/a.go\n  1: needle one\n  3: NEEDLE two\n  4: needle three\n./sub/b.txt\n  1: a needle in a text"}`)
		w.want("search_files", `{"pattern":"nothing like it"}`, `{"total_count":0}`)
		w.want("search_files", `{"pattern":"needle","output_mode":"files_only"}`, `{"total_count":3,"files":["./main.go","./sub/a.go","./sub/b.txt"]}`)
		w.want("search_files", `{"pattern":"needle","output_mode":"count","path":"sub"}`, `{"total_count":3,"counts":{"sub/a.go":2,"sub/b.txt":1}}`)
		w.want("search_files", `{"pattern":"needle","file_glob":"*.txt"}`, `{"total_count":1,"matches":[{"path":"./sub/b.txt","line":1,"content":"a needle in a text"}]}`)
		w.want("search_files", `{"pattern":"^needle t","path":"sub/a.go"}`, `{"total_count":1,"matches":[{"path":"sub/a.go","line":4,"content":"needle three"}]}`)
		w.want("search_files", `{"pattern":"needle","limit":1,"offset":1}`, `{"total_count":4,"matches":[{"path":"./sub/a.go","line":1,"content":"needle one"}],"truncated":true,"hint":"Use offset=2 to see more (showing 2-2 of 4)"}`)
		w.want("search_files", `{"pattern":"plain","context":1}`, `{"total_count":3,"matches":[{"path":"./sub/a.go","line":1,"content":"needle one"},{"path":"./sub/a.go","line":2,"content":"plain"},{"path":"./sub/a.go","line":3,"content":"NEEDLE two"}]}`)
		w.want("search_files", `{"pattern":"needle","context":1,"path":"sub"}`, `{"total_count":5,"matches_format":"a file's name on a line of its own, below it its lines as '  N: text'","matches_text":"sub/a.go\n  1: needle one\n  2: plain\n  3: NEEDLE two\n  4: needle three\nsub/b.txt\n  1: a needle in a text"}`)
	})
}

// Results name files by the path argument as it was written.
func TestPathsAsWritten(t *testing.T) {
	engines(t, func(t *testing.T, w *world) {
		w.write("sub/a.txt", "word\n")
		slash := filepath.ToSlash(w.dir)
		for written, want := range map[string]string{
			".": "./sub/a.txt", "sub": "sub/a.txt", "./sub/": "./sub/a.txt", "sub/a.txt": "sub/a.txt",
			slash: slash + "/sub/a.txt", slash + "/": slash + "/sub/a.txt",
		} {
			for _, form := range []string{`"target":"content","output_mode":"files_only","pattern":"word"`, `"target":"files","pattern":"*.txt"`} {
				var got struct{ Files []string }
				result := w.call("search_files", `{`+form+`,"path":"`+written+`"}`)
				if err := json.Unmarshal([]byte(result), &got); err != nil {
					t.Fatal(err)
				}
				if len(got.Files) != 1 || filepath.ToSlash(got.Files[0]) != want {
					t.Errorf("%s: %s, want %s", written, result, want)
				}
			}
		}
	})
}

// Looking at whole files first never loses a line.
func TestExpressionsAtTheEndsOfLines(t *testing.T) {
	engines(t, func(t *testing.T, w *world) {
		w.write("unix.txt", "one\ntwo words\nthree\n")
		w.write("dos.txt", "one\r\ntwo words\r\n")
		w.wantPart("search_files", `{"pattern":"^two","output_mode":"count"}`, `{"total_count":2`)
		w.wantPart("search_files", `{"pattern":"^\\w+$","output_mode":"count","path":"unix.txt"}`, `{"total_count":2`)
		w.wantPart("search_files", `{"pattern":"\\bwords","output_mode":"count"}`, `{"total_count":2`)
		w.wantPart("search_files", `{"pattern":"one\\ntwo"}`, `"total_count":0`)
	})
	w := newWorld(t)
	w.write("dos.txt", "one\r\ntwo words\r\n")
	w.wantPart("search_files", `{"pattern":"words$"}`, `{"total_count":1`)
	w.wantPart("search_files", `{"pattern":"\\Atwo"}`, `{"total_count":1`)
}

func TestSearchNames(t *testing.T) {
	w := newWorld(t)
	tree(w)
	w.want("search_files", `{"pattern":"*.go","target":"files"}`, `{"total_count":2,"files":["./main.go","./sub/a.go"]}`)
	w.want("search_files", `{"pattern":"sub/*","target":"files"}`, `{"total_count":3,"files":["./sub/bin.dat","./sub/a.go","./sub/b.txt"]}`)
	w.want("search_files", `{"pattern":"*","target":"files","limit":1}`, `{"total_count":4,"files":["./sub/bin.dat"],"truncated":true,"hint":"Use offset=1 to see more (showing 1-1 of 4)"}`)
}

func TestSearchMistakes(t *testing.T) {
	w := newWorld(t)
	w.want("search_files", `{"pattern":"x","path":"nowhere"}`, `{"total_count":0,"error":"Path not found: nowhere"}`)
	w.wantPart("search_files", `{"pattern":"(?<=x)y"}`, `"error":"Invalid regular expression: `)
	w.wantPart("search_files", `{"pattern":"x","file_glob":"["}`, `"error":"Invalid file_glob: ["`)
	w.wantPart("search_files", `{"pattern":""}`, `invalid: parameter 'pattern'`)
	w.wantPart("search_files", `{"pattern":"x","output_mode":"all"}`, `invalid: parameter 'output_mode' must be one of "content", "files_only", "count"`)
}

// Outside a git work tree the ignore files of the folder itself hold, those
// above it do not.
func TestIgnoreFilesWithoutGit(t *testing.T) {
	engines(t, func(t *testing.T, w *world) {
		w.write(".gitignore", "*\n")
		w.write("in/.gitignore", "a.txt\n")
		w.write("in/a.txt", "word\n")
		w.write("in/b.txt", "word\n")
		w.want("search_files", `{"pattern":"word","path":"in","output_mode":"files_only"}`, `{"total_count":1,"files":["in/b.txt"]}`)
	})
}

// Ignore files above the folder that is searched hold too, inside a git tree.
func TestIgnoreFilesAbove(t *testing.T) {
	engines(t, func(t *testing.T, w *world) {
		w.write(".git/info/exclude", "excluded.txt\n")
		w.write(".git/HEAD", "ref: refs/heads/main\n")
		w.write(".gitignore", "*.tmp\n/deep/no.txt\n")
		w.write("deep/.gitignore", "!keep.tmp\n")
		for _, n := range []string{"deep/a.tmp", "deep/keep.tmp", "deep/no.txt", "deep/yes.txt", "deep/excluded.txt"} {
			w.write(n, "word\n")
		}
		got := w.call("search_files", `{"pattern":"word","path":"deep","output_mode":"files_only"}`)
		for n, want := range map[string]bool{"a.tmp": false, "keep.tmp": true, "no.txt": false, "yes.txt": true, "excluded.txt": false} {
			if strings.Contains(got, `"deep/`+n+`"`) != want {
				t.Errorf("%s: found %v, want %v: %s", n, !want, want, got)
			}
		}
	})
}

func TestSchemasAreValid(t *testing.T) {
	for _, s := range []string{readParameters, searchParameters} {
		if !json.Valid([]byte(s)) {
			t.Errorf("not JSON: %s", s)
		}
	}
}
