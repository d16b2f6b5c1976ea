package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"hermes/agent/locale"
	"hermes/agent/store"
)

// filterFlags are the flags that pick sessions: those of the reference.
type filterFlags struct {
	store.Filter
	older, newer, before, after string
}

func (f *filterFlags) register(fl *pflag.FlagSet, lang locale.Lang) {
	text := func(p *string, name string, help locale.Msg) { fl.StringVar(p, name, "", help.In(lang)) }
	text(&f.older, "older-than", locale.SessionsFlagOlder)
	text(&f.newer, "newer-than", locale.SessionsFlagNewer)
	text(&f.before, "before", locale.SessionsFlagBefore)
	text(&f.after, "after", locale.SessionsFlagAfter)
	text(&f.Source, "source", locale.SessionsFlagSource)
	text(&f.Title, "title", locale.SessionsFlagTitle)
	text(&f.EndReason, "end-reason", locale.SessionsFlagReason)
	text(&f.Dir, "cwd", locale.SessionsFlagDir)
	text(&f.Model, "model", locale.SessionsFlagModel)
	text(&f.Provider, "provider", locale.SessionsFlagProvider)
	text(&f.User, "user", locale.SessionsFlagUser)
	text(&f.ChatID, "chat-id", locale.SessionsFlagChat)
	text(&f.ChatType, "chat-type", locale.SessionsFlagChatType)
	text(&f.Branch, "branch", locale.SessionsFlagBranch)
	for _, n := range []struct {
		p    *int
		name string
		help locale.Msg
	}{
		{&f.MinMessages, "min-messages", locale.SessionsFlagMin},
		{&f.MaxMessages, "max-messages", locale.SessionsFlagMax},
		{&f.MinTokens, "min-tokens", locale.SessionsFlagMin},
		{&f.MaxTokens, "max-tokens", locale.SessionsFlagMax},
		{&f.MinTools, "min-tool-calls", locale.SessionsFlagMin},
		{&f.MaxTools, "max-tool-calls", locale.SessionsFlagMax},
	} {
		fl.IntVar(n.p, n.name, 0, n.help.In(lang))
	}
	fl.Float64Var(&f.MinCost, "min-cost", 0, locale.SessionsFlagMin.In(lang))
	fl.Float64Var(&f.MaxCost, "max-cost", 0, locale.SessionsFlagMax.In(lang))
}

// filterNames are the flags that narrow a choice.
var filterNames = []string{
	"older-than", "newer-than", "before", "after", "source", "title", "end-reason", "cwd", "model", "provider",
	"user", "chat-id", "chat-type", "branch", "min-messages", "max-messages", "min-tokens", "max-tokens",
	"min-tool-calls", "max-tool-calls", "min-cost", "max-cost",
}

// used reports whether any of them was given.
func (f *filterFlags) used(fl *pflag.FlagSet) bool {
	for _, name := range filterNames {
		if fl.Changed(name) {
			return true
		}
	}
	return false
}

// filter reads the times and returns the whole filter.
func (f *filterFlags) filter(now time.Time, lang locale.Lang) (store.Filter, error) {
	out := f.Filter
	for _, t := range []struct {
		flag, value string
		into        *time.Time
		later       bool // of two limits the later one counts
	}{
		{"--older-than", f.older, &out.Before, false},
		{"--before", f.before, &out.Before, false},
		{"--newer-than", f.newer, &out.After, true},
		{"--after", f.after, &out.After, true},
	} {
		if t.value == "" {
			continue
		}
		at, ok := parseWhen(t.value, now)
		if !ok {
			return out, usageError{fmt.Errorf("%s", locale.SessionsBadAge.In(lang, t.flag, t.value))}
		}
		if t.into.IsZero() || at.After(*t.into) == t.later {
			*t.into = at
		}
	}
	return out, nil
}

// units of an age.
var units = map[byte]time.Duration{
	'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour,
}

// layouts of a point in time, in the local time zone unless they name one.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
}

// parseWhen reads an age (90 days, 30m, 5h, 2d, 1w) before now, or a time.
func parseWhen(s string, now time.Time) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return time.Time{}, false
	}
	number, unit := s, 24*time.Hour
	if u, ok := units[s[len(s)-1]|0x20]; ok {
		number, unit = s[:len(s)-1], u
	}
	if n, err := strconv.ParseFloat(number, 64); err == nil && n >= 0 && n < 100*365*float64(24*time.Hour)/float64(unit) {
		return now.Add(-time.Duration(n * float64(unit))), true
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
