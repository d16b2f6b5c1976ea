package config

import (
	"hermes/agent/config/yaml11"
)

// Fallbacks returns the models that stand in for the main one when it fails,
// in order: fallback_providers, or the older fallback_model. Entries that
// cannot be used come back as errors beside the others.
func Fallbacks(c *Config, environ []string) (out []Model, errs []error) {
	c = c.withEnviron(environ)
	list, _ := c.Lookup("fallback_providers")
	items := list.Items
	if list.Kind == yaml11.Map {
		items = []yaml11.Value{list} // one value where a list belongs (D53)
	}
	place := "fallback_providers"
	if len(items) == 0 {
		place = "fallback_model"
		one, ok := c.Lookup(place)
		if !ok || one.Kind != yaml11.Map && one.Text == "" {
			return nil, nil
		}
		items = []yaml11.Value{one}
	}
	for _, it := range items {
		m, ok, err := c.resolveEntry(it, c.Place(place))
		switch {
		case err != nil:
			errs = append(errs, err)
		case ok:
			out = append(out, m)
		}
	}
	return out, errs
}

// ModelAt returns the model that a section with provider, model, base_url and
// api_key asks for: "auxiliary.compression", "delegation". ok is false when it
// asks for none, which means the main model.
func ModelAt(c *Config, environ []string, path ...string) (m Model, ok bool, err error) {
	c = c.withEnviron(environ)
	v, _ := c.Lookup(path...)
	if v.Kind != yaml11.Map {
		return Model{}, false, nil
	}
	return c.resolveEntry(v, c.Place(path...))
}

// resolveEntry resolves an entry beside the model section.
func (c *Config) resolveEntry(v yaml11.Value, place string) (Model, bool, error) {
	r := &choice{c: c, place: place, over: v}
	r.model = textOf(v, "model")
	if v.Kind != yaml11.Map {
		r.model = v.Text
	}
	r.name = normal(textOf(v, "provider"))
	r.base = textOf(v, "base_url")
	configured := normal(c.String("model.provider"))
	switch {
	case r.name != "" && r.name != "auto":
	case r.base != "":
		r.name = customID
	case r.model != "": // another model of the main provider
		r.name = configured
		if r.name == "" || r.name == "auto" {
			r.name = c.autoProvider("")
		}
	default:
		return Model{}, false, nil
	}
	r.own = r.base == "" && (sameProvider(r.name, configured) || configured == "" && r.name == customID)
	r.alias()
	if r.model == "" && r.own {
		r.model = c.modelName()
	}
	if err := r.find(); err != nil {
		return Model{Provider: r.name, Model: r.model}, false, err
	}
	m, err := r.resolve()
	return m, err == nil, err
}
