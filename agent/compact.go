package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/compress"
	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Bounds of contract/core §1.11.
const (
	maxCompactions  = 3 // per turn
	poorSaving      = 10
	maxPoor         = 2 // passes in a row that saved less than poorSaving percent
	compactCooldown = 600 * time.Second
)

// ErrCannotCompress says that nothing can be taken out.
var ErrCannotCompress = errors.New("there is too little to take out")

// Compressed says what a compression did, in estimated tokens.
type Compressed struct {
	Before, After int
	Messages      int // how many the summary stands for
}

// Compress shortens the conversation now (/compress). focus is what the
// summary keeps above all; keep, when positive, keeps that many turns and
// nothing before them. It waits for a running turn.
func (a *Agent) Compress(ctx context.Context, focus string, keep int) (Compressed, error) {
	var done Compressed
	err := a.between(ctx, false, func() error {
		c := newControl(a.ctx)
		defer c.abandon()
		stop := context.AfterFunc(ctx, c.cancel)
		defer stop()
		t := newTurn(a, &entry{source: "user"}, c)
		t.id = ""
		t.adopt()
		if t.client == nil {
			return errors.New(locale.TurnNoModel.In(t.lang))
		}
		t.offer = a.newOffer(c.ctx, t.s, t.set, t.window())
		t.buildSystem()
		var err error
		done, err = t.compact(compaction{focus: focus, keep: keep, manual: true})
		return err
	})
	return done, err
}

// PreviewCompress says what Compress would do, without doing it.
func (a *Agent) PreviewCompress(ctx context.Context, keep int) (Compressed, error) {
	var c Compressed
	err := a.between(ctx, false, func() error {
		control := newControl(a.ctx)
		defer control.abandon()
		t := newTurn(a, &entry{}, control)
		t.adopt()
		plan, ok := t.planCompaction(keep)
		if !ok {
			return ErrCannotCompress
		}
		h, mid := t.s.history, plan.Middle(t.s.history)
		c = Compressed{Before: compress.Tokens(h), Messages: len(mid)}
		c.After = c.Before - compress.Tokens(mid) + compress.Budget(mid, t.window())
		return nil
	})
	return c, err
}

// contextTokens is the size of the conversation: what the service counted
// last, and an estimate of what was added since.
func (t *turn) contextTokens() int {
	c := t.s.counted
	if c.tokens > 0 && c.at <= len(t.s.history) {
		return c.tokens + compress.Tokens(t.s.history[c.at:])
	}
	n := t.promptTokens() + compress.Tokens(t.s.history)
	t.s.counted = counted{n, len(t.s.history)} // a long conversation is measured once
	return n
}

// promptTokens estimates the system prompt and the tools of a request.
func (t *turn) promptTokens() int {
	n := compress.Text(t.s.system)
	if t.offer != nil {
		for _, d := range t.offer.defs {
			n += (len(d.Description) + len(d.Parameters)) / 4
		}
	}
	return n
}

// compactIfFull compresses the conversation before a request when it has
// reached the threshold.
func (t *turn) compactIfFull() {
	limit := compress.Threshold(t.window(), t.answerCap(), t.set.Compression.Settings)
	if limit == 0 || t.set.Compression.Off || t.compactions >= maxCompactions || t.poor >= maxPoor ||
		t.a.o.Now().Before(t.s.compressAgain) || t.contextTokens() < limit {
		return
	}
	t.tryCompact(compaction{reason: locale.CompressFull.In(t.lang, t.contextTokens())})
}

// answerCap is what an answer may take of the window.
func (t *turn) answerCap() int {
	if t.maxTokens > 0 {
		return t.maxTokens
	}
	return t.info.MaxTokens
}

// makeRoom compresses a conversation that the service refused as too long, and
// learns the window that its words name. It reports false when that is no
// help.
func (t *turn) makeRoom(e *llm.Error) bool {
	if e.Kind == llm.ErrContextOverflow && e.Limit > 0 {
		t.learn(e.Limit)
	}
	if t.compactions >= maxCompactions || t.set.Compression.Off {
		return false
	}
	return t.tryCompact(compaction{reason: locale.CompressRefused.In(t.lang), refused: true})
}

// tryCompact runs a compression that the user did not ask for, and reports
// whether the conversation is shorter now.
func (t *turn) tryCompact(c compaction) bool {
	t.compactions++
	done, err := t.compact(c)
	if err != nil {
		t.a.o.Log.Warn("Conversation was not compressed", "session", t.s.id, "error", t.a.o.Redact(err.Error()))
		return false
	}
	t.refunds++ // the pass does not count as an iteration
	if (done.Before-done.After)*100 < done.Before*poorSaving {
		t.poor++
	} else {
		t.poor = 0
	}
	return true
}

// compaction says why and how a compression runs.
type compaction struct {
	focus   string
	keep    int
	manual  bool
	refused bool // the service refused the conversation as it is
	reason  string
}

func (t *turn) planCompaction(keep int) (compress.Plan, bool) {
	if keep > 0 {
		return compress.KeepTurns(t.s.history, keep)
	}
	limit := compress.Threshold(t.window(), t.answerCap(), t.set.Compression.Settings)
	if limit == 0 {
		limit = compress.Tokens(t.s.history)
	}
	return compress.Cut(t.s.history, min(limit, t.contextTokens()), t.set.Compression.Settings)
}

