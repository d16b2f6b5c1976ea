package files

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"hermes/agent/diff"
)

// bom is the mark that some programs put before UTF-8.
const bom = "\ufeff"

// document is a text file as a change sees it: line ends are \n and there is no
// mark in front; String gives the bytes back as the file had them.
type document struct {
	text string
	crlf bool // every line of the file ends with \r\n
	mark bool
	mode fs.FileMode
}

// errNotText says that a file is not UTF-8.
var errNotText = errors.New("it is not UTF-8 text; change it with the terminal tool")

// load reads a file that is to be changed.
func load(path string) (document, error) {
	info, err := os.Stat(path)
	if err != nil {
		return document{}, err
	}
	switch {
	case info.IsDir():
		return document{}, errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return document{}, errors.New("it is a device, pipe or socket, not a file")
	case info.Size() > maxFile:
		return document{}, errors.New("it is too large to be changed here")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return document{}, err
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return document{}, errNotText
	}
	d := document{mode: info.Mode().Perm()}
	d.text, d.mark = strings.CutPrefix(string(data), bom)
	if n := strings.Count(d.text, "\n"); n > 0 && n == strings.Count(d.text, "\r\n") {
		d.crlf = true
		d.text = strings.ReplaceAll(d.text, "\r\n", "\n")
	}
	return d, nil
}

// bytes is what the file holds when its text is text.
func (d document) bytes(text string) []byte {
	if d.crlf {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	if d.mark && !strings.HasPrefix(text, bom) {
		text = bom + text
	}
	return []byte(text)
}

// save replaces path with data: whole or not at all, through links, with the
// mode of the file that was there.
func save(path string, data []byte, mode fs.FileMode) error {
	target := real(path)
	f, err := os.CreateTemp(filepath.Dir(target), ".hermes-*")
	if err != nil {
		return err
	}
	tmp := f.Name()
	defer os.Remove(tmp) // gone already when all went well
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, target)
	}
	return err
}

// newFileMode is for files that were not there.
const newFileMode fs.FileMode = 0o644

// shownPath is how a path stands in a diff: relative to the working folder
// where it is below it.
func shownPath(dir, path string) string {
	if rel, ok := within(dir, path); ok && dir != "" {
		return rel
	}
	return strings.TrimPrefix(filepath.ToSlash(path), "/")
}

// unified is the difference of two texts. An empty name stands for a file that
// is not there.
func unified(oldName, newName, before, after string) string {
	name := func(prefix, n string) string {
		if n == "" {
			return diff.Null
		}
		return prefix + n
	}
	return diff.Unified(name("a/", oldName), name("b/", newName), before, after)
}

// plain is an error without the path, which is named already.
func plain(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err.Error()
	}
	return fmt.Sprint(reason(err))
}
