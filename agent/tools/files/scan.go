package files

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"
)

// fileMatches is what was found in one file.
type fileMatches struct {
	path  string
	mod   int64
	count int
	lines []match
}

// maxScanned bounds the size of a file that is searched, in bytes.
const maxScanned = 64 << 20

// errEnough ends a walk that has found as much as anybody reads.
var errEnough = errors.New("enough")

// scan searches without another program's help. Files come newest first.
func scan(ctx context.Context, root string, re *regexp.Regexp, args searchArgs) ([]fileMatches, error) {
	var found []fileMatches
	total := 0
	q := newQuery(re)
	w := walker{glob: args.Glob, visit: func(path string, info fs.FileInfo) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if info.Size() > maxScanned {
			return nil
		}
		f := scanFile(path, q, args.Context)
		if f.count == 0 {
			return nil
		}
		f.mod = info.ModTime().UnixNano()
		found = append(found, f)
		if total += f.count; total >= maxMatches {
			return errEnough
		}
		return nil
	}}
	if err := w.walk(ctx, root); err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	newestFirst(found)
	return found, nil
}

func newestFirst(found []fileMatches) {
	sort.SliceStable(found, func(i, j int) bool {
		if found[i].mod != found[j].mod {
			return found[i].mod > found[j].mod
		}
		return found[i].path < found[j].path
	})
}

// scanFile returns the matching lines of a file, none for a binary or an
// unreadable one.
func scanFile(path string, q query, around int) fileMatches {
	f := fileMatches{path: path}
	data, err := os.ReadFile(path)
	if err != nil || bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0 {
		return f
	}
	if !q.may(data) {
		return f // most files: one look instead of one per line
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	re := q.line
	shown := 0 // number of the last line that was added
	for i, line := range lines {
		if !re.Match(bytes.TrimSuffix(line, []byte("\r"))) {
			continue
		}
		for n := max(i-around, shown); n < i; n++ {
			f.lines = append(f.lines, newMatch(path, n, lines[n]))
		}
		f.lines = append(f.lines, newMatch(path, i, line))
		f.count++
		shown = i + 1
		for n := i + 1; n < min(i+1+around, len(lines)) && !re.Match(lines[n]); n++ {
			f.lines = append(f.lines, newMatch(path, n, lines[n]))
			shown = n + 1
		}
	}
	return f
}

// query is an expression as it is held against lines, and against a whole file
// to see whether any line can match.
type query struct {
	line  *regexp.Regexp
	whole *regexp.Regexp // nil when a whole file cannot tell
}

func newQuery(re *regexp.Regexp) query {
	q := query{line: re}
	// The ends of a text are no ends of a line; then every line must be tried.
	if expr := re.String(); !strings.Contains(expr, `\A`) && !strings.Contains(expr, `\z`) {
		if whole, err := regexp.Compile("(?m)" + expr); err == nil {
			q.whole = whole
		}
	}
	return q
}

// may reports whether a line of data can match.
func (q query) may(data []byte) bool {
	if q.whole == nil || bytes.IndexByte(data, '\r') >= 0 && strings.Contains(q.whole.String(), "$") {
		return true
	}
	return q.whole.Match(data)
}

func newMatch(path string, i int, line []byte) match {
	text := strings.ToValidUTF8(string(bytes.TrimSuffix(line, []byte("\r"))), "\ufffd")
	if utf8.RuneCountInString(text) > maxShownLine {
		text = string([]rune(text)[:maxShownLine]) + lineCutMarker
	}
	return match{path, i + 1, text}
}
