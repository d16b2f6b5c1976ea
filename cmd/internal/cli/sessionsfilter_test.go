package cli

import (
	"testing"
	"time"
)

func TestParseWhen(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for s, want := range map[string]string{
		"90": "2026-09-02T12:00:00Z", "5h": "2026-12-01T07:00:00Z", "30m": "2026-12-01T11:30:00Z", "2D": "2026-11-29T12:00:00Z",
		" 1w ": "2026-11-24T12:00:00Z", "1.5d": "2026-11-30T00:00:00Z", "0": "2026-12-01T12:00:00Z",
		"2026-07-05": "2026-07-05T00:00:00Z", "2026-07-05 14:30": "2026-07-05T14:30:00Z", "2026-07-05T14:30:10+02:00": "2026-07-05T12:30:10Z",
	} {
		got, ok := parseWhen(s, now)
		if !ok || got.UTC().Format(time.RFC3339) != want {
			t.Errorf("parseWhen(%q) = %v, %v; want %s", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "h", "-5h", "soon", "5y", "2026-13-01", "NaN", "inf", "1e300", "9999999999w"} {
		if got, ok := parseWhen(s, now); ok {
			t.Errorf("parseWhen(%q) = %v", s, got)
		}
	}
}

func FuzzParseWhen(f *testing.F) {
	for _, s := range []string{"90", "5h", "2026-07-05 14:30"} {
		f.Add(s)
	}
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if got, ok := parseWhen(s, now); ok && (got.Year() < 0 || got.Year() > 9999) {
			t.Errorf("%q is in the year %d", s, got.Year())
		}
	})
}
