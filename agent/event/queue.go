package event

// queue holds what a subscriber has not read yet and merges the high-rate
// kinds. It is not safe for concurrent use; Subscription locks it.
type queue struct {
	items    []Event
	lastTurn map[string]int // turn -> index of its last item
	progress map[string]int // call -> index of its waiting ToolProgress
	rings    [2]ring        // waiting PluginOutput, HookRun
	holes    int            // nil items: merged away or dropped
}

// compactAt is how many holes are worth a copy of the queue.
const compactAt = 1024

// ring remembers where the items of one bounded kind lie.
type ring struct {
	at      []int // indexes into items, oldest first
	dropped int   // lost since the oldest kept one
}

func (q *queue) push(e Event) {
	if q.holes > compactAt && q.holes > len(q.items)/2 {
		q.compact()
	}
	switch e := e.(type) {
	case Delta:
		if q.mergeDelta(e) {
			return
		}
	case ToolProgress:
		// The latest text counts. It must take the newer place, too, or Seq
		// would not increase.
		if i, ok := q.progress[e.Call]; ok {
			q.hole(i)
		}
		q.index(&q.progress, e.Call)
	case PluginOutput:
		q.bound(&q.rings[0])
	case HookRun:
		q.bound(&q.rings[1])
	}
	if turn := e.Envelope().Turn; turn != "" {
		q.index(&q.lastTurn, turn)
	}
	q.items = append(q.items, e)
}

// mergeDelta appends d to the last queued event of its turn if that is a
// Delta of the same message and kind. The merged event keeps the older place,
// and its Seq: nothing of that turn lies in between.
func (q *queue) mergeDelta(d Delta) bool {
	i, ok := q.lastTurn[d.Turn]
	if !ok {
		return false
	}
	last, ok := q.items[i].(Delta)
	if !ok || last.Msg != d.Msg || last.Kind != d.Kind {
		return false
	}
	last.Text += d.Text
	q.items[i] = last
	return true
}

func (q *queue) index(m *map[string]int, key string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key] = len(q.items)
}

func (q *queue) bound(r *ring) {
	if len(r.at) == RingLimit {
		q.hole(r.at[0])
		r.at = r.at[1:]
		r.dropped++
	}
	r.at = append(r.at, len(q.items))
}

func (q *queue) hole(i int) {
	q.items[i] = nil
	q.holes++
}

// compact rebuilds the queue without its holes, so that a flood that nobody
// reads takes no more room than its ring.
func (q *queue) compact() {
	old := *q
	*q = queue{}
	q.rings[0].dropped, q.rings[1].dropped = old.rings[0].dropped, old.rings[1].dropped
	for _, e := range old.items {
		if e != nil {
			q.push(e)
		}
	}
}

func (q *queue) take() []Event {
	if len(q.items) == 0 {
		return nil
	}
	for i := range q.rings {
		if r := &q.rings[i]; r.dropped > 0 {
			q.items[r.at[0]] = withDropped(q.items[r.at[0]], r.dropped)
		}
	}
	out := q.items[:0]
	for _, e := range q.items {
		if e != nil {
			out = append(out, e)
		}
	}
	*q = queue{}
	return out
}

func withDropped(e Event, n int) Event {
	switch e := e.(type) {
	case PluginOutput:
		e.Dropped += n
		return e
	case HookRun:
		e.Dropped += n
		return e
	}
	return e
}
