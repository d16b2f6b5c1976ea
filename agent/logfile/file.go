package logfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// file is one rotating log. Only the writer goroutine touches it.
type file struct {
	path string
	size int64 // rotate before it grows past this, in bytes
	kept int   // how many old files stay: path.1 … path.kept
	f    *os.File
}

// append writes one record with one call, so that two programs that append to
// the same file do not mix their lines.
func (l *file) append(line string) error {
	if err := l.ready(int64(len(line))); err != nil {
		return err
	}
	if _, err := l.f.WriteString(line); err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	return nil
}

// ready opens the file, and rotates when n more bytes would make it too large.
// The file may have been rotated by another program: then path names another
// file than ours, which is opened.
func (l *file) ready(n int64) error {
	now, err := os.Stat(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at the log: %w", err)
	}
	if l.f != nil {
		if ours, e := l.f.Stat(); err != nil || e != nil || !os.SameFile(now, ours) {
			l.close()
		}
	}
	if err == nil && now.Size() > 0 && now.Size()+n > l.size {
		l.rotate(now)
	}
	if l.f != nil {
		return nil
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	l.f = f
	return nil
}

// rotate moves path to path.1, path.1 to path.2 and so on, as Python's
// RotatingFileHandler names them. A file that cannot be moved is written on.
// Another program may have rotated full in the meantime: then nothing is moved.
func (l *file) rotate(full os.FileInfo) {
	l.close()
	if now, err := os.Stat(l.path); err != nil || !os.SameFile(now, full) {
		return
	}
	for i := l.kept - 1; i >= 1; i-- {
		_ = os.Rename(fmt.Sprintf("%s.%d", l.path, i), fmt.Sprintf("%s.%d", l.path, i+1))
	}
	_ = os.Rename(l.path, l.path+".1")
}

func (l *file) close() {
	if l.f != nil {
		_ = l.f.Close() // every record was written with its own call
		l.f = nil
	}
}
