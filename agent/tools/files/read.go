package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const readDescription = `Reads a text file and returns its lines with their numbers ("12|text"). Use it before you talk about a file or change it; read a long file in parts with offset and limit. To find where something stands, use search_files first. It does not read folders, images or other binary files.`

const readParameters = `{"type":"object","properties":{"path":{"type":"string","description":"absolute, relative to the working directory, or with ~"},"offset":{"type":"integer","minimum":1,"default":1,"description":"first line to return"},"limit":{"type":"integer","minimum":1,"maximum":2000,"default":500,"description":"how many lines at most"}},"required":["path"]}`

// Limits of contract/core §2.5.
const (
	defaultLines  = 500
	maxLineChars  = 2000
	largeFile     = 512 << 10
	maxFile       = 256 << 20 // bytes; more is refused rather than read into memory
	lineCutMarker = "... [truncated]"
)

type reader struct {
	deps Deps
	seen seen
}

func newReader(d Deps) *reader { return &reader{deps: d} }

func (r *reader) Spec() tool.Spec {
	return tool.Spec{
		Name: "read_file", Toolset: "file", Description: readDescription, Parameters: raw(readParameters),
		Emoji: "📖", ParallelSafe: true, NoBudget: true,
	}
}

func (r *reader) Available(context.Context) (bool, string) { return true, "" }

// readResult is the answer; the keys are the contract's.
type readResult struct {
	Content    string `json:"content"`
	TotalLines int    `json:"total_lines"`
	FileSize   int64  `json:"file_size"`
	Truncated  bool   `json:"truncated"`
	Hint       string `json:"hint,omitempty"`
	IsBinary   bool   `json:"is_binary"`
	IsImage    bool   `json:"is_image"`
	// NextOffset goes with a window that the character limit cut short.
	NextOffset int    `json:"next_offset,omitempty"`
	Note       string `json:"_hint,omitempty"`
	Error      string `json:"error,omitempty"`
	// Similar are files that someone may have meant, as they can be asked for.
	Similar []string `json:"similar_files,omitempty"`
}

func (r *reader) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	args := struct {
		Path   string `json:"path"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}{Offset: 1, Limit: defaultLines}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return result.Error("Invalid arguments for read_file: %v", err), nil
	}
	path, err := r.deps.resolve(c.Session, args.Path)
	if err != nil {
		return result.Error("%v", err), nil
	}
	if r.deps.secret(path) {
		return result.Error("Access denied: '%s' holds credentials and is not read.", args.Path), nil
	}
	info, err := os.Stat(path)
	if err != nil {
		res := readResult{Error: r.missing(args.Path, err)}
		if errors.Is(err, fs.ErrNotExist) {
			for _, name := range similar(path) {
				res.Similar = append(res.Similar, filepath.Join(filepath.Dir(args.Path), name))
			}
		}
		return result.JSON(res), nil
	}
	if refusal := refuse(args.Path, info); refusal != "" {
		return result.Error("%s", refusal), nil
	}
	key := region{c.Session, path, args.Offset, args.Limit}
	if answer, again := r.seen.again(key, info, args.Path); again {
		return answer, nil
	}
	res, err := r.read(ctx, path, args.Path, info, args.Offset, args.Limit)
	if err != nil {
		return tool.Result{}, err
	}
	if res.Error != "" {
		return result.Error("%s", res.Error), nil
	}
	r.seen.note(key, info)
	return result.JSON(res), nil
}

// missing says why a file cannot be looked at.
func (r *reader) missing(written string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "File not found: " + written
	case errors.Is(err, fs.ErrPermission):
		return "Permission denied: " + written
	}
	return fmt.Sprintf("Cannot read %s: %v", written, reason(err))
}

// reason is an error without the path, which is named already.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// refuse says why what is there is not read, "" when it is.
func refuse(written string, info fs.FileInfo) string {
	switch m := info.Mode(); {
	case m.IsDir():
		return fmt.Sprintf("Path is a directory: %s. List it with search_files (target: files, pattern: *).", written)
	case !m.IsRegular():
		return fmt.Sprintf("Cannot read %s: it is a device, pipe or socket, not a file.", written)
	case info.Size() > maxFile:
		return fmt.Sprintf("Cannot read %s: %s bytes are too many; search it with search_files.", written, tool.Thousands(int(info.Size())))
	}
	return ""
}

// read reads the lines asked for. What is wrong with the file stands in the
// result's error; the returned error is only that of a context that ended.
func (r *reader) read(ctx context.Context, path, written string, info fs.FileInfo, offset, limit int) (readResult, error) {
	if err := ctx.Err(); err != nil {
		return readResult{}, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return readResult{Error: r.missing(written, err)}, nil
	}
	text, note, ok := decode(filepath.Ext(path), data)
	if !ok {
		return readResult{Error: fmt.Sprintf("Cannot read binary file '%s' (%s). It is not text.", written, kind(path, data))}, nil
	}
	res := window(text, offset, limit, r.deps.MaxChars)
	if r.deps.Redact != nil {
		res.Content = r.deps.Redact(res.Content)
	}
	res.FileSize = info.Size()
	res.Note = note
	if info.Size() > largeFile {
		res.Note = strings.TrimSpace(fmt.Sprintf("This file is large (%s bytes). Read the parts you need with offset and limit. %s", tool.Thousands(int(info.Size())), note))
	}
	return res, nil
}
