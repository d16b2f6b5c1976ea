package panel

import (
	"cmp"
	"slices"

	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
)

// order is what the list of plugins is sorted by. Figures stand largest first,
// names from A to Z; ties keep the order by state.
type order uint8

const (
	byState order = iota // the worst first
	byName
	byCalls
	byErrors
	byHookTime
	byLoad
	orders
)

func (o order) next() order { return (o + 1) % orders }

// sort puts plugins that are sorted by state into the order.
func (o order) sort(all []*live.Plugin) {
	by := func(f func(q *live.Plugin) float64) {
		slices.SortStableFunc(all, func(a, b *live.Plugin) int { return cmp.Compare(f(b), f(a)) })
	}
	switch o {
	case byName:
		slices.SortStableFunc(all, func(a, b *live.Plugin) int { return cmp.Compare(a.Name, b.Name) })
	case byCalls:
		by(func(q *live.Plugin) float64 { return float64(q.Calls.N) })
	case byErrors:
		by(func(q *live.Plugin) float64 { return float64(errorsOf(q)) })
	case byHookTime:
		by(func(q *live.Plugin) float64 { return q.Hooks.P(95) })
	case byLoad:
		by(func(q *live.Plugin) float64 { return q.LoadMs })
	}
}

// title names the order with an arrow for its direction.
func (o order) title(l *look.Look) string {
	name := map[order]locale.Msg{
		byState: locale.UIColState, byName: locale.UIColName, byCalls: locale.UIColCalls,
		byErrors: locale.UIColErrors, byHookTime: locale.UIColHookP95, byLoad: locale.UIColLoad,
	}[o]
	arrow := l.Glyph.Down
	if o == byName {
		arrow = l.Glyph.Up
	}
	return l.T(locale.UISort, l.T(name)) + " " + arrow
}

// errorsOf counts what failed in a plugin: its calls and runs, or its start.
func errorsOf(q *live.Plugin) int {
	n := q.Calls.Errors + q.Hooks.Errors
	if q.Plugin.Error != nil && n == 0 {
		n = 1
	}
	return n
}
