package terminal

import (
	"path"
	"regexp"
	"strings"
)

// meaning explains exit codes that look like failures and are none, or that
// say little (contract/core §2.5). The command that counts is the last one.
func meaning(command string, code int) string {
	if code == 0 {
		return ""
	}
	switch program := lastProgram(command); {
	case code == 1:
		return meaningOfOne(program)
	case program == "curl":
		return map[int]string{
			6: "Could not resolve host", 7: "Failed to connect to host",
			22: "HTTP response code indicated error (e.g. 404, 500)", 28: "Operation timed out",
		}[code]
	}
	return ""
}

func meaningOfOne(program string) string {
	switch program {
	case "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack":
		return "No matches found (not an error)"
	case "diff", "colordiff":
		return "Files differ (expected, not an error)"
	case "find":
		return "Some directories were inaccessible (partial results may still be valid)"
	case "test", "[":
		return "Condition evaluated to false (expected, not an error)"
	case "git":
		return "Non-zero exit (often normal — e.g. 'git diff' returns 1 when files differ)"
	}
	return ""
}

// lastProgram names the program of the last simple command.
func lastProgram(command string) string {
	calls := simpleCommands(command)
	if len(calls) == 0 {
		return ""
	}
	words := calls[len(calls)-1].words
	for len(words) > 0 && assignment.MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	return path.Base(strings.Trim(words[0], `"'`))
}

var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
