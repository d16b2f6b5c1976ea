package agent

import (
	"regexp"
	"strings"
	"unicode"
)

// minSimilarity is how alike a written name and a tool's must be to be taken
// for the same (contract/core §1.4).
const minSimilarity = 0.7

var namespaced = regexp.MustCompile(`^(?i:functions?|default_api|tools?|mcp)[.:/]+`)

// repairName finds the tool that a model meant by a name that no tool has:
// wrong case, dashes, a namespace in front, markup behind, a slip of the pen.
// It returns "" when none is close enough.
func repairName(written string, names []string) string {
	known := make(map[string]string, len(names))
	for _, n := range names {
		known[strings.ToLower(n)] = n
	}
	s := strings.TrimSpace(written)
	if i := strings.IndexAny(s, `"'<>`); i > 0 {
		s = s[:i]
	}
	s = namespaced.ReplaceAllString(strings.TrimSpace(s), "")
	flat := strings.NewReplacer("-", "_", " ", "_").Replace
	candidates := []string{flat(strings.ToLower(s)), flat(snake(s))}
	for _, c := range candidates[:2] {
		for range 2 {
			trimmed := strings.TrimSuffix(strings.TrimSuffix(c, "tool"), "_")
			if trimmed == "" || trimmed == c {
				break
			}
			c = trimmed
			candidates = append(candidates, c)
		}
	}
	for _, c := range candidates {
		if n, ok := known[c]; ok {
			return n
		}
	}
	return closest(candidates[0], names)
}

// snake turns CamelCase into snake_case.
func snake(s string) string {
	var b strings.Builder
	prev := '_'
	for _, r := range s {
		if unicode.IsUpper(r) && prev != '_' && !unicode.IsUpper(prev) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
		prev = r
	}
	return b.String()
}

func closest(s string, names []string) string {
	best, score := "", 0.0
	if s == "" || len(s) > 200 {
		return ""
	}
	for _, n := range names {
		if r := similarity(s, strings.ToLower(n)); r >= minSimilarity && r > score {
			best, score = n, r
		}
	}
	return best
}

// similarity is the ratio of Python's difflib: twice the characters in common
// blocks over the characters of both, blocks found longest first.
func similarity(a, b string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	return 2 * float64(common(a, b)) / float64(len(a)+len(b))
}

func common(a, b string) int {
	i, j, n := longestBlock(a, b)
	if n == 0 {
		return 0
	}
	return n + common(a[:i], b[:j]) + common(a[i+n:], b[j+n:])
}

// longestBlock finds the longest common substring, the earliest of equals.
func longestBlock(a, b string) (ai, bi, size int) {
	prev := make([]int, len(b)+1)
	for i := range len(a) {
		row := make([]int, len(b)+1)
		for j := range len(b) {
			if a[i] != b[j] {
				continue
			}
			row[j+1] = prev[j] + 1
			if row[j+1] > size {
				ai, bi, size = i+1-row[j+1], j+1-row[j+1], row[j+1]
			}
		}
		prev = row
	}
	return ai, bi, size
}
