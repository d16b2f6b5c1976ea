package app

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// pyCheckTime bounds how long the check of a Python text may take; a text that
// is not checked in time counts as sound.
const pyCheckTime = 3 * time.Second

// pyCheck prints what is wrong with the text on its standard input, if it is
// no Python.
const pyCheck = `import ast, sys
try:
    ast.parse(sys.stdin.buffer.read())
except (SyntaxError, ValueError) as e:
    line, col = getattr(e, "lineno", None), getattr(e, "offset", None)
    where = " (line %d, column %d)" % (line, col or 0) if line else ""
    print("%s: %s%s" % (type(e).__name__, getattr(e, "msg", None) or e, where))
`

// checkPython returns what is wrong with a Python text, "" when it is sound or
// nothing can check it.
func (rt *Runtime) checkPython(text string) string {
	python, err := rt.scriptPython()
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), pyCheckTime)
	defer cancel()
	args := append(python[1:len(python):len(python)], "-I", "-S", "-c", pyCheck)
	cmd := exec.CommandContext(ctx, python[0], args...)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// node is the program that checks JavaScript, "" when there is none.
func (rt *Runtime) node() string {
	path, err := exec.LookPath("node")
	if err != nil {
		return ""
	}
	return path
}

// getenv reads a variable of the environment that tools and plugins see.
func (rt *Runtime) getenv(name string) string { return lookup(rt.environ(), name) }
