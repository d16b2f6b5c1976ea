package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"hermes/agent/config"
	"hermes/agent/event"
)

// usageReport is what --usage-file holds (contract/core §5.2).
type usageReport struct {
	Cost         float64 `json:"estimated_cost_usd"`
	CostStatus   string  `json:"cost_status"`
	CostSource   string  `json:"cost_source"`
	Input        int     `json:"input_tokens"`
	Output       int     `json:"output_tokens"`
	CacheRead    int     `json:"cache_read_tokens"`
	CacheWrite   int     `json:"cache_write_tokens"`
	Reasoning    int     `json:"reasoning_tokens"`
	Total        int     `json:"total_tokens"`
	APICalls     int     `json:"api_calls"`
	Model        string  `json:"model"`
	Provider     string  `json:"provider"`
	Session      string  `json:"session_id"`
	Completed    bool    `json:"completed"`
	Failed       bool    `json:"failed"`
	ServiceTier  *string `json:"service_tier"`
	FailureCause string  `json:"failure,omitempty"`
}

// writable reports before the turn why its report could not be written.
func writable(path string) error {
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, config.FileMode)
	if err != nil {
		return fmt.Errorf("--usage-file: %w", err)
	}
	return f.Close()
}

// writeUsage reports what a turn used, also one that failed.
func writeUsage(path string, out *askOutput, done *event.TurnDone, turnErr error) error {
	if path == "" {
		return nil
	}
	_ = out.end() // finish returns it
	r := usageReport{Cost: out.cost.Cost, CostStatus: out.cost.CostStatus, Model: out.model.Model, Provider: out.model.Provider, Failed: true}
	if r.CostStatus == "" {
		r.CostStatus = "unknown"
	}
	if done != nil {
		t := done.Tokens
		r.Input, r.Output, r.CacheRead, r.CacheWrite, r.Reasoning = t.In, t.Out, t.CacheRead, t.CacheWrite, t.Reasoning
		r.Total = t.In + t.Out + t.CacheRead + t.CacheWrite
		r.APICalls, r.Session = done.APICalls, done.Session
		r.Completed = done.Outcome == event.OutcomeDone
		r.Failed = done.Outcome == event.OutcomeFailed || done.Answer == ""
		turnErr = errors.Join(turnErr, textError(done.Err))
	}
	if turnErr != nil {
		r.FailureCause = turnErr.Error()
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = config.WriteFile(path, append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("--usage-file: %w", err)
	}
	return nil
}

func textError(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}
