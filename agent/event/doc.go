// Package event holds every event the program emits and the bus that carries
// them from the agent and the plugin host to the view, the log and the
// stream-json output.
//
// # Delivery rules
//
//   - One total order per process: Seq is assigned under the bus lock, and
//     every subscriber sees strictly increasing Seq.
//   - Emit never blocks and never drops. Each subscriber has its own queue;
//     memory stays bounded because the only high-rate kinds merge while they
//     wait there: a Delta is appended to the Delta of the same message when
//     that is still the last queued event of its turn, ToolProgress keeps the
//     latest text of a call, PluginOutput and HookRun keep a ring of
//     RingLimit each, with a count of what was dropped in the oldest kept one.
//   - A turn's events never appear after its TurnDone.
//
// The package imports nothing of ours, so that everything may import it. It
// does not know what a view is, and it starts no goroutine.
package event
