package app

import (
	"context"

	"hermes/agent/event"
	"hermes/agent/tools/files"
)

// offeredFiles is how many files the view offers for a message.
const offeredFiles = 20_000

// Files lists the files of the project and tells of them. A list that is being
// made answers later calls, too.
func (rt *Runtime) Files() {
	if !rt.listing.CompareAndSwap(false, true) {
		return
	}
	rt.goRun(func(ctx context.Context) {
		list, more, err := files.List(ctx, rt.opt.Dir, offeredFiles)
		rt.listing.Store(false)
		if err != nil {
			rt.bus.Emit(event.FilesListed{Err: err.Error()})
			return
		}
		rt.bus.Emit(event.FilesListed{Files: list, More: more})
	})
}
