package cases

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// place is where a case lives on the disk.
type place struct{ base, home, work, user string }

func placeAt(base string) place {
	return place{base, filepath.Join(base, "home"), filepath.Join(base, "work"), filepath.Join(base, "user")}
}

func (p place) vars(port int, python string) map[string]string {
	return map[string]string{"HOME": p.home, "WORK": p.work, "BASE": p.base, "PORT": strconv.Itoa(port), "PYTHON": python}
}

// layOut writes the input of a case.
func (c *Case) layOut(p place, port int) error {
	for _, dir := range []string{p.home, p.work, p.user} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	config, err := c.configFile(port)
	if err != nil {
		return fmt.Errorf("%s: config: %w", c.ID, err)
	}
	if err := os.WriteFile(filepath.Join(p.home, "config.yaml"), config, 0o600); err != nil {
		return fmt.Errorf("%s: %w", c.ID, err)
	}
	for _, part := range []struct {
		root  string
		files []File
	}{{p.home, c.Home}, {p.work, c.Work}, {p.base, c.Beside}} {
		if err := writeFiles(part.root, part.files); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
	}
	return nil
}

// configFile is config.yaml of the case, as JSON, which is YAML.
func (c *Case) configFile(port int) ([]byte, error) {
	config := map[string]any{}
	for key, raw := range c.Config {
		config[key] = raw
	}
	if config["model"] == nil {
		config["model"] = map[string]any{
			"provider": "custom", "base_url": fmt.Sprintf("http://127.0.0.1:%d/v1", port),
			"default": "mock-model", "api_key": "sk-case-0000000000000000",
		}
	}
	security := map[string]any{"tirith_enabled": false}
	if err := merge(security, c.Config["security"]); err != nil {
		return nil, err
	}
	config["security"] = security
	plugins := map[string]any{}
	if err := merge(plugins, c.Config["plugins"]); err != nil {
		return nil, err
	}
	if c.Enable != nil {
		plugins["enabled"] = c.Enable
	}
	config["plugins"] = plugins
	return json.MarshalIndent(config, "", " ")
}

func merge(into map[string]any, raw json.RawMessage) error {
	if len(raw) == 0 {
		return nil
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		return err
	}
	maps.Copy(into, m)
	return nil
}

// writeFiles writes files below root; modes come last, because a folder may
// lose its own.
func writeFiles(root string, files []File) error {
	for _, f := range files {
		if err := f.write(filepath.Join(root, filepath.FromSlash(f.Path))); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	for _, f := range files {
		if f.Mode == "" {
			continue
		}
		mode, err := strconv.ParseUint(f.Mode, 8, 32)
		if err == nil {
			err = os.Chmod(filepath.Join(root, filepath.FromSlash(f.Path)), os.FileMode(mode))
		}
		if err != nil {
			return fmt.Errorf("%s: mode %s: %w", f.Path, f.Mode, err)
		}
	}
	return nil
}

func (f File) write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var data []byte
	switch {
	case f.Symlink != nil:
		return os.Symlink(*f.Symlink, path)
	case f.Base64 != nil:
		var err error
		if data, err = base64.StdEncoding.DecodeString(*f.Base64); err != nil {
			return err
		}
	case f.Repeat != nil:
		data = []byte(f.Repeat.Before + strings.Repeat(f.Repeat.Text, f.Repeat.Times) + f.Repeat.After)
	case f.Text != nil:
		data = []byte(*f.Text)
	}
	return os.WriteFile(path, data, 0o644)
}
