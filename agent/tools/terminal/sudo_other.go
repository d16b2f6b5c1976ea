//go:build !unix

package terminal

import "errors"

func askpass(*shells, string) (string, func(), error) {
	return "", nil, errors.New("not on this system")
}
