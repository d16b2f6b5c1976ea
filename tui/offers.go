package tui

import (
	"slices"
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

// offers gives keys to the plugins that were found and are not enabled. A
// plugin gets its key when it is first shown with it and keeps it for as long
// as the program runs, also while it is not on offer: a key must not come to
// mean another plugin under the finger.
type offers struct {
	found []string // keys of plugins in the order they were seen in
	slots []string // those with a function key, from firstOffer on
}

func (o *offers) see(p event.Plugin) {
	if p.State == event.PluginFound && (!p.Bundled || p.Example) && !slices.Contains(o.found, p.Key) {
		o.found = append(o.found, p.Key)
	}
}

// show returns what is on offer now, and gives keys to what is new in it: to
// the plugins of the user before our own examples.
func (o *offers) show(s *live.State) []banner.Offer {
	for _, examples := range []bool{false, true} {
		for _, key := range o.found {
			p := s.Plugins.Get(key)
			if len(o.slots) < maxOffers && o.open(s, p) && p.Example == examples && !slices.Contains(o.slots, key) {
				o.slots = append(o.slots, key)
			}
		}
	}
	return o.current(s)
}

// current returns what is on offer now, of what has been shown.
func (o *offers) current(s *live.State) []banner.Offer {
	var out []banner.Offer
	for i, key := range o.slots {
		if p := s.Plugins.Get(key); o.open(s, p) {
			out = append(out, banner.Offer{Plugin: p, Key: "F" + strconv.Itoa(firstOffer+i)})
		}
	}
	return out
}

// open tells whether a plugin can be offered: not while there is no Python to
// run it. Our own examples are for those only who have nothing else yet, which
// is known when all plugins are.
func (o *offers) open(s *live.State, p *live.Plugin) bool {
	if p == nil || p.State != event.PluginFound || s.Host.State == event.HostAbsent {
		return false
	}
	return !p.Example || s.Settled && newcomer(s)
}

// newcomer tells whether no plugin but our examples is enabled.
func newcomer(s *live.State) bool {
	for _, p := range s.Plugins.Sorted() {
		if h := p.Health(); h != look.Off && h != look.Skipped && !p.Example {
			return false
		}
	}
	return true
}

// bannerInfo is what the banner shows besides the live state.
func (m *model) bannerInfo() banner.Info {
	return banner.Info{Version: m.opts.Version, Dir: m.shortDir(), Rows: m.h, Offers: m.offers.show(m.state)}
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
