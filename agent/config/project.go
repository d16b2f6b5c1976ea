package config

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hermes/agent/config/dotenv"
)

// ProjectFile is the .env of a working directory, as far as it may count:
// its *_API_KEY variables, after the user agreed (decision D37).
type ProjectFile struct {
	Path    string // empty when there is no such file
	Keys    map[string]string
	Tracked bool // git tracks the file: the keys are shared with the repository
}

// gitPatience bounds how long git may take to say whether it tracks a file.
const gitPatience = 2 * time.Second

// ProjectEnv reads dir's .env. Without one, or without keys in it, Keys is
// empty and there is no error. Values refer to variables of the file alone.
func ProjectEnv(dir string) (ProjectFile, error) {
	path := filepath.Join(dir, ".env")
	data, err := readFile(path)
	if err != nil || data == nil {
		return ProjectFile{}, err
	}
	f := ProjectFile{Path: path, Keys: map[string]string{}}
	text, _ := dotenv.Decode(data)
	none := func(string) (string, bool) { return "", false }
	for _, v := range dotenv.Expand(dotenv.Parse(text), none) {
		if strings.HasSuffix(v.Name, "_API_KEY") && usable(v.Value) {
			f.Keys[v.Name] = asciiOnly(v.Value)
		}
	}
	if len(f.Keys) > 0 {
		f.Tracked = tracked(path)
	}
	return f, nil
}

// Gaps returns the keys that environ leaves unset or empty.
func (f ProjectFile) Gaps(environ []string) map[string]string {
	env := newEnvironment(environ)
	gaps := map[string]string{}
	for name, value := range f.Keys {
		if env.values[name] == "" {
			gaps[name] = value
		}
	}
	return gaps
}

// tracked asks git. The monitor program that a repository may name is not
// started. Without git, or outside a repository, the answer is no.
func tracked(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "ls-files", "--error-unmatch", "--", filepath.Base(path))
	cmd.Dir = filepath.Dir(path)
	return cmd.Run() == nil
}
