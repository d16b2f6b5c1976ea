package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/render"
)

// copyCommand is /copy: the last answer, /copy N the Nth from the end, /copy
// code a code block of the last answer that has one.
func (m *model) copyCommand(args string) tea.Cmd {
	fields := strings.Fields(args)
	if len(fields) > 0 && fields[0] == "code" {
		return m.copyCode(fields[1:])
	}
	n := 1
	if len(fields) > 0 {
		var err error
		if n, err = strconv.Atoi(fields[0]); err != nil || n < 1 || len(fields) > 1 {
			m.warn(m.look.T(locale.UICopyUsage))
			return nil
		}
	}
	text, ok := m.transcript.Answer(n)
	if !ok {
		m.warn(m.look.T(locale.UICopyNoAnswer, n))
		return nil
	}
	return m.copy(text)
}

// copyCode copies a block: the only one, the one that is named, else the one
// that is chosen from a list, the newest first.
func (m *model) copyCode(args []string) tea.Cmd {
	blocks := m.lastBlocks()
	if len(blocks) == 0 {
		m.warn(m.look.T(locale.UICopyNoCode))
		return nil
	}
	if len(args) > 0 {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 || n > len(blocks) {
			m.warn(m.look.T(locale.UICopyUsage))
			return nil
		}
		return m.copy(blocks[n-1])
	}
	if len(blocks) == 1 {
		return m.copy(blocks[0])
	}
	ask := event.Ask{Kind: event.AskClarify, Title: m.look.T(locale.UICopyWhich)}
	for i, b := range blocks {
		first, rest, _ := strings.Cut(b, "\n")
		label := render.Truncate(render.Line(first), 60, render.Ellipsis)
		if n := strings.Count(rest, "\n"); rest != "" {
			label += "  " + m.look.N(n+1, locale.UIMoreLine1, locale.UIMoreLines)
		}
		ask.Choices = append(ask.Choices, event.Choice{ID: fmt.Sprint(i), Label: label})
	}
	m.askHere(ask, func(a event.Answer) tea.Cmd {
		i, err := strconv.Atoi(a.Choice)
		if err != nil || i >= len(blocks) {
			return nil
		}
		return m.copy(blocks[i])
	})
	return nil
}

// lastBlocks are the code blocks of the last answer that has some, the newest
// first.
func (m *model) lastBlocks() []string {
	for n := 1; ; n++ {
		text, ok := m.transcript.Answer(n)
		if !ok {
			return nil
		}
		if blocks := codeBlocks(text); len(blocks) > 0 {
			return blocks
		}
	}
}

// codeBlocks returns the fenced blocks of a Markdown text, the last one first,
// without their last line end. One that is still open is none.
func codeBlocks(text string) []string {
	var out []string
	var block []string
	fence, indent := "", 0
	for line := range strings.SplitSeq(text, "\n") {
		body := strings.TrimLeft(line, " ")
		mark := fenceMark(body)
		switch {
		case fence == "" && mark != "":
			fence, indent, block = mark, len(line)-len(body), nil
		case fence == "":
		case strings.HasPrefix(mark, fence) && strings.TrimSpace(strings.TrimLeft(body, fence[:1])) == "":
			out = append([]string{strings.Join(block, "\n")}, out...)
			fence = ""
		default:
			block = append(block, line[min(indent, len(line)-len(body)):])
		}
	}
	return out
}

// fenceMark returns the run of backticks or tildes that a line begins with, if
// it is long enough for a fence.
func fenceMark(line string) string {
	const least = 3
	for _, c := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, c))
		if n >= least && (c == "~" || !strings.Contains(line[n:], "`")) {
			return line[:n]
		}
	}
	return ""
}
