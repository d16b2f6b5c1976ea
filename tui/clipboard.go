package tui

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/locale"
)

// clipboardMost is how many bytes of base64 terminals take for the clipboard
// (OSC 52): xterm's limit, and the smallest among the usual ones.
const clipboardMost = 74_000

// clipboardWait is how long a clipboard program may take.
const clipboardWait = 2 * time.Second

// copiedMsg says where a text went.
type copiedMsg struct {
	letters int
	tool    string // program that took it, too; empty for none
	file    string // it was too long for the terminal
	err     error
}

// copy puts text on the clipboard: through the terminal, which works over SSH
// and in tmux, and through the system's own program where we run on it.
func (m *model) copy(text string) tea.Cmd {
	m.dirty = true
	if text == "" {
		m.flash = m.look.T(locale.UICopiedNothing)
		return nil
	}
	long := base64.StdEncoding.EncodedLen(len(text)) > clipboardMost
	if !long {
		m.screen.Clipboard(text)
	}
	tool := clipboardTool(m.opts.Getenv, runtime.GOOS)
	letters := utf8.RuneCountInString(text)
	if !long && tool == nil {
		m.copied(copiedMsg{letters: letters})
		return nil
	}
	return m.do(func() tea.Msg {
		done := copiedMsg{letters: letters}
		if tool != nil && runTool(tool, text) == nil {
			done.tool = tool[0]
		}
		if long && done.tool == "" {
			done.file, done.err = copyToFile(text)
		}
		return done
	})
}

// copied tells how many characters went where.
func (m *model) copied(msg copiedMsg) {
	m.dirty = true
	n := m.look.N(msg.letters, locale.UICopied1, locale.UICopied)
	switch {
	case msg.err != nil:
		m.failed(failedMsg{locale.UICopyFailed, msg.err})
	case msg.file != "":
		m.say(m.look.T(locale.UICopiedFile, n, msg.file))
	case msg.tool != "":
		m.flash = m.look.T(locale.UICopiedTool, n, msg.tool)
	default:
		m.flash = m.look.T(locale.UICopiedOSC, n)
	}
}

// clipboardTool returns the command of the system's clipboard, nil where there
// is none or it would be another machine's.
func clipboardTool(getenv func(string) string, goos string) []string {
	if getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" || getenv("SSH_CLIENT") != "" {
		return nil
	}
	var tools [][]string
	switch {
	case goos == "darwin":
		tools = [][]string{{"pbcopy"}}
	case goos == "windows":
		tools = [][]string{{"clip"}}
	case getenv("WAYLAND_DISPLAY") != "":
		tools = [][]string{{"wl-copy"}}
	case getenv("DISPLAY") != "":
		tools = [][]string{{"xclip", "-selection", "clipboard"}, {"xsel", "--clipboard", "--input"}}
	}
	for _, t := range tools {
		if _, err := exec.LookPath(t[0]); err == nil {
			return t
		}
	}
	return nil
}

func runTool(tool []string, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), clipboardWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool[0], tool[1:]...)
	cmd.Stdin = strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("copy with %s: %w", tool[0], err)
	}
	return nil
}

// copyToFile keeps a text that no clipboard takes.
func copyToFile(text string) (string, error) {
	f, err := os.CreateTemp("", "hermes-copy-*.txt")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return f.Name(), err
}
