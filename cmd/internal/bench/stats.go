//go:build linux

package bench

import (
	"math"
	"slices"
)

// sample collects the values of one figure for one program.
type sample []float64

// quantile returns the value below which the share q of the sample lies,
// interpolated between neighbours; NaN for an empty sample.
func (s sample) quantile(q float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

func (s sample) median() float64 { return s.quantile(0.5) }
func (s sample) p95() float64    { return s.quantile(0.95) }
