package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"hermes/agent"
	"hermes/agent/checkpoint"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// checkpoints are the snapshots of what the agent changes; made on first use.
type checkpoints struct {
	once sync.Once
	m    *checkpoint.Manager
	told sync.Once // that none can be made
	tidy sync.Once
}

// checkpointing reports whether snapshots are wanted.
func (rt *Runtime) checkpointing() bool {
	cfg := rt.cfg.Load()
	return cfg != nil && (rt.opt.Checkpoints || cfg.Bool("checkpoints", "enabled"))
}

// snapshots is the store of checkpoints.
func (rt *Runtime) snapshots() *checkpoint.Manager {
	rt.checkpoints.once.Do(func() {
		cfg := rt.cfg.Load()
		o := checkpoint.Options{Dir: rt.opt.Home.Checkpoints(), Log: rt.logger("checkpoint")}
		if cfg != nil {
			o.MaxSnapshots = cfg.Int("checkpoints", "max_snapshots")
			o.MaxTotal = megabytes(cfg, "max_total_size_mb")
			o.MaxFile = megabytes(cfg, "max_file_size_mb")
			o.Retention = time.Duration(cfg.Int("checkpoints", "retention_days")) * 24 * time.Hour
		}
		if home, err := os.UserHomeDir(); err == nil {
			o.Protect = []string{home}
		}
		rt.checkpoints.m = checkpoint.New(o)
	})
	return rt.checkpoints.m
}

func megabytes(cfg *config.Config, key string) int64 {
	return int64(cfg.Int("checkpoints", key)) << 20
}

// beforeTool makes the snapshot before the first change of a turn. What goes
// wrong stops nobody's work; it is said once.
func (rt *Runtime) beforeTool(ctx context.Context, c tool.Call) {
	if !rt.checkpointing() {
		return
	}
	for _, change := range checkpoint.Changes(c, rt.shellDir(c.Session)) {
		_, err := rt.snapshots().Before(ctx, c.Turn, change.Dir, change.Reason)
		if err != nil && !errors.Is(err, checkpoint.ErrProtected) && ctx.Err() == nil {
			rt.logger("checkpoint").Warn("No checkpoint was made", "dir", change.Dir, "error", err)
			rt.checkpoints.told.Do(func() {
				rt.notice(event.LevelWarn, "checkpoint", locale.CheckpointFail.In(rt.Lang(), err.Error()))
			})
		}
		rt.tidyCheckpoints()
	}
}

// tidyCheckpoints removes the snapshots of folders that are gone or forgotten,
// once per run and beside the work.
func (rt *Runtime) tidyCheckpoints() {
	cfg := rt.cfg.Load()
	if cfg.Has("checkpoints", "auto_prune") && !cfg.Bool("checkpoints", "auto_prune") {
		return
	}
	rt.checkpoints.tidy.Do(func() {
		rt.goRun(func(ctx context.Context) {
			if _, err := rt.snapshots().Prune(ctx); err != nil && ctx.Err() == nil {
				rt.logger("checkpoint").Warn("Old checkpoints were not removed", "error", err)
			}
		})
	})
}

// cmdRollback lists checkpoints, shows what changed since one, goes back to
// one, or restores one file of it.
func (rt *Runtime) cmdRollback(ctx context.Context, args string) (commandOutput, error) {
	dir := rt.shellDir(rt.agent.Session())
	list, err := rt.snapshots().List(ctx, dir)
	if err != nil {
		return commandOutput{}, rt.rollbackError(err, args, "")
	}
	if len(list) == 0 && !rt.checkpointing() {
		return commandOutput{}, errors.New(locale.RollbackOff.In(rt.Lang()))
	}
	if args == "" || args == "list" || len(list) == 0 {
		return commandOutput{rt.listCheckpoints(list, dir), true}, nil
	}
	which, file, _ := strings.Cut(args, " ")
	diff := which == "diff"
	if diff {
		which, file = strings.TrimSpace(file), ""
	}
	s, ok := pick(list, which)
	if !ok {
		return commandOutput{}, errors.New(locale.RollbackBad.In(rt.Lang(), which))
	}
	if diff {
		return rt.diffCheckpoint(ctx, dir, s)
	}
	return rt.rollBack(ctx, dir, s, strings.TrimSpace(file))
}

