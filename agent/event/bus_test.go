package event

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestDeltasOfOneMessageMerge(t *testing.T) {
	b := NewBus(nil)
	s := b.Subscribe()
	for _, piece := range []string{"a", "b", "c"} {
		b.Emit(Delta{Meta: Meta{Turn: "t"}, Msg: "m", Kind: KindText, Text: piece})
	}
	b.Emit(Notice{Text: "between turns"})
	b.Emit(Delta{Meta: Meta{Turn: "t"}, Msg: "m", Kind: KindText, Text: "d"})
	b.Emit(ToolStarted{Meta: Meta{Turn: "t"}, Call: "1"})
	b.Emit(Delta{Meta: Meta{Turn: "t"}, Msg: "m", Kind: KindText, Text: "e"})
	var got []string
	for _, e := range s.Take() {
		switch e := e.(type) {
		case Delta:
			got = append(got, e.Text)
		default:
			got = append(got, strings.TrimPrefix(fmt.Sprintf("%T", e), "event."))
		}
	}
	if want := "abcd Notice ToolStarted e"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

func TestFloodKeepsTheNewestAndCounts(t *testing.T) {
	b := NewBus(nil)
	s := b.Subscribe()
	const n = 3*RingLimit + 7
	for i := range n {
		b.Emit(PluginOutput{Key: "p", Line: fmt.Sprint(i)})
	}
	if len(s.q.items) > 2*RingLimit+compactAt+1 {
		t.Errorf("%d slots for a ring of %d", len(s.q.items), RingLimit)
	}
	got := s.Take()
	if len(got) != RingLimit {
		t.Fatalf("%d events, want %d", len(got), RingLimit)
	}
	first, last := got[0].(PluginOutput), got[len(got)-1].(PluginOutput)
	if first.Line != fmt.Sprint(n-RingLimit) || last.Line != fmt.Sprint(n-1) || first.Dropped != n-RingLimit {
		t.Errorf("kept %s..%s, dropped %d", first.Line, last.Line, first.Dropped)
	}
}

func TestProgressKeepsTheLatest(t *testing.T) {
	b := NewBus(nil)
	s := b.Subscribe()
	b.Emit(ToolProgress{Call: "a", Text: "1"})
	b.Emit(ToolProgress{Call: "b", Text: "1"})
	b.Emit(ToolProgress{Call: "a", Text: "2"})
	got := s.Take()
	if len(got) != 2 || got[0].(ToolProgress).Call != "b" || got[1].(ToolProgress).Text != "2" {
		t.Errorf("got %+v", got)
	}
}

// Whatever is emitted from however many goroutines, and however the reader
// takes it: Seq increases, no text of a message is lost or reordered, and
// nothing of a turn comes after its TurnDone.
func TestOrderAndLosslessness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBus(nil)
		s := b.Subscribe()
		turns := rapid.IntRange(1, 3).Draw(t, "turns")
		pieces := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 60).Draw(t, "pieces")
		var wg sync.WaitGroup
		want := make([]string, turns)
		for n := range turns {
			turn := fmt.Sprint(n)
			for i, p := range pieces {
				if p < 3 {
					want[n] += fmt.Sprintf("%d,", i)
				}
			}
			wg.Go(func() {
				for i, p := range pieces {
					m := Meta{Turn: turn}
					switch p {
					case 3:
						b.Emit(ToolProgress{Meta: m, Call: turn, Text: fmt.Sprint(i)})
					case 4:
						b.Emit(HookRun{Meta: m, Hook: "h"})
					default:
						b.Emit(Delta{Meta: m, Msg: turn, Kind: KindText, Text: fmt.Sprintf("%d,", i)})
					}
				}
				b.Emit(TurnDone{Meta: Meta{Turn: turn}, Outcome: OutcomeDone})
			})
		}
		go func() { wg.Wait(); s.Close() }()
		var seq uint64
		got := make([]string, turns)
		done := map[string]bool{}
		for batch := s.Next(context.Background()); batch != nil; batch = s.Next(context.Background()) {
			for _, e := range batch {
				m := e.Envelope()
				if m.Seq <= seq {
					t.Fatalf("Seq %d after %d", m.Seq, seq)
				}
				seq = m.Seq
				if done[m.Turn] {
					t.Fatalf("%T of turn %s after its TurnDone", e, m.Turn)
				}
				switch e := e.(type) {
				case Delta:
					var n int
					fmt.Sscan(e.Turn, &n)
					got[n] += e.Text
				case TurnDone:
					done[e.Turn] = true
				}
			}
		}
		for n := range turns {
			if got[n] != want[n] {
				t.Fatalf("turn %d: %q, want %q", n, got[n], want[n])
			}
		}
	})
}

func TestALateSubscriberGetsTheState(t *testing.T) {
	b := NewBus(nil)
	b.Emit(SessionOpened{Meta: Meta{Session: "1"}})
	b.Emit(PluginState{Plugin: Plugin{Key: "a", State: PluginStarting}})
	b.Emit(PluginState{Plugin: Plugin{Key: "b", State: PluginOK}})
	b.Emit(Notice{Text: "gone by"})
	b.Emit(SessionReset{Meta: Meta{Session: "2"}, Old: "1"})
	b.Emit(PluginState{Plugin: Plugin{Key: "a", State: PluginOK}})
	b.Emit(PluginGone{Key: "b"})
	s := b.Subscribe()
	b.Emit(Notice{Text: "now"})
	var got []string
	seq := uint64(0)
	for _, e := range s.Take() {
		if e.Envelope().Seq <= seq {
			t.Errorf("Seq %d after %d", e.Envelope().Seq, seq)
		}
		seq = e.Envelope().Seq
		got = append(got, TypeName(e))
		if p, ok := e.(PluginState); ok && p.Plugin.State != PluginOK {
			t.Errorf("an old state of %s", p.Plugin.Key)
		}
	}
	if want := "session_reset plugin_state notice"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}
