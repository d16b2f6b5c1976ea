package config

import (
	"bytes"
	"encoding/json"
	"net"
	"net/url"
	"strings"

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
	switch m.APIMode {
	case ModeChat, ModeAnthropic, ModeResponses:
	default:
		return m, r.fail(locale.CfgModeLater, r.p.id, m.APIMode)
	}
	if m.APIKey, m.Source, err = r.key(m.BaseURL); err != nil {
		return m, err
	}
	if m.Model = r.modelOf(); m.Model == "" {
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
		base = r.text("base_url", "url", "api")
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
	base = strings.TrimRight(strings.TrimSpace(base), "/")
	for _, end := range []string{"/chat/completions", "/messages", "/responses"} {
		base = strings.TrimSuffix(base, end)
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", &ModelError{where, locale.CfgBadBaseURL, []any{base}}
	}
	if u.Hostname() == "generativelanguage.googleapis.com" && strings.HasSuffix(base, "/v1beta") {
		base += "/openai" // where Gemini speaks chat completions
	}
	return base, nil
}

// mode returns the wire protocol: as stated, else by the endpoint, the
// provider and, where one service speaks several, the model
// (contract/specialised §1.6).
func (r *choice) mode(base string) string {
	mode := r.setting("api_mode")
	if mode == "" || len(r.over.Pairs) > 0 {
		mode = r.text("api_mode", "transport")
	}
	if mode != "" {
		return normal(mode)
	}
	u, err := url.Parse(base)
	if err != nil {
		return ModeChat // baseURL parsed it
	}
	path := strings.TrimSuffix(u.Path, "/v1")
	switch host := u.Hostname(); {
	case host == "api.anthropic.com", strings.HasSuffix(path, "/anthropic"),
		host == "api.kimi.com" && strings.HasPrefix(u.Path, "/coding"):
		return ModeAnthropic
	case host == "api.openai.com", host == "api.x.ai":
		return ModeResponses
	case host == "opencode.ai":
		return openCodeMode(r.p.id, r.modelOf())
	}
	if r.p.mode != "" && base == r.p.baseURL {
		return r.p.mode
	}
	return ModeChat
}

// openCodeMode is the protocol in which OpenCode's gateways serve a model.
func openCodeMode(provider, model string) string {
	switch {
	case strings.HasPrefix(model, "claude"), provider == "opencode-go" && strings.HasPrefix(model, "minimax"):
		return ModeAnthropic
	case strings.HasPrefix(model, "gpt-"):
		return ModeResponses
	}
	return ModeChat
}

// modelOf is the model's name: as asked for, the entry's, the provider's.
func (r *choice) modelOf() string {
	if r.model != "" {
		return r.model
	}
	if m := r.text("default_model", "model"); m != "" {
		return m
	}
	return r.p.model
}

// key returns the key and where it came from.
func (r *choice) key(base string) (key, source string, err error) {
	if k := textOf(r.over, "api_key"); usable(k) {
		return k, "config.yaml: " + r.place, nil
	}
	overEnv := textOf(r.over, "key_env", "api_key_env")
	if k := strings.TrimSpace(r.c.Getenv(overEnv)); overEnv != "" && usable(k) {
		return k, "env:" + overEnv, nil
	}
	if k := r.setting("api_key"); usable(k) {
		return k, "config.yaml: model.api_key", nil
	}
	if k := textOf(r.entry, "api_key"); usable(k) {
		return k, "config.yaml: providers." + r.name + ".api_key", nil
	}
	var names []string
	for _, name := range []string{overEnv, textOf(r.entry, "key_env", "api_key_env"), r.setting("key_env")} {
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
