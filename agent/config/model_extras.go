package config

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"hermes/agent/config/yaml11"
)

// extras fills in what the settings say beyond the endpoint.
func (r *choice) extras(m *Model) {
	m.UserAgent = r.p.agent
	if m.APIMode == ModeChat { // the clients of other protocols know their models' caps
		m.MaxTokens = r.p.tokens
	}
	if r.own {
		if n := r.c.Int("model.max_tokens"); n > 0 {
			m.MaxTokens = n
		}
		m.ContextLength = r.c.Int("model.context_length")
		m.OllamaNumCtx = r.c.Int("model.ollama_num_ctx")
		m.ToolCalls = normal(r.c.String("model.tool_calls"))
		if v, ok := r.c.Lookup("model", "supports_vision"); ok && v.Kind == yaml11.Bool {
			m.NoImages = !v.Bool
		}
	}
	if n := int(number(r.over, "max_tokens")); n > 0 {
		m.MaxTokens = n
	}
	r.window(m)
	m.MaxTokens = r.capFor(m)
	r.models(m)
	r.limits(m)
	r.certificates(m)
	if s := r.text("tool_calls"); s != "" {
		m.ToolCalls = normal(s)
	}
	m.CacheTTL = strings.TrimSpace(r.c.String("prompt_caching.cache_ttl"))
	m.ReasoningEffort = r.effort(m.Model)
	r.headers(m)
	r.body(m)
}

// capFor is the cap on an answer. One that nobody set must leave room in the
// window: an answer that fills it cannot be continued, and a small model that
// repeats itself would go on for minutes.
func (r *choice) capFor(m *Model) int {
	if m.MaxTokens != r.p.tokens || m.ContextLength <= 0 || m.MaxTokens < m.ContextLength {
		return m.MaxTokens
	}
	return m.ContextLength / 4
}

// number is a setting that is a number, 0 when it is none.
func number(v yaml11.Value, name string) float64 {
	x, _ := v.Get(name)
	f, _ := asFloat(x)
	return min(max(f, 0), 1e9)
}

// window finds the window that the settings state: the model's entry of the
// provider, then the provider's.
func (r *choice) window(m *Model) {
	if m.ContextLength == 0 {
		models, _ := r.entry.Get("models")
		one, _ := models.Get(m.Model)
		m.ContextLength = int(number(one, "context_length"))
	}
	if m.ContextLength == 0 {
		m.ContextLength = int(number(r.entry, "context_length"))
	}
}

func (r *choice) models(m *Model) {
	if v, ok := r.entry.Get("discover_models"); ok && v.Kind == yaml11.Bool {
		m.NoDiscovery = !v.Bool
	}
	models, _ := r.entry.Get("models")
	for _, p := range models.Pairs {
		m.Models = append(m.Models, p.Key.Text)
	}
	for _, it := range models.Items {
		m.Models = append(m.Models, it.Text)
	}
	if len(m.Models) == 0 {
		m.Models = strings.Fields(r.p.models)
	}
}

// limits reads the time limits: the provider's entry, then the variables of
// contract/core §1.3.
func (r *choice) limits(m *Model) {
	entry := func(name string) time.Duration {
		f := number(r.entry, name)
		if o := number(r.over, name); o > 0 {
			f = o
		}
		return time.Duration(f * float64(time.Second))
	}
	variable := func(d *time.Duration, name string) {
		if f, err := strconv.ParseFloat(strings.TrimSpace(r.c.Getenv(name)), 64); *d == 0 && err == nil && f > 0 && f < 1e9 {
			*d = time.Duration(f * float64(time.Second))
		}
	}
	m.RequestTimeout, m.StaleTimeout = entry("request_timeout_seconds"), entry("stale_timeout_seconds")
	if t := entry("timeout"); m.RequestTimeout == 0 {
		m.RequestTimeout = t // auxiliary.<task>.timeout
	}
	variable(&m.RequestTimeout, "HERMES_API_TIMEOUT")
	variable(&m.ReadTimeout, "HERMES_STREAM_READ_TIMEOUT")
	variable(&m.StaleTimeout, "HERMES_STREAM_STALE_TIMEOUT")
	if local := r.c.Int("agent.local_stream_stale_timeout"); m.StaleTimeout == 0 && local > 0 && r.p.local {
		m.StaleTimeout = time.Duration(local) * time.Second
	}
}

// certificates reads ssl_ca_cert and ssl_verify, which may name a file, too.
func (r *choice) certificates(m *Model) {
	m.CACert = r.text("ssl_ca_cert")
	verify, _ := r.entry.Get("ssl_verify")
	switch {
	case verify.Kind == yaml11.Bool:
		m.Insecure = !verify.Bool
	case verify.Kind == yaml11.Str && m.CACert == "":
		m.CACert = verify.Text
	}
	if rest, ok := strings.CutPrefix(m.CACert, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			m.CACert = home + "/" + rest
		}
	}
}

// effort is how hard the model shall think: the task's own setting, that of
// the model, the general one.
func (r *choice) effort(model string) string {
	if e := normal(textOf(r.over, "reasoning_effort")); e != "" {
		return e
	}
	overrides, _ := r.c.Lookup("agent", "reasoning_overrides")
	for _, p := range overrides.Pairs {
		if strings.EqualFold(p.Key.Text, model) {
			return effortOf(p.Value)
		}
	}
	v, _ := r.c.Lookup("agent", "reasoning_effort")
	return effortOf(v)
}

// effortOf reads an effort; none may be written as a YAML false or off.
func effortOf(v yaml11.Value) string {
	if v.Kind == yaml11.Bool {
		if v.Bool {
			return ""
		}
		return "none"
	}
	if e := normal(v.Text); slices.Contains(Efforts(), e) {
		return e
	}
	return ""
}

// Efforts are the values of agent.reasoning_effort, from the least on
// (contract/core §4.2).
func Efforts() []string {
	return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"}
}

// Effort is how hard a model shall think as the settings say, "" when they say
// nothing.
func Effort(c *Config, model string) string { return (&choice{c: c}).effort(model) }

func (r *choice) headers(m *Model) {
	for _, from := range []yaml11.Value{r.entry, r.over} {
		headers, _ := from.Get("extra_headers")
		for _, p := range headers.Pairs {
			if m.Headers == nil {
				m.Headers = map[string]string{}
			}
			m.Headers[p.Key.Text] = p.Value.Text
		}
	}
}

// body collects what is merged into requests: OpenRouter's routing, then the
// entry's own keys.
func (r *choice) body(m *Model) {
	add := func(more map[string]any) {
		if len(more) > 0 && m.ExtraBody == nil {
			m.ExtraBody = map[string]any{}
		}
		maps.Copy(m.ExtraBody, more)
	}
	if routing, ok := r.c.Lookup("provider_routing"); ok && routing.Kind == yaml11.Map && r.p.id == "openrouter" {
		if p := jsonObject(routing); len(p) > 0 {
			add(map[string]any{"provider": p})
		}
	}
	for _, from := range []yaml11.Value{r.entry, r.over} {
		if body, ok := from.Get("extra_body"); ok && body.Kind == yaml11.Map {
			add(jsonObject(body))
		}
	}
}
