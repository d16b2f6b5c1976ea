package clarify

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

func setup(t *testing.T, d Deps) tool.Tool {
	t.Helper()
	reg := tool.NewRegistry(nil)
	if err := Register(reg, d); err != nil {
		t.Fatal(err)
	}
	td, _ := reg.Get("clarify")
	return td
}

func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		args   string
		answer event.Answer
		want   string
	}{
		{`{"question":"Which?","choices":["a","b"]}`, event.Answer{Choice: "2"}, `{"question": "Which?", "choices_offered": ["a", "b"], "user_response": "b"}`},
		{`{"question":"Which?","choices":["a","b"]}`, event.Answer{Choice: "other", Text: "staging"}, `{"question": "Which?", "choices_offered": ["a", "b"], "user_response": "staging"}`},
		{`{"question":"Which?"}`, event.Answer{Choice: "other", Text: "staging"}, `{"question": "Which?", "choices_offered": null, "user_response": "staging"}`},
		{`{"question":"Which?","choices":[]}`, event.Answer{Choice: "other", Text: "x"}, `{"question": "Which?", "choices_offered": null, "user_response": "x"}`},
		{`{"question":" Which? ","choices":[" a ","",3,"b","c","d"]}`, event.Answer{Choice: "4"}, `{"question": "Which?", "choices_offered": ["a", "3", "b", "c"], "user_response": "c"}`},
		{`{"question":"  "}`, event.Answer{}, `{"error": "Question text is required."}`},
	} {
		td := setup(t, Deps{})
		r, err := td.Run(t.Context(), tool.Call{Args: json.RawMessage(tc.args), Ask: func(_ context.Context, _ event.Ask) (event.Answer, bool) {
			return tc.answer, true
		}})
		if err != nil || r.Content != tc.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tc.args, r.Content, err, tc.want)
		}
	}
}

func TestTheQuestion(t *testing.T) {
	td := setup(t, Deps{Lang: func() locale.Lang { return locale.ZH }, Timeout: 5 * time.Second})
	var asked event.Ask
	r, err := td.Run(t.Context(), tool.Call{ID: "c1", Args: json.RawMessage(`{"question":"Which?","choices":["a"]}`), Ask: func(_ context.Context, q event.Ask) (event.Answer, bool) {
		asked = q
		return event.Answer{}, false
	}})
	if err != nil {
		t.Fatal(err)
	}
	if asked.Kind != event.AskClarify || asked.Text != "Which?" || asked.Call != "c1" || asked.Expires != 5*time.Second ||
		len(asked.Choices) != 2 || asked.Choices[0] != (event.Choice{ID: "1", Label: "a"}) || !asked.Choices[1].Input ||
		asked.Choices[1].Label != locale.ClarifyOther.ZH {
		t.Errorf("%+v", asked)
	}
	want := `{"question": "Which?", "choices_offered": ["a"], "user_response": "The user did not answer. Choose the best option yourself, say which one and why, and go on."}`
	if r.Content != want {
		t.Error(r.Content)
	}
}

func TestNobody(t *testing.T) {
	td := setup(t, Deps{})
	r, err := td.Run(t.Context(), tool.Call{Args: json.RawMessage(`{"question":"Which?"}`)})
	want := `{"question": "Which?", "choices_offered": null, "user_response": "No user is present to answer. Choose the best option yourself, say which one and why, and go on."}`
	if err != nil || r.Content != want {
		t.Error(r.Content, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err = td.Run(ctx, tool.Call{Args: json.RawMessage(`{"question":"Which?"}`), Ask: func(context.Context, event.Ask) (event.Answer, bool) {
		return event.Answer{}, false
	}})
	if want = `{"question": "Which?", "choices_offered": null, "user_response": "The question was withdrawn: the user interrupted the turn."}`; err != nil || r.Content != want {
		t.Error(r.Content, err)
	}
}
