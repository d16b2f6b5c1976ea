package edit

import (
	"strings"
)

// Shares from which texts count as alike.
const (
	middleOfOne  = 0.50 // block_anchor, where only one place has the anchors
	middleOfMany = 0.70 // block_anchor otherwise
	lineAlike    = 0.80 // context_aware: a line
	linesAlike   = 0.50 // context_aware: how many of the lines
)

// anchors finds passages whose first and last lines are those of old, and
// whose middle resembles its middle.
func anchors(text, old string) []span {
	m, want := spelled(text, plain), split(spelled(old, plain).text)
	n := len(want.text)
	if n < 2 {
		return nil
	}
	first, last := strings.TrimSpace(want.text[0]), strings.TrimSpace(want.text[n-1])
	have := strings.Split(m.text, "\n")
	var places []int
	for i := 0; i+n <= len(have); i++ {
		if strings.TrimSpace(have[i]) == first && strings.TrimSpace(have[i+n-1]) == last {
			places = append(places, i)
		}
	}
	need := middleOfOne
	if len(places) > 1 {
		need = middleOfMany
	}
	middle := strings.Join(want.text[1:n-1], "\n")
	t := split(text)
	var found []span
	for _, i := range places {
		if n == 2 || ratioAtLeast(strings.Join(have[i+1:i+n-1], "\n"), middle, need) {
			found = append(found, t.span(i, i+n))
		}
	}
	return found
}

// resembling finds passages of which at least half of the lines resemble those
// of old.
func resembling(text, old string) []span {
	want := normed(strings.Split(old, "\n"), strings.TrimSpace)
	t := split(text)
	have := normed(t.text, strings.TrimSpace)
	alike := newAlike()
	var found []span
	for i := 0; i+len(want) <= len(have); i++ {
		n := 0
		for j, w := range want {
			if alike.is(w, have[i+j]) {
				n++
			}
		}
		if float64(n) >= float64(len(want))*linesAlike {
			found = append(found, t.span(i, i+len(want)))
		}
	}
	return found
}

// alike remembers which pairs of lines resemble each other: every line of a
// passage meets every line of the file.
type alike map[[2]string]bool

func newAlike() alike { return alike{} }

func (a alike) is(x, y string) bool {
	if x == y {
		return true
	}
	if 5*min(len(x), len(y)) < max(len(x), len(y)) {
		return false // too different in length, whatever the encoding
	}
	k := [2]string{x, y}
	v, known := a[k]
	if !known {
		v = ratioAtLeast(x, y, lineAlike)
		a[k] = v
	}
	return v
}
