package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const searchDescription = `Searches files: with target "content" for lines that match a regular expression, with target "files" for files whose name matches a glob (newest first). Use it instead of reading file after file, and to list a folder (target "files", pattern "*"). Files that .gitignore leaves out, hidden ones and binary ones are skipped.
output_mode: content shows the lines, files_only the names, count how many lines match in each file. Page through many matches with offset.`

const searchParameters = `{"type":"object","properties":{"pattern":{"type":"string","minLength":1,"description":"regular expression (RE2), or a glob such as *.go for target files"},"target":{"type":"string","enum":["content","files"],"default":"content"},"path":{"type":"string","default":".","description":"folder or file to search in"},"file_glob":{"type":"string","description":"only files whose name matches, such as *.py"},"limit":{"type":"integer","minimum":1,"default":50},"offset":{"type":"integer","minimum":0,"default":0,"description":"how many matches to pass over"},"output_mode":{"type":"string","enum":["content","files_only","count"],"default":"content"},"context":{"type":"integer","minimum":0,"default":0,"description":"lines shown before and after each match"}},"required":["pattern"]}`

// Limits of this tool.
const (
	maxMatches   = 10_000 // counted before the search stops
	maxShownLine = 500    // characters of a matching line
	groupedFrom  = 5      // matches from which the grouped text form is used
)

type searcher struct {
	deps Deps
	rg   func() string // ripgrep's path, "" without one; looked up once
}

func newSearcher(d Deps) *searcher {
	return &searcher{deps: d, rg: sync.OnceValue(func() string {
		switch d.Ripgrep {
		case "none":
			return ""
		case "":
			path, err := exec.LookPath("rg")
			if err != nil {
				return ""
			}
			return path
		}
		return d.Ripgrep
	})}
}

func (s *searcher) Spec() tool.Spec {
	return tool.Spec{
		Name: "search_files", Toolset: "file", Description: searchDescription, Parameters: raw(searchParameters),
		Emoji: "🔎", ParallelSafe: true,
	}
}

func (s *searcher) Available(context.Context) (bool, string) { return true, "" }

type searchArgs struct {
	Pattern string `json:"pattern"`
	Target  string `json:"target"`
	Path    string `json:"path"`
	Glob    string `json:"file_glob"`
	Limit   int    `json:"limit"`
	Offset  int    `json:"offset"`
	Mode    string `json:"output_mode"`
	Context int    `json:"context"`
}

// searchResult is the answer; the keys are the contract's.
type searchResult struct {
	Total     int            `json:"total_count"`
	Matches   []shownMatch   `json:"matches,omitempty"`
	Format    string         `json:"matches_format,omitempty"`
	Text      string         `json:"matches_text,omitempty"`
	Files     []string       `json:"files,omitempty"`
	Counts    map[string]int `json:"counts,omitempty"`
	Truncated bool           `json:"truncated,omitempty"`
	Hint      string         `json:"hint,omitempty"`
	Error     string         `json:"error,omitempty"`
}

type shownMatch struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Content string `json:"content"`
}

func (s *searcher) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	args := searchArgs{Target: "content", Path: ".", Limit: 50, Mode: "content"}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return result.Error("Invalid arguments for search_files: %v", err), nil
	}
	root, err := s.deps.resolve(c.Session, args.Path)
	if err != nil {
		return result.JSON(searchResult{Error: err.Error()}), nil
	}
	if _, err := os.Stat(root); err != nil {
		return result.JSON(searchResult{Error: notFound(args.Path, err)}), nil
	}
	if args.Glob != "" && !doublestar.ValidatePattern(args.Glob) {
		return result.JSON(searchResult{Error: "Invalid file_glob: " + args.Glob}), nil
	}
	at := place{root, strings.TrimSpace(args.Path)}
	var res searchResult
	if args.Target == "files" {
		res, err = names(ctx, at, args)
	} else {
		res, err = s.contents(ctx, at, args)
	}
	if err != nil {
		return tool.Result{}, err
	}
	return result.JSON(res), nil
}

func notFound(written string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "Path not found: " + written
	}
	return fmt.Sprintf("Cannot search %s: %v", written, reason(err))
}

// place is where a search began, as its results name it.
type place struct{ root, written string }

