package files

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
)

// List returns the files below root that git would not ignore and that are not
// hidden, relative to root with slashes, in the order of the folders. Beyond
// most of them it stops; more tells so.
func List(ctx context.Context, root string, most int) (list []string, more bool, err error) {
	w := walker{visit: func(path string, _ fs.FileInfo) error {
		if len(list) >= most {
			return errEnough
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return nil //nolint:nilerr // not below root: nothing that could be referred to
		}
		list = append(list, filepath.ToSlash(rel))
		return nil
	}}
	err = w.walk(ctx, root)
	if errors.Is(err, errEnough) {
		return list, true, nil
	}
	return list, false, err
}