// compact replaces the middle of the history by a summary. On an error nothing
// has changed.
func (t *turn) compact(c compaction) (Compressed, error) {
	before := t.contextTokens()
	plan, ok := t.planCompaction(c.keep)
	if !ok {
		return t.prune(c, before)
	}
	t.save()
	middle := plan.Middle(t.s.history)
	ev := event.Compress{Meta: t.meta(), Phase: event.CompressStarted, Before: before, Messages: len(middle), Manual: c.manual, Reason: c.reason}
	t.a.emit(ev)
	summary, fallback, err := t.summarise(middle, c.focus)
	if err != nil {
		t.s.compressAgain = t.a.o.Now().Add(compactCooldown)
		ev.Phase, ev.Reason = event.CompressFailed, t.a.o.Redact(err.Error())
		t.a.emit(ev)
		return Compressed{}, fmt.Errorf("compress the conversation: %w", err)
	}
	t.replaceHistory(plan.Apply(t.s.history, t.a.o.Redact(summary)), plan.Tail)
	t.s.system, t.s.compacted = "", true
	t.buildSystem()
	ev.Phase, ev.After, ev.Fallback = event.CompressDone, t.contextTokens(), fallback
	t.a.emit(ev)
	t.tellContext()
	return Compressed{Before: before, After: ev.After, Messages: ev.Messages}, nil
}

// prune only clears old results of tools: of a conversation that cannot be cut
// but is too long all the same.
func (t *turn) prune(c compaction, before int) (Compressed, error) {
	tail := max(len(t.s.history)-1, 0)
	if c.manual || !c.refused {
		return Compressed{}, ErrCannotCompress
	}
	pruned, saved := compress.Prune(t.s.history, tail)
	if saved*100 < before*poorSaving {
		return Compressed{}, ErrCannotCompress
	}
	t.save()
	t.replaceHistory(pruned, len(pruned))
	t.a.emit(event.Compress{Meta: t.meta(), Phase: event.CompressDone, Before: before, After: t.contextTokens(), Reason: c.reason})
	return Compressed{Before: before, After: t.contextTokens()}, nil
}

// replaceHistory puts a shorter conversation in the place of the history, here
// and in the store. tail is where the unchanged end began in the old one.
func (t *turn) replaceHistory(history []llm.Message, tail int) {
	shift := len(history) - len(t.s.history)
	scratch := map[int]bool{}
	for i := range t.scratch {
		if i >= tail {
			scratch[i+shift] = true
		}
	}
	t.s.history, t.scratch, t.s.counted = history, scratch, counted{}
	t.s.saved = len(history)
	if t.a.o.Store == nil || !t.s.stored || t.s.readOnly {
		return
	}
	var kept []llm.Message
	for i, m := range history {
		if !scratch[i] {
			kept = append(kept, m)
		}
	}
	if _, err := t.a.o.Store.Compact(context.WithoutCancel(t.a.ctx), t.s.id, kept); err != nil {
		t.a.notStored(t.s, err)
	}
}

// summarise asks a model for the summary of what goes. When it has nothing to
// say, the summary is made without it; when nobody can be reached, that is an
// error: the conversation is worth more than the room.
func (t *turn) summarise(middle []llm.Message, focus string) (text string, fallback bool, err error) {
	client := t.a.aux("compression", t.client)
	info := client.Info()
	budget := compress.Budget(middle, t.window())
	if info.Demo {
		return compress.Fallback(middle), true, nil
	}
	resp, err := client.Stream(t.c.ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Content: t.a.o.Redact(compress.Prompt(middle, focus, budget))}},
		Plain:    true, MaxTokens: budget * 2, Session: t.s.id,
	}, func(llm.Delta) {})
	if resp != nil && resp.Usage != nil {
		u := t.s.countFor(info, *resp.Usage, 1)
		u.Task = "compression"
		t.a.addUsage(t.s, *u)
	}
	if err == nil {
		if text = strings.TrimSpace(resp.Message.Content); text != "" {
			return text, false, nil
		}
		err = errors.New("the model wrote no summary")
	}
	var e *llm.Error
	lost := errors.As(err, &e) && (e.Kind == llm.ErrAuth || e.Kind == llm.ErrConnection || e.Kind == llm.ErrTLS)
	if t.interrupted() || lost || t.set.Compression.AbortOnFailure {
		return "", false, err
	}
	t.a.o.Log.Warn("Summary is made without a model", "session", t.s.id, "error", t.a.o.Redact(err.Error()))
	return compress.Fallback(middle), true, nil
}

// aux is the client for side work.
func (a *Agent) aux(task string, main llm.Client) llm.Client {
	if a.o.Aux != nil {
		if c := a.o.Aux(task); c != nil {
			return c
		}
	}
	return main
}

// tellContext tells the size of the conversation when it is estimated.
func (t *turn) tellContext() {
	t.a.emit(event.Usage{
		Meta: t.meta(), Window: t.window(), Context: t.contextTokens(), Estimated: true,
		Cost: t.s.cost.USD, CostStatus: t.s.cost.Status,
	})
}
