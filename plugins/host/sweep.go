package host

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Ages after which leftovers in the cache are removed.
const (
	leftoverAge = 24 * time.Hour      // results and half-unpacked trees of programs that were killed
	oldTreeAge  = 30 * 24 * time.Hour // trees of other versions, which may still be in use
)

// Sweep removes from the cache what killed programs and older versions left.
// root is the tree in use.
func Sweep(cache, root string) {
	entries, err := os.ReadDir(cache)
	if err != nil {
		return // nothing to clear, or not ours to clear
	}
	now := time.Now()
	for _, e := range entries {
		path := filepath.Join(cache, e.Name())
		age := leftoverAge
		switch {
		case !e.IsDir() || path == root:
			continue
		case strings.HasPrefix(e.Name(), "results-"):
		case strings.HasPrefix(e.Name(), "pyhost-") && strings.Count(e.Name(), "-") > 1:
		case strings.HasPrefix(e.Name(), "pyhost-"):
			age = oldTreeAge
		default:
			continue
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > age {
			_ = os.RemoveAll(path) // the next start tries again
		}
	}
}
