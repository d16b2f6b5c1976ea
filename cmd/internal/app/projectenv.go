package app

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/secret"
)

// envChoices is the file below cache/ that remembers, by folder, whether its
// .env may be read (decision D37: one question per folder).
const envChoices = "project-env.json"

const (
	answerUse  = "use"
	answerSkip = "skip"
)

// projectEnv returns the environment for plugins and models: that of the
// configuration, and the *_API_KEY of the working directory's .env where they
// fill a gap and the user has agreed to that for this folder. A folder that
// was never asked about is asked about beside the loading, which does not
// wait; without a user to ask the file is not read, and UnreadEnv says so.
func (rt *Runtime) projectEnv(cfg *config.Config) []string {
	environ := cfg.Environ()
	if rt.opt.SafeMode {
		return environ
	}
	found, err := config.ProjectEnv(rt.opt.Dir)
	if err != nil {
		rt.notice(event.LevelWarn, "config", err.Error())
		return environ
	}
	gaps := found.Gaps(environ)
	if len(gaps) == 0 {
		return environ
	}
	answer, known := rt.readEnvChoices()[rt.opt.Dir]
	switch {
	case known && answer == answerUse:
		return withGaps(environ, gaps)
	case known:
	case rt.opt.Interactive:
		rt.goRun(func(ctx context.Context) { rt.offerProjectEnv(ctx, cfg, found, gaps) })
	default:
		rt.unreadEnv = locale.CLIEnvUnread.In(rt.Lang(), found.Path, gapNames(gaps))
	}
	return environ
}

// offerProjectEnv asks, remembers the answer, and on a yes lets the model be
// chosen again. Plugins keep the environment that their host began with.
func (rt *Runtime) offerProjectEnv(ctx context.Context, cfg *config.Config, found config.ProjectFile, gaps map[string]string) {
	answer := rt.askProjectEnv(ctx, found, gapNames(gaps))
	if answer == "" {
		return
	}
	choices := rt.readEnvChoices()
	choices[rt.opt.Dir] = answer
	rt.writeEnvChoices(choices)
	if answer != answerUse || rt.WaitSettled(ctx) != nil {
		return
	}
	environ := withGaps(cfg.Environ(), gaps)
	rt.env.Store(&environ)
	rt.redact.Store(secret.NewRedactor(environ))
	if rt.Demo() {
		// What was wrong with the configuration was said at the start.
		_ = rt.chooseModel(cfg, environ, rt.opt.Provider, rt.opt.Model)
	}
	rt.notice(event.LevelInfo, "config", locale.EnvPlugins.In(rt.Lang()))
}

func withGaps(environ []string, gaps map[string]string) []string {
	out := slices.Clone(environ)
	for _, name := range slices.Sorted(maps.Keys(gaps)) {
		out = append(out, name+"="+gaps[name])
	}
	return out
}

func gapNames(gaps map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(gaps)), ", ")
}

func (rt *Runtime) askProjectEnv(ctx context.Context, found config.ProjectFile, names string) string {
	lang := rt.Lang()
	text := locale.EnvText.In(lang, found.Path, names)
	if found.Tracked {
		text += locale.EnvTracked.In(lang)
	}
	answer, _ := rt.ask(ctx, event.Ask{
		Kind: event.AskConfirm, Title: locale.EnvTitle.In(lang), Text: text, Default: 1,
		Choices: []event.Choice{{ID: answerUse, Label: locale.EnvYes.In(lang)}, {ID: answerSkip, Label: locale.EnvNo.In(lang)}},
	})
	return answer.Choice
}

func (rt *Runtime) readEnvChoices() map[string]string {
	out := map[string]string{}
	b, err := os.ReadFile(rt.opt.Home.Cached(envChoices))
	if err == nil && json.Unmarshal(b, &out) != nil {
		// An unreadable memory of answers means to ask again.
		out = map[string]string{}
	}
	return out
}

func (rt *Runtime) writeEnvChoices(choices map[string]string) {
	b, err := json.MarshalIndent(choices, "", "  ")
	if err == nil {
		err = config.WriteFile(rt.opt.Home.Cached(envChoices), b)
	}
	if err != nil {
		rt.notice(event.LevelWarn, "config", err.Error())
	}
}
