package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/locale"
)

// editedMsg brings the draft back from the editor (decision D24: it goes to the
// composer, nothing is sent).
type editedMsg struct {
	before, after string
	err           error
}

// edit opens the draft in the user's editor, which has the terminal until it
// ends.
func (m *model) edit() tea.Cmd {
	if m.editing {
		return nil
	}
	editor, err := findEditor(m.opts.Getenv)
	if err != nil {
		m.noEditor(err)
		return nil
	}
	m.editing = true
	text := m.composer.Text()
	return m.do(func() tea.Msg {
		after, err := editWith(m.screen, editor, text)
		return editedMsg{before: text, after: after, err: err}
	})
}

// edited takes the text in. A draft that was not changed stays as it is, its
// pastes folded.
func (m *model) edited(msg editedMsg) {
	m.editing, m.dirty = false, true
	if msg.err != nil {
		m.noEditor(msg.err)
		return
	}
	if msg.after == msg.before {
		return
	}
	m.composer.SetText(msg.after)
	m.complete()
}

// noEditor says why there was no editing; the draft is as before.
func (m *model) noEditor(err error) {
	var missing missingEditor
	text := m.look.T(locale.UIEditorFailed, err)
	switch {
	case errors.As(err, &missing) && missing.name != "":
		text = m.look.T(locale.UIEditorMissing, missing.name)
	case errors.As(err, &missing):
		text = m.look.T(locale.UIEditorNone)
	}
	m.warn(text)
}

// missingEditor says that a named editor is not installed, or that none is
// named and none of the usual ones is there.
type missingEditor struct{ name string }

func (e missingEditor) Error() string { return "no editor " + e.name }

// findEditor returns the command line of the editor: $VISUAL, $EDITOR, or the
// first of the usual ones that is there.
func findEditor(getenv func(string) string) (string, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		line := strings.TrimSpace(getenv(name))
		if line == "" {
			continue
		}
		// What needs a shell to be understood is left to it.
		if word := strings.Fields(line)[0]; !strings.ContainsAny(word, `"'$~\`) || runtime.GOOS == "windows" {
			if _, err := exec.LookPath(strings.Trim(word, `"`)); err != nil {
				return "", missingEditor{word}
			}
		}
		return line, nil
	}
	usual := []string{"nano", "vim", "vi"}
	if runtime.GOOS == "windows" {
		usual = []string{"notepad"}
	}
	for _, name := range usual {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", missingEditor{}
}

// editWith has text edited in a file that only the user can read.
func editWith(s screen, editor, text string) (string, error) {
	f, err := os.CreateTemp("", "hermes-draft-*.md")
	if err != nil {
		return "", fmt.Errorf("write the draft: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write the draft: %w", err)
	}
	err = s.Lend(func(ctx context.Context, in, out *os.File) error {
		cmd := editorCommand(ctx, editor, f.Name())
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
		return cmd.Run()
	})
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(f.Name())
	if err != nil {
		return "", fmt.Errorf("read the draft: %w", err)
	}
	after := strings.ReplaceAll(strings.ToValidUTF8(string(data), "\uFFFD"), "\r\n", "\n")
	if !strings.HasSuffix(text, "\n") { // the last line end is the editor's
		after = strings.TrimSuffix(after, "\n")
	}
	return after, nil
}

// editorCommand starts the editor as a shell would, since its line may hold
// arguments, quotes and variables.
func editorCommand(ctx context.Context, editor, file string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := strings.Fields(editor)
		return exec.CommandContext(ctx, strings.Trim(words[0], `"`), append(words[1:], file)...)
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", editor+` "$@"`, editor, file)
}
