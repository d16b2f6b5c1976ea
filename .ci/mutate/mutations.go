package main

// screens is the package that drives the whole program on a terminal.
const screens = "./cmd/internal/app"

// mutations break what a user relies on, one line each. None of them is seen
// by the compiler.
var mutations = []mutation{
	{
		name: "a card does not name its plugin",
		file: "tui/transcript/card.go",
		old:  `if owner := render.Line(c.call.Owner); owner != "" {`,
		new:  `if owner := ""; owner != "" {`,
		pkgs: []string{screens}, run: "^TestCards$",
	},
	{
		name: "two rows of the panel are swapped",
		file: "tui/internal/live/plugins.go",
		old:  "\treturn p.sorted\n",
		new:  "\tif n := len(p.sorted); n > 1 {\n\t\tp.sorted[0], p.sorted[1] = p.sorted[1], p.sorted[0]\n\t}\n\treturn p.sorted\n",
		pkgs: []string{screens}, run: "^TestStartScreen$",
	},
	{
		name: "a hook event comes after its turn",
		file: "agent/event/bus.go",
		old:  "func (b *Bus) Emit(e Event) {\n",
		new: "func (b *Bus) Emit(e Event) {\n\tif h, ok := e.(HookRun); ok && h.Seq == 0 {\n\t\th.Seq = 1\n" +
			"\t\ttime.AfterFunc(500*time.Millisecond, func() { b.Emit(h) })\n\t\treturn\n\t}\n",
		pkgs: []string{screens}, run: "^TestHooksAreSeenWithinTheirTurn$",
	},
	{
		name: "the demo model's answer is not labelled",
		file: "tui/transcript/speech.go",
		old:  "\tif h.demo {\n",
		new:  "\tif h.demo && name == \"\" {\n",
		pkgs: []string{screens}, run: "^TestFirstMinute$",
	},
	{
		name: "the queue runs backwards",
		file: "agent/loop.go",
		old:  "\te := a.queue[0]\n\ta.queue = a.queue[1:]\n",
		new:  "\te := a.queue[len(a.queue)-1]\n\ta.queue = a.queue[:len(a.queue)-1]\n",
		pkgs: []string{screens}, run: "^TestQueue$",
	},
	{
		name: "what a plugin remembers does not reach the model",
		file: "agent/inject.go",
		old:  "\t\tuser.APIContent = text\n",
		new:  "\t\t_ = text\n",
		pkgs: []string{screens}, run: "^TestInjectedContext$",
	},
	{
		name: "a guard's veto is ignored",
		file: "agent/pipeline.go",
		old:  "\tcase d.action == \"block\":\n",
		new:  "\tcase d.action == \"block\" && d.message == \"\":\n",
		pkgs: []string{screens}, run: "^TestCards$",
	},
	{
		name: "the reader's place is lost when text arrives",
		file: "tui/transcript/viewport.go",
		old:  "\tif v.follow {\n\t\treturn m.back(",
		new:  "\tif v.follow || v.height > 0 {\n\t\treturn m.back(",
		pkgs: []string{screens}, run: "^TestScrollingHoldsItsPlace$/80x24",
	},
	{
		name: "the banner cuts a plugin's toolset",
		file: "tui/banner/banner.go",
		old:  "\t\tif t.Owner == \"\" && i >= show {\n",
		new:  "\t\tif i >= 1 {\n",
		pkgs: []string{screens}, run: "^TestStartScreen$/80x24",
	},
	{
		name: "a failed plugin is listed with a check mark",
		file: "plugins/manifest/lines.go",
		old:  "\t\treturn glyphFailed\n",
		new:  "\t\treturn \"✓\"\n",
		pkgs: []string{screens}, run: "^TestPluginsCommand$",
	},
	{
		name: "bracketed paste stays on after the end",
		file: "tui/internal/term/modes.go",
		old:  `s += "\x1b[?2004l\x1b[?25h\x1b[?7h"`,
		new:  `s += "\x1b[?25h\x1b[?7h"`,
		pkgs: []string{screens}, run: "^TestControlCLadder$",
	},
	{
		name: "an interrupted answer is forgotten",
		file: "agent/request.go",
		old:  "\t\tm.ToolCalls = nil\n\t\tt.say(m)\n\t\ttext += m.Content\n",
		new:  "\t\tm.ToolCalls = nil\n\t\ttext += m.Content\n",
		pkgs: []string{screens}, run: "^TestInterruptKeepsWhatWasSaid$",
	},
	{
		name: "what a plugin prints is on the screen",
		file: "plugins/host/process_unix.go",
		old:  "\tcmd.Stdout, cmd.Stderr = outW, outW\n",
		new:  "\tcmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr\n",
		pkgs: []string{screens}, run: "^TestPluginOutputStaysOffTheScreen$/80x24",
	},
	{
		name: "a folder's .env is read without a question",
		file: "cmd/internal/app/projectenv.go",
		old:  "\tcase known && answer == answerUse:\n",
		new:  "\tcase !known || answer == answerUse:\n",
		pkgs: []string{screens}, run: "^TestProjectEnv$/no",
	},
}