// show is a path as the result gives it: the path argument as it was written
// and the way from there, so that the model can use it as it stands.
func (p place) show(path string) string {
	rel, err := filepath.Rel(p.root, path)
	if err != nil {
		return path
	}
	if rel == "." {
		return p.written // the root is the file itself
	}
	sep := string(filepath.Separator)
	if strings.HasSuffix(p.written, sep) || strings.HasSuffix(p.written, "/") {
		sep = ""
	}
	return p.written + sep + rel
}

// names finds files by name, newest first.
func names(ctx context.Context, at place, args searchArgs) (searchResult, error) {
	if !doublestar.ValidatePattern(args.Pattern) {
		return searchResult{Error: "Invalid glob: " + args.Pattern}, nil
	}
	type file struct {
		path string
		mod  int64
	}
	var found []file
	pattern := walker{glob: args.Pattern}
	w := walker{glob: args.Glob, visit: func(path string, info fs.FileInfo) error {
		if pattern.wanted(path) {
			found = append(found, file{path, info.ModTime().UnixNano()})
		}
		return nil
	}}
	if err := w.walk(ctx, at.root); err != nil {
		return searchResult{}, err
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].mod > found[j].mod })
	res := searchResult{Total: len(found)}
	for _, f := range page(found, args, &res) {
		res.Files = append(res.Files, at.show(f.path))
	}
	return res, nil
}

// page is the part of list that was asked for; it says in res when there is
// more.
func page[T any](list []T, args searchArgs, res *searchResult) []T {
	from := min(args.Offset, len(list))
	to := min(from+args.Limit, len(list))
	if to < len(list) {
		res.Truncated = true
		res.Hint = fmt.Sprintf("Use offset=%d to see more (showing %d-%d of %d)", to, from+1, to, len(list))
	}
	return list[from:to]
}

// match is one matching line, or a line shown around one.
type match struct {
	path string
	line int
	text string
}

// contents finds lines by a regular expression.
func (s *searcher) contents(ctx context.Context, at place, args searchArgs) (searchResult, error) {
	re, err := regexp.Compile(args.Pattern)
	if err != nil {
		return searchResult{Error: fmt.Sprintf("Invalid regular expression: %v", err)}, nil
	}
	var found []fileMatches
	rg := s.rg()
	if rg != "" {
		found, err = ripgrep(ctx, rg, at.root, args)
	}
	if rg == "" || err != nil && ctx.Err() == nil {
		// Also when ripgrep is broken or does not take the expression.
		found, err = scan(ctx, at.root, re, args)
	}
	if err != nil {
		return searchResult{}, err
	}
	switch args.Mode {
	case "files_only":
		res := searchResult{Total: len(found)}
		for _, f := range page(found, args, &res) {
			res.Files = append(res.Files, at.show(f.path))
		}
		return res, nil
	case "count":
		res := searchResult{}
		for _, f := range found {
			res.Total += f.count
		}
		for _, f := range page(found, args, &res) {
			if res.Counts == nil {
				res.Counts = map[string]int{}
			}
			res.Counts[at.show(f.path)] = f.count
		}
		return res, nil
	}
	return s.lines(found, at, args), nil
}

// lines renders a page of the lines that were found. Lines around a match count
// like matches, as in the reference.
func (s *searcher) lines(found []fileMatches, at place, args searchArgs) searchResult {
	var all []match
	for _, f := range found {
		all = append(all, f.lines...)
	}
	res := searchResult{Total: len(all)}
	shown := page(all, args, &res)
	for i := range shown {
		if s.deps.Redact != nil {
			shown[i].text = s.deps.Redact(shown[i].text)
		}
	}
	if len(shown) < groupedFrom {
		for _, m := range shown {
			res.Matches = append(res.Matches, shownMatch{at.show(m.path), m.line, m.text})
		}
		return res
	}
	res.Format = "a file's name on a line of its own, below it its lines as '  N: text'"
	var b strings.Builder
	last := ""
	for _, m := range shown {
		if m.path != last {
			b.WriteString(at.show(m.path) + "\n")
			last = m.path
		}
		fmt.Fprintf(&b, "  %d: %s\n", m.line, m.text)
	}
	res.Text = strings.TrimSuffix(b.String(), "\n")
	return res
}
