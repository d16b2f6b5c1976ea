package plugins

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/tool"
	"hermes/plugins/manifest"
)

// seed is one recorded case of the corpus; see its README for the format.
type seed struct {
	ID     string                     `json:"id"`
	Mode   string                     `json:"mode"`
	Tree   [][2]string                `json:"tree"`
	Enable []string                   `json:"enable"`
	Config map[string]json.RawMessage `json:"config"`
	Env    map[string]string          `json:"env"`
	Files  map[string]string          `json:"files"`
	Expect struct {
		Plugins []seedPlugin `json:"plugins"`
		Steps   []seedStep   `json:"steps"`
	} `json:"expected"`
}

type seedPlugin struct {
	Key, Name, Status, Reason, Version, Description, Author string
	Tools                                                   []struct {
		Name, Toolset, Description, Emoji string
		Schema                            any
		IsAsync                           bool     `json:"is_async"`
		RequiresEnv                       []string `json:"requires_env"`
		HasCheck                          bool     `json:"has_check_fn"`
	}
	Hooks    []struct{ Name string }
	Commands []struct {
		Name, Description string
		ArgsHint          string `json:"args_hint"`
	}
}

type seedStep struct {
	Op, Name, Line string
	Args, Kwargs   json.RawMessage
	Result         json.RawMessage
}

// departures of this program from the recorded answers, each with the decision
// that asks for it; cases that need a part of the contract which this version
// does not offer yet are in notYet.
var (
	departures = map[string]string{
		"seed/scan": "D7", "seed/scan-zh": "D7", "seed/check-fn-as-printed": "D7", "seed/override": "D3",
		"seed/crash-register": "D5", "seed/weather-simple": "D2", "seed/weather-rich": "D2", "seed/optional-fields": "D2",
		"seed/cli-as-printed": "D7",
	}
	notYet = map[string]string{
		"seed/lazy-deps": "tools.lazy_deps",
		"seed/deliver":   "a tool of the program", "seed/scan-completed": "a tool of the program", "seed/data-files": "PyYAML", "seed/data-files-as-printed": "PyYAML",
		"seed/memory-recall": "httpx", "seed/memory-recall-zh": "httpx", "seed/several-contexts": "httpx",
		"seed/platform-myplatform-as-printed": "platforms",
		"seed/my-engine":                      "context engines", "seed/my-engine-completed": "context engines", "seed/my-imggen": "image providers",
		"seed/platform-myplatform": "platforms", "seed/platform-myplatform-env": "platforms", "seed/all-hooks-turn": "register_middleware",
		"seed/all-hooks-edit": "register_middleware", "seed/llm-seams": "register_middleware", "seed/policy-on-calculator": "register_middleware",
	}
)

