package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Session is a conversation as the database keeps it, without its messages.
type Session struct {
	ID     string
	Source string // cli, tui, subagent, tool, cron, or a chat platform
	Model  string
	// Config is the JSON object model_config; nil when there is none.
	Config       json.RawMessage
	SystemPrompt string
	Parent       string // id of the session it continues or branched from
	Title        string
	Dir          string // working directory
	GitBranch    string
	GitRoot      string
	Started      time.Time
	Ended        time.Time // zero while it is open
	EndReason    string
	Provider     string
	BaseURL      string

	// Messages and ToolCalls count what was stored, undone messages included.
	Messages, ToolCalls               int
	In, Out, CacheRead, CacheWrite    int // tokens
	Reasoning, APICalls, Rewinds      int
	EstimatedCost, ActualCost         float64 // USD
	CostStatus, CostSource, ChatTitle string
	User, ChatID, ChatType            string
	Archived                          bool
}

// Reasons for which sessions end, as the reference writes them.
const (
	EndClosed     = "cli_close"
	EndNew        = "new_session"
	EndSwitched   = "resumed_other"
	EndBranched   = "branched"
	EndCompressed = "compression"
)

// New describes a session that begins. ID and Source are needed.
type New struct {
	ID, Source, Model, SystemPrompt, Parent string
	Dir, GitBranch, GitRoot                 string
	Config                                  any // becomes the JSON of model_config; nil for none
}

const insertSession = `INSERT INTO sessions (id, source, model, model_config, system_prompt, parent_session_id,
	started_at, cwd, git_branch, git_repo_root) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING`

// CreateSession stores a session. One that is there already stays as it is.
func (s *Store) CreateSession(ctx context.Context, n New) error {
	return s.write(ctx, "create session", func(t tx) error { return s.create(t, n) })
}

func (s *Store) create(t tx, n New) error {
	if n.ID == "" || n.Source == "" {
		return errors.New("a session needs an id and a source")
	}
	var config *string
	if n.Config != nil {
		c, err := pyJSON(n.Config)
		if err != nil {
			return fmt.Errorf("encode the settings of the session: %w", err)
		}
		config = &c
	}
	_, err := t.exec(insertSession, n.ID, n.Source, filled(n.Model), config, filled(n.SystemPrompt), filled(n.Parent),
		seconds(s.now()), filled(n.Dir), filled(n.GitBranch), filled(n.GitRoot))
	return err
}

// EndSession notes when and why a session ended; the first reason stays.
func (s *Store) EndSession(ctx context.Context, id, reason string) error {
	return s.write(ctx, "end session", func(t tx) error {
		_, err := t.exec(`UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL`,
			seconds(s.now()), reason, id)
		return err
	})
}

// Reopen takes the end of a session back: it is resumed.
func (s *Store) Reopen(ctx context.Context, id string) error {
	return s.update(ctx, "reopen session", id, `ended_at = NULL, end_reason = NULL`)
}

// SetSystemPrompt keeps the system prompt, so that a resumed session sends the
// same bytes.
func (s *Store) SetSystemPrompt(ctx context.Context, id, prompt string) error {
	return s.update(ctx, "store the system prompt", id, `system_prompt = ?`, filled(prompt))
}

// SetModel notes the model that answers from now on, and its settings when
// config is not nil.
func (s *Store) SetModel(ctx context.Context, id, model string, config any) error {
	if config == nil {
		return s.update(ctx, "store the model", id, `model = ?`, filled(model))
	}
	c, err := pyJSON(config)
	if err != nil {
		return fmt.Errorf("encode the settings of the session: %w", err)
	}
	return s.update(ctx, "store the model", id, `model = ?, model_config = ?`, filled(model), c)
}

// SetDir notes the working directory and what git says of it.
func (s *Store) SetDir(ctx context.Context, id, dir, branch, root string) error {
	return s.update(ctx, "store the working directory", id, `cwd = ?, git_branch = ?, git_repo_root = ?`,
		filled(dir), filled(branch), filled(root))
}

