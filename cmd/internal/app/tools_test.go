package app_test

import (
	"regexp"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// calls is a step with several calls at once.
func calls(list ...llmtest.Call) llmtest.Step { return llmtest.Step{ToolCalls: list} }

// rightSide is what the line of a card ends with: what became of the call and
// its owner, right-aligned, and the time, which differs from run to run.
var rightSide = regexp.MustCompile(`^( +[✓✗⊘].*?) +((?:failed  |blocked  |cancelled  |timed out  )?[a-z]*) +[0-9.]+(?:ms|s) ▸$`)

// steady returns the conversation without times and alignment.
func steady(s tuitest.Snapshot) []string {
	rows := pane(s)
	for i, row := range rows {
		if m := rightSide.FindStringSubmatch(row); m != nil {
			rows[i] = strings.TrimRight(m[1]+" "+strings.Join(strings.Fields(m[2]), " "), " ") + " ▸"
		}
	}
	return rows
}

// seekCard scrolls up until a card, with what is below it, is on the screen.
func (r *rig) seekCard(want string) {
	r.t.Helper()
	seen := func(s tuitest.Snapshot) bool {
		text := strings.Join(strings.Fields(strings.Join(steady(s), " ")), " ")
		return strings.Contains(text, want)
	}
	r.scrollTo(want, seen)
}

// toolResults are the results that a request carries, by call.
func toolResults(q llmtest.Request) map[string]string {
	out := map[string]string{}
	for _, m := range q.Body.Messages {
		if m.Role == "tool" {
			out[m.ToolCallID] = m.Content
		}
	}
	return out
}

// The banner and the page of tools say what the model is offered, however it
// was chosen.
func TestToolsetsThatAreOff(t *testing.T) {
	for name, c := range map[string]struct {
		choose option
		why    string
	}{
		"flag":      {func(_ *testing.T, s *setup) { s.toolsets = []string{"todo", "forecast"} }, "--toolsets does not name"},
		"platform":  {withConfig("platform_toolsets", map[string]any{"cli": []string{"todo", "forecast"}}), "platform_toolsets.cli does not"},
		"blacklist": {withConfig("agent.disabled_toolsets", []string{"file", "terminal"}), "agent.disabled_toolsets names"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startApp(t, 120, 40, c.choose, withPlugin("weather"), withModel(llmtest.Say("yes")))
			r.send("hello")
			s := r.waitIdle("yes", "todo: todo", "forecast: get_forecast, get_weather")
			if s.Contains("read_file") || s.Contains("terminal: ") {
				t.Errorf("the banner shows toolsets that are off\n%s", s.Dump())
			}
			for _, tool := range r.server.Requests()[0].Body.Tools {
				if n := tool.Function.Name; n == "read_file" || n == "terminal" {
					t.Errorf("%s was offered", n)
				}
			}
			r.Press("f4")
			r.Type("/read_file")
			r.Press("enter", "down", "enter")
			r.WaitText("not offered to the model: " + c.why)
		})
	}
}

func TestCards(t *testing.T) {
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			r := startApp(t, size.w, size.h, withPlugin("weather", "notes", "guard"), withModel(
				calls(
					llmtest.NewCall("call_1", "get_weather", `{"city":"Berlin"}`),
					llmtest.NewCall("call_2", "get_weather", `{"city":"杭州"}`),
				),
				calls(llmtest.NewCall("call_3", "note_add", `{"text":""}`)),
				calls(llmtest.NewCall("call_4", "note_add", `{"text":"rm -rf everything"}`)),
				calls(llmtest.NewCall("call_5", "get_wether_", `{"city":"Berlin"}`), llmtest.NewCall("call_6", "no_such_tool", `{}`)),
				calls(llmtest.NewCall("call_7", "get_weather", `{"city": Berlin]`)),
				llmtest.Say("All done."),
			))
			r.send("is it going to rain?")
			s := r.waitIdle("All done.")
			r.assertChat(s)

			got := r.requests(6)
			results := toolResults(got[5])
			for call, want := range map[string]string{
				"call_1": `{"temp": 21, "rain": 0.1}`,
				"call_2": `{"temp": 27, "rain": 0.6}`,
				"call_3": "ValueError: an empty note",
				"call_4": "rm -rf is forbidden here",
				"call_6": "no_such_tool",
				"call_7": "Invalid JSON arguments",
			} {
				if !strings.Contains(results[call], want) {
					t.Errorf("the model was told %q of %s, want %q", results[call], call, want)
				}
			}
			if strings.Contains(results["call_3"], "Traceback") {
				t.Errorf("the model was sent a traceback: %q", results["call_3"])
			}
			if size.w < 80 { // there is no room for the arguments
				for _, want := range []string{
					"the arguments are not valid JSON", "there is no tool named no_such_tool", "blocked by a plugin: rm -rf is forbidden here",
					"⊘ note_add", "an empty note", "✗ note_add", `"rain": 0.6`, `"rain": 0.1`, "✓ get_weather",
				} {
					r.seek(want)
				}
				return
			}
			// Every card, with its owner and what became of it.
			for _, want := range []string{
				`✓ get_weather {"city":"Berlin"} weather ▸`,
				`✓ get_weather {"city":"杭州"} weather ▸`,
				`✗ note_add {"text":""} failed notes ▸`,
				`⊘ note_add {"text":"rm -rf everything"} blocked notes ▸ blocked by a plugin: rm -rf is forbidden here`,
				`✗ no_such_tool failed ▸ there is no tool named no_such_tool`,
				`✗ get_weather {"city": Berlin] failed weather ▸ the arguments are not valid JSON`,
			} {
				r.seekCard(want)
			}
			if size.h >= 40 { // the batch stands in the order of its calls
				has(t, "batch", steady(r.seek("杭州")),
					`     ✓ get_weather {"city":"Berlin"} weather ▸`,
					`       {"temp": 21, "rain": 0.1}`,
					`     ✓ get_weather {"city":"杭州"} weather ▸`,
					`       {"temp": 27, "rain": 0.6}`,
				)
			}
		})
	}
}
