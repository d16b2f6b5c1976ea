package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/locale"
)

// confirm asks a yes-or-no question on the terminal. Nobody to ask is a
// mistake on the command line, which --yes mends.
func confirm(io IO, lang locale.Lang, question string) (bool, error) {
	if !io.InTTY {
		return false, usageError{errors.New(locale.SessionsNeedYes.In(lang))}
	}
	fmt.Fprint(io.Err, question+" [y/N] ")
	answer, err := bufio.NewReader(io.In).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	if err != nil {
		fmt.Fprintln(io.Err)
	}
	fmt.Fprintln(io.Err, locale.SessionsCancelled.In(lang))
	return false, nil
}