// SetArchived hides a session from listings, or shows it again.
func (s *Store) SetArchived(ctx context.Context, id string, archived bool) error {
	return s.update(ctx, "archive session", id, `archived = ?`, archived)
}

// update sets columns of one session; ErrNotFound when there is none.
func (s *Store) update(ctx context.Context, what, id, set string, args ...any) error {
	return s.write(ctx, what, func(t tx) error {
		r, err := t.exec(`UPDATE sessions SET `+set+` WHERE id = ?`, append(args, id)...)
		if err != nil {
			return err
		}
		return oneRow(r)
	})
}

func oneRow(r sql.Result) error {
	if n, err := r.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return ErrNotFound
}

const sessionColumns = `s.id, s.source, s.model, s.model_config, s.system_prompt, s.parent_session_id, s.title, s.cwd,
	s.git_branch, s.git_repo_root, s.started_at, s.ended_at, s.end_reason, s.billing_provider, s.billing_base_url,
	s.message_count, s.tool_call_count, s.input_tokens, s.output_tokens, s.cache_read_tokens, s.cache_write_tokens,
	s.reasoning_tokens, s.api_call_count, s.rewind_count, s.estimated_cost_usd, s.actual_cost_usd,
	s.cost_status, s.cost_source, s.display_name, s.user_id, s.chat_id, s.chat_type, COALESCE(s.archived, 0) <> 0`

// scanSession reads sessionColumns, and extra columns after them.
func scanSession(scan func(...any) error, extra ...any) (*Session, error) {
	var s Session
	var model, config, prompt, parent, title, dir, branch, root, reason, provider, base, status, source, chat, user, chatID, chatType sql.NullString
	var started, ended, estimated, actual sql.NullFloat64
	var n [9]sql.NullInt64
	var archived sql.NullBool
	dest := []any{
		&s.ID, &s.Source, &model, &config, &prompt, &parent, &title, &dir,
		&branch, &root, &started, &ended, &reason, &provider, &base,
		&n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &estimated, &actual,
		&status, &source, &chat, &user, &chatID, &chatType, &archived,
	}
	if err := scan(append(dest, extra...)...); err != nil {
		return nil, err
	}
	s.Model, s.SystemPrompt, s.Parent, s.Title, s.Dir = model.String, prompt.String, parent.String, title.String, dir.String
	s.GitBranch, s.GitRoot, s.EndReason, s.Provider, s.BaseURL = branch.String, root.String, reason.String, provider.String, base.String
	if strings.HasPrefix(strings.TrimSpace(config.String), "{") && json.Valid([]byte(config.String)) {
		s.Config = json.RawMessage(config.String)
	}
	s.Started, s.Ended = instant(started.Float64), instant(ended.Float64)
	for i, p := range []*int{&s.Messages, &s.ToolCalls, &s.In, &s.Out, &s.CacheRead, &s.CacheWrite, &s.Reasoning, &s.APICalls, &s.Rewinds} {
		*p = int(n[i].Int64)
	}
	s.EstimatedCost, s.ActualCost, s.CostStatus, s.CostSource = estimated.Float64, actual.Float64, status.String, source.String
	s.ChatTitle, s.User, s.ChatID, s.ChatType, s.Archived = chat.String, user.String, chatID.String, chatType.String, archived.Bool
	return &s, nil
}

// Session returns the session with that id, ErrNotFound when there is none.
func (s *Store) Session(ctx context.Context, id string) (*Session, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	row := c.read.QueryRowContext(ctx, `SELECT `+sessionColumns+` FROM sessions s WHERE s.id = ?`, id)
	return s.found(scanSession(row.Scan))
}

// found turns "no rows" into ErrNotFound, and damage into what to do.
func (s *Store) found(one *Session, err error) (*Session, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	return one, s.readError("read session", err)
}

// readError explains an error of a read.
func (s *Store) readError(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case isCorrupt(err):
		return fmt.Errorf("%s: %w", what, &CorruptError{s.path, err})
	}
	return fmt.Errorf("%s: %w", what, err)
}
