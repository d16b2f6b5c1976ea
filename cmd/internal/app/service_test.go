package app_test

import (
	"net/http"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
)

// failing is a step that fails with a status and asks to be tried again at once.
func failing(status int) llmtest.Step {
	return llmtest.Step{Status: status, Headers: map[string]string{"Retry-After-Ms": "1"}}
}

func TestServiceFailsAndRecovers(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusInternalServerError} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			r := startApp(t, 80, 24, withModel(failing(status), failing(status), llmtest.Say("At last.")))
			r.send("question")
			r.waitIdle("At last.", "↻", "trying again", "(2 of 3)")
			r.requests(3)
		})
	}
}

// A service that does not recover, or answers nonsense, is quoted with what to
// do, without the key, and the next question works.
func TestServiceErrorsAreSaid(t *testing.T) {
	cut := 3
	for name, c := range map[string]struct {
		steps []llmtest.Step
		want  []string
	}{
		"keeps failing": {[]llmtest.Step{failing(500), failing(500), failing(500)}, []string{"✗", "mock error 500"}},
		"bad key": {
			[]llmtest.Step{{Status: 401, Body: []byte(`{"error":{"message":"Incorrect API key provided: sk-test-0000000000"}}`)}},
			[]string{"✗", "Incorrect API key provided", "Check the API key"},
		},
		"no such model": {[]llmtest.Step{{Status: 404, Body: []byte(`{"error":{"message":"model not found"}}`)}}, []string{"✗", "model not found", "Check the model name (mock-model)"}},
		"garbage":       {[]llmtest.Step{{RawChunks: []string{"data: {]\n\n", "\x00\xff\xfe garbage\n\n", "event: x\ndata: 7\n\n", "data: [DONE]\n\n"}}}, nil},
		"cut":           {[]llmtest.Step{{Text: "Half an answer that breaks off", CutAfter: &cut}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startApp(t, 120, 40, withModel(append(c.steps, llmtest.Say("The service is back."))...))
			r.send("question")
			for i, text := range c.want {
				if i == 0 {
					r.waitIdle(text)
				}
				r.seek(text)
			}
			if strings.Contains(r.Snapshot().String(), "sk-test-0000000000") {
				t.Errorf("the key is on the screen\n%s", r.Snapshot().Dump())
			}
			r.newest()
			if c.want != nil {
				r.send("again")
			}
			r.waitIdle("The service is back.")
		})
	}
}
