package openai

import (
	"encoding/json"

	"hermes/agent/llm"
)

// usage is the service's count. Fields of other types than expected count as
// absent: a wrong count must not lose an answer.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	// DeepSeek.
	CacheHit count `json:"prompt_cache_hit_tokens"`
	// Anthropic behind a compatible front.
	CacheRead   count `json:"cache_read_input_tokens"`
	CacheCreate count `json:"cache_creation_input_tokens"`
	// Names of services that count as the Responses API does.
	Input  count `json:"input_tokens"`
	Output count `json:"output_tokens"`
	// Moonshot and others put it beside the details.
	Cached count `json:"cached_tokens"`
	// OpenRouter, in USD.
	Cost money `json:"cost"`

	PromptDetails     details `json:"prompt_tokens_details"`
	CompletionDetails details `json:"completion_tokens_details"`
}

type details struct {
	Cached    count `json:"cached_tokens"`
	Written   count `json:"cache_write_tokens"`
	Reasoning count `json:"reasoning_tokens"`
}

// UnmarshalJSON implements json.Unmarshaler; it accepts anything.
func (d *details) UnmarshalJSON(b []byte) error {
	type plain details
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*d = details(p)
	}
	return nil
}

// count is a number of tokens, 0 when it is no sensible one.
type count int

// UnmarshalJSON implements json.Unmarshaler; it accepts anything.
func (c *count) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(b, &f) == nil && f > 0 && f < 1<<40 {
		*c = count(f)
	}
	return nil
}

// money is an amount, 0 when it is no sensible one.
type money float64

// UnmarshalJSON implements json.Unmarshaler; it accepts anything.
func (m *money) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(b, &f) == nil && f > 0 && f < 1e6 {
		*m = money(f)
	}
	return nil
}

// UnmarshalJSON implements json.Unmarshaler; it accepts anything.
func (u *usage) UnmarshalJSON(b []byte) error {
	type plain usage
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*u = usage(p)
	}
	return nil
}

func (u *usage) count() *llm.Usage {
	if *u == (usage{}) {
		return nil
	}
	read := max(u.PromptDetails.Cached, u.CacheHit, u.CacheRead, u.Cached)
	written := max(u.PromptDetails.Written, u.CacheCreate)
	return &llm.Usage{
		In:         int(max(max(u.Prompt, u.Input)-read-written, 0)),
		Out:        int(max(u.Completion, u.Output)),
		Cost:       float64(u.Cost),
		CacheRead:  int(read),
		CacheWrite: int(written),
		Reasoning:  int(u.CompletionDetails.Reasoning),
	}
}
