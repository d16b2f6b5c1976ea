package files

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// similar lists at most five names beside path that someone may have meant.
func similar(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	want := strings.ToLower(filepath.Base(path))
	stem := strings.TrimSuffix(want, filepath.Ext(want))
	type match struct {
		name string
		dist int
	}
	var found []match
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		d := distance(want, name)
		if d <= max(2, len(want)/3) || stem != "" && len(stem) >= 3 && strings.Contains(name, stem) {
			found = append(found, match{e.Name(), d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].dist < found[j].dist })
	var out []string
	for _, m := range found[:min(len(found), 5)] {
		out = append(out, m.name)
	}
	return out
}

// distance is how many insertions, deletions and replacements lie between two
// names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
