package app

import (
	"cmp"
	"context"
	"slices"
	"time"

	"hermes/agent/store"
)

// Insights sums up the stored sessions of some days.
type Insights struct {
	Days      int            `json:"days"`
	Sessions  int            `json:"sessions"`
	Messages  int            `json:"messages"`
	ToolCalls int            `json:"tool_calls"`
	Input     int            `json:"input_tokens"`
	Output    int            `json:"output_tokens"`
	CacheRead int            `json:"cache_read_tokens"`
	Cost      float64        `json:"estimated_cost_usd"`
	Models    []InsightCount `json:"models"` // sessions, most first
	Tools     []InsightCount `json:"tools"`  // calls, most first
	Daily     []InsightCount `json:"daily"`  // sessions, by day
}

// InsightCount is a name and how often it occurs.
type InsightCount struct {
	Name string `json:"name"`
	N    int    `json:"count"`
}

// insightTools is how many tools are listed.
const insightTools = 15

// ReadInsights sums up the sessions that began in the last days. source keeps
// those of one kind; empty means all.
func ReadInsights(ctx context.Context, s *store.Store, now time.Time, days int, source string) (Insights, error) {
	in := Insights{Days: days}
	list, err := s.List(ctx, store.ListOptions{Children: true})
	if err != nil {
		return in, err
	}
	since := now.AddDate(0, 0, -days)
	models, tools, daily := map[string]int{}, map[string]int{}, map[string]int{}
	for _, e := range list {
		if e.Started.Before(since) || (source != "" && e.Source != source) {
			continue
		}
		in.Sessions++
		in.Messages += e.Messages
		in.ToolCalls += e.ToolCalls
		in.Input, in.Output, in.CacheRead = in.Input+e.In, in.Output+e.Out, in.CacheRead+e.CacheRead
		in.Cost += e.EstimatedCost
		if e.Model != "" {
			models[e.Model]++
		}
		daily[e.Started.Local().Format(time.DateOnly)]++
		if e.ToolCalls == 0 {
			continue
		}
		msgs, err := s.AllMessages(ctx, e.ID)
		if err != nil {
			return in, err
		}
		for _, m := range msgs {
			for _, c := range m.ToolCalls {
				tools[c.Name]++
			}
		}
	}
	in.Models, in.Tools, in.Daily = counted(models), counted(tools), counted(daily)
	in.Tools = in.Tools[:min(len(in.Tools), insightTools)]
	slices.SortFunc(in.Daily, func(a, b InsightCount) int { return cmp.Compare(a.Name, b.Name) })
	return in, nil
}

// counted sorts by number, most first, then by name.
func counted(m map[string]int) []InsightCount {
	out := make([]InsightCount, 0, len(m))
	for name, n := range m {
		out = append(out, InsightCount{name, n})
	}
	slices.SortFunc(out, func(a, b InsightCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return out
}
