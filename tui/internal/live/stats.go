package live

import (
	"slices"
	"time"

	"hermes/agent/event"
)

// Stats are the figures of one tool, one callback or one plugin.
type Stats struct {
	N, Errors int
	LastAt    time.Time
	LastBad   bool
	LastMs    float64
	ms        []float64 // last sampleSize runs, a ring
	next      int
	marks     []uint8 // last recent runs: 0 good, 1 error, 2 timeout
}

func (s *Stats) add(ms float64, bad, timeout bool, at time.Time) {
	s.N++
	s.LastAt, s.LastBad, s.LastMs = at, bad, ms
	var mark uint8
	if bad {
		s.Errors++
		mark = 1
	}
	if timeout {
		mark = 2
	}
	s.marks = keepLast(append(s.marks, mark), recent)
	if len(s.ms) < sampleSize {
		s.ms = append(s.ms, ms)
		return
	}
	s.ms[s.next] = ms
	s.next = (s.next + 1) % sampleSize
}

// P returns the p-th percentile in milliseconds over the last hundred runs,
// by the nearest rank; 0 when there were none. p is from 1 to 100.
func (s *Stats) P(p int) float64 {
	if len(s.ms) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s.ms))
	return sorted[(len(sorted)*p+99)/100-1]
}

// Max returns the longest of the last hundred runs in milliseconds.
func (s *Stats) Max() float64 { return s.P(100) }

func (s *Stats) recentErrors() int   { return s.marked(1) }
func (s *Stats) recentTimeouts() int { return s.marked(2) }

func (s *Stats) marked(mark uint8) int {
	n := 0
	for _, m := range s.marks {
		if m == mark {
			n++
		}
	}
	return n
}

// ringSize is how many hook runs the event list keeps (design: 5,000).
const ringSize = event.RingLimit

// slowRunMs is from when a run counts as slow in the header of the event
// list: the moment from which the status line names it.
const slowRunMs = 1000

// p95Of is over how many runs the status line gives its percentile.
const p95Of = 50

// Ring holds the newest hook runs.
type Ring struct {
	runs  []event.HookRun
	start int
	// Total counts all runs of the program, Slow and Failed those kept and
	// dropped alike.
	Total, Slow, Failed int
}

// Add takes a run in and drops the oldest when the ring is full.
func (r *Ring) Add(e event.HookRun) {
	r.Total += 1 + e.Dropped
	if e.Ms >= slowRunMs {
		r.Slow++
	}
	if e.Err != nil || e.Timeout {
		r.Failed++
	}
	if len(r.runs) < ringSize {
		r.runs = append(r.runs, e)
		return
	}
	r.runs[r.start] = e
	r.start = (r.start + 1) % ringSize
}

// Len is how many runs are kept.
func (r *Ring) Len() int { return len(r.runs) }

// At returns the i-th kept run, 0 the oldest. The caller must not keep the
// pointer over an Add.
func (r *Ring) At(i int) *event.HookRun { return &r.runs[(r.start+i)%len(r.runs)] }

// P95 is the percentile over the last fifty runs in milliseconds; ok is false
// when none ran yet.
func (r *Ring) P95() (ms float64, ok bool) {
	n := min(p95Of, r.Len())
	if n == 0 {
		return 0, false
	}
	var s Stats
	for i := r.Len() - n; i < r.Len(); i++ {
		s.ms = append(s.ms, r.At(i).Ms)
	}
	return s.P(95), true
}
