package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/agent/store"
	"hermes/cmd/internal/app"
)

// resuming says which stored session to go on with.
type resuming struct {
	ref     string // --resume
	last    string // --continue: a title, or newest
	keepDir bool   // --no-restore-cwd
}

// newest is the value of --continue without a title. It is no title: those
// have no blank at their ends.
const newest = " "

func (r *resuming) register(cmd *cobra.Command, lang locale.Lang) {
	f := cmd.PersistentFlags()
	f.StringVarP(&r.ref, "resume", "r", "", locale.CLIFlagResume.In(lang))
	f.StringVarP(&r.last, "continue", "c", "", locale.CLIFlagContinue.In(lang))
	f.Lookup("continue").NoOptDefVal = newest
	f.BoolVar(&r.keepDir, "no-restore-cwd", false, locale.CLIFlagKeepDir.In(lang))
}

// joinContinue puts the title that may follow -c into the same word: a flag
// whose value may be missing does not take the next one. A word that is a
// command stays one.
func joinContinue(args []string, commands []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if a == "--" {
			break
		}
		if (a == "-c" || a == "--continue") && i+1 < len(out) && !strings.HasPrefix(out[i+1], "-") && !slices.Contains(commands, out[i+1]) {
			return slices.Replace(out, i, i+2, "--continue="+out[i+1])
		}
	}
	return out
}

// apply finds the session and turns opt to it. Nothing is changed when none
// was asked for.
func (r resuming) apply(ctx context.Context, io IO, lang locale.Lang, opt *app.Options) error {
	if r.ref == "" && r.last == "" {
		return nil
	}
	s, exists := app.OpenSessions(*opt)
	defer s.Close()
	one, err := r.find(ctx, s, exists)
	var l interface {
		error
		In(locale.Lang) string
	}
	switch {
	case errors.Is(err, store.ErrNotFound) && r.ref == "" && r.last == newest:
		return errors.New(locale.SessionsNoLast.In(lang))
	case errors.Is(err, store.ErrNotFound):
		return errors.New(locale.SessionsNotFound.In(lang, strings.TrimSpace(r.ref+r.last)))
	case errors.As(err, &l):
		return errors.New(l.In(lang))
	case err != nil:
		return err
	}
	opt.Resume = one.ID
	if one.Dir == "" || r.keepDir {
		return nil
	}
	if fi, err := os.Stat(one.Dir); err != nil || !fi.IsDir() {
		fmt.Fprintln(io.Err, locale.SessionsDirGone.In(lang, one.Dir))
		return nil
	}
	opt.Dir = one.Dir
	return nil
}

func (r resuming) find(ctx context.Context, s *store.Store, exists bool) (*store.Session, error) {
	if !exists {
		return nil, store.ErrNotFound
	}
	ref := r.ref
	if ref == "" {
		ref = r.last
	}
	if ref == newest {
		recent, err := s.Recent(ctx, 1)
		if err != nil {
			return nil, err
		}
		if len(recent) == 0 {
			return nil, store.ErrNotFound
		}
		return &recent[0].Session, nil
	}
	id, err := s.Resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	return s.Session(ctx, id)
}
