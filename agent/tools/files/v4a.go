package files

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"hermes/agent/tools/internal/edit"
)

// Kinds of operations of a patch.
type opKind uint8

const (
	opUpdate opKind = iota
	opAdd
	opDelete
	opMove
)

// operation is what a patch does to one file.
type operation struct {
	kind     opKind
	path, to string // to: of a move
	hunks    []hunk
	content  string // of an added file
}

// hunk is one change: the lines that stand there, and what they become. hint
// is a line before them, "" for none.
type hunk struct {
	hint       string
	old, fresh []string
	added      []string // the part of fresh that is new
	changes    bool
}

// Headers of the V4A format.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	endOfFile  = "*** End of File"
)

var headers = []struct {
	text string
	kind opKind
}{{"*** Update File:", opUpdate}, {"*** Add File:", opAdd}, {"*** Delete File:", opDelete}, {"*** Move File:", opMove}}

// parsePatch reads a patch of several files. Errors name the line.
func parsePatch(text string) ([]operation, error) {
	var ops []operation
	for n, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		head := strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(head, "***"); ok {
			head = "*** " + strings.TrimLeft(rest, " \t*") // the blank is sometimes forgotten
		}
		switch {
		case head == beginPatch, head == endOfFile:
			continue
		case head == endPatch:
			return checkedOps(ops)
		}
		if op, ok, err := header(head); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		} else if ok {
			ops = append(ops, op)
			continue
		}
		if len(ops) == 0 {
			continue // words before the first file
		}
		if to, ok := strings.CutPrefix(head, "*** Move to:"); ok {
			last := &ops[len(ops)-1]
			last.to = strings.TrimSpace(to)
			continue
		}
		if err := ops[len(ops)-1].take(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return checkedOps(ops)
}

func header(line string) (operation, bool, error) {
	for _, h := range headers {
		rest, ok := strings.CutPrefix(line, h.text)
		if !ok {
			continue
		}
		op := operation{kind: h.kind, path: strings.TrimSpace(rest)}
		if h.kind == opMove {
			from, to, ok := strings.Cut(op.path, "->")
			op.path, op.to = strings.TrimSpace(from), strings.TrimSpace(to)
			if !ok || op.to == "" {
				return op, false, fmt.Errorf("a move is written as '*** Move File: old -> new'")
			}
		}
		if op.path == "" {
			return op, false, fmt.Errorf("the file is not named")
		}
		return op, true, nil
	}
	return operation{}, false, nil
}

// take reads one line that belongs to the file.
func (o *operation) take(line string) error {
	switch o.kind {
	case opAdd:
		if t, ok := strings.CutPrefix(line, "+"); ok {
			o.content += t + "\n"
			return nil
		}
		if strings.TrimSpace(line) == "" {
			return nil
		}
		return fmt.Errorf("a line of a new file begins with +")
	case opUpdate:
		o.change(line)
	}
	return nil
}

