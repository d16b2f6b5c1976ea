package plugins

import (
	"sort"
	"strings"
)

// minSecret is how long a value must be to count as a secret, in bytes
// (decision D56).
const minSecret = 8

// byValue returns a function that removes the values of variables whose names
// say that they are secret.
func byValue(env map[string]string) func(string) string {
	var values []string
	for name, value := range env {
		if len(value) >= minSecret && saysSecret(name) {
			values = append(values, value)
		}
	}
	// Longer ones first: one secret may be the beginning of another.
	sort.Slice(values, func(i, j int) bool { return len(values[i]) > len(values[j]) })
	pairs := make([]string, 0, 2*len(values))
	for _, v := range values {
		pairs = append(pairs, v, "[REDACTED]")
	}
	if len(pairs) == 0 {
		return func(s string) string { return s }
	}
	return strings.NewReplacer(pairs...).Replace
}

func saysSecret(name string) bool {
	upper := strings.ToUpper(name)
	for _, word := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD"} {
		if strings.Contains(upper, word) {
			return true
		}
	}
	return false
}
