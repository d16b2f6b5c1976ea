// Package catalog holds what is known of models without asking anybody: how
// long a conversation they take, and what their own services charge.
package catalog

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"

	"hermes/agent/llm"
)

// data is the table, by families: the longest name that a model's name
// contains counts. Numbers are those of the services' documentation.
//
//go:embed catalog.json
var data []byte

type table struct {
	Windows map[string]int              `json:"windows"` // tokens
	Prices  map[string]map[string]Price `json:"prices"`  // by provider
}

// Price is what a service charges, in USD for a million tokens. CacheRead and
// CacheWrite are 0 where they cost what In does.
type Price struct {
	In         float64 `json:"in"`
	Out        float64 `json:"out"`
	CacheRead  float64 `json:"cache_read"`
	CacheWrite float64 `json:"cache_write"`
}

var load = sync.OnceValue(func() (t table) {
	if err := json.Unmarshal(data, &t); err != nil {
		panic("bug: catalog.json: " + err.Error()) // a test reads it
	}
	return t
})

// Window is the context window of a model in tokens, 0 when it is not known.
func Window(model string) int {
	_, n := longest(load().Windows, model)
	return n
}

// longest is the entry with the longest name that model contains.
func longest[T any](m map[string]T, model string) (name string, v T) {
	model = strings.ToLower(model)
	for n, x := range m {
		if len(n) > len(name) && strings.Contains(model, n) {
			name, v = n, x
		}
	}
	return name, v
}

// Statuses and sources of a cost (contract/core §1.14).
const (
	Actual    = "actual"
	Estimated = "estimated"
	Included  = "included"
	Unknown   = "unknown"

	FromService = "provider_cost_api"
	FromDocs    = "official_docs_snapshot"
	FromNobody  = "none"
)

// Cost is what a request cost.
type Cost struct {
	USD    float64
	Status string
	Source string
}

// CostOf is what u costs: what the service says it charged, else by the table,
// which knows a provider's own models; models served by others, and one's own
// services, have no price.
func CostOf(provider, model string, u llm.Usage) Cost {
	if u.Cost > 0 {
		return Cost{u.Cost, Actual, FromService}
	}
	p, ok := PriceOf(provider, model)
	if !ok {
		return Cost{0, Unknown, FromNobody}
	}
	or := func(price, def float64) float64 {
		if price == 0 {
			return def
		}
		return price
	}
	usd := float64(u.In)*p.In + float64(u.Out)*p.Out +
		float64(u.CacheRead)*or(p.CacheRead, p.In) + float64(u.CacheWrite)*or(p.CacheWrite, p.In)
	return Cost{usd / 1e6, Estimated, FromDocs}
}

// PriceOf is the price of a model at its own service. A name must be that of
// the table, or that with a date or "latest" behind it: a longer name is
// another model.
func PriceOf(provider, model string) (Price, bool) {
	model = strings.ToLower(model)
	prices := load().Prices[strings.ToLower(provider)]
	name, p := "", Price{}
	for n, x := range prices {
		if len(n) > len(name) && (model == n || strings.HasPrefix(model, n+"-") && release(model[len(n)+1:])) {
			name, p = n, x
		}
	}
	return p, name != ""
}

// release reports whether s is a date or latest, as names of models end.
func release(s string) bool {
	return s == "latest" || s != "" && strings.Trim(s, "0123456789-") == ""
}