// pick finds a checkpoint by its number in the list or its hash.
func pick(list []checkpoint.Snapshot, which string) (checkpoint.Snapshot, bool) {
	if n, err := strconv.Atoi(which); err == nil && n >= 1 && n <= len(list) {
		return list[n-1], true
	}
	for _, s := range list {
		if len(which) >= 4 && strings.HasPrefix(s.Hash, strings.ToLower(which)) {
			return s, true
		}
	}
	return checkpoint.Snapshot{}, false
}

// listCheckpoints shows the list; its lines are the reference's (contract/core
// §7.11).
func (rt *Runtime) listCheckpoints(list []checkpoint.Snapshot, dir string) string {
	lang, short := rt.Lang(), config.Short(dir)
	if len(list) == 0 {
		return locale.RollbackNone.In(lang, short)
	}
	var b strings.Builder
	b.WriteString(locale.RollbackHead.In(lang, short) + "\n")
	for i, s := range list {
		fmt.Fprintf(&b, "  %d. %s  %s  %s", i+1, s.Short, s.Time.Local().Format("2006-01-02 15:04"), rt.redactText(s.Reason))
		if s.Files > 0 {
			b.WriteString("  " + locale.RollbackStat.In(lang, s.Files, s.Added, s.Removed))
		}
		b.WriteByte('\n')
	}
	b.WriteString(locale.RollbackHint.In(lang))
	return b.String()
}

func (rt *Runtime) diffCheckpoint(ctx context.Context, dir string, s checkpoint.Snapshot) (commandOutput, error) {
	text, err := rt.snapshots().Diff(ctx, dir, s.Hash)
	switch {
	case err != nil:
		return commandOutput{}, rt.rollbackError(err, s.Short, "")
	case text == "":
		return commandOutput{text: locale.RollbackSame.In(rt.Lang(), s.Short)}, nil
	}
	return commandOutput{rt.redactText(strings.TrimRight(text, "\n")), true}, nil
}

// rollBack restores the folder, or a file, and takes the turn back that led
// away from it.
func (rt *Runtime) rollBack(ctx context.Context, dir string, s checkpoint.Snapshot, file string) (commandOutput, error) {
	if file != "" {
		r, err := rt.snapshots().RestoreFile(ctx, dir, s.Hash, filepath.FromSlash(file))
		if err != nil {
			return commandOutput{}, rt.rollbackError(err, s.Short, file)
		}
		return commandOutput{text: strings.Join(rt.restored(s, r), "\n")}, nil
	}
	// First the turn: one that still runs would go on changing files.
	_, _, undone := rt.agent.Undo(ctx, 1)
	if undone != nil && !errors.Is(undone, agent.ErrNothing) {
		return commandOutput{}, rt.sessionError(undone, "")
	}
	r, err := rt.snapshots().Restore(ctx, dir, s.Hash)
	if err != nil {
		return commandOutput{}, rt.rollbackError(err, s.Short, "")
	}
	lines := rt.restored(s, r)
	if undone == nil {
		lines = append(lines, locale.RollbackTurn.In(rt.Lang()))
	}
	return commandOutput{text: strings.Join(lines, "\n")}, nil
}

// restored says what going back did.
func (rt *Runtime) restored(s checkpoint.Snapshot, r checkpoint.Restored) []string {
	lang := rt.Lang()
	lines := []string{locale.RollbackDone.In(lang, s.Short, rt.redactText(s.Reason), len(r.Written), len(r.Removed))}
	if r.Undo != "" {
		lines = append(lines, locale.RollbackUndo.In(lang))
	}
	return lines
}

func (rt *Runtime) rollbackError(err error, which, file string) error {
	lang := rt.Lang()
	switch {
	case errors.Is(err, checkpoint.ErrNoGit):
		return errors.New(locale.RollbackNoGit.In(lang))
	case errors.Is(err, checkpoint.ErrNotFound):
		return errors.New(locale.RollbackBad.In(lang, which))
	case errors.Is(err, fs.ErrNotExist) && file != "":
		return errors.New(locale.RollbackNoFile.In(lang, file, which))
	}
	return err
}
