package config

import (
	"bytes"
	"encoding/json"
	"net"
	"net/url"
	"strings"
	"time"

	"hermes/agent/config/yaml11"
	"hermes/agent/locale"
)

// setting returns a setting of the model section, when that is about this
// provider.
func (r *choice) setting(key string) string {
	if !r.own {
		return ""
	}
	return strings.TrimSpace(r.c.String("model", key))
}

func (r *choice) fail(msg locale.Msg, args ...any) error {
	return &ModelError{r.place, msg, args}
}

func (r *choice) resolve() (Model, error) {
	m := Model{Provider: r.p.id, Model: r.model}
	if r.p.other {
		return m, r.fail(locale.CfgProviderLater, r.p.id)
	}
	var err error
	if m.BaseURL, err = r.baseURL(); err != nil {
		return m, err
	}
	m.APIMode = r.mode(m.BaseURL)
	if m.APIMode != ModeChat {
		return m, r.fail(locale.CfgModeLater, r.p.id, m.APIMode)
	}
	if m.APIKey, m.Source, err = r.key(m.BaseURL); err != nil {
		return m, err
	}
	if m.Model == "" {
		m.Model = textOf(r.entry, "default_model", "model")
	}
	if m.Model == "" {
		m.Model = r.p.model
	}
	if m.Model == "" {
		return m, r.fail(locale.CfgNoModel, r.p.id)
	}
	r.extras(&m)
	return m, nil
}

// baseURL returns the endpoint: model.base_url where the model section is about
// this provider, the user's entry, the provider's variable, its own URL.
func (r *choice) baseURL() (string, error) {
	base, where := r.base, r.place
	if base == "" {
		if base = r.setting("base_url"); base != "" {
			where = r.c.Place("model", "base_url")
		}
	}
	if base == "" {
		base = textOf(r.entry, "base_url", "url", "api")
	}
	if base == "" && r.p.urlVar != "" {
		if base = strings.TrimSpace(r.c.Getenv(r.p.urlVar)); base != "" {
			where = r.p.urlVar
		}
	}
	if base == "" {
		base = r.p.baseURL
	}
	if base == "" {
		return "", r.fail(locale.CfgNoBaseURL, r.name)
	}
	base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/chat/completions")
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", &ModelError{where, locale.CfgBadBaseURL, []any{base}}
	}
	return base, nil
}

// mode returns the wire protocol: as stated, else by the endpoint. OpenAI's and
// xAI's own hosts serve chat completions too, which is used there.
func (r *choice) mode(base string) string {
	mode := r.setting("api_mode")
	if mode == "" {
		mode = textOf(r.entry, "api_mode", "transport")
	}
	if mode != "" {
		return mode
	}
	u, err := url.Parse(base)
	if err != nil {
		return ModeChat // baseURL parsed it
	}
	path := strings.TrimSuffix(u.Path, "/v1")
	if u.Hostname() == "api.anthropic.com" || strings.HasSuffix(path, "/anthropic") ||
		u.Hostname() == "api.kimi.com" && strings.HasPrefix(u.Path, "/coding") {
		return ModeAnthropic
	}
	if r.p.mode != "" && base == r.p.baseURL {
		return r.p.mode
	}
	return ModeChat
}

// key returns the key and where it came from.
func (r *choice) key(base string) (key, source string, err error) {
	if k := r.setting("api_key"); usable(k) {
		return k, "config.yaml: model.api_key", nil
	}
	if k := textOf(r.entry, "api_key"); usable(k) {
		return k, "config.yaml: providers." + r.name + ".api_key", nil
	}
	var names []string
	for _, name := range []string{textOf(r.entry, "key_env", "api_key_env"), r.setting("key_env")} {
		if name != "" {
			names = append(names, name)
		}
	}
	names = append(names, r.p.keys...)
	u, _ := url.Parse(base) // baseURL parsed it
	if r.p.local {
		names = append(names, vendorKeys(u.Hostname())...)
	}
	for _, name := range names {
		if k := strings.TrimSpace(r.c.Getenv(name)); usable(k) {
			return k, "env:" + name, nil
		}
	}
	if r.p.local || loopback(u.Hostname()) {
		return noKey, "none", nil
	}
	return "", "", r.fail(locale.CfgNoKey, r.p.id, strings.Join(names, ", "))
}

// vendorKeys returns the variables that hold a key for a host: the one named
// after its owner. So a key never goes to somebody else's server.
func vendorKeys(host string) []string {
	if net.ParseIP(host) != nil {
		return nil
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return nil
	}
	owner := strings.ToUpper(strings.ReplaceAll(labels[len(labels)-2], "-", "_"))
	return []string{owner + "_API_KEY"}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// extras fills in what the settings say beyond the endpoint.
func (r *choice) extras(m *Model) {
	m.MaxTokens = r.p.tokens
	if r.own {
		if n := r.c.Int("model.max_tokens"); n > 0 {
			m.MaxTokens = n
		}
		m.ContextLength = r.c.Int("model.context_length")
	}
	number := func(v yaml11.Value, name string) float64 {
		x, _ := v.Get(name)
		f, _ := asFloat(x)
		return max(f, 0)
	}
	if models, ok := r.entry.Get("models"); ok && m.ContextLength == 0 {
		one, _ := models.Get(m.Model)
		m.ContextLength = int(min(number(one, "context_length"), 1e9))
	}
	if m.ContextLength == 0 {
		m.ContextLength = int(min(number(r.entry, "context_length"), 1e9))
	}
	seconds := func(name string) time.Duration {
		return time.Duration(min(number(r.entry, name), 1e9) * float64(time.Second))
	}
	m.RequestTimeout, m.StaleTimeout = seconds("request_timeout_seconds"), seconds("stale_timeout_seconds")
	if headers, ok := r.entry.Get("extra_headers"); ok {
		m.Headers = map[string]string{}
		for _, p := range headers.Pairs {
			m.Headers[p.Key.Text] = p.Value.Text
		}
	}
	if body, ok := r.entry.Get("extra_body"); ok && body.Kind == yaml11.Map {
		m.ExtraBody = jsonObject(body)
	}
}

// jsonObject is a mapping as encoding/json decodes it; numbers keep their text.
func jsonObject(v yaml11.Value) map[string]any {
	raw, err := v.JSON()
	if err != nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out map[string]any
	if dec.Decode(&out) != nil {
		return nil
	}
	return out
}
