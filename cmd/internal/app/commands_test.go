package app_test

import (
	"context"
	"slices"
	"testing"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/cmd/internal/app"
	"hermes/tui/tuitest"
)

// A second start shows at once what the first has seen, before a plugin runs.
func TestSecondStart(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	// The plugin that waits while it is imported loads first.
	const slow = "import os, socket\nif os.environ.get('GATE_ADDR'):\n    host, port = os.environ['GATE_ADDR'].rsplit(':', 1)\n" +
		"    conn = socket.create_connection((host, int(port)))\n    conn.sendall(b'import\\n')\n    conn.recv(1)\n\ndef register(ctx):\n    pass\n"
	first := startApp(t, 80, 24, withCode("aslow", slow), withPlugin("weather"), withModel(llmtest.Say("Once."), llmtest.Say("Twice.")))
	first.send("a question to remember")
	first.waitIdle("Once.")
	must(t, first.Quit("ctrl+c", "ctrl+c"))

	r := startApp(t, 80, 24, withHome(first.home), g.open())
	s := r.WaitText("Hermes Agent")
	for _, want := range []string{"mock-model (custom)", "forecast: get_forecast, get_weather", "(weather)", "2 starting"} {
		if !s.Contains(want) {
			t.Errorf("the first frame does not show %q\n%s", want, s.Dump())
		}
	}
	release := g.wait("import")
	// Typing works, and a message that needs the plugins says what it waits for.
	r.Press("up")
	r.WaitText("❯ a question to remember")
	r.Press("enter")
	r.WaitText("loading plugins")
	release()
	r.waitIdle("Twice.", "plugins  2 ok · 2 off")
}

// The commands of the program itself.
func TestBuiltinCommands(t *testing.T) {
	t.Parallel()
	r := startApp(t, 120, 40, withPlugin("weather"), withModel(llmtest.Say("An answer."), llmtest.Say("A fresh one.")))
	r.send("question")
	r.waitIdle("An answer.")
	r.send("/help")
	r.waitIdle("From plugins", "/weather", "show the weather now", "/plugins")
	r.send("/tools")
	r.waitIdle("forecast  (Plugin weather)", "get_weather")
	r.send("/model")
	r.waitIdle("model mock-model · provider custom")
	r.send("/model other-model")
	r.waitIdle("from the next turn on other-model (custom) answers", "ready │ other-model")
	r.send("/new")
	r.waitIdle("new session")
	r.send("again")
	r.waitIdle("A fresh one.")
	if got := r.requests(2)[1]; len(userTexts(got)) != 1 || got.Body.Model != "other-model" {
		t.Errorf("the second request asks %s with %q", got.Body.Model, userTexts(got))
	}
	r.send("/hooks")
	r.WaitText("plugin · callback", "no plugin uses hooks")
	r.Press("esc")
	r.waitIdle("A fresh one.")
	r.send("/clear")
	s := r.WaitFor(func(s tuitest.Snapshot) bool { return idle(s) && !s.Contains("A fresh one.") })
	r.assertChat(s)
	r.send("/quit")
	if err := r.WaitEnd(); err != nil {
		t.Errorf("quitting: %v", err)
	}
}

// What a model thinks is folded, and can be unfolded.
func TestThoughtsAreFolded(t *testing.T) {
	t.Parallel()
	r := startApp(t, 80, 24, withModel(llmtest.Step{Reasoning: "The user wants the weather. HIDDEN THOUGHT", Text: "No idea.", ChunkChars: 3}))
	r.send("rain?")
	s := r.waitIdle("No idea.", "▸ thought")
	if s.Contains("HIDDEN THOUGHT") {
		t.Errorf("thoughts are not folded\n%s", s.Dump())
	}
	r.Press("ctrl+o")
	r.waitIdle("▾ thought", "HIDDEN THOUGHT")
}

// Loading begins beside the first frame: a command may come before it has.
func TestCommandBeforeTheStart(t *testing.T) {
	t.Parallel()
	home, err := config.At(t.TempDir())
	must(t, err)
	rt := app.New(app.Options{Home: home, Dir: t.TempDir(), Version: "0.1.0"})
	sub := rt.Subscribe()
	rt.Command("/model")
	ctx, cancel := context.WithTimeout(context.Background(), tuitest.Deadline)
	defer cancel()
	for {
		events := sub.Next(ctx)
		if events == nil {
			t.Fatal("the command did not end")
		}
		if slices.ContainsFunc(events, func(e event.Event) bool { _, ok := e.(event.CommandDone); return ok }) {
			break
		}
	}
	rt.Start(ctx)
	must(t, rt.Close())
}
