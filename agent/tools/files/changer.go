package files

import (
	"context"
	"os"
	"sync"
)

// changer is what the tools that change files share. One change runs at a time:
// two calls that touch one file must not undo each other.
type changer struct {
	deps Deps
	mu   sync.Mutex // held while a change is carried out
	seen *seen
}

func (c *changer) Available(context.Context) (bool, string) { return true, "" }

// stale warns when a file has changed since the session read or wrote it.
func (c *changer) stale(session, path string) string {
	info, err := os.Stat(path)
	if err != nil || !c.seen.changed(session, path, info) {
		return ""
	}
	return "The file on disk had changed since you last read it; what somebody else wrote may be lost. Read it again before further changes."
}

// wrote remembers what the session knows of a file now, and that what it read
// before is no longer what stands there.
func (c *changer) wrote(session, path string) {
	if info, err := os.Stat(path); err == nil {
		c.seen.written(session, path, info)
	}
}

// dir is where the relative paths of a session start.
func (d Deps) dir(session string) string {
	p, err := d.resolve(session, ".")
	if err != nil {
		return ""
	}
	return p
}
