package store

import (
	"strings"
	"time"
)

// Filter picks sessions. Zero fields do not filter; texts match parts, without
// regard to case, unless said otherwise.
type Filter struct {
	Source           string   // exact
	ExcludeSources   []string // exact
	Title            string
	Model            string
	Provider         string // exact
	EndReason        string // exact
	Dir              string // the working directory, or one above it
	Workspace        string // part of the git root or working directory
	Branch           string
	User             string // exact
	ChatID, ChatType string // exact
	Before           time.Time
	After            time.Time // started at that time or later
	MinMessages      int
	MaxMessages      int // 0: no limit
	MinTokens        int
	MaxTokens        int
	MinCost, MaxCost float64 // USD, the actual cost where it is known
	MinTools         int
	MaxTools         int
	Archived         Archived
	IDs              []string
}

// Archived says which sessions count.
type Archived int

// Choices of Archived.
const (
	ArchivedHidden Archived = iota
	ArchivedToo
	ArchivedOnly
)

// where collects conditions and their arguments.
type where struct {
	conds []string
	args  []any
}

func (w *where) add(cond string, args ...any) {
	w.conds = append(w.conds, cond)
	w.args = append(w.args, args...)
}

func (w *where) contains(column, part string) {
	if part != "" {
		w.add(column+` LIKE ? ESCAPE '\'`, "%"+likeLiteral(part)+"%")
	}
}

func (w *where) equals(column, value string) {
	if value != "" {
		w.add(column+` = ?`, value)
	}
}

func (w *where) in(column, not string, values []string) {
	if len(values) == 0 {
		return
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	w.add(column+not+` IN (`+marks+`)`, args...)
}

func (w *where) between(column string, lo, hi float64) {
	if lo > 0 {
		w.add(column+` >= ?`, lo)
	}
	if hi > 0 {
		w.add(column+` <= ?`, hi)
	}
}

func (w *where) String() string {
	if len(w.conds) == 0 {
		return "1"
	}
	return strings.Join(w.conds, " AND ")
}

// where turns the filter into conditions on sessions s.
func (f Filter) where() *where {
	w := &where{}
	w.equals("s.source", f.Source)
	w.in("s.source", " NOT", f.ExcludeSources)
	w.in("s.id", "", f.IDs)
	w.contains("s.title", f.Title)
	w.contains("s.model", f.Model)
	w.contains("s.git_branch", f.Branch)
	w.equals("s.billing_provider", f.Provider)
	w.equals("s.end_reason", f.EndReason)
	w.equals("s.user_id", f.User)
	w.equals("s.chat_id", f.ChatID)
	w.equals("s.chat_type", f.ChatType)
	if f.Dir != "" {
		dir := strings.TrimRight(f.Dir, "/")
		w.add(`(s.cwd = ? OR s.cwd LIKE ? ESCAPE '\')`, dir, likeLiteral(dir)+"/%")
	}
	if f.Workspace != "" {
		part := "%" + likeLiteral(f.Workspace) + "%"
		w.add(`(s.git_repo_root LIKE ? ESCAPE '\' OR s.cwd LIKE ? ESCAPE '\')`, part, part)
	}
	if !f.Before.IsZero() {
		w.add(`s.started_at < ?`, seconds(f.Before))
	}
	if !f.After.IsZero() {
		w.add(`s.started_at >= ?`, seconds(f.After))
	}
	w.between("s.message_count", float64(f.MinMessages), float64(f.MaxMessages))
	w.between("s.tool_call_count", float64(f.MinTools), float64(f.MaxTools))
	w.between("(s.input_tokens + s.output_tokens)", float64(f.MinTokens), float64(f.MaxTokens))
	w.between("COALESCE(s.actual_cost_usd, s.estimated_cost_usd, 0)", f.MinCost, f.MaxCost)
	switch f.Archived {
	case ArchivedHidden:
		w.add(`s.archived = 0`)
	case ArchivedOnly:
		w.add(`s.archived = 1`)
	}
	return w
}
