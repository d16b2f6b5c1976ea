// Package clarify is the tool with which the model asks the user a question.
// Without a user, or without an answer in time, the model is told to decide.
package clarify

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Limits of contract/core §2.5.
const (
	maxChoices     = 4
	defaultTimeout = 120 * time.Second
)

// What the model gets in place of an answer.
const (
	nobodyThere = "No user is present to answer. Choose the best option yourself, say which one and why, and go on."
	noAnswer    = "The user did not answer. Choose the best option yourself, say which one and why, and go on."
	withdrawn   = "The question was withdrawn: the user interrupted the turn."
)

const description = `Asks the user one question and waits for the answer. Use it when the task can be understood in ways that lead to different work, or a choice is the user's to make; not for what you can find out yourself, and not to ask for permission to run commands (that is asked for you).
Give up to four short choices where there are some, the one you would take first; the user can always write another answer.`

const parameters = `{"type":"object","properties":{"question":{"type":"string","description":"one question, with what is needed to answer it"},"choices":{"type":"array","items":{"type":"string"},"maxItems":4,"description":"answers to choose from; leave out for a free answer"}},"required":["question"]}`

// Deps is what the tool needs of the program.
type Deps struct {
	Lang func() locale.Lang // nil means English
	// Timeout is clarify.timeout; 0 means 120 seconds, negative none.
	Timeout time.Duration
}

// Register adds the tool to reg.
func Register(reg *tool.Registry, d Deps) error {
	if d.Timeout == 0 {
		d.Timeout = defaultTimeout
	}
	if d.Lang == nil {
		d.Lang = func() locale.Lang { return locale.EN }
	}
	if _, err := reg.Add(&clarify{d}, false); err != nil {
		return fmt.Errorf("register clarify: %w", err)
	}
	return nil
}

type clarify struct{ d Deps }

// Spec describes the tool. The wait for the user has a limit of its own.
func (*clarify) Spec() tool.Spec {
	return tool.Spec{
		Name: "clarify", Toolset: "clarify", Description: description, Emoji: "❓",
		Parameters: json.RawMessage(parameters), Timeout: -1,
	}
}

func (*clarify) Available(context.Context) (bool, string) { return true, "" }

// answer is what the model gets; the keys are the contract's.
type answer struct {
	Question string   `json:"question"`
	Choices  []string `json:"choices_offered"` // null for an open question
	Response string   `json:"user_response"`
}

// Run asks.
func (t *clarify) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a struct {
		Question string `json:"question"`
		Choices  []any  `json:"choices"`
	}
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return result.Error("Invalid arguments for clarify: %v", err), nil
	}
	out := answer{Question: strings.TrimSpace(a.Question), Choices: offered(a.Choices)}
	if out.Question == "" {
		return result.Error("Question text is required."), nil
	}
	if c.Ask == nil {
		out.Response = nobodyThere
		return result.JSON(out), nil
	}
	got, ok := c.Ask(ctx, t.question(c.ID, out))
	switch {
	case ok:
		out.Response = response(got, out.Choices)
	case ctx.Err() != nil:
		out.Response = withdrawn
	default:
		out.Response = noAnswer
	}
	return result.JSON(out), nil
}

// offered is the choices with something in them, at most four.
func offered(list []any) []string {
	var out []string
	for _, v := range list {
		text, isText := v.(string)
		if !isText {
			text = fmt.Sprint(v)
		}
		if text = strings.TrimSpace(text); text != "" && len(out) < maxChoices {
			out = append(out, text)
		}
	}
	return out
}

// other is the id of the choice that takes a text.
const other = "other"

func (t *clarify) question(call string, a answer) event.Ask {
	lang := t.d.Lang()
	q := event.Ask{
		Kind: event.AskClarify, Title: locale.ClarifyTitle.In(lang), Text: a.Question, Call: call, Expires: max(0, t.d.Timeout),
	}
	for i, label := range a.Choices {
		q.Choices = append(q.Choices, event.Choice{ID: strconv.Itoa(i + 1), Label: label})
	}
	label := locale.ClarifyOther
	if len(a.Choices) == 0 {
		label = locale.ClarifyAnswer
	}
	q.Choices = append(q.Choices, event.Choice{ID: other, Label: label.In(lang), Input: true})
	return q
}

// response is the user's answer in words.
func response(a event.Answer, choices []string) string {
	if n, err := strconv.Atoi(a.Choice); err == nil && n >= 1 && n <= len(choices) {
		if a.Text != "" {
			return choices[n-1] + ": " + a.Text
		}
		return choices[n-1]
	}
	return a.Text
}
