// Package agent runs conversations: it takes what the user submits, asks the
// model, runs the tools that the model calls, and tells everything that
// happens as events on the bus.
//
// # Goroutines
//
// One goroutine, started by New and ended by Close, owns the session and runs
// one turn at a time. It alone appends to the history, so the order of
// messages, events and hooks is the order in which it does things. Other
// goroutines only leave texts and requests in a queue, cancel contexts, or run
// a tool of which the turn waits for the answer.
//
// # A turn
//
// A turn is a small state machine: prepare, then request, stream and tools
// until the model calls no more tools, then finish. Each state is one method
// of turn and returns the next.
//
// # What is kept
//
// With a Store every message is committed before the next step: the user's
// before the first request, calls before they run, results before the next
// request. Resume loads a session, answers the calls that a killed program left
// open and sends the stored system prompt as long as the model is the same.
// Messages that only nudge the model are not kept when the turn ends well.
//
// # When things fail
//
// A failed request is repeated, sent to the next model of the chain, mended
// (output limit) or sent again with a shorter conversation (package compress),
// as its error says; what was received is never lost. A panic fails the turn or
// the call that it happened in (package safe). An interrupt frees the session
// within 300 ms: what ignores it is left behind and said to be.
//
// # Guarantees
//
//   - Every tool call of the model is answered exactly once, in call order,
//     whatever happens: unknown name, broken arguments, veto, time limit,
//     interrupt.
//   - The history is valid after every turn: what was streamed before an
//     interrupt or a broken connection is kept.
//   - Hooks of a turn fire in the reference's order on the turn's goroutine
//     (contract/plugins §6.2); with no subscriber no payload is built.
//   - TurnDone is the last event of a turn.
package agent
