package app_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// setup is what a test wants to start with.
type setup struct {
	home, dir string
	config    map[string]any // config.yaml; nil writes none
	env       map[string]string
	script    *llmtest.Script
	model     map[string]any               // over the model section of the script's service
	plugins   map[string]string            // folder to copy, by key
	code      map[string]map[string]string // files, by key
	enabled   []string
	toolsets  []string // of the command line
	terminal  []tuitest.Option
}

// option changes a setup.
type option func(*testing.T, *setup)

// withModel answers with steps instead of the demo model.
func withModel(steps ...llmtest.Step) option {
	return withScript(llmtest.Script{Steps: steps})
}

func withScript(s llmtest.Script) option {
	return func(_ *testing.T, o *setup) { o.script = &s }
}

// withPlugin copies an own plugin of testdata/plugins and enables it.
func withPlugin(names ...string) option {
	return func(_ *testing.T, o *setup) {
		for _, name := range names {
			o.plugins[name] = filepath.Join("testdata", "plugins", name)
			o.enabled = append(o.enabled, name)
		}
	}
}

// withFound copies own plugins without enabling them.
func withFound(names ...string) option {
	return func(_ *testing.T, o *setup) {
		for _, name := range names {
			o.plugins[name] = filepath.Join("testdata", "plugins", name)
		}
	}
}

// withFolder copies a plugin from anywhere, byte for byte, and enables it.
func withFolder(key, folder string) option {
	return func(_ *testing.T, o *setup) {
		o.plugins[key] = folder
		o.enabled = append(o.enabled, key)
	}
}

// withCode writes a plugin of one file and enables it.
func withCode(key, code string) option {
	return func(_ *testing.T, o *setup) {
		o.code[key] = map[string]string{
			"plugin.yaml": "name: " + key + "\nversion: 0.1.0\n",
			"__init__.py": code,
		}
		o.enabled = append(o.enabled, key)
	}
}

// withConfig sets one value of config.yaml, its path with dots.
func withConfig(path string, value any) option {
	return func(_ *testing.T, o *setup) { set(o.config, strings.Split(path, "."), value) }
}

func set(m map[string]any, path []string, value any) {
	if len(path) == 1 {
		m[path[0]] = value
		return
	}
	sub, ok := m[path[0]].(map[string]any)
	if !ok {
		sub = map[string]any{}
		m[path[0]] = sub
	}
	set(sub, path[1:], value)
}

func withEnv(name, value string) option {
	return func(_ *testing.T, o *setup) { o.env[name] = value }
}

// withHome starts on the home of another rig, as it is.
func withHome(home string) option {
	return func(_ *testing.T, o *setup) { o.home, o.config = home, nil }
}

func withDir(dir string) option { return func(_ *testing.T, o *setup) { o.dir = dir } }

func onTerminal(opts ...tuitest.Option) option {
	return func(_ *testing.T, o *setup) { o.terminal = append(o.terminal, opts...) }
}

// python is the interpreter of every test: asked once, because the search of a
// start can take as long as a test.
var python = sync.OnceValue(func() string {
	for _, name := range []string{"python3.11", "python3.12", "python3.13", "python3"} {
		out, err := exec.Command(name, "-I", "-c", "import sys; print(sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	return ""
})

// needPython skips a test without Python; where CI is set there must be one.
func needPython(t *testing.T) string {
	t.Helper()
	exe := python()
	if exe == "" && os.Getenv("CI") != "" {
		t.Fatal("no Python on PATH")
	} else if exe == "" {
		t.Skip("no Python on PATH: plugins cannot run")
	}
	return exe
}

// fillHome writes config.yaml and the plugins.
func (r *rig) fillHome(o *setup) {
	r.t.Helper()
	must(r.t, os.MkdirAll(r.home, 0o700))
	for key, folder := range o.plugins {
		must(r.t, os.CopyFS(filepath.Join(r.home, "plugins", key), os.DirFS(folder)))
	}
	for key, files := range o.code {
		for name, text := range files {
			path := filepath.Join(r.home, "plugins", key, name)
			must(r.t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(r.t, os.WriteFile(path, []byte(text), 0o600))
		}
	}
	if o.script != nil {
		server, err := llmtest.Start(*o.script)
		must(r.t, err)
		r.server = server
		model := map[string]any{
			"provider": "custom", "base_url": server.URL, "default": "mock-model", "api_key": "sk-test-0000000000",
			"context_length": 131072,
		}
		maps.Copy(model, o.model)
		maps.DeleteFunc(model, func(_ string, v any) bool { return v == nil })
		set(o.config, []string{"model"}, model)
		if _, ok := o.config["auxiliary"]; !ok {
			// A request for the session's title would take a step of the script.
			set(o.config, []string{"auxiliary", "title_generation", "enabled"}, false)
		}
	}
	if len(o.enabled) > 0 {
		set(o.config, []string{"plugins", "enabled"}, o.enabled)
	}
	if len(o.config) > 0 {
		b, err := yaml.Marshal(o.config)
		must(r.t, err)
		must(r.t, os.WriteFile(filepath.Join(r.home, "config.yaml"), b, 0o600))
	}
}

func environ(env map[string]string) []string {
	var out []string
	for name, value := range env {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// withoutPython is a machine on which no interpreter is found.
func withoutPython() option {
	return func(_ *testing.T, o *setup) {
		delete(o.env, "HERMES_PYTHON")
		o.env["PATH"] = ""
	}
}

// withModelSetting sets a key of the model section over what withScript writes;
// nil takes it out.
func withModelSetting(key string, value any) option {
	return func(_ *testing.T, o *setup) {
		if o.model == nil {
			o.model = map[string]any{}
		}
		o.model[key] = value
	}
}
