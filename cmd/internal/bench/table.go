//go:build linux

package bench

import (
	"fmt"
	"math"
	"runtime"
	"strings"
)

// Row is one line of the table. Values that were not taken are NaN.
type Row struct {
	Figure, Unit                    string
	Median, P95                     float64
	N                               int
	ReferenceMedian, ReferenceP95   float64
	Target, Classic, Ratio, Allowed float64 // Ratio and Allowed are NaN without a measured reference
	Passed                          bool
}

// Rows compares the figures with their targets: the ratio to hermes-agent
// where that was measured beside, else the absolute target.
func (r *Result) Rows() []Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []Row
	for _, f := range figures {
		s := r.samples[Here][f.id]
		if len(s) == 0 {
			continue
		}
		ref := r.samples[Reference][f.id]
		row := Row{
			Figure: f.name, Unit: f.unit, N: len(s), Median: s.median(), P95: s.p95(),
			ReferenceMedian: ref.median(), ReferenceP95: ref.p95(), Target: f.target, Classic: f.classic,
			Ratio: math.NaN(), Allowed: math.NaN(),
		}
		switch {
		case f.target == 0 && f.unit == "ms":
			row.Passed = true // shown, without a target
		case len(ref) > 0 && f.classic > 0 && ref.median() > 0:
			row.Ratio, row.Allowed = row.Median/ref.median(), f.target/f.classic
			row.Passed = row.Ratio <= row.Allowed
		default:
			row.Passed = row.Median <= f.target
		}
		out = append(out, row)
	}
	return out
}

// Table writes the rows as the table of the README.
func (r *Result) Table() string {
	var b strings.Builder
	b.WriteString("| figure | here, median (p95) | hermes-agent, median (p95) | ratio | allowed | |\n|---|---|---|---|---|---|\n")
	for _, row := range r.Rows() {
		verdict := "pass"
		switch {
		case row.Target == 0 && row.Unit == "ms":
			verdict = "–"
		case !row.Passed:
			verdict = "**missed**"
		}
		allowed := number(row.Target)
		if !math.IsNaN(row.Allowed) {
			allowed = fmt.Sprintf("%.4f", row.Allowed)
		} else if row.Target == 0 && row.Unit == "ms" {
			allowed = "–"
		}
		ratio := "–"
		if !math.IsNaN(row.Ratio) {
			ratio = fmt.Sprintf("%.4f", row.Ratio)
		}
		fmt.Fprintf(&b, "| %s, %s | %s (%s) | %s | %s | %s | %s |\n", row.Figure, row.Unit, number(row.Median), number(row.P95),
			pair(row.ReferenceMedian, row.ReferenceP95), ratio, allowed, verdict)
	}
	fmt.Fprintf(&b, "\n%d runs at least, %s/%s, %d processors, load average %s before and %s after. Pass: the ratio to hermes-agent of this run is at most the allowed one; without hermes-agent the allowed value is absolute.\n",
		r.Runs, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), r.Load[0], r.Load[1])
	return b.String()
}

func pair(median, p95 float64) string {
	if math.IsNaN(median) {
		return "–"
	}
	return fmt.Sprintf("%s (%s)", number(median), number(p95))
}

// number writes three significant digits.
func number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v == 0:
		return "0"
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
