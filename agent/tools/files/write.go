package files

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const writeDescription = `Writes a whole text file: makes it, or replaces what is there. Parent folders are made. Use it for new files and full rewrites; to change a part of a file use patch, which needs less text and keeps the rest as it is. The answer tells whether the syntax is sound for the kinds that can be checked.`

const writeParameters = `{"type":"object","properties":{"path":{"type":"string","description":"absolute, relative to the working directory, or with ~"},"content":{"type":"string","description":"everything that the file shall hold"},"cross_profile":{"type":"boolean","default":false,"description":"allow a write into another profile's skills, plugins, schedules or memories; only when the user asked for that"}},"required":["path","content"]}`

type writer struct{ *changer }

func (w writer) Spec() tool.Spec {
	return tool.Spec{Name: "write_file", Toolset: "file", Description: writeDescription, Parameters: raw(writeParameters), Emoji: "✍️"}
}

// writeResult is the answer; the keys are the contract's.
type writeResult struct {
	Written  int         `json:"bytes_written"`
	Dirs     bool        `json:"dirs_created"`
	Lint     *lintResult `json:"lint,omitempty"`
	Error    string      `json:"error,omitempty"`
	Warning  string      `json:"_warning,omitempty"`
	Path     string      `json:"resolved_path"`
	Modified []string    `json:"files_modified,omitempty"`
}

func (w writer) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var args struct {
		Path         string `json:"path"`
		Content      string `json:"content"`
		CrossProfile bool   `json:"cross_profile"`
	}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return result.Error("Invalid arguments for write_file: %v", err), nil
	}
	if strings.TrimSpace(args.Path) == "" {
		return result.Error("write_file: missing required field 'path'."), nil
	}
	path, err := w.deps.resolve(c.Session, args.Path)
	if err != nil {
		return result.Error("%v", err), nil
	}
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.write(c, path, args.Content, args.CrossProfile), nil
}

// write carries a checked call out. Called with mu held.
func (w writer) write(c tool.Call, path, content string, crossProfile bool) tool.Result {
	if no := w.deps.refuseWrite(path, crossProfile); no != nil {
		if no.plain {
			return result.Error("%s", no.text)
		}
		return result.JSON(writeResult{Error: no.text, Path: path})
	}
	before, mode, err := w.before(path)
	if err != nil {
		return result.JSON(writeResult{Error: "Cannot write " + path + ": " + plain(err), Path: path})
	}
	if no := w.deps.refuseBroken(path, before.text, content); no != "" {
		return result.JSON(writeResult{Error: no, Path: path})
	}
	warning := w.stale(c.Session, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return result.JSON(writeResult{Error: "Cannot make the folder of " + path + ": " + plain(err), Path: path})
	}
	if err := save(path, []byte(content), mode); err != nil {
		return result.JSON(writeResult{Error: "Cannot write " + path + ": " + plain(err), Path: path})
	}
	w.wrote(c.Session, path)
	lint := w.deps.lint(path, before.text, content)
	res := result.JSON(writeResult{
		Written: len(content), Dirs: true, Lint: &lint, Warning: warning, Path: path, Modified: []string{path},
	})
	shown := shownPath(w.deps.dir(c.Session), path)
	old := shown
	if before.mode == 0 {
		old = ""
	}
	res.Diff = unified(old, shown, before.text, strings.TrimPrefix(content, bom))
	return res
}

// before is the file as it is, and the mode that it will have. A file that is
// not there, or is no text, has no text to compare with.
func (w writer) before(path string) (document, fs.FileMode, error) {
	d, err := load(path)
	switch {
	case err == nil:
		return d, d.mode, nil
	case errors.Is(err, fs.ErrNotExist):
		return document{}, newFileMode, nil
	case errors.Is(err, errNotText):
		info, err := os.Stat(path)
		if err != nil {
			return document{}, 0, err
		}
		return document{mode: info.Mode().Perm()}, info.Mode().Perm(), nil
	}
	return document{}, 0, err
}
