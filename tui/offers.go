package tui

import (
	"strconv"

	"hermes/agent/event"
	"hermes/tui/banner"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
)

// firstOffer is the function key that enables the first plugin on offer; the
// next ones follow. F1 to F4 have their pages.
const (
	firstOffer = 5
	maxOffers  = 4
)

// offers are the plugins that were found and not enabled, in the order they
// were seen in. A plugin keeps its key for as long as the program runs: a key
// must not come to mean another plugin under the finger.
type offers struct{ keys []string }

func (o *offers) see(p event.Plugin) {
	if p.State != event.PluginFound || p.Bundled && !p.Example {
		return
	}
	for _, key := range o.keys {
		if key == p.Key {
			return
		}
	}
	o.keys = append(o.keys, p.Key)
}

// current returns what is on offer now. Our own examples are offered to those
// only who have enabled nothing else yet.
func (o *offers) current(s *live.State) []banner.Offer {
	newcomer := true
	for _, p := range s.Plugins.Sorted() {
		if h := p.Health(); h != look.Off && h != look.Skipped && !p.Example {
			newcomer = false
		}
	}
	var out []banner.Offer
	for i, key := range o.keys[:min(len(o.keys), maxOffers)] {
		p := s.Plugins.Get(key)
		if p == nil || p.State != event.PluginFound || p.Example && !newcomer {
			continue
		}
		out = append(out, banner.Offer{Plugin: p, Key: "F" + strconv.Itoa(firstOffer+i)})
	}
	return out
}

// bannerInfo is what the banner shows besides the live state.
func (m *model) bannerInfo() banner.Info {
	return banner.Info{Version: m.opts.Version, Dir: m.shortDir(), Rows: m.h, Offers: m.offers.current(m.state)}
}

// offer enables the plugin that a function key stands for.
func (m *model) offer(name string) bool {
	for _, o := range m.offers.current(m.state) {
		if name == "f"+o.Key[1:] {
			m.backend.EnablePlugin(o.Plugin.Key)
			return true
		}
	}
	return false
}
