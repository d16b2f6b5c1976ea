package app_test

import (
	"os"
	"path/filepath"
	"testing"
)

// guidePlugin returns the folder of a plugin of the guide, byte for byte as
// printed there. The corpus lies beside the repository, or where HERMES_CORPUS
// says. Where CI is set it must be there; elsewhere the test is skipped.
func guidePlugin(t *testing.T, name string) string {
	t.Helper()
	corpus := os.Getenv("HERMES_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "..", "shared", "corpus")
	}
	folder, err := filepath.Abs(filepath.Join(corpus, "seed-plugins", name))
	must(t, err)
	switch _, err := os.Stat(folder); {
	case err == nil:
		return folder
	case os.Getenv("CI") != "":
		t.Fatalf("the guide's plugin %s is missing (set HERMES_CORPUS): %v", name, err)
	default:
		t.Skipf("the guide's plugin %s is not here; HERMES_CORPUS names the folder: %v", name, err)
	}
	return ""
}
