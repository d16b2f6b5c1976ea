package panel

import (
	"fmt"
	"strings"
	"time"

	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Detail draws the third column of wide screens: the plugin that needs
// attention most, the hook events, and the newest event in full. It is width
// cells wide with the border at its left.
func Detail(l *look.Look, s *live.State, width, height int, now time.Time) []string {
	v := View{Look: l, State: s, Width: width - 1, Height: height, Now: now}
	border := l.Style.Border.Render(l.Glyph.V)
	var body []string
	add := func(rows ...string) {
		for _, r := range rows {
			body = append(body, border+render.Fit(r, width-1))
		}
	}
	section := func(title, right string) {
		p := &side{look: l, s: s, w: width - 1, now: now}
		body = append(body, p.heading(title, right))
	}
	all := s.Plugins.Sorted()
	if len(all) > 0 {
		q := all[0]
		add(" "+heading(v, q, v.Width-1), dots(v, v.Width))
		part := overview(v, q, v.Width-2)
		for i, r := range part {
			if i >= height/3 {
				break
			}
			add(" " + r)
		}
		add("")
	}
	sep := " " + l.Glyph.Bullet + " "
	section(l.T(locale.UIHookEvents), fmt.Sprintf("%s %s %d%s%s%s%d %s  F3", l.T(locale.UILive), l.Glyph.Live, s.Hooks.Total, sep, l.T(locale.UISlowCount, s.Hooks.Slow), sep, s.Hooks.Failed, l.Glyph.Failed))
	c := runColumns{hook: 16, who: max(v.Width-46, 10), tight: true}
	room := max(height-len(body)-8, 3)
	n := s.Hooks.Len()
	for i := max(n-room, 0); i < n; i++ {
		add(runRow(l, s.Hooks.At(i), c, v.Width))
	}
	if n == 0 {
		add(" " + l.Style.Muted.Render(l.T(locale.UIHooksNone)))
	}
	for len(body) < height-7 {
		add("")
	}
	if n > 0 {
		e := s.Hooks.At(n - 1)
		section(strings.Join([]string{l.T(locale.UIEvent), look.Clock(e.At), render.Line(e.Hook)}, " "), "")
		add(runDetail(v, s, e, v.Width-1, false)...)
	}
	for len(body) < height {
		add("")
	}
	return body[:height]
}
