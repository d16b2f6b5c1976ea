package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/edit"
	"hermes/agent/tools/internal/result"
)

const patchDescription = `Changes parts of text files. mode "replace" (the default) puts new_string in the place of old_string in one file: old_string must stand there once, so give enough lines around it, or set replace_all; small differences in blanks are forgiven. mode "patch" changes several files at once with a patch: "*** Begin Patch", then "*** Update File: path" with "@@ line nearby @@" and lines that begin with a blank (stays), - (goes) or + (comes), "*** Add File: path" with + lines, "*** Delete File: path", "*** Move File: old -> new", "*** End Patch". Everything is checked before anything is written. Use write_file for new files.`

const patchParameters = `{"type":"object","properties":{"mode":{"type":"string","enum":["replace","patch"],"default":"replace"},"path":{"type":"string","description":"mode replace: the file"},"old_string":{"type":"string","description":"mode replace: the text as it stands in the file"},"new_string":{"type":"string","description":"mode replace: what takes its place; empty deletes"},"replace_all":{"type":"boolean","default":false,"description":"mode replace: every place, not only one"},"patch":{"type":"string","description":"mode patch: the patch"},"cross_profile":{"type":"boolean","default":false,"description":"allow changes in another profile's skills, plugins, schedules or memories; only when the user asked for that"}},"required":["mode"]}`

type patcher struct{ *changer }

func (p patcher) Spec() tool.Spec {
	return tool.Spec{Name: "patch", Toolset: "file", Description: patchDescription, Parameters: raw(patchParameters), Emoji: "🔧"}
}

type patchArgs struct {
	Mode         string  `json:"mode"`
	Path         string  `json:"path"`
	Old          *string `json:"old_string"`
	New          *string `json:"new_string"`
	All          bool    `json:"replace_all"`
	Patch        string  `json:"patch"`
	CrossProfile bool    `json:"cross_profile"`
}

// patchResult is the answer; the keys are the contract's.
type patchResult struct {
	Success  bool     `json:"success"`
	Diff     string   `json:"diff,omitempty"`
	Error    string   `json:"error,omitempty"`
	Hint     string   `json:"_hint,omitempty"`
	Modified []string `json:"files_modified,omitempty"`
	Created  []string `json:"files_created,omitempty"`
	Deleted  []string `json:"files_deleted,omitempty"`
	Lint     any      `json:"lint,omitempty"` // of the file, or by path
	Warning  string   `json:"_warning,omitempty"`
	Path     string   `json:"resolved_path,omitempty"`
}