// ranges are the line numbers of a unified diff, which models mix in.
var ranges = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-\d+(,\d+)? \+\d+(,\d+)?( @@)?`)
})

// hintOf is the line that "@@ line @@" names, its end optional.
func hintOf(line string) string {
	hint := strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "@"))
	return strings.TrimSpace(ranges().ReplaceAllString(hint, ""))
}

func (o *operation) change(line string) {
	if strings.HasPrefix(line, "@@") {
		o.hunks = append(o.hunks, hunk{hint: hintOf(line)})
		return
	}
	if len(o.hunks) == 0 {
		if strings.TrimSpace(line) == "" {
			return
		}
		o.hunks = append(o.hunks, hunk{})
	}
	h := &o.hunks[len(o.hunks)-1]
	switch {
	case strings.HasPrefix(line, "+"):
		h.fresh, h.added, h.changes = append(h.fresh, line[1:]), append(h.added, line[1:]), true
	case strings.HasPrefix(line, "-"):
		h.old, h.changes = append(h.old, line[1:]), true
	default: // context, with or without its blank
		line = strings.TrimPrefix(line, " ")
		h.old, h.fresh = append(h.old, line), append(h.fresh, line)
	}
}

// errNoChanges is in the reference's words.
//
//lint:ignore ST1005 a sentence for the model
var errNoChanges = errors.New("Patch contains no changes (only context lines were provided)")

// checkedOps drops the empty lines that stand between files and refuses a patch
// that changes nothing.
func checkedOps(ops []operation) ([]operation, error) {
	changes := false
	for i := range ops {
		o := &ops[i]
		changes = changes || o.kind != opUpdate || o.to != ""
		kept := o.hunks[:0]
		for _, h := range o.hunks {
			h.trim()
			if h.changes {
				kept, changes = append(kept, h), true
			}
		}
		o.hunks = kept
	}
	if !changes {
		return nil, errNoChanges
	}
	return ops, nil
}

// trim takes away blank lines of context at the end that the model left
// between two headers.
func (h *hunk) trim() {
	for len(h.old) > 0 && len(h.fresh) > 0 && h.old[len(h.old)-1] == "" && h.fresh[len(h.fresh)-1] == "" {
		h.old, h.fresh = h.old[:len(h.old)-1], h.fresh[:len(h.fresh)-1]
	}
}

// apply makes the changes of a hunk in text; after is where the hunk before it
// ended. It returns where this one ends.
func (h hunk) apply(text string, after int) (out string, end int, err error) {
	at, hinted := after, false
	if h.hint != "" {
		if i := hintAt(text, h.hint, after); i >= 0 {
			at, hinted = i, true
		}
	}
	old := strings.Join(h.old, "\n")
	if old == "" && len(h.added) > 0 { // nothing, or one empty line, which stands anywhere
		return h.insert(text, strings.Join(h.added, "\n"), at)
	}
	change, err := h.replace(text, old, at, hinted)
	if errors.Is(err, edit.ErrSame) { // the lines that come are those that go
		return text, at, nil
	}
	return change.Text, change.End, err
}

// replace puts the new lines in the place of the old ones. Old lines that stand
// in several places are those below the hint; without one, those below the hunk
// before, if that tells them apart.
func (h hunk) replace(text, old string, at int, hinted bool) (edit.Change, error) {
	fresh := strings.Join(h.fresh, "\n")
	if len(h.fresh) == 0 && strings.Contains(text, old+"\n") {
		old += "\n" // lines that go take their ends along
	}
	if hinted {
		return edit.ReplaceFrom(text, old, fresh, at)
	}
	change, err := edit.Replace(text, old, fresh, false)
	var many *edit.AmbiguousError
	if !errors.As(err, &many) || at == 0 {
		return change, err
	}
	rest, below := edit.Replace(text[at:], old, fresh, false)
	if below != nil {
		return edit.Change{}, err
	}
	rest.Text, rest.End = text[:at]+rest.Text, at+rest.End
	return rest, nil
}

// insert adds lines after the hint, or at the end of the text.
func (h hunk) insert(text, fresh string, at int) (out string, end int, err error) {
	if h.hint == "" {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text + fresh + "\n", len(text) + len(fresh) + 1, nil
	}
	i := hintAt(text, h.hint, 0)
	if i < 0 {
		return "", 0, fmt.Errorf("the line after which to insert was not found")
	}
	i = max(i, at)
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		i += n + 1
	} else {
		text += "\n"
		i = len(text)
	}
	return text[:i] + fresh + "\n" + text[i:], i + len(fresh) + 1, nil
}

// hintAt is where the line that holds hint begins, from a place on; -1 when
// there is none.
func hintAt(text, hint string, from int) int {
	if from > len(text) {
		from = len(text)
	}
	i := strings.Index(text[from:], hint)
	if i < 0 {
		return -1
	}
	i += from
	return strings.LastIndexByte(text[:i], '\n') + 1
}