// TestCorpus loads every plugin of the guide as recorded, and compares what it
// registers and answers with the reference.
func TestCorpus(t *testing.T) {
	dir := corpus(t)
	data, err := os.ReadFile(filepath.Join(dir, "seeds.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases []seed }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range all.Cases {
		if c.Mode != "files" || len(c.Enable) == 0 || notYet[c.ID] != "" {
			continue
		}
		ran++
		t.Run(strings.TrimPrefix(c.ID, "seed/"), func(t *testing.T) {
			t.Parallel()
			runSeed(t, dir, c)
		})
	}
	if ran < 30 {
		t.Errorf("only %d cases ran", ran)
	}
}

func runSeed(t *testing.T, dir string, c seed) {
	r := newRig(t, nil, func(o *Options) {
		o.Settings.Enabled = c.Enable
		o.Settings.Entries = seedEntries(t, c)
		if strings.Contains(string(c.Config["plugins"]), `"disabled"`) {
			o.Settings.Disabled = c.Enable
		}
		o.Settings.SafeMode = c.Env["HERMES_SAFE_MODE"] != ""
		for name, value := range c.Env {
			o.Env = append(o.Env, name+"="+strings.ReplaceAll(value, "$CWD", o.Dir))
		}
	})
	place := strings.NewReplacer("$HERMES_HOME", r.home, "$CWD", r.opt.Dir)
	for name, text := range c.Files {
		writeFile(t, place.Replace(name), text)
	}
	for _, tree := range c.Tree {
		copyTree(t, filepath.Join(dir, "..", strings.TrimPrefix(tree[0], "shared/")), place.Replace(tree[1]))
	}
	if _, err := r.tools.Add(builtin{}, false); err != nil {
		t.Fatal(err)
	}
	r.start()
	for _, want := range c.Expect.Plugins {
		comparePlugin(t, r, c, want)
	}
	for _, s := range c.Expect.Steps {
		compareStep(t, r, c, s)
	}
}

func seedEntries(t *testing.T, c seed) map[string]Entry {
	var conf struct {
		Entries map[string]struct {
			Allow bool `json:"allow_tool_override"`
		}
	}
	if raw := c.Config["plugins"]; raw != nil {
		if err := json.Unmarshal(raw, &conf); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]Entry{}
	for key, e := range conf.Entries {
		out[key] = Entry{AllowToolOverride: e.Allow}
	}
	return out
}

func comparePlugin(t *testing.T, r *rig, c seed, want seedPlugin) {
	t.Helper()
	got := r.plugin(want.Key)
	reason := strings.NewReplacer("$HERMES_HOME", r.home).Replace(want.Reason)
	if by := departures[c.ID]; by != "" {
		compareDeparture(t, by, c, got)
		return
	}
	switch want.Status {
	case "failed":
		if got.State != event.PluginFailed || got.Error == nil || !strings.HasPrefix(got.Error.Message, reason) {
			t.Errorf("%s = %s %q, want failed %q", want.Key, got.State, got.Reason, reason)
		}
		return
	case "skipped", "recorded":
		if got.State != event.PluginFound && got.State != event.PluginDisabled && got.State != event.PluginSkipped {
			t.Errorf("%s = %s, want skipped", want.Key, got.State)
		}
		return
	}
	if got.State != event.PluginOK && got.State != event.PluginPartial {
		t.Fatalf("%s = %s: %s %+v", want.Key, got.State, got.Reason, got.Error)
	}
	if got.Source == manifest.SourceEntryPoint { // shown from the package's metadata (D52)
		want.Version, want.Description, want.Author = got.Version, got.Description, got.Author
	}
	if got.Name != want.Name || got.Version != want.Version || got.Description != want.Description || got.Author != want.Author {
		t.Errorf("%s is shown as %q %q %q %q", want.Key, got.Name, got.Version, got.Description, got.Author)
	}
	tools := map[string]event.ToolInfo{}
	for _, x := range got.Tools {
		tools[x.Name] = x
	}
	for _, w := range want.Tools {
		g, ok := tools[w.Name]
		delete(tools, w.Name)
		if !ok || g.Toolset != w.Toolset || g.Description != w.Description || g.Emoji != w.Emoji || g.Async != w.IsAsync ||
			g.HasCheck != w.HasCheck || len(g.RequiresEnv) != len(w.RequiresEnv) || !sameJSON(t, g.Schema, w.Schema) {
			t.Errorf("tool %s = %+v, want %+v", w.Name, g, w)
		}
	}
	if len(tools) > 0 {
		t.Errorf("tools beyond the recorded ones: %v", slices.Collect(maps.Keys(tools)))
	}
	var hooks []string
	for _, h := range want.Hooks {
		hooks = append(hooks, h.Name)
	}
	var callbacks []string
	for _, cb := range got.Callbacks {
		callbacks = append(callbacks, cb.Hook)
	}
	slices.Sort(callbacks)
	if !slices.Equal(callbacks, hooks) {
		t.Errorf("hooks = %v, want %v", callbacks, hooks)
	}
	if len(got.Commands) != len(want.Commands) {
		t.Errorf("commands = %+v, want %+v", got.Commands, want.Commands)
		return
	}
	for i, w := range want.Commands {
		if g := got.Commands[i]; g.Name != w.Name || g.Description != w.Description || g.Args != w.ArgsHint {
			t.Errorf("command = %+v, want %+v", g, w)
		}
	}
}

// compareDeparture checks that a decision shows the way it says.
func compareDeparture(t *testing.T, by string, c seed, got event.Plugin) {
	t.Helper()
	want := map[string]string{"D2": event.PluginNeedsKey, "D3": event.PluginPartial, "D5": event.PluginFailed}[by]
	if missing := incomplete[c.ID]; missing != "" {
		want = event.PluginFailed
		if got.Error == nil || !strings.Contains(got.Error.Message, missing) {
			t.Errorf("error = %+v, want %s", got.Error, missing)
		}
	}
	if want == "" {
		want = event.PluginOK
	}
	if got.State != want {
		t.Errorf("%s (%s) = %s, want %s: %s", got.Key, by, got.State, want, got.Reason)
	}
	if by == "D5" && len(got.Tools)+len(got.Hooks) > 0 {
		t.Errorf("a failed plugin keeps %+v", got)
	}
}

// incomplete are fragments of the guide that fail as printed, with what they
// lack once decision D7 has been applied.
var incomplete = map[string]string{
	"seed/cli-as-printed":      "PluginContext.register_tool() missing 2 required positional arguments: 'schema' and 'handler'",
	"seed/check-fn-as-printed": "'set' object has no attribute 'get' (register_tool 'my_tool': schema must be a dict, not set)",
}

func sameJSON(t *testing.T, raw json.RawMessage, want any) bool {
	t.Helper()
	var got any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Errorf("schema is no JSON: %v", err)
		return false
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	return string(a) == string(b)
}

// compareStep repeats a recorded step that plugins alone answer: what the
// agent adds around them is tested there.
func compareStep(t *testing.T, r *rig, c seed, s seedStep) {
	t.Helper()
	if departures[c.ID] != "" {
		return
	}
	switch s.Op {
	case "tool":
		tl, ok := r.tools.Get(s.Name)
		var want string
		if json.Unmarshal(s.Result, &want) != nil || !ok {
			return
		}
		if needsCoercion(s.Args) || tl.Spec().Owner == "" {
			return
		}
		res, err := tl.Run(t.Context(), toolCall(s.Name, string(s.Args)))
		if err != nil || res.Content != want {
			t.Errorf("%s %s = %s, %v, want %s", s.Name, s.Args, res.Content, err, want)
		}
	case "hook":
		out := r.hook(s.Name, string(s.Kwargs))
		got, _ := json.Marshal(out.Returns)
		if len(out.Returns) == 0 {
			got = []byte("[]")
		}
		var want any
		_ = json.Unmarshal(s.Result, &want)
		if !sameJSON(t, got, want) {
			t.Errorf("%s = %s, want %s", s.Name, got, s.Result)
		}
	case "command":
		var want string
		if json.Unmarshal(s.Result, &want) != nil {
			return // unknown to the reference
		}
		if got := r.command(s.Line); got.Text+got.Err != want {
			t.Errorf("%s = %+v, want %q", s.Line, got, want)
		}
	}
}

// builtin stands for the built-in read_file.
type builtin struct{}

func (builtin) Spec() tool.Spec                          { return tool.Spec{Name: "read_file", Toolset: "file"} }
func (builtin) Available(context.Context) (bool, string) { return true, "" }
func (builtin) Run(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Content: "built in"}, nil
}

// needsCoercion reports whether the agent would change the arguments before
// the handler sees them.
func needsCoercion(args json.RawMessage) bool {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return true
	}
	for _, v := range m {
		if s, ok := v.(string); ok && (s == "" || strings.Trim(s, "0123456789.") == "") {
			return true
		}
	}
	return false
}
