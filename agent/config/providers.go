package config

import (
	"strings"

	"hermes/agent/config/yaml11"
)

// API modes: the wire protocols of model services.
const (
	ModeChat      = "chat_completions"
	ModeAnthropic = "anthropic_messages"
	ModeResponses = "codex_responses"
	ModeBedrock   = "bedrock_converse"
)

// noKey is what is sent to a service for which no key is known; servers on
// this machine ignore it (contract/core-observed §1).
const noKey = "no-key-required"

// provider is a service that is known by name.
type provider struct {
	id, name string   // name is how it is shown
	aliases  string   // separated by spaces
	baseURL  string   // empty: the user has to give one
	urlVar   string   // variable that overrides baseURL
	keys     []string // variables with its key, in order of preference
	model    string   // used when the user names none
	models   string   // offered when the service's own list cannot be had, separated by spaces
	mode     string   // when it is not ModeChat
	tokens   int      // cap of an answer when the user sets none, 0 sends none
	agent    string   // User-Agent that the service wants
	signup   string   // page where one gets a key
	local    bool     // a server on this machine, which needs no key
	manual   bool     // never chosen by a key alone
	other    bool     // needs a login or protocol that only the reference has
}

const customID = "custom"

// findProvider looks a provider up by id or alias, in any case.
func findProvider(name string) (provider, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, p := range providers() {
		if p.id == name {
			return p, true
		}
	}
	for _, p := range providers() {
		for alias := range strings.FieldsSeq(p.aliases) {
			if alias == name {
				return p, true
			}
		}
	}
	return provider{}, false
}

// Provider is a service that can be chosen, for lists.
type Provider struct {
	ID, Name string
	Aliases  []string
	BaseURL  string
	APIMode  string
	Keys     []string // variables that hold its key
	Signup   string   // page where one gets a key, "" when it is not known
	Model    string   // used when the user names none
	Models   []string // offered when the service's own list cannot be had
	Own      bool     // an entry of the user's settings
	Local    bool     // needs no key
	Ready    bool     // a key is set, or none is needed
	Login    bool     // needs a login that this program does not have
}

// Providers lists the user's own services, then the known ones.
func (c *Config) Providers() []Provider {
	var out []Provider
	entries, _ := c.Lookup("providers")
	for _, p := range entries.Pairs {
		id := normal(p.Key.Text)
		if _, known := findProvider(id); !known {
			if _, on := c.providerEntry(id); on {
				out = append(out, ownProvider(id, textOf(p.Value, "name", "display_name"), p.Value))
			}
		}
	}
	list, _ := c.Lookup("custom_providers")
	for _, it := range list.Items {
		if name := textOf(it, "name"); name != "" {
			out = append(out, ownProvider(normal(name), name, it))
		}
	}
	for _, p := range providers() {
		out = append(out, c.knownProvider(p))
	}
	return out
}

func ownProvider(id, name string, v yaml11.Value) Provider {
	p := Provider{
		ID: id, Name: name, BaseURL: textOf(v, "base_url", "url", "api"), APIMode: textOf(v, "api_mode", "transport"),
		Model: textOf(v, "default_model", "model"), Own: true, Ready: true,
	}
	if p.Name == "" {
		p.Name = id
	}
	if p.APIMode == "" {
		p.APIMode = ModeChat
	}
	if key := textOf(v, "key_env", "api_key_env"); key != "" {
		p.Keys = []string{key}
	}
	models, _ := v.Get("models")
	for _, m := range models.Pairs {
		p.Models = append(p.Models, m.Key.Text)
	}
	for _, m := range models.Items {
		p.Models = append(p.Models, m.Text)
	}
	return p
}

func (c *Config) knownProvider(p provider) Provider {
	out := Provider{
		ID: p.id, Name: p.name, Aliases: strings.Fields(p.aliases), BaseURL: p.baseURL, APIMode: p.mode, Keys: p.keys,
		Signup: p.signup, Model: p.model, Models: strings.Fields(p.models), Local: p.local, Login: p.other,
	}
	if out.APIMode == "" {
		out.APIMode = ModeChat
	}
	if len(out.Models) == 0 && p.model != "" {
		out.Models = []string{p.model}
	}
	out.Ready = p.local && p.baseURL != ""
	for _, key := range p.keys {
		out.Ready = out.Ready || usable(c.Getenv(key))
	}
	return out
}