func (p patcher) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var args patchArgs
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return result.Error("Invalid arguments for patch: %v", err), nil
	}
	if err := ctx.Err(); err != nil {
		return tool.Result{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch args.Mode {
	case "", "replace":
		return p.replace(c, args), nil
	case "patch":
		if strings.TrimSpace(args.Patch) == "" {
			return result.Error("patch content required"), nil
		}
		return p.several(c, args), nil
	}
	return result.Error("Unknown mode: %s", args.Mode), nil
}

func failed(format string, args ...any) tool.Result {
	return result.JSON(patchResult{Error: fmt.Sprintf(format, args...)})
}

// replace is the mode for one file. Called with mu held.
func (p patcher) replace(c tool.Call, args patchArgs) tool.Result {
	switch {
	case strings.TrimSpace(args.Path) == "":
		return result.Error("path required")
	case args.Old == nil || args.New == nil:
		return result.Error("old_string and new_string required")
	case *args.Old == "":
		return failed("old_string cannot be empty")
	case *args.Old == *args.New:
		return failed("old_string and new_string are identical")
	}
	path, err := p.deps.resolve(c.Session, args.Path)
	if err != nil {
		return result.Error("%v", err)
	}
	if no := p.deps.refuseWrite(path, args.CrossProfile); no != nil {
		if no.plain {
			return result.Error("%s", no.text)
		}
		return failed("%s", no.text)
	}
	doc, err := load(path)
	if err != nil {
		return failed("Failed to read file: %s (%s)", path, plain(err))
	}
	unix := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
	old, fresh := *args.Old, *args.New
	if doc.crlf {
		old, fresh = unix(old), unix(fresh)
	}
	change, err := edit.Replace(doc.text, old, fresh, args.All)
	if err != nil {
		res := patchResult{Error: err.Error()}
		if errors.Is(err, edit.ErrNoMatch) {
			res.Hint = nearby(doc.text, old)
		}
		return result.JSON(res)
	}
	text := change.Text
	if no := p.deps.refuseBroken(path, doc.text, text); no != "" {
		return failed("Failed to write changes: %s", no)
	}
	warning := p.stale(c.Session, path)
	if err := save(path, doc.bytes(text), doc.mode); err != nil {
		return failed("Cannot write %s: %s", path, plain(err))
	}
	p.wrote(c.Session, path)
	shown := shownPath(p.deps.dir(c.Session), path)
	diff := unified(shown, shown, doc.text, text)
	res := result.JSON(patchResult{
		Success: true, Diff: diff, Modified: []string{path}, Lint: p.deps.lint(path, doc.text, text), Warning: warning, Path: path,
	})
	res.Diff = diff
	return res
}

// nearby helps with a text that does not stand in the file: the places that
// are most like it.
func nearby(text, old string) string {
	hint := "old_string not found. Use read_file to see the current content, or search_files to find the text."
	if places := edit.Closest(text, old); places != "" {
		hint += "\n\nDid you mean one of these sections?\n" + places
	}
	return hint
}

// planned is a file as it will be when the patch is carried out.
type planned struct {
	path     string
	written  string   // as the patch names it
	doc      document // as it was
	existed  bool
	text     string // as it will be
	gone     bool
	writable bool // has a plan of its own to be written
}

// several is the mode for a patch of several files: all of it is worked out in
// memory before anything is written. Called with mu held.
func (p patcher) several(c tool.Call, args patchArgs) tool.Result {
	ops, err := parsePatch(args.Patch)
	if err != nil {
		return failed("Patch validation failed (no files were modified):\n  • %v", err)
	}
	plan := &plan{p: p, session: c.Session, crossProfile: args.CrossProfile, files: map[string]*planned{}}
	var problems []string
	for _, op := range ops {
		if err := plan.add(op); err != nil {
			problems = append(problems, "  • "+err.Error())
		}
	}
	problems = append(problems, plan.broken()...)
	if len(problems) > 0 {
		return failed("Patch validation failed (no files were modified):\n%s", strings.Join(problems, "\n"))
	}
	if err := plan.write(); err != nil {
		return failed("%v", err)
	}
	return plan.answer()
}

type plan struct {
	p            patcher
	session      string
	crossProfile bool
	files        map[string]*planned
	order        []*planned
	created      []string
	deleted      []string
	warnings     []string
}

// file is the plan for a path: as it is on disk, until an operation changes it.
func (pl *plan) file(written string) (*planned, error) {
	path, err := pl.p.deps.resolve(pl.session, written)
	if err != nil {
		return nil, err
	}
	if f := pl.files[path]; f != nil {
		return f, nil
	}
	if no := pl.p.deps.refuseWrite(path, pl.crossProfile); no != nil {
		return nil, errors.New(no.text)
	}
	f := &planned{path: path, written: written}
	f.doc, err = load(path)
	switch {
	case err == nil:
		f.existed, f.text = true, f.doc.text
	case errors.Is(err, fs.ErrNotExist):
		f.gone, f.doc.mode = true, newFileMode
	default:
		return nil, fmt.Errorf("%s: %s", path, plain(err))
	}
	pl.files[path] = f
	pl.order = append(pl.order, f)
	return f, nil
}

func (pl *plan) add(op operation) error {
	f, err := pl.file(op.path)
	if err != nil {
		return err
	}
	switch op.kind {
	case opAdd:
		if !f.gone {
			return fmt.Errorf("%s: the file exists already; update it instead", f.path)
		}
		f.gone, f.text, f.writable = false, op.content, true
		pl.created = append(pl.created, f.written)
	case opDelete:
		if f.gone {
			return fmt.Errorf("%s: file not found for deletion", f.path)
		}
		f.gone, f.writable = true, true
		pl.deleted = append(pl.deleted, f.written)
	case opMove:
		return pl.move(f, op.to)
	default:
		return pl.update(f, op)
	}
	return nil
}

func (pl *plan) update(f *planned, op operation) error {
	if f.gone {
		return fmt.Errorf("%s: file not found for update", f.path)
	}
	at := 0
	for i, h := range op.hunks {
		text, end, err := h.apply(f.text, at)
		if err != nil {
			reason := err.Error()
			if errors.Is(err, edit.ErrNoMatch) {
				_, near, _ := strings.Cut(nearby(f.text, strings.Join(h.old, "\n")), "\n\n")
				reason = strings.TrimRight(reason+"\n\n"+near, "\n")
			}
			return fmt.Errorf("%s: hunk %d '%s' not found — %s", f.path, i+1, h.hint, reason)
		}
		f.text, at, f.writable = text, end, true
	}
	if op.to != "" {
		return pl.move(f, op.to)
	}
	return nil
}

// broken lists the data files that the patch would break.
func (pl *plan) broken() []string {
	var out []string
	for _, f := range pl.order {
		if !f.writable || f.gone {
			continue
		}
		before := ""
		if f.existed {
			before = f.doc.text
		}
		if no := pl.p.deps.refuseBroken(f.path, before, f.text); no != "" {
			out = append(out, "  • "+no)
		}
	}
	return out
}

func (pl *plan) move(f *planned, to string) error {
	if f.gone {
		return fmt.Errorf("%s: file not found for move", f.path)
	}
	target, err := pl.file(to)
	if err != nil {
		return err
	}
	if !target.gone {
		return fmt.Errorf("%s: the file exists already; nothing is moved over it", target.path)
	}
	mode, was := f.doc.mode, target.doc
	target.text, target.gone, target.writable = f.text, false, true
	target.doc = f.doc
	target.doc.mode, target.doc.text = mode, was.text
	f.gone, f.writable = true, true
	return nil
}

// write carries the plan out. When a file cannot be written, those before it
// are put back.
func (pl *plan) write() error {
	var done []*planned
	for _, f := range pl.order {
		if !f.writable {
			continue
		}
		if w := pl.p.stale(pl.session, f.path); w != "" && f.existed {
			pl.warnings = append(pl.warnings, f.path+": "+w)
		}
		if err := f.write(); err != nil {
			for _, d := range slices.Backward(done) {
				d.putBack()
			}
			return fmt.Errorf("cannot write %s: %s; the other files are as they were", f.path, plain(err))
		}
		done = append(done, f)
	}
	for _, f := range done {
		pl.p.wrote(pl.session, f.path)
	}
	return nil
}

func (f *planned) write() error {
	if f.gone {
		if !f.existed {
			return nil
		}
		return os.Remove(f.path)
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	return save(f.path, f.doc.bytes(f.text), f.doc.mode)
}

// putBack makes the file what it was; there is nobody to tell of a failure that
// the first one does not tell.
func (f *planned) putBack() {
	if !f.existed {
		_ = os.Remove(f.path)
		return
	}
	_ = save(f.path, f.doc.bytes(f.doc.text), f.doc.mode)
}

func (pl *plan) answer() tool.Result {
	res := patchResult{Success: true, Created: pl.created, Deleted: pl.deleted, Warning: strings.Join(pl.warnings, "\n")}
	lint := map[string]lintResult{}
	dir := pl.p.deps.dir(pl.session)
	for _, f := range pl.order {
		if !f.writable {
			continue
		}
		res.Modified = append(res.Modified, f.path)
		old, fresh := shownPath(dir, f.path), shownPath(dir, f.path)
		before, after := f.doc.text, f.text
		if !f.existed {
			old, before = "", ""
		}
		if f.gone {
			fresh, after = "", ""
		}
		res.Diff += unified(old, fresh, before, after)
		if !f.gone {
			lint[f.written] = pl.p.deps.lint(f.path, before, after)
		}
	}
	if len(lint) > 0 {
		res.Lint = lint
	}
	if len(res.Modified) == 1 {
		res.Path = res.Modified[0]
	}
	out := result.JSON(res)
	out.Diff = res.Diff
	return out
}
