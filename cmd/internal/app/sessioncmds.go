package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"hermes/agent"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/export"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/store"
)

// sessionCommands are the slash commands about stored conversations.
func sessionCommands() []builtin {
	return []builtin{
		{name: "sessions", group: groupSession, desc: locale.CmdSessions, run: (*Runtime).cmdSessions},
		{name: "resume", group: groupSession, args: locale.CmdArgsResume, desc: locale.CmdResume, run: (*Runtime).cmdResume},
		{name: "title", group: groupSession, args: locale.CmdArgsName, desc: locale.CmdTitle, run: (*Runtime).cmdTitle},
		{name: "branch", aliases: []string{"fork"}, group: groupSession, args: locale.CmdArgsName, desc: locale.CmdBranch, run: (*Runtime).cmdBranch},
		{name: "undo", group: groupSession, args: locale.CmdArgsUndo, desc: locale.CmdUndo, run: (*Runtime).cmdUndo},
		{name: "retry", group: groupSession, desc: locale.CmdRetry, run: (*Runtime).cmdRetry},
		{name: "history", group: groupSession, desc: locale.CmdHistory, run: (*Runtime).cmdHistory},
		{name: "save", group: groupSession, desc: locale.CmdSave, run: (*Runtime).cmdSave},
	}
}

// listedSessions is how many sessions /sessions shows.
const listedSessions = 15

func (rt *Runtime) cmdSessions(ctx context.Context, _ string) (commandOutput, error) {
	lang := rt.Lang()
	list, err := rt.store.Recent(ctx, listedSessions)
	if err != nil {
		return commandOutput{}, rt.sessionError(err, "")
	}
	if len(list) == 0 {
		return commandOutput{text: locale.SessionsNone.In(lang)}, nil
	}
	var b strings.Builder
	now := time.Now()
	for i, e := range list {
		title := store.CleanTitle(e.Title)
		if title == "" {
			title = store.CleanTitle(e.Preview)
		}
		mark := " "
		if e.ID == rt.agent.Session() {
			mark = "▸"
		}
		fmt.Fprintf(&b, "%s%3d. %s  (%s, %s)\n", mark, i+1, rt.redactText(title), locale.Ago(lang, now, e.LastActive), e.ID)
	}
	b.WriteString(locale.CmdSessionsHint.In(lang))
	return commandOutput{b.String(), true}, nil
}

func (rt *Runtime) cmdResume(ctx context.Context, ref string) (commandOutput, error) {
	if ref == "" {
		return rt.cmdSessions(ctx, "")
	}
	id, err := rt.store.Resolve(ctx, strings.Trim(ref, `"`))
	if err != nil {
		return commandOutput{}, rt.sessionError(err, ref)
	}
	if id == rt.agent.Session() {
		return commandOutput{text: locale.CmdResumeSame.In(rt.Lang())}, nil
	}
	return rt.resume(ctx, id)
}

// resume goes on with a stored session and says with which one.
func (rt *Runtime) resume(ctx context.Context, id string) (commandOutput, error) {
	if err := rt.agent.Resume(ctx, id); err != nil {
		return commandOutput{}, rt.sessionError(err, id)
	}
	s, err := rt.store.Session(ctx, rt.agent.Session())
	if err != nil {
		return commandOutput{}, rt.sessionError(err, id)
	}
	msgs, err := rt.store.Messages(ctx, s.ID)
	if err != nil {
		return commandOutput{}, rt.sessionError(err, id)
	}
	users := 0
	for _, m := range msgs {
		if m.Role == llm.RoleUser && !m.Synthetic {
			users++
		}
	}
	name := s.ID
	if s.Title != "" {
		name += ` "` + store.CleanTitle(s.Title) + `"`
	}
	return commandOutput{text: locale.SessionsResumed.In(rt.Lang(), name, users, len(msgs))}, nil
}

func (rt *Runtime) cmdTitle(ctx context.Context, title string) (commandOutput, error) {
	lang, id := rt.Lang(), rt.agent.Session()
	if title == "" {
		s, err := rt.store.Session(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotFound), err == nil && s.Title == "":
			return commandOutput{text: locale.CmdTitleNone.In(lang)}, nil
		case err != nil:
			return commandOutput{}, rt.sessionError(err, id)
		}
		return commandOutput{text: store.CleanTitle(s.Title)}, nil
	}
	title = store.CleanTitle(title)
	if err := rt.store.SetTitle(ctx, id, title); errors.Is(err, store.ErrNotFound) {
		return commandOutput{}, errors.New(locale.CmdTitleEarly.In(lang))
	} else if err != nil {
		return commandOutput{}, rt.sessionError(err, id)
	}
	rt.bus.Emit(event.TitleChanged{Meta: event.Meta{Session: id}, Title: title})
	return commandOutput{text: locale.CmdTitleSet.In(lang, title)}, nil
}

