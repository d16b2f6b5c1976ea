package look

import (
	"fmt"
	"time"
)

// Millis writes a measured time in milliseconds: 0.4ms, 41ms, 2.1s, 1m05s.
func Millis(ms float64) string {
	switch {
	case ms < 1 && ms > 0:
		return fmt.Sprintf("%.1fms", max(ms, 0.1))
	case ms < 999.5:
		return fmt.Sprintf("%.0fms", ms)
	case ms < 59_950:
		return fmt.Sprintf("%.1fs", ms/1000)
	}
	return Elapsed(time.Duration(ms * float64(time.Millisecond)))
}

// Elapsed writes a time that passed in whole seconds: 12s, 1m05s, 2h03m.
func Elapsed(d time.Duration) string {
	s := int(d.Seconds())
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", max(s, 0))
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	}
	return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
}

// Apart puts a blank between the figure and the unit of what Millis or Elapsed
// wrote, as prose has it: 5.3 s.
func Apart(s string) string {
	for i := range s {
		if s[i] < '0' && s[i] != '.' || s[i] > '9' {
			if i > 0 && (s[i:] == "s" || s[i:] == "ms") {
				return s[:i] + " " + s[i:]
			}
			return s
		}
	}
	return s
}

// Took writes how long something took in prose: 0.3 s, 12 s, 1m05s.
func Took(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", max(d, 0).Seconds())
	}
	return Apart(Elapsed(d))
}

// Count writes a number of tokens short: 812, 4.3k, 131k, 1.2M.
func Count(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 9950:
		return trimZero(fmt.Sprintf("%.1f", float64(n)/1000)) + "k"
	case n < 999_500:
		return fmt.Sprintf("%.0fk", float64(n)/1000)
	}
	return trimZero(fmt.Sprintf("%.1f", float64(n)/1e6)) + "M"
}

// Bytes writes a size: 812 bytes, 88 kB, 1.2 MB, of a thousand each.
func Bytes(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 999_500:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return trimZero(fmt.Sprintf("%.1f", float64(n)/1e6)) + " MB"
}

func trimZero(s string) string {
	if len(s) > 2 && s[len(s)-2:] == ".0" {
		return s[:len(s)-2]
	}
	return s
}

// Clock writes the time of day of a moment, as lists show it.
func Clock(t time.Time) string { return t.Local().Format("15:04:05") }
