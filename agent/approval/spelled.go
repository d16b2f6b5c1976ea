package approval

import (
	"strings"

	"hermes/agent/approval/internal/shell"
)

// spelled are the commands inside a command line, each as plain words with one
// blank between them.
func spelled(command string, f Folders) []string {
	if len(command) > maxCommand {
		command = command[:maxCommand]
	}
	text := f.fold(command)
	out := []string{strings.TrimSpace(text)}
	script, err := shell.Parse(text)
	if err != nil {
		return out
	}
	for _, c := range script.Commands {
		if len(c.Words) == 0 {
			continue
		}
		words := make([]string, len(c.Words))
		for i, w := range c.Words {
			words[i] = w.Text
		}
		out = append(out, strings.Join(words, " "))
		if len(c.Wraps) > 0 {
			out = append(out, strings.Join(c.Wraps, " ")+" "+strings.Join(words, " "))
		}
	}
	return out
}
