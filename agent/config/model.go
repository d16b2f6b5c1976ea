package config

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"hermes/agent/config/yaml11"
	"hermes/agent/locale"
)

// Demo is the provider name that asks for the built-in demo model.
const Demo = "demo"

// ModelFlags is what the command line says about the model; empty fields say
// nothing.
type ModelFlags struct{ Provider, Model string }

// Model says which model to talk to, where and how.
type Model struct {
	Provider string
	Model    string
	BaseURL  string // without a slash at its end
	APIKey   string
	APIMode  string // ModeChat, ModeAnthropic or ModeResponses
	// MaxTokens caps an answer, 0 sends no cap. ContextLength is the window in
	// tokens as the user states it, 0 when it is not stated.
	MaxTokens       int
	ContextLength   int
	ReasoningEffort string // "" says nothing
	CacheTTL        string // "5m" or "1h", of the prompt cache
	// ToolCalls is "schema" for models that call no tool unless a JSON Schema
	// holds their answer.
	ToolCalls    string
	OllamaNumCtx int // 0 says nothing
	Headers      map[string]string
	UserAgent    string         // when the service wants one of its own
	ExtraBody    map[string]any // merged into the request's body, as JSON values; nil for none
	// RequestTimeout, ReadTimeout and StaleTimeout are 0 for the client's own.
	RequestTimeout time.Duration
	ReadTimeout    time.Duration
	StaleTimeout   time.Duration
	// CACert is a file with further certificates; Insecure takes any.
	CACert   string
	Insecure bool
	// NoDiscovery says that the service must not be asked for its models
	// (discover_models: false); Models are those that the settings name.
	NoDiscovery bool
	Models      []string
	NoImages    bool   // model.supports_vision: false
	Source      string // where the key came from ("env:DEEPSEEK_API_KEY"), never the key
}

// String leaves the key out, so that a Model can be logged by mistake.
func (m Model) String() string {
	return fmt.Sprintf("%s %s at %s (key: %s)", m.Provider, m.Model, m.BaseURL, m.Source)
}

// GoString is String, for %#v.
func (m Model) GoString() string { return m.String() }

// LogValue is String, for structured logs.
func (m Model) LogValue() slog.Value { return slog.StringValue(m.String()) }

// ModelError says why a configured model cannot be used.
type ModelError struct {
	Place string // "config.yaml:3", empty when a flag or variable is the cause
	Msg   locale.Msg
	Args  []any
}

func (e *ModelError) Error() string { return e.In(locale.EN) }

// In is the sentence for the user.
func (e *ModelError) In(l locale.Lang) string {
	s := e.Msg.In(l, e.Args...)
	if e.Place != "" {
		s = e.Place + ": " + s
	}
	return s
}

// ResolveModel chooses the model (contract/core §4.2, contract/specialised
// §1.6). Keys are looked for in environ; nil means the Config's own.
// ok is true for one that can be talked to. With ok false and no error nothing
// is configured, or the demo model was asked for: the demo model answers. An
// error (*ModelError) says why what is configured cannot be used.
func ResolveModel(c *Config, environ []string, flags ModelFlags) (m Model, ok bool, err error) {
	c = c.withEnviron(environ)
	r := c.choose(flags)
	if r.name == Demo || r.name == "" {
		return Model{Provider: Demo}, false, nil
	}
	if err := r.find(); err != nil {
		return Model{Provider: r.name, Model: r.model}, false, err
	}
	m, err = r.resolve()
	return m, err == nil, err
}

// choice is a provider on its way to a Model.
type choice struct {
	c     *Config
	name  string // as the user wrote it, lower case
	place string // where he wrote it
	model string
	base  string // of a model alias
	own   bool   // model.base_url, model.api_key and the like are about it

	p     provider
	over  yaml11.Value // an entry of fallback_providers or auxiliary, which comes first
	entry yaml11.Value // its entry in providers or custom_providers
}

// text returns the first of names that the entries set.
func (r *choice) text(names ...string) string {
	if s := textOf(r.over, names...); s != "" {
		return s
	}
	return textOf(r.entry, names...)
}

