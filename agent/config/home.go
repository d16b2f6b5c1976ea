package config

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// Modes of what is created below the home folder (contract: config and state
// files 0600, folders 0700).
const (
	DirMode  os.FileMode = 0o700
	FileMode os.FileMode = 0o600
)

// Home is the folder that holds settings, secrets, plugins and state. It is
// the only place that joins paths onto it. The zero value is not usable.
type Home struct{ dir string }

// ErrNoHome says that no home folder can be told.
var ErrNoHome = errors.New("neither HERMES_HOME nor a home folder is set")

// FindHome returns HERMES_HOME when that is set to more than blanks, else
// ~/.hermes. The folder need not exist.
func FindHome(getenv func(string) string) (Home, error) {
	if dir := strings.TrimSpace(getenv("HERMES_HOME")); dir != "" {
		return At(dir)
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); dir != "" {
			return At(filepath.Join(dir, ".hermes"))
		}
	}
	// As in the reference, the user database answers when HOME is not set.
	if u, err := user.Current(); err == nil && u.HomeDir != "" {
		return At(filepath.Join(u.HomeDir, ".hermes"))
	}
	return Home{}, ErrNoHome
}

// At returns the home at dir, made absolute.
func At(dir string) (Home, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Home{}, fmt.Errorf("find the home folder %s: %w", dir, err)
	}
	return Home{abs}, nil
}

// Dir is the folder itself, absolute.
func (h Home) Dir() string { return h.dir }

// Short is the folder as it is shown: below the user's home with ~.
func (h Home) Short() string { return Short(h.dir) }

// Short abbreviates the user's home folder in path to ~.
func Short(path string) string {
	base, err := os.UserHomeDir()
	if err != nil || base == "" {
		return path
	}
	if path == base {
		return "~"
	}
	if rest, ok := strings.CutPrefix(path, base+string(filepath.Separator)); ok {
		return filepath.Join("~", rest)
	}
	return path
}

func (h Home) join(parts ...string) string {
	return filepath.Join(append([]string{h.dir}, parts...)...)
}

// Files and folders below home.

// Config is config.yaml.
func (h Home) Config() string { return h.join("config.yaml") }

// Env is .env, the user's secrets.
func (h Home) Env() string { return h.join(".env") }

// Plugins is the folder of the user's plugins.
func (h Home) Plugins() string { return h.join("plugins") }

// Skills is the folder of the user's skills.
func (h Home) Skills() string { return h.join("skills") }

// Skins is the folder of the user's themes, in the reference's format.
func (h Home) Skins() string { return h.join("skins") }

// Themes is the folder of the user's themes in our own format.
func (h Home) Themes() string { return h.join("themes") }

// Logs is the folder of agent.log and errors.log.
func (h Home) Logs() string { return h.join("logs") }

// Cache is for what can be made again.
func (h Home) Cache() string { return h.join("cache") }

// Cached is a file below Cache.
func (h Home) Cached(name string) string { return h.join("cache", name) }

// History is the file of typed lines, shared with the reference.
func (h Home) History() string { return h.join(".hermes_history") }

// Venv is the managed Python environment.
func (h Home) Venv() string { return h.join("venv") }

// Memories is the folder of MEMORY.md and USER.md.
func (h Home) Memories() string { return h.join("memories") }

// Soul is SOUL.md, the user's own words for the system prompt.
func (h Home) Soul() string { return h.join("SOUL.md") }

// Sessions is the folder of exported sessions.
func (h Home) Sessions() string { return h.join("sessions") }

// State is the session database.
func (h Home) State() string { return h.join("state.db") }

// Checkpoints is the folder of the snapshots that /rollback goes back to.
func (h Home) Checkpoints() string { return h.join("checkpoints") }

// HookOutputs holds context of hooks that was too long for a message.
func (h Home) HookOutputs() string { return h.join("hook_outputs") }

// lock is the file that writers of config.yaml and .env hold.
func (h Home) lock() string { return h.join(".config.lock") }

// Make creates dir and what is missing above it, for this user only.
func Make(dir string) error {
	if err := os.MkdirAll(dir, DirMode); err != nil {
		return fmt.Errorf("create %s: %w", dir, err)
	}
	return nil
}
