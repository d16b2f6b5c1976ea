package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Places that no tool writes to (contract/core §2.5). The first need root and
// belong to the system, the second hold credentials of the user.
var (
	systemPrefixes = []string{"/etc/", "/boot/", "/usr/lib/systemd/", "/private/etc/", "/private/var/db/"}
	systemFiles    = []string{"/var/run/docker.sock", "/run/docker.sock"}
	deniedFolders  = []string{".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".config/gh", ".config/gcloud"}
	deniedFiles    = []string{".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials"}
	// deniedHome are what a session must not change in HERMES_HOME.
	deniedHome = []string{".env", ".op.env", ".anthropic_oauth.json", "auth.json", "state.db", "state.db-wal", "state.db-shm", "sessions", "pairing", "mcp-tokens"}
	// profileAreas are the folders of a profile that another one leaves alone.
	profileAreas = []string{"skills", "plugins", "cron", "memories"}
)

// refusal is why a path is not written; Plain tells the two shapes of the
// reference's answers apart.
type refusal struct {
	text  string
	plain bool // only an error, not the whole answer of write_file
}

// refuseWrite says why a file is not written, nil when it may be. Links are
// followed first: a link into ~/.ssh is ~/.ssh.
func (d Deps) refuseWrite(path string, crossProfile bool) *refusal {
	target := real(path)
	for _, p := range []string{filepath.ToSlash(path), filepath.ToSlash(target)} {
		if isSystem(p) {
			return &refusal{fmt.Sprintf("Refusing to write to sensitive system path: %s\nUse the terminal tool with sudo if you need to modify system files.", path), true}
		}
	}
	if d.isConfig(target) {
		return &refusal{fmt.Sprintf("Refusing to write to Hermes config file: %s\nThe agent does not change its own settings. The user can, with 'hermes config' or an editor.", path), true}
	}
	if d.isDenied(path) || d.isDenied(target) {
		return &refusal{fmt.Sprintf("Write denied: '%s' is a protected system/credential file.", path), false}
	}
	if roots := d.safeRoots(); len(roots) > 0 && !insideAny(target, roots) {
		return &refusal{fmt.Sprintf("Write denied: '%s' is outside of HERMES_WRITE_SAFE_ROOT (%s).", path, strings.Join(roots, string(filepath.ListSeparator))), false}
	}
	if other := d.otherProfile(target); other != "" && !crossProfile {
		return &refusal{fmt.Sprintf("Write denied: '%s' belongs to the profile '%s'. If the user asked for this, call again with cross_profile=true.", path, other), false}
	}
	return nil
}

func isSystem(path string) bool {
	for _, p := range systemPrefixes {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	for _, p := range systemFiles {
		if path == p {
			return true
		}
	}
	return false
}

func (d Deps) isConfig(path string) bool {
	return d.Home != "" && path == filepath.Join(real(d.Home), "config.yaml")
}

func (d Deps) isDenied(path string) bool {
	if home, err := os.UserHomeDir(); err == nil && home != "" {
		for _, base := range []string{home, real(home)} {
			if rel, ok := within(base, path); ok {
				for _, dir := range deniedFolders {
					if rel == dir || strings.HasPrefix(rel, dir+"/") {
						return true
					}
				}
				for _, name := range deniedFiles {
					if rel == name {
						return true
					}
				}
			}
		}
	}
	if d.Home == "" {
		return false
	}
	rel, ok := within(real(d.Home), real(path))
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(rel, "/")
	for _, name := range deniedHome {
		if strings.EqualFold(first, name) {
			return true
		}
	}
	return false
}

// within returns path relative to base with slashes, when it is below it.
func within(base, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(base, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func insideAny(path string, roots []string) bool {
	for _, root := range roots {
		if _, ok := within(real(root), path); ok {
			return true
		}
	}
	return false
}

// safeRoots are the only folders that may be written to, when the user names
// any.
func (d Deps) safeRoots() []string {
	if d.Getenv == nil {
		return nil
	}
	var out []string
	for _, p := range filepath.SplitList(d.Getenv("HERMES_WRITE_SAFE_ROOT")) {
		if p = strings.TrimSpace(p); p != "" {
			if abs, err := filepath.Abs(p); err == nil {
				out = append(out, abs)
			}
		}
	}
	return out
}

// otherProfile names the profile whose skills, plugins, schedules or memories
// path belongs to, "" when it is no other one's.
func (d Deps) otherProfile(path string) string {
	if d.Home == "" {
		return ""
	}
	home := real(d.Home)
	root, mine := home, "default"
	if parent := filepath.Dir(home); filepath.Base(parent) == "profiles" {
		root, mine = filepath.Dir(parent), filepath.Base(home)
	}
	rel, ok := within(root, path)
	if !ok {
		return ""
	}
	owner, parts := "default", strings.Split(rel, "/")
	if parts[0] == "profiles" && len(parts) > 2 {
		owner, parts = parts[1], parts[2:]
	}
	if owner == mine {
		return ""
	}
	for _, area := range profileAreas {
		if parts[0] == area {
			return owner
		}
	}
	return ""
}
