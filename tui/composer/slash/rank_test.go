package slash

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hermes/agent/event"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

func names(ms []match) string {
	var out []string
	for _, m := range ms {
		out = append(out, m.cmd.Name)
	}
	return strings.Join(out, " ")
}

func TestOrder(t *testing.T) {
	cmds := []event.Command{
		{Name: "forecast", Description: "the weather of tomorrow"},
		{Name: "swear", Description: "talk like a sailor"},
		{Name: "wxyzear", Description: "-"},
		{Name: "weather-units"},
		{Name: "weather"},
		{Name: "my-wea"},
		{Name: "wea2", Aliases: []string{"wea"}},
		{Name: "Wea"},
	}
	for query, want := range map[string]string{
		"wea":     "Wea wea2 weather weather-units my-wea swear wxyzear forecast",
		"WEATHER": "weather weather-units forecast",
		"units":   "weather-units",
		"zzz":     "",
		"-":       "my-wea weather-units",
	} {
		if got := names(rank(cmds, query)); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for draft, want := range map[string]string{
		"/help": "help||true", "/weather Berlin now": "weather|Berlin now|true", "/": "||true", "/etc/hosts": "||false", "hello": "||false", " /x": "||false", "/a\nb": "a|b|true", "/a b/c": "a|b/c|true",
	} {
		name, args, ok := Parse(draft)
		got := name + "|" + args + "|" + map[bool]string{true: "true", false: "false"}[ok]
		if got != want {
			t.Errorf("%q: %s, want %s", draft, got, want)
		}
	}
}

// Whatever the catalogue: an exact name comes first, better tiers come before
// worse ones, and the letters that are marked spell the query.
func TestRanking(t *testing.T) {
	word := rapid.StringMatching(`[a-cé天]{1,5}(-[a-c]{1,3})?`)
	rapid.Check(t, func(t *rapid.T) {
		var cmds []event.Command
		for _, n := range rapid.SliceOfNDistinct(word, 1, 12, rapid.ID).Draw(t, "names") {
			cmds = append(cmds, event.Command{Name: n, Description: rapid.StringMatching(`[a-c ]{0,8}`).Draw(t, "about")})
		}
		query := rapid.StringMatching(`[a-cé天]{1,3}`).Draw(t, "query")
		ms := rank(cmds, query)
		for i, m := range ms {
			if i > 0 && m.tier < ms[i-1].tier {
				t.Fatalf("%v after %v", m.cmd.Name, ms[i-1].cmd.Name)
			}
			if m.tier == subsequence || m.tier == substring || m.tier == prefix || m.tier == wordStart {
				var marked strings.Builder
				for _, at := range m.at {
					marked.WriteByte(strings.ToLower(m.cmd.Name)[at])
				}
				if m.tier != subsequence && marked.String() != query {
					t.Fatalf("%q in %q marks %q", query, m.cmd.Name, marked.String())
				}
			}
		}
		for _, c := range cmds {
			if c.Name == query && ms[0].cmd.Name != query {
				t.Fatalf("%q is not first: %s", query, names(ms))
			}
			if strings.HasPrefix(c.Name, query) && !strings.Contains(" "+names(ms)+" ", " "+c.Name+" ") {
				t.Fatalf("%q is missing for %q", c.Name, query)
			}
		}
	})
}

// The menu fits whatever room there is, with straight borders.
func TestMenuFits(t *testing.T) {
	m := New(look.New(look.Options{}, 1))
	var cmds []event.Command
	for _, n := range []string{"weather", "天气预报", "a-very-long-name-of-a-command-that-does-not-fit", "w"} {
		cmds = append(cmds, event.Command{Name: n, Args: "<城市> [days]", Description: strings.Repeat("描述 text ", 20), Owner: "插件"})
	}
	m.SetCommands(cmds, true)
	m.Update("/", true)
	for w := 12; w < 130; w++ {
		for h := range 16 {
			rows := m.Render(w, h)
			if len(rows) > h {
				t.Fatalf("%d rows in %d", len(rows), h)
			}
			for _, row := range rows {
				if render.Width(row) != w {
					t.Fatalf("row of %d cells in %d: %q", render.Width(row), w, row)
				}
			}
		}
	}
}
