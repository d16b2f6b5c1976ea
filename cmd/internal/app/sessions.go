package app

import (
	"context"
	"errors"
	"os"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/secret"
	"hermes/agent/store"
)

// warmStore opens the session database beside the first frame, so that the
// first turn need not, and says what keeps it from being written. A command
// that has no conversation makes no database.
func (rt *Runtime) warmStore(ctx context.Context) {
	if _, err := os.Stat(rt.opt.Home.State()); err != nil && !rt.opt.Interactive {
		return
	}
	why, err := rt.store.ReadOnly()
	if err == nil {
		err = why
	}
	if err != nil && ctx.Err() == nil {
		rt.notice(event.LevelWarn, "sessions", unstored(err, rt.Lang()))
	}
}

// unstored says why sessions cannot be stored, and what helps: in the words of
// the error where it has some for the user.
func unstored(err error, lang locale.Lang) string {
	var l interface{ In(locale.Lang) string }
	if errors.As(err, &l) {
		return l.In(lang)
	}
	return locale.HomeNoSessions.In(lang, err)
}

// OpenSessions opens the stored sessions for a command that needs nothing else
// of the program; the caller closes them. exists is false when nothing was
// stored yet.
func OpenSessions(opt Options) (s *store.Store, exists bool) {
	_, err := os.Stat(opt.Home.State())
	return store.Open(opt.Home.State(), store.Options{}), err == nil
}

// Redactor takes secrets out of texts: by shape, and by the values of the
// variables that the program would load.
func Redactor(opt Options) (func(string) string, error) {
	cfg, err := loadFor(opt)
	if err != nil {
		return nil, err
	}
	return secret.NewRedactor(cfg.Environ()).Redact, nil
}

// resumeAtStart goes on with the session of --resume. Without it there is
// nothing that the user asked for: one question fails, the screen says so.
func (rt *Runtime) resumeAtStart(ctx context.Context) {
	if rt.opt.Resume == "" {
		return
	}
	err := rt.agent.Resume(ctx, rt.opt.Resume)
	if err == nil || ctx.Err() != nil {
		return
	}
	err = rt.sessionError(err, rt.opt.Resume)
	rt.notice(event.LevelError, "sessions", err.Error())
	if !rt.opt.Interactive && rt.configErr == nil {
		rt.configErr = err
	}
}
