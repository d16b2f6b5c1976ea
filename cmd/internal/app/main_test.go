// The tests of this package drive the whole program as a user does: the real
// Runtime, real Python plugins and a scripted model service, on an emulated
// terminal. Nothing of ours is replaced; what is looked at is the screen, the
// bytes that reach the terminal, the requests that reach the service and the
// files below the home folder.
package app_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
