package tui

import "hermes/agent/event"

// Backend is everything the view may ask of the program. All calls return at
// once and may be made from Update; what they cause arrives as events.
type Backend interface {
	// Subscribe returns a subscription to every event from now on.
	Subscribe() *event.Subscription
	// Submit starts a turn with text, or queues it while one runs (decision
	// D42; display.busy_input_mode is honoured behind this call).
	Submit(text string)
	// EditQueued replaces the text of a queued entry; an empty text drops it.
	EditQueued(id, text string)
	// HoldQueue stops the queue from advancing while the user edits an entry.
	HoldQueue(hold bool)
	// Interrupt cancels the running turn; a second call within two seconds
	// abandons waiting for it.
	Interrupt()
	// Command runs a slash command line (with its slash) that the view does
	// not carry out itself.
	Command(line string)
	// Answer gives the user's answer to the event.Ask of that id. The first
	// answer wins; late ones are ignored.
	Answer(ask string, a event.Answer)
	// EnablePlugin and DisablePlugin change the configuration and the running
	// program.
	EnablePlugin(key string)
	DisablePlugin(key string)
	// ReloadPlugins loads a second host beside the first and swaps (D44).
	ReloadPlugins()
	// ListSessions asks for the stored sessions; they come as
	// event.SessionsListed.
	ListSessions()
	// Files asks for the files of the project; they come as
	// event.FilesListed.
	Files()
	// SetEnv sets a variable for this and later runs and loads the plugins
	// that need it. The value is a secret: no event carries it.
	SetEnv(name, value string)
	// SkipHook gives up waiting for the hook callback that runs now.
	SkipHook()
}