func (rt *Runtime) cmdBranch(ctx context.Context, title string) (commandOutput, error) {
	from, id := rt.agent.Session(), agent.NewSessionID(time.Now())
	title, err := rt.store.Branch(ctx, from, id, title)
	if errors.Is(err, store.ErrNotFound) {
		return commandOutput{}, errors.New(locale.CmdNothingYet.In(rt.Lang()))
	}
	if err != nil {
		return commandOutput{}, rt.sessionError(err, from)
	}
	if _, err := rt.resume(ctx, id); err != nil {
		return commandOutput{}, err
	}
	if title == "" {
		title = id
	}
	return commandOutput{text: locale.CmdBranched.In(rt.Lang(), title, from)}, nil
}

func (rt *Runtime) cmdUndo(ctx context.Context, args string) (commandOutput, error) {
	lang, n := rt.Lang(), 1
	if args != "" {
		var err error
		if n, err = strconv.Atoi(args); err != nil || n < 1 {
			return commandOutput{}, errors.New(locale.CmdUndoBad.In(lang, args))
		}
	}
	turns, text, err := rt.agent.Undo(ctx, n)
	if errors.Is(err, agent.ErrNothing) {
		return commandOutput{}, errors.New(locale.CmdNothingYet.In(lang))
	}
	if err != nil {
		return commandOutput{}, rt.sessionError(err, "")
	}
	return commandOutput{text: locale.CmdUndone.In(lang, turns, rt.redactText(text))}, nil
}

func (rt *Runtime) cmdRetry(ctx context.Context, _ string) (commandOutput, error) {
	if err := rt.agent.Retry(ctx); errors.Is(err, agent.ErrNothing) {
		return commandOutput{}, errors.New(locale.CmdNothingYet.In(rt.Lang()))
	} else if err != nil {
		return commandOutput{}, rt.sessionError(err, "")
	}
	return commandOutput{}, nil
}

func (rt *Runtime) cmdHistory(ctx context.Context, _ string) (commandOutput, error) {
	lang := rt.Lang()
	msgs, err := rt.store.Messages(ctx, rt.agent.Session())
	if err != nil {
		return commandOutput{}, rt.sessionError(err, "")
	}
	var b strings.Builder
	n, hidden := 0, 0
	tools := func() {
		if hidden > 0 {
			fmt.Fprintf(&b, "  %s\n", locale.CmdHistoryTools.In(lang, hidden))
		}
		hidden = 0
	}
	for _, m := range msgs {
		if m.Synthetic || (m.Role == llm.RoleAssistant && m.Content == "") {
			continue
		}
		if m.Role == llm.RoleTool {
			hidden++
			continue
		}
		tools()
		n++
		who := locale.CmdHistoryYou
		if m.Role == llm.RoleAssistant {
			who = locale.CmdHistoryHermes
		}
		fmt.Fprintf(&b, "[%s #%d]\n%s\n\n", who.In(lang), n, strings.TrimSpace(rt.redactText(m.Content)))
	}
	tools()
	if n == 0 {
		return commandOutput{text: locale.CmdNothingYet.In(lang)}, nil
	}
	return commandOutput{strings.TrimRight(b.String(), "\n"), true}, nil
}

func (rt *Runtime) cmdSave(ctx context.Context, _ string) (commandOutput, error) {
	lang := rt.Lang()
	d, err := rt.store.Dump(ctx, rt.agent.Session(), true)
	if errors.Is(err, store.ErrNotFound) {
		return commandOutput{}, errors.New(locale.CmdNothingYet.In(lang))
	}
	if err != nil {
		return commandOutput{}, rt.sessionError(err, "")
	}
	var b bytes.Buffer
	if err := export.Write(&b, export.JSON, []*store.Dump{export.Redact(d, rt.redactText)}); err != nil {
		return commandOutput{}, err
	}
	dir := filepath.Join(rt.opt.Home.Sessions(), "saved")
	if err := config.Make(dir); err != nil {
		return commandOutput{}, err
	}
	path := filepath.Join(dir, "hermes_conversation_"+time.Now().Format("20060102_150405")+".json")
	if err := os.WriteFile(path, b.Bytes(), config.FileMode); err != nil {
		return commandOutput{}, fmt.Errorf("save the conversation: %w", err)
	}
	return commandOutput{text: locale.CmdSaved.In(lang, config.Short(path))}, nil
}

// sessionError puts what the store says into the user's language.
func (rt *Runtime) sessionError(err error, ref string) error {
	if errors.Is(err, store.ErrNotFound) {
		return errors.New(locale.SessionsNotFound.In(rt.Lang(), ref))
	}
	return errors.New(localised(err, rt.Lang()))
}
