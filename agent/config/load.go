package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
	"hermes/agent/locale"
)

// maxFile bounds what is read of a settings file, in bytes. A real one has a
// few kilobytes.
const maxFile = 8 << 20

// Config is the settings as they were when Load read them.
type Config struct {
	home  Home
	root  *yaml.Node // nil when config.yaml is missing, empty or broken
	env   *environment
	stamp fileStamp // of config.yaml and .env together
	outer []string  // the process environment that Load was given

	mu      sync.Mutex
	notices []Notice
	noted   map[string]bool
}

// fileStamp tells versions of the two files apart without reading them.
type fileStamp struct {
	config, env         time.Time
	configSize, envSize int64
}

// Load reads config.yaml and .env. The Config is always usable; with an error
// (*ParseError, or one that wraps the failure to read) it holds defaults in
// place of config.yaml, and .env is in force all the same. environ is the
// process environment, as os.Environ gives it.
func Load(home Home, environ []string) (*Config, error) {
	c := &Config{home: home, outer: environ, stamp: stampOf(home)}
	c.env = c.readEnv(environ)
	root, err := readConfig(home.Config())
	c.root = root
	var broken *ParseError
	if errors.As(err, &broken) {
		broken.Backup = keepBroken(home.Config(), time.Now())
	}
	return c, err
}

// withEnviron is c with another environment in place of its own, nil for its
// own. Notices that are found there are not those of c.
func (c *Config) withEnviron(environ []string) *Config {
	if environ == nil {
		return c
	}
	return &Config{home: c.home, root: c.root, env: newEnvironment(environ), outer: c.outer, stamp: c.stamp}
}

// Reload returns a snapshot of the files as they are now, or c itself when
// neither changed. After an error it keeps c's config.yaml, the last good one.
func (c *Config) Reload() (*Config, error) {
	if stampOf(c.home) == c.stamp {
		return c, nil
	}
	n, err := Load(c.home, c.outer)
	if err != nil {
		n.root = c.root
	}
	return n, err
}

func stampOf(home Home) (s fileStamp) {
	if st, err := os.Stat(home.Config()); err == nil {
		s.config, s.configSize = st.ModTime(), st.Size()
	}
	if st, err := os.Stat(home.Env()); err == nil {
		s.env, s.envSize = st.ModTime(), st.Size()
	}
	return s
}

// readConfig returns the root mapping of config.yaml, nil when there is none.
func readConfig(path string) (*yaml.Node, error) {
	data, err := readFile(path)
	if err != nil || data == nil {
		return nil, err
	}
	return parseConfig(path, data)
}

func parseConfig(path string, data []byte) (*yaml.Node, error) {
	root, err := yaml11.Parse(path, data)
	var bad *yaml11.Error
	if errors.As(err, &bad) {
		return nil, &ParseError{File: path, Line: bad.Line, Reason: bad.Reason}
	}
	if err != nil {
		return nil, err
	}
	target := yaml11.Target(root)
	switch {
	case target == nil || target.Kind == yaml.MappingNode:
		return target, nil
	case target.Kind == yaml.ScalarNode && target.ShortTag() == "!!null":
		return nil, nil
	}
	return nil, &ParseError{File: path, Line: target.Line, Reason: "the top level must be a mapping (key: value)"}
}

// readFile returns nil without an error when the file does not exist.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &ReadError{Path: path, Err: err}
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, &ReadError{Path: path, Err: err}
	}
	if st.Size() > maxFile {
		return nil, &ReadError{Path: path, Err: fmt.Errorf("it has %d bytes, more than %d", st.Size(), maxFile)}
	}
	data := make([]byte, 0, st.Size()+1)
	buf := bytes.NewBuffer(data)
	if _, err := buf.ReadFrom(f); err != nil {
		return nil, &ReadError{Path: path, Err: err}
	}
	return buf.Bytes(), nil
}

// keepBroken copies a broken file beside it, as the reference does, so that a
// later change by any program cannot lose what the user wrote. A copy with the
// same content is made once. It returns the copy's path, "" when it could not
// be written.
func keepBroken(path string, now time.Time) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	old, _ := filepath.Glob(path + ".corrupt.*.bak") // the pattern is valid
	for _, o := range old {
		if same, err := os.ReadFile(o); err == nil && bytes.Equal(same, data) {
			return o
		}
	}
	backup := fmt.Sprintf("%s.corrupt.%s.bak", path, now.Format("20060102-150405"))
	if err := os.WriteFile(backup, data, FileMode); err != nil {
		return ""
	}
	return backup
}

// ParseError says that a settings file is broken.
type ParseError struct {
	File   string // path
	Line   int    // from 1, 0 when not known
	Reason string // the parser's words, English
	Backup string // path of the copy that was kept, "" when there is none
}

func (e *ParseError) place() string {
	if e.Line == 0 {
		return e.File
	}
	return fmt.Sprintf("%s:%d", e.File, e.Line)
}

func (e *ParseError) Error() string { return e.place() + ": " + e.Reason }

// In is the sentence for the user: where, why, what happens now.
func (e *ParseError) In(l locale.Lang) string {
	s := locale.CfgBroken.In(l, e.place(), e.Reason)
	if e.Backup != "" {
		s += locale.CfgBackup.In(l, filepath.Base(e.Backup))
	}
	return s
}

// ReadError says that a settings file is there and cannot be read.
type ReadError struct {
	Path string
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("read %s: %v", e.Path, e.cause()) }
func (e *ReadError) Unwrap() error { return e.Err }

// cause is the failure without the path that the file system repeats.
func (e *ReadError) cause() error {
	var pe *fs.PathError
	if errors.As(e.Err, &pe) {
		return pe.Err
	}
	return e.Err
}

// In is the sentence for the user.
func (e *ReadError) In(l locale.Lang) string {
	return locale.CfgUnreadable.In(l, e.Path, e.cause())
}

// Notice is something in the settings that a user should know: a value that
// was not taken as it stands.
type Notice struct {
	File string // path
	Line int    // from 1, 0 when it is about the whole file
	Msg  locale.Msg
	Args []any // a locale.Msg is put in the same language
}

// In is the sentence for the user, with its place.
func (n Notice) In(l locale.Lang) string {
	place := filepath.Base(n.File)
	if n.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, n.Line)
	}
	args := slices.Clone(n.Args)
	for i, a := range args {
		if m, ok := a.(locale.Msg); ok {
			args[i] = m.In(l)
		}
	}
	return place + ": " + n.Msg.In(l, args...)
}

// Notices returns what was found so far. It grows while values are asked for;
// the same thing is noted once.
func (c *Config) Notices() []Notice {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Notice(nil), c.notices...)
}

func (c *Config) note(file string, line int, msg locale.Msg, args ...any) {
	n := Notice{file, line, msg, args}
	id := n.In(locale.EN)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted[id] {
		return
	}
	if c.noted == nil {
		c.noted = map[string]bool{}
	}
	c.noted[id] = true
	c.notices = append(c.notices, n)
}

// Home returns the home folder.
func (c *Config) Home() Home { return c.home }
