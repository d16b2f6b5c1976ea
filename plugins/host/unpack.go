package host

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Unpack writes the tree of fsys to <cache>/pyhost-<hash> unless it is there
// already, and returns the folder. A folder that is not ours or whose files
// differ is set aside. Where cache cannot be written, the system's folder for
// temporary files is used.
func Unpack(fsys fs.FS, cache string) (string, error) {
	files, hash, err := readTree(fsys)
	if err != nil {
		return "", fmt.Errorf("read embedded files: %w", err)
	}
	name := "pyhost-" + hash
	root, err := unpackInto(cache, name, files)
	if err == nil {
		return root, nil
	}
	// The name carries the user, so that several share the temporary folder.
	temp := filepath.Join(os.TempDir(), fmt.Sprintf("hermes-%d", os.Getuid()))
	root, tempErr := unpackInto(temp, name, files)
	if tempErr != nil {
		return "", errors.Join(err, tempErr)
	}
	return root, nil
}

type file struct {
	path string // with slashes
	data []byte
}

// readTree returns the files in lexical order and a hash over all of them.
func readTree(fsys fs.FS) ([]file, string, error) {
	var files []file
	sum := sha256.New()
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s\x00%d\x00", path, len(data))
		sum.Write(data)
		files = append(files, file{path, data})
		return nil
	})
	return files, hex.EncodeToString(sum.Sum(nil))[:12], err
}

func unpackInto(cache, name string, files []file) (string, error) {
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", fmt.Errorf("create cache folder: %w", err)
	}
	root := filepath.Join(cache, name)
	switch ok, err := verify(root, files); {
	case ok:
		return root, nil
	case err == nil: // there, but not as it should be
		bad, err := os.MkdirTemp(cache, name+"-bad-")
		if err != nil {
			return "", fmt.Errorf("set aside %s: %w", root, err)
		}
		if err := os.Rename(root, filepath.Join(bad, name)); err != nil {
			return "", fmt.Errorf("set aside %s: %w", root, err)
		}
		_ = os.RemoveAll(bad) // what is left of it does no harm
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	tmp, err := os.MkdirTemp(cache, name+"-")
	if err != nil {
		return "", fmt.Errorf("unpack plugin host: %w", err)
	}
	defer os.RemoveAll(tmp) // moved away when all went well
	for _, f := range files {
		path := filepath.Join(tmp, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", fmt.Errorf("unpack plugin host: %w", err)
		}
		if err := os.WriteFile(path, f.data, 0o600); err != nil {
			return "", fmt.Errorf("unpack plugin host: %w", err)
		}
	}
	if err := os.Rename(tmp, root); err != nil {
		if ok, _ := verify(root, files); ok {
			return root, nil // another start was quicker
		}
		return "", fmt.Errorf("unpack plugin host: %w", err)
	}
	return root, nil
}

// verify reports whether root is ours and holds exactly these files. The
// error is fs.ErrNotExist when there is no root.
func verify(root string, files []file) (bool, error) {
	info, err := os.Lstat(root)
	if err != nil {
		return false, err
	}
	if !info.IsDir() || !ownedByUs(info) {
		return false, nil
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.path)))
		if err != nil || !bytes.Equal(data, f.data) {
			return false, nil //nolint:nilerr // a damaged tree is replaced, whatever ails it
		}
	}
	return true, nil
}
