package tui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// Jobs run in the order they were given, giving them does not wait for them,
// and close waits for all of them.
func TestWorkerKeepsTheOrder(t *testing.T) {
	hold := make(chan struct{})
	var got []int
	w := newWorker(func(msg tea.Msg) { got = append(got, msg.(int)) }, func() {})
	w.do(func() tea.Msg { <-hold; return -1 })
	for i := range 100 {
		w.do(func() tea.Msg { return i })
	}
	close(hold)
	w.close()
	for i, n := range got {
		if n != i-1 {
			t.Fatalf("place %d: %d", i, n)
		}
	}
	if len(got) != 101 {
		t.Errorf("%d of 101 jobs ran", len(got))
	}
}
