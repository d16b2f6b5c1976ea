package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"hermes/agent"
	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/agent/store"
)

// infoCommands are the slash commands that show or change how the program
// works, and those that send a text past the queue.
func infoCommands() []builtin {
	return []builtin{
		{name: "queue", aliases: []string{"q"}, group: groupSession, args: locale.CmdArgsPrompt, desc: locale.CmdQueue, run: (*Runtime).cmdQueue},
		{name: "steer", group: groupSession, args: locale.CmdArgsPrompt, desc: locale.CmdSteer, run: (*Runtime).cmdSteer},
		{name: "image", group: groupInfo, args: locale.CmdArgsImage, desc: locale.CmdImage, run: (*Runtime).cmdImage},
		{name: "compress", aliases: []string{"compact"}, group: groupSession, args: locale.CmdArgsCompress, desc: locale.CmdCompress, run: (*Runtime).cmdCompress},
		{name: "status", group: groupSession, desc: locale.CmdStatus, run: (*Runtime).cmdStatus},
		{name: "config", group: groupConfig, desc: locale.CmdConfig, run: (*Runtime).cmdConfig},
		{name: "busy", group: groupConfig, args: locale.CmdArgsBusy, desc: locale.CmdBusy, run: (*Runtime).cmdBusy},
		{name: "skin", group: groupConfig, args: locale.CmdArgsName, desc: locale.CmdSkin, run: (*Runtime).cmdSkin},
		{name: "toolsets", group: groupTools, desc: locale.CmdToolsets, run: (*Runtime).cmdToolsets},
		{name: "reload", group: groupTools, desc: locale.CmdReload, run: (*Runtime).cmdReload},
		{name: "usage", group: groupInfo, desc: locale.CmdUsage, run: (*Runtime).cmdUsage},
		{name: "insights", group: groupInfo, args: locale.CmdArgsDays, desc: locale.CmdInsights, run: (*Runtime).cmdInsights},
		{name: "profile", group: groupInfo, desc: locale.CmdProfile, run: (*Runtime).cmdProfile},
		{name: "version", aliases: []string{"v"}, group: groupInfo, desc: locale.CmdVersion, run: (*Runtime).cmdVersion},
	}
}

func (rt *Runtime) cmdQueue(_ context.Context, text string) (commandOutput, error) {
	if text == "" {
		return commandOutput{}, errors.New(locale.CmdNeedsText.In(rt.Lang(), "/queue"))
	}
	rt.agent.Queue(text)
	return commandOutput{}, nil
}

func (rt *Runtime) cmdSteer(_ context.Context, text string) (commandOutput, error) {
	if text == "" {
		return commandOutput{}, errors.New(locale.CmdNeedsText.In(rt.Lang(), "/steer"))
	}
	rt.agent.Steer(text)
	return commandOutput{}, nil
}

// cmdCompress shortens the conversation: all of it, with "here [N]" all but
// the last turns, with a text keeping that above all.
func (rt *Runtime) cmdCompress(ctx context.Context, args string) (commandOutput, error) {
	lang := rt.Lang()
	rest, preview := strings.CutPrefix(args, "--preview")
	focus, keep := strings.TrimSpace(rest), 0
	if words := strings.Fields(focus); len(words) > 0 && words[0] == "here" && len(words) <= 2 {
		focus, keep = "", 1
		if len(words) == 2 {
			n, err := strconv.Atoi(words[1])
			if err != nil || n < 1 {
				return commandOutput{}, errors.New(locale.CmdCompressBad.In(lang, words[1]))
			}
			keep = n
		}
	}
	done, msg := agent.Compressed{}, locale.CmdCompressed
	var err error
	if preview {
		msg = locale.CmdCompressPreview
		done, err = rt.agent.PreviewCompress(ctx, keep)
	} else {
		done, err = rt.agent.Compress(ctx, focus, keep)
	}
	if errors.Is(err, agent.ErrCannotCompress) {
		return commandOutput{}, errors.New(locale.CmdCompressShort.In(lang))
	}
	if err != nil {
		return commandOutput{}, err
	}
	return commandOutput{text: msg.In(lang, done.Messages, done.Before, done.After)}, nil
}

