package event

import "time"

// stamped sets the two fields that the bus owns.
func (m Meta) stamped(seq uint64, at time.Time) Meta {
	m.Seq, m.At = seq, at
	return m
}

func (e SessionOpened) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e SessionReset) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e SessionClosed) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ModelChanged) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Usage) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e TurnStarted) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e TurnWaiting) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Queued) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Dequeued) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e QueueHeld) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e HistoryRestored) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e HistoryUndone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e TitleChanged) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Compress) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ToolSettled) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e SubagentStarted) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e SubagentProgress) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e SubagentDone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Delta) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e MessageDone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Retry) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e TurnDone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ToolStarted) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ToolProgress) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ToolDone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ProcessStarted) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ProcessExited) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e HostState) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e PluginState) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e PluginGone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e PluginsSettled) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e HookRun) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e HookSlow) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e PluginOutput) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ToolsChanged) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e CommandsChanged) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e CommandStarted) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e CommandDone) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Notice) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e ConfigLoaded) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e Ask) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e AskClosed) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e SessionsListed) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }

func (e FilesListed) stamp(s uint64, t time.Time) Event { e.Meta = e.Meta.stamped(s, t); return e }
