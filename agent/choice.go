package agent

import (
	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Use starts a turn with text in which the model has to call a tool first
// (/use TOOL prompt). Like Submit it waits for a running turn.
func (a *Agent) Use(tool, text string) {
	a.add(&entry{text: text, source: "user", choice: tool})
}

// choose is the tool choice of the next request. A choice that forces a call
// holds for the first request of a turn: later ones would never end.
func (t *turn) choose() string {
	choice := t.set.ToolChoice
	if t.entry.choice != "" {
		choice = t.entry.choice
	}
	switch choice {
	case "", llm.ChoiceNone:
		return choice
	case llm.ChoiceAuto:
		return choice
	}
	if t.apiCalls > 1 || len(t.offer.defs) == 0 {
		return ""
	}
	if choice == llm.ChoiceRequired {
		return choice
	}
	if _, ok := t.offer.tools[choice]; !ok {
		t.a.emit(event.Notice{
			Meta: t.meta(), Level: event.LevelWarn, Source: "agent",
			Text: locale.ChoiceUnknown.In(t.lang, choice),
		})
		return ""
	}
	return choice
}
