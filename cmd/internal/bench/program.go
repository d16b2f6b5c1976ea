//go:build linux

package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// program is one of the programs that are compared.
type program struct {
	name string
	bin  string
	bare bool // starts without any configuration
}

// home is a scratch home folder of one program.
type home struct {
	prog program
	dir  string // holds home/, work/ and hermes/
}

// newHome makes a home with n plugins, of which all are enabled, and the model
// service at url. With url empty the home stays empty for a program that can
// start so.
func newHome(root string, p program, n int, url string) (*home, error) {
	dir, err := os.MkdirTemp(root, p.name+"-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch home: %w", err)
	}
	h := &home{p, dir}
	for _, d := range []string{"home", "work", "hermes"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			return nil, fmt.Errorf("make a scratch home: %w", err)
		}
	}
	if url == "" && p.bare {
		return h, nil
	}
	if url == "" {
		url = "http://127.0.0.1:9/v1" // nobody answers there
	}
	return h, h.configure(n, url)
}

// configure writes config.yaml (JSON is YAML) and the plugins.
func (h *home) configure(n int, url string) error {
	enabled := make([]string, 0, n)
	for i := range n {
		name := fmt.Sprintf("bench%02d", i)
		enabled = append(enabled, name)
		if err := h.write("plugins/"+name+"/plugin.yaml", fmt.Sprintf("name: %s\nversion: 1.0.0\ndescription: measures\nprovides_tools: [%s]\n", name, toolName(i))); err != nil {
			return err
		}
		if err := h.write("plugins/"+name+"/__init__.py", strings.ReplaceAll(pluginCode, "TOOL", toolName(i))); err != nil {
			return err
		}
	}
	config, err := json.MarshalIndent(map[string]any{
		"model":    map[string]any{"provider": "custom", "base_url": url, "default": "mock-model", "api_key": "sk-bench-0000000000000000"},
		"plugins":  map[string]any{"enabled": enabled},
		"security": map[string]any{"allow_lazy_installs": false},
	}, "", " ")
	if err != nil {
		return fmt.Errorf("write config.yaml: %w", err)
	}
	return h.write("config.yaml", string(config))
}

func toolName(i int) string { return fmt.Sprintf("bench_add_%02d", i) }

// pluginCode is a plugin with one small tool.
const pluginCode = `import json


def add(args, **kwargs):
    return json.dumps({"sum": args.get("a", 0) + args.get("b", 0)})


def register(ctx):
    ctx.register_tool(
        name="TOOL", toolset="bench",
        schema={"name": "TOOL", "description": "Add two numbers.", "parameters": {"type": "object", "properties": {
            "a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]}},
        handler=add)
`

func (h *home) write(name, text string) error {
	path := filepath.Join(h.dir, "hermes", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// env is the environment of a measured program: nothing of the caller's but
// where programs are found.
func (h *home) env() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(h.dir, "home"), "HERMES_HOME=" + filepath.Join(h.dir, "hermes"),
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "TZ=UTC",
	}
}

func (h *home) work() string { return filepath.Join(h.dir, "work") }

// start opens the program's full-screen interface.
func (h *home) start() (*terminal, error) { return open([]string{h.prog.bin}, h.env(), h.work()) }

// warm starts the program once and ends it when it has come to rest, so that
// what a first start leaves behind is there.
func (h *home) warm() error {
	t, err := h.start()
	if err != nil {
		return err
	}
	defer t.close()
	if _, err := t.painted(); err != nil {
		return err
	}
	if err := t.raw(); err != nil {
		return err
	}
	return t.quiet(2 * time.Second)
}

// run runs the program without a terminal and returns how long it took.
func (h *home) run(args ...string) (time.Duration, error) {
	cmd := exec.Command(h.prog.bin, args...)
	cmd.Env, cmd.Dir = h.env(), h.work()
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w: %s", h.prog.name, strings.Join(args, " "), err, out)
	}
	return took, nil
}
