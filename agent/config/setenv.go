package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hermes/agent/config/dotenv"
)

// neverWritten are variables that change how programs are found and run, not
// secrets: a .env that sets one could take the machine over (contract/core
// §4.1).
var neverWritten = [...]string{
	"PATH", "HOME", "SHELL", "IFS", "EDITOR", "VISUAL", "PAGER", "BROWSER", "HERMES_HOME", "HERMES_PYTHON",
	"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "NODE_OPTIONS", "BASH_ENV", "ENV", "PROMPT_COMMAND",
	"GIT_SSH", "GIT_SSH_COMMAND", "SSH_ASKPASS",
}

// SetEnv sets a variable in .env: under the lock, leaving every other line as
// it is, for this user only. A name that the file sets several times is changed
// where it counts, at its last place.
func SetEnv(home Home, name, value string) error {
	line, err := envLine(name, value)
	if err != nil {
		return err
	}
	return locked(home, func() error {
		data, err := readFile(home.Env())
		if err != nil {
			return err
		}
		text, _ := dotenv.Decode(data)
		return WriteFile(home.Env(), []byte(withVar(text, name, line)))
	})
}

// withVar replaces or appends the statement of a variable.
func withVar(text, name, line string) string {
	bindings := dotenv.Parse(text)
	for _, b := range slices.Backward(bindings) {
		if b.Name != name {
			continue
		}
		statement := strings.TrimLeft(text[b.Start:b.End], " \t\r\n")
		start := b.End - len(statement) // blank lines before it stay
		if strings.HasPrefix(statement, "export ") {
			line = "export " + line
		}
		return text[:start] + line + text[b.End:]
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + line
}

// envLine writes NAME=value so that dotenv reads value again, and so does the
// reference.
func envLine(name, value string) (string, error) {
	if ok, _ := regexp.MatchString(`^[A-Za-z_][A-Za-z0-9_]*$`, name); !ok {
		return "", fmt.Errorf("%q is not the name of a variable", name)
	}
	if slices.Contains(neverWritten[:], name) || strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_") {
		return "", fmt.Errorf("%s decides how programs run and is never written to .env", name)
	}
	if strings.ContainsAny(value, "\x00") {
		return "", fmt.Errorf("the value of %s holds a NUL character", name)
	}
	for _, line := range []string{name + "=" + value + "\n", name + "='" + value + "'\n", name + `="` + escape(value) + "\"\n"} {
		vars := dotenv.Expand(dotenv.Parse(line), func(string) (string, bool) { return "", false })
		if len(vars) == 1 && vars[0].Name == name && vars[0].Value == value {
			return line, nil
		}
	}
	return "", fmt.Errorf("the value of %s cannot be written to .env: it holds ${…}, which is replaced there", name)
}

func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(value)
}

// UnsetEnv takes every statement of a variable out of .env. It returns
// ErrNotSet when there is none.
func UnsetEnv(home Home, name string) error {
	return locked(home, func() error {
		data, err := readFile(home.Env())
		if err != nil {
			return err
		}
		text, _ := dotenv.Decode(data)
		found := false
		for _, b := range slices.Backward(dotenv.Parse(text)) {
			if b.Name != name {
				continue
			}
			found = true
			statement := strings.TrimLeft(text[b.Start:b.End], " \t\r\n")
			text = text[:b.End-len(statement)] + text[b.End:] // blank lines before it stay
		}
		if !found {
			return ErrNotSet
		}
		return WriteFile(home.Env(), []byte(text))
	})
}