func (rt *Runtime) cmdStatus(ctx context.Context, _ string) (commandOutput, error) {
	lang, id := rt.Lang(), rt.agent.Session()
	i := rt.client.Load().Info()
	lines := []string{
		row(locale.StatusSession, lang, id),
		row(locale.StatusModel, lang, strings.TrimSpace(i.Model+" ("+i.Provider+")")),
		row(locale.StatusDir, lang, config.Short(rt.opt.Dir)),
	}
	s, err := rt.store.Session(ctx, id)
	switch {
	case err == nil:
		if s.Title != "" {
			lines = append(lines, row(locale.StatusTitle, lang, store.CleanTitle(s.Title)))
		}
		lines = append(lines,
			row(locale.StatusStarted, lang, s.Started.Local().Format(time.DateTime)),
			row(locale.StatusMessages, lang, strconv.Itoa(s.Messages)),
			row(locale.StatusTokens, lang, fmt.Sprintf("%d + %d", s.In, s.Out)))
	case !errors.Is(err, store.ErrNotFound):
		return commandOutput{}, rt.sessionError(err, id)
	}
	state := locale.StatusIdle
	if rt.agent.Busy() {
		state = locale.StatusRunning
	}
	lines = append(lines, row(locale.StatusState, lang, state.In(lang)))
	return commandOutput{strings.Join(lines, "\n"), true}, nil
}

// row is a name and its value; names of either language take the same cells.
func row(name locale.Msg, lang locale.Lang, value string) string {
	return column(name.In(lang), 16) + value
}

// column fills text up to width cells; a longer one keeps one blank behind it.
// fmt counts characters, which are wider in Chinese.
func column(text string, width int) string {
	return text + strings.Repeat(" ", max(1, width-ansi.StringWidth(text)))
}

func (rt *Runtime) cmdUsage(ctx context.Context, _ string) (commandOutput, error) {
	lang, id := rt.Lang(), rt.agent.Session()
	s, err := rt.store.Session(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return commandOutput{text: locale.CmdNothingYet.In(lang)}, nil
	}
	if err != nil {
		return commandOutput{}, rt.sessionError(err, id)
	}
	n := strconv.Itoa
	lines := []string{
		row(locale.UsageIn, lang, n(s.In)), row(locale.UsageCacheRead, lang, n(s.CacheRead)), row(locale.UsageCacheWrite, lang, n(s.CacheWrite)),
		row(locale.UsageOut, lang, n(s.Out)), row(locale.UsageReasoning, lang, n(s.Reasoning)),
		row(locale.UsageTotal, lang, n(s.In+s.CacheRead+s.CacheWrite+s.Out)),
		row(locale.UsageCalls, lang, n(s.APICalls)), row(locale.StatusMessages, lang, n(s.Messages)),
	}
	if u := rt.usage.Load(); u != nil && u.Session == id && u.Context > 0 {
		mark := ""
		if u.Estimated {
			mark = "~"
		}
		text := mark + n(u.Context)
		if u.Window > 0 {
			text += fmt.Sprintf(" / %d (%d%%)", u.Window, u.Context*100/u.Window)
		}
		lines = append(lines, row(locale.UsageContext, lang, text))
	}
	if s.EstimatedCost > 0 {
		lines = append(lines, row(locale.UsageCost, lang, fmt.Sprintf("~$%.4f", s.EstimatedCost)))
	}
	return commandOutput{strings.Join(lines, "\n"), true}, nil
}

func (rt *Runtime) cmdInsights(ctx context.Context, args string) (commandOutput, error) {
	lang, days := rt.Lang(), 30
	if args != "" {
		n, err := strconv.Atoi(args)
		if err != nil || n < 1 {
			return commandOutput{}, errors.New(locale.CmdDaysBad.In(lang, args))
		}
		days = n
	}
	in, err := ReadInsights(ctx, rt.store, time.Now(), days, "")
	if err != nil {
		return commandOutput{}, rt.sessionError(err, "")
	}
	lines := []string{
		locale.InsightsHead.In(lang, days), "  " + locale.InsightsTotals.In(lang, in.Sessions, in.Messages, in.ToolCalls),
		"  " + locale.InsightsTokens.In(lang, in.Input, in.Output, in.CacheRead),
	}
	for _, part := range []struct {
		head locale.Msg
		rows []InsightCount
	}{{locale.InsightsModels, in.Models}, {locale.InsightsTools, in.Tools}} {
		if len(part.rows) > 0 {
			lines = append(lines, part.head.In(lang))
		}
		for _, r := range part.rows {
			lines = append(lines, fmt.Sprintf("  %-32s %d", r.Name, r.N))
		}
	}
	return commandOutput{strings.Join(lines, "\n"), true}, nil
}

func (rt *Runtime) cmdProfile(context.Context, string) (commandOutput, error) {
	return commandOutput{text: profileOf(rt.opt.Home) + "  " + rt.opt.Home.Short()}, nil
}

func (rt *Runtime) cmdVersion(context.Context, string) (commandOutput, error) {
	return commandOutput{text: "hermes " + rt.opt.Version}, nil
}
