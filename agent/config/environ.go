package config

import (
	"strings"
	"unicode"

	"hermes/agent/config/dotenv"
	"hermes/agent/locale"
)

// environment is the process environment with ~/.hermes/.env over it.
type environment struct {
	values map[string]string
	order  []string
	file   map[string]bool // names that .env sets
}

func newEnvironment(environ []string) *environment {
	e := &environment{values: make(map[string]string, len(environ)), file: map[string]bool{}}
	for _, kv := range environ {
		// A leading "=" belongs to the name of Windows' per-drive folders.
		i := strings.IndexByte(kv[min(1, len(kv)):], '=')
		if i >= 0 {
			e.set(kv[:i+1], kv[i+2:])
		}
	}
	return e
}

func (e *environment) set(name, value string) {
	if _, ok := e.values[name]; !ok {
		e.order = append(e.order, name)
	}
	e.values[name] = value
}

func (e *environment) lookup(name string) (string, bool) {
	v, ok := e.values[name]
	return v, ok
}

// readEnv merges home's .env over environ: the file wins, also over a variable
// that the shell exports, as in the reference.
func (c *Config) readEnv(environ []string) *environment {
	e := newEnvironment(environ)
	path := c.home.Env()
	data, err := readFile(path)
	if err != nil {
		c.note(path, 0, locale.DotenvUnreadable, err)
		return e
	}
	if data == nil {
		return e
	}
	text, latin1 := dotenv.Decode(data)
	if latin1 {
		c.note(path, 0, locale.DotenvLatin1)
	}
	bindings := dotenv.Parse(text)
	for _, b := range bindings {
		if b.Broken {
			c.note(path, b.Line, locale.DotenvBroken)
		}
	}
	for _, v := range dotenv.Expand(bindings, e.lookup) {
		value := v.Value
		if clean := asciiOnly(value); clean != value && credential(v.Name) {
			c.note(path, 0, locale.DotenvNonASCII, v.Name)
			value = clean
		}
		e.set(v.Name, value)
		e.file[v.Name] = true
	}
	return e
}

// credential reports whether a variable holds a key by its name; services
// take ASCII there only, and a pasted key often brings a stray character.
func credential(name string) bool {
	for _, suffix := range []string{"_API_KEY", "_TOKEN", "_SECRET", "_KEY"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}

func asciiOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s)
}

// Getenv returns a variable of the merged environment, "" when it is not set.
func (c *Config) Getenv(name string) string { return c.env.values[name] }

// LookupEnv is Getenv that tells an empty variable from a missing one.
func (c *Config) LookupEnv(name string) (string, bool) { return c.env.lookup(name) }

// Environ returns the merged environment as os.Environ would: what child
// processes that plugins rely on get.
func (c *Config) Environ() []string {
	out := make([]string, 0, len(c.env.order))
	for _, name := range c.env.order {
		out = append(out, name+"="+c.env.values[name])
	}
	return out
}

// Truthy reports whether a variable's value switches something on: 1, true,
// yes or on, in any case, trimmed.
func Truthy(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
