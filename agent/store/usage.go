package store

import (
	"context"
)

// Usage is what requests cost. Costs are USD, nil when unknown. Task is empty
// for the conversation itself; side work (title, compression, vision) names
// itself and counts only in the table by model, as in the reference.
type Usage struct {
	Session                                   string
	Model, Provider, BaseURL, Mode, Task      string
	Calls                                     int
	In, Out, CacheRead, CacheWrite, Reasoning int // tokens; In is without cached ones
	Estimated, Actual                         *float64
	CostStatus, CostSource, PricingVersion    string
}

const countTokens = `UPDATE sessions SET
	input_tokens = input_tokens + ?, output_tokens = output_tokens + ?,
	cache_read_tokens = cache_read_tokens + ?, cache_write_tokens = cache_write_tokens + ?,
	reasoning_tokens = reasoning_tokens + ?, api_call_count = api_call_count + ?,
	estimated_cost_usd = CASE WHEN ?7 IS NULL THEN estimated_cost_usd ELSE COALESCE(estimated_cost_usd, 0) + ?7 END,
	actual_cost_usd = CASE WHEN ?8 IS NULL THEN actual_cost_usd ELSE COALESCE(actual_cost_usd, 0) + ?8 END,
	cost_status = COALESCE(?, cost_status), cost_source = COALESCE(?, cost_source),
	pricing_version = COALESCE(?, pricing_version),
	model = COALESCE(model, ?), billing_provider = COALESCE(?, billing_provider),
	billing_base_url = COALESCE(?, billing_base_url), billing_mode = COALESCE(?, billing_mode)
	WHERE id = ?`

const countModel = `INSERT INTO session_model_usage (session_id, model, billing_provider, billing_base_url, billing_mode, task,
	api_call_count, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens,
	estimated_cost_usd, actual_cost_usd, cost_status, cost_source, first_seen, last_seen)
	SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(?, 0), COALESCE(?, 0), ?, ?, ?17, ?17 WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1)
	ON CONFLICT(session_id, model, billing_provider, billing_base_url, billing_mode, task) DO UPDATE SET
	api_call_count = api_call_count + excluded.api_call_count,
	input_tokens = input_tokens + excluded.input_tokens,
	output_tokens = output_tokens + excluded.output_tokens,
	cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens,
	cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
	reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
	estimated_cost_usd = estimated_cost_usd + excluded.estimated_cost_usd,
	actual_cost_usd = actual_cost_usd + excluded.actual_cost_usd,
	cost_status = COALESCE(excluded.cost_status, cost_status),
	cost_source = COALESCE(excluded.cost_source, cost_source),
	last_seen = excluded.last_seen`

// AddUsage counts requests that belong to no step.
func (s *Store) AddUsage(ctx context.Context, u Usage) error {
	return s.write(ctx, "store the usage", func(t tx) error { return s.addUsage(t, u) })
}

func (s *Store) addUsage(t tx, u Usage) error {
	if u.Task == "" {
		if _, err := t.exec(countTokens, u.In, u.Out, u.CacheRead, u.CacheWrite, u.Reasoning, u.Calls, u.Estimated, u.Actual,
			filled(u.CostStatus), filled(u.CostSource), filled(u.PricingVersion),
			filled(u.Model), filled(u.Provider), filled(u.BaseURL), filled(u.Mode), u.Session); err != nil {
			return err
		}
	}
	if u.Model == "" {
		return nil
	}
	_, err := t.exec(countModel, u.Session, u.Model, u.Provider, u.BaseURL, u.Mode, u.Task,
		u.Calls, u.In, u.Out, u.CacheRead, u.CacheWrite, u.Reasoning, u.Estimated, u.Actual,
		filled(u.CostStatus), filled(u.CostSource), seconds(s.now()))
	return err
}

// ModelUsage is what one model did in a session, or in all of them.
type ModelUsage struct {
	Usage
	EstimatedTotal, ActualTotal float64
}

// Usages lists what the models of a session did; an empty id means all
// sessions, summed by model, provider and task.
func (s *Store) Usages(ctx context.Context, session string) ([]ModelUsage, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	rows, err := c.read.QueryContext(ctx, `SELECT model, billing_provider, task, SUM(api_call_count), SUM(input_tokens), SUM(output_tokens),
		SUM(cache_read_tokens), SUM(cache_write_tokens), SUM(reasoning_tokens), SUM(estimated_cost_usd), SUM(actual_cost_usd)
		FROM session_model_usage WHERE ?1 = '' OR session_id = ?1 GROUP BY model, billing_provider, task
		ORDER BY SUM(input_tokens) + SUM(output_tokens) DESC, model`, session)
	if err != nil {
		return nil, s.readError("read the usage", err)
	}
	defer rows.Close()
	var out []ModelUsage
	for rows.Next() {
		var u ModelUsage
		u.Session = session
		if err := rows.Scan(&u.Model, &u.Provider, &u.Task, &u.Calls, &u.In, &u.Out, &u.CacheRead, &u.CacheWrite, &u.Reasoning,
			&u.EstimatedTotal, &u.ActualTotal); err != nil {
			return nil, s.readError("read the usage", err)
		}
		out = append(out, u)
	}
	return out, s.readError("read the usage", rows.Err())
}
