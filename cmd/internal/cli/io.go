package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"

	"github.com/charmbracelet/x/term"
)

// IO is everything of the outside that a command touches. Commands take it as
// an argument, so that they can be run in tests; nothing else in this package
// reads os.Stdin and its siblings.
type IO struct {
	In  io.Reader
	Out io.Writer // answers and listings, nothing else
	Err io.Writer // everything that is not the answer

	InFile, OutFile *os.File // when they are files, for the terminal

	InTTY, OutTTY bool

	Environ []string
	Dir     string // working directory, absolute
}

// System returns the real thing.
func System() IO {
	dir, err := os.Getwd()
	if err != nil {
		// The folder was removed under us: paths stay relative.
		dir = "."
	}
	return IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InFile: os.Stdin, OutFile: os.Stdout,
		InTTY:   term.IsTerminal(os.Stdin.Fd()),
		OutTTY:  term.IsTerminal(os.Stdout.Fd()),
		Environ: os.Environ(), Dir: dir,
	}
}

// checkedWriter remembers the first failure to write: listings print line by
// line, and an answer that did not arrive is no success.
type checkedWriter struct {
	w io.Writer

	mu  sync.Mutex
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil {
		c.mu.Lock()
		if c.err == nil {
			c.err = err
		}
		c.mu.Unlock()
	}
	return n, err
}

func (c *checkedWriter) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return fmt.Errorf("write to standard output: %w", c.err)
	}
	return nil
}

// Getenv looks a variable up in Environ; the last entry of a name wins, as in
// the process environment.
func (io IO) Getenv(name string) string {
	for i := len(io.Environ) - 1; i >= 0; i-- {
		if e := io.Environ[i]; len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name {
			return e[len(name)+1:]
		}
	}
	return ""
}

// interruptible returns a context that ends at the first of the given
// signals; a second one ends the process as if it were not caught.
func interruptible(parent context.Context, sig ...os.Signal) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, sig...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
