package secret

import "strings"

// dumpers are commands that list variables with their values.
var dumpers = map[string]bool{"env": true, "printenv": true, "set": true, "export": true, "declare": true, "typeset": true, "compgen": true}

// starters stand before a command without changing what it prints.
var starters = map[string]bool{
	"sudo": true, "command": true, "builtin": true, "exec": true, "time": true, "nohup": true, "nice": true,
	"then": true, "do": true, "else": true, "{": true, "!": true,
}

// IsEnvDump reports whether a shell command has a part that lists the
// environment. It errs on the side of yes: the price is a mask too many.
func IsEnvDump(command string) bool {
	parts := strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(";&|\n()`$", r) })
	for _, part := range parts {
		words := strings.Fields(part)
		for len(words) > 0 && (starters[words[0]] || assigns(words[0]) || strings.HasPrefix(words[0], "-")) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		name := strings.Trim(words[0], `"'`)
		if dumpers[name[strings.LastIndexByte(name, '/')+1:]] {
			return true
		}
		// bash -c env, docker exec x env, cat .env
		last := strings.Trim(words[len(words)-1], `"'`)
		if last == "env" || last == "printenv" || last == ".env" || strings.HasSuffix(last, "/.env") || strings.HasSuffix(last, "/environ") {
			return last == ".env" || strings.HasSuffix(last, "/.env") || strings.HasSuffix(last, "/environ") || len(words) > 1 && words[0] != "echo" && words[0] != "which"
		}
	}
	return false
}

func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}
