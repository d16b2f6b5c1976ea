package panel

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// fieldsOf splits a row at its blanks and drops the border and the signs.
func fieldsOf(row string) []string {
	return strings.Fields(strings.NewReplacer("│", " ", "▸", " ", "●", " ", "! ", "  ").Replace(ansi.Strip(row)))
}

// Columns never run into each other, whatever the figures are, in either
// language and at any width.
func TestColumnsStayApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := live.New()
		// Words without blanks, so that every column is one field of its row.
		s.Apply(event.PluginState{Plugin: event.Plugin{Key: "p", Name: "p", Version: "1.0.0", State: event.PluginOK, LoadMs: rapid.Float64Range(0.1, 200000).Draw(t, "load"), Hooks: []string{"h"}}})
		for range rapid.SampledFrom([]int{0, 1, 30, 12345}).Draw(t, "calls") {
			s.Apply(event.ToolDone{Owner: "p", Name: "t", Status: event.StatusOK})
		}
		s.Apply(event.HookRun{Plugin: "p", Hook: "h", Callback: strings.Repeat("c", 40), Ms: rapid.SampledFrom([]float64{0.1, 9, 200.4, 2000, 59_949, 61_000, 7_300_000}).Draw(t, "ms")})
		s.Apply(event.PluginsSettled{})
		s.Apply(event.ToolsChanged{Tools: []event.ToolInfo{{Name: strings.Repeat("t", 40), Toolset: "x", Owner: "p", RequiresEnv: []string{strings.Repeat("E", 40)}}}})
		l := look.New(look.Options{
			Lang:  rapid.SampledFrom([]locale.Lang{locale.EN, locale.ZH}).Draw(t, "lang"),
			ASCII: rapid.Bool().Draw(t, "ascii"),
		}, 1)
		q := s.Plugins.Get("p")
		want := func(where, row string, fields []string) {
			if got := fieldsOf(row); len(got) != len(fields) {
				t.Fatalf("%s: %d fields, want %q:\n%s", where, len(got), fields, ansi.Strip(row))
			}
		}
		col := func(m locale.Msg) string { return l.T(m) }
		for _, width := range []int{44, 58, 80, 120} {
			c := columnsOf(l, width, []*live.Plugin{q})
			fields := []string{"p"}
			if c.ver > 0 {
				fields = append(fields, "1.0.0")
			}
			fields = append(fields, "state")
			fields = append(fields, c.cells[0]...)
			if l.ASCII {
				fields = append(fields, "[ok]")
			}
			row := strings.TrimRight(c.row(l, 0, q, "state"), " ")
			want(fmt.Sprint("plugins ", width), row, fields)
			if n := render.Width(row); n > width && width > 44 {
				t.Fatalf("the row is %d cells wide, of %d", n, width)
			}
			if c.full {
				head := []string{col(locale.UIColName), col(locale.UIColState)}
				if c.ver > 0 {
					head = append(head, col(locale.UIColVersion))
				}
				for _, n := range c.figures {
					head = append(head, strings.Fields(n.title)...)
				}
				want("plugins, head", c.head(l), head)
			}
		}
		side := Side(l, s, 44, 20, time.Time{})
		fields := []string{"p", "state", "calls", "errors", "p95"}
		if l.ASCII {
			fields = append(fields, "|", "[ok]")
		}
		want("panel", strings.Replace(side[2], word(l, q.Health()), "state", 1), fields)

		v := View{Look: l, State: s, Width: 80, Height: 20}
		page := NewTools()
		rows := page.rows(s)
		table := page.table(v, rows, 20)
		want("tools, head", table[0], strings.Fields(strings.Join([]string{
			col(locale.UIColToolset), col(locale.UIColOn), col(locale.UIColFrom), col(locale.UIColNeeds),
			col(locale.UIColCalls), col(locale.UIColErrors), col(locale.UIColTokens),
		}, " ")))
		for _, width := range []int{80, 100} {
			row := ansi.Strip(runRow(l, s.Hooks.At(0), runColumnsOf(width), width))
			if took := look.Millis(s.Hooks.At(0).Ms); !strings.Contains(row, " "+took) {
				t.Fatalf("no blank before %s:\n%s", took, row)
			}
		}
	})
}
