package demo

import (
	"strings"
	"unicode"

	"hermes/agent/locale"
)

// Bounds of what an answer quotes of one result; the tool's card has the rest.
const (
	maxQuoted      = 4000 // bytes
	maxQuotedLines = 60
	maxNames       = 40 // tools listed
)

// report writes the answer: what the tools said, then what could not be done
// and how to go on.
func (t turn) report(lang locale.Lang, plan []task, stopped bool) string {
	var parts []string
	for _, o := range t.outcomes() {
		parts = append(parts, quote(lang, o))
	}
	if stopped {
		parts = append(parts, locale.DemoStopped.In(lang))
	}
	called := len(parts) > 0
	parts = append(parts, t.undone(lang, plan, called)...)
	if called {
		if names := others(plan); names != "" {
			parts = append(parts, locale.DemoAlso.In(lang, names))
		}
	} else if len(parts) == 0 || !onlyLacks(plan) {
		parts = append(parts, t.introduction(lang)...)
	}
	return locale.DemoLabel.In(lang) + " · " + strings.Join(parts, "\n\n")
}

// onlyLacks reports whether all that is missing is a parameter: then the user
// knows what to do and needs no introduction.
func onlyLacks(plan []task) bool {
	for _, t := range plan {
		if t.lacksTool == "" {
			return false
		}
	}
	return len(plan) > 0
}

// undone says what was asked for and cannot be done, and why.
func (t turn) undone(lang locale.Lang, plan []task, called bool) []string {
	var out []string
	seen := map[string]bool{}
	say := func(s string) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	missing := false
	for _, k := range plan {
		switch {
		case k.steps != nil:
		case k.lacksTool != "":
			say(locale.DemoLacks.In(lang, code(k.lacksTool), code(k.lacksParam)))
		case k.kind == taskCalculation:
			say(locale.DemoNoCalculator.In(lang))
			missing = true
		case k.kind == taskConversion:
			say(locale.DemoNoConverter.In(lang))
			missing = true
		case called:
			say(locale.DemoNothingFor.In(lang, code(cut(strings.Join(strings.Fields(k.text), " "), 200))))
		}
	}
	if missing {
		say(locale.DemoEnable.In(lang))
	}
	return out
}

// introduction says what answers here, what it can call, and how to get more.
func (t turn) introduction(lang locale.Lang) []string {
	out := []string{locale.DemoIntro.In(lang)}
	if len(t.offered) == 0 {
		out = append(out, locale.DemoNoTools.In(lang))
	} else {
		names := make([]string, 0, len(t.offered))
		for i, n := range t.offered {
			if i == maxNames {
				names = append(names, "…")
				break
			}
			names = append(names, code(n))
		}
		out = append(out, locale.DemoTools.In(lang, strings.Join(names, ", ")))
	}
	return append(out, locale.DemoConnect.In(lang))
}

// quote writes one result: its main value in a sentence, then all of it.
func quote(lang locale.Lang, o outcome) string {
	name := code(o.name)
	r := o.res
	switch {
	case !o.have:
		return locale.DemoNoResult.In(lang, name)
	case strings.TrimSpace(r.raw) == "":
		return locale.DemoAnsweredEmpty.In(lang, name)
	}
	inline, below := locale.DemoAnswered, locale.DemoAnsweredBelow
	if r.failed {
		inline, below = locale.DemoFailed, locale.DemoFailedBelow
	}
	if !oneLine(r.head) {
		body := r.head
		if body == "" {
			body = r.raw
		}
		return below.In(lang, name) + "\n\n" + block(lang, body, r.json && r.head == "")
	}
	text := inline.In(lang, name, code(r.head))
	if !strings.HasSuffix(text, ".") {
		text += stop(lang)
	}
	if !r.whole {
		text += "\n\n" + locale.DemoWhole.In(lang) + "\n\n" + block(lang, r.raw, r.json)
	}
	return text
}

func stop(lang locale.Lang) string {
	if lang == locale.ZH {
		return "。"
	}
	return "."
}

// block quotes s literally, in a fence that s cannot close.
func block(lang locale.Lang, s string, isJSON bool) string {
	shown, cutOff := shorten(s)
	fence := strings.Repeat("`", max(3, longestTicks(shown)+1))
	head := fence
	if isJSON {
		head += "json"
	}
	out := head + "\n" + shown + "\n" + fence
	if cutOff {
		out += "\n\n" + locale.DemoShortened.In(lang)
	}
	return out
}

// shorten keeps the beginning of s and drops what a screen cannot show.
func shorten(s string) (string, bool) {
	kept := cut(strings.ToValidUTF8(s, "\uFFFD"), maxQuoted)
	cutOff := len(kept) < len(s)
	lines := strings.Split(strings.TrimRight(kept, "\n"), "\n")
	if len(lines) > maxQuotedLines {
		lines, cutOff = lines[:maxQuotedLines], true
	}
	clean := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) {
			return r
		}
		return -1
	}, strings.Join(lines, "\n"))
	return clean, cutOff
}

// code writes s as inline code, whatever ticks it holds.
func code(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	n := longestTicks(s)
	if n == 0 {
		return "`" + s + "`"
	}
	fence := strings.Repeat("`", n+1)
	return fence + " " + s + " " + fence
}

func longestTicks(s string) int {
	best, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			best = max(best, run)
		} else {
			run = 0
		}
	}
	return best
}