// choose finds the names of provider and model: flags, then config.yaml, then
// the environment, then a key that is set.
func (c *Config) choose(flags ModelFlags) *choice {
	r := &choice{c: c, model: flags.Model, own: true}
	configured := normal(c.String("model.provider"))
	if configured == "auto" {
		configured = ""
	}
	switch asked := normal(flags.Provider); {
	case asked != "" && asked != "auto":
		r.name = asked
		r.own = configured == "" || sameProvider(r.name, configured)
	case configured != "":
		r.name, r.place = configured, c.Place("model", "provider")
	}
	if r.model == "" && r.own { // another provider does not have that model
		r.model = c.modelName()
	}
	r.alias()
	if r.name == "" {
		r.name = normal(c.Getenv("HERMES_INFERENCE_PROVIDER"))
	}
	if r.name == "" || r.name == "auto" {
		r.name, r.place = c.autoProvider(r.base), ""
	}
	r.shortName()
	return r
}

func normal(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func sameProvider(a, b string) bool {
	x, okX := findProvider(a)
	y, okY := findProvider(b)
	return a == b || okX && okY && x.id == y.id
}

func (c *Config) modelName() string {
	if n := c.node([]string{"model"}); n != nil {
		if v, _ := c.Lookup("model"); v.Kind < yaml11.List {
			return strings.TrimSpace(v.Text)
		}
	}
	for _, key := range []string{"default", "model", "name"} {
		if s := strings.TrimSpace(c.String("model", key)); s != "" {
			return s
		}
	}
	return strings.TrimSpace(c.Getenv("HERMES_INFERENCE_MODEL"))
}

// alias replaces a name of model_aliases by what it stands for. A provider that
// was named on the command line stays.
func (r *choice) alias() {
	v, ok := r.c.Lookup("model_aliases", r.model)
	if r.model == "" || !ok {
		return
	}
	if v.Kind != yaml11.Map {
		r.model = v.Text
		return
	}
	r.model = textOf(v, "model")
	if p := normal(textOf(v, "provider")); p != "" {
		r.own = r.own && sameProvider(p, r.name)
		r.name, r.place = p, r.c.Place("model_aliases")
	}
	r.base = textOf(v, "base_url")
}

// autoProvider returns the provider that the settings imply: an endpoint of
// one's own, else the first known one whose key is set, "" for none.
func (c *Config) autoProvider(base string) string {
	if base != "" || c.String("model.base_url") != "" {
		return customID
	}
	for _, p := range providers() {
		if p.manual {
			continue
		}
		for _, name := range p.keys {
			if usable(c.Getenv(name)) {
				return p.id
			}
		}
	}
	return ""
}

// usable tells a key from nothing and from what examples put in its place.
func usable(key string) bool {
	switch strings.ToLower(strings.Trim(strings.TrimSpace(key), `"'`)) {
	case "", "*", "**", "***", "...", "changeme", "your_api_key", "your-api-key", "your_api_key_here",
		"your-api-key-here", "placeholder", "example", "dummy", "null", "none":
		return false
	}
	return true
}

// find looks the provider up: the user's own entries first, which may also
// refine a known provider.
func (r *choice) find() error {
	name := strings.TrimPrefix(r.name, customID+":")
	var known bool
	r.p, known = findProvider(name)
	entry, own := r.c.providerEntry(name)
	if own {
		r.entry = entry
		if !known {
			r.p = provider{id: r.name, tokens: 65536, local: true}
		}
		return nil
	}
	if !known || name != r.name {
		return &ModelError{r.place, locale.CfgUnknownProvider, []any{r.name, knownProviders}}
	}
	return nil
}

// knownProviders is the head of the list that an error shows.
const knownProviders = "deepseek, openrouter, openai-api, gemini, zai, kimi-coding, alibaba, ollama, vllm, lmstudio, custom"

// providerEntry returns the entry of providers, or of the older list
// custom_providers, with that name.
func (c *Config) providerEntry(name string) (yaml11.Value, bool) {
	entries, _ := c.Lookup("providers")
	for _, p := range entries.Pairs {
		off, _ := p.Value.Get("enabled")
		if normal(p.Key.Text) == name && p.Value.Kind == yaml11.Map && (off.Kind != yaml11.Bool || off.Bool) {
			return p.Value, true
		}
	}
	list, _ := c.Lookup("custom_providers")
	for _, it := range list.Items {
		own := normal(textOf(it, "name"))
		if own != "" && (own == name || strings.ReplaceAll(own, " ", "-") == name) {
			return it, true
		}
	}
	return yaml11.Value{}, false
}

// textOf returns the first of names that v sets to a single value.
func textOf(v yaml11.Value, names ...string) string {
	for _, name := range names {
		if x, ok := v.Get(name); ok && x.Kind < yaml11.List && x.Kind != yaml11.Null {
			if s := strings.TrimSpace(x.Text); s != "" {
				return s
			}
		}
	}
	return ""
}
