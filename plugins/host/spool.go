package host

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxResult bounds a result file, in bytes: the host cuts results at 64 Mi
// characters, each at most four bytes of UTF-8.
const maxResult = 256 << 20

// Fetch returns a result: content itself, or what is in the named file of the
// spool folder, which is removed.
func (p *Process) Fetch(content, file string) (string, error) {
	if file == "" {
		return content, nil
	}
	path := filepath.Join(p.spool, filepath.Base(file))
	defer os.Remove(path) //nolint:errcheck // the folder goes with the process
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxResult {
		return "", fmt.Errorf("%s is no result of this host", path)
	}
	data, err := os.ReadFile(path)
	return string(data), err
}
