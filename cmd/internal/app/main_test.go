// The tests of this package drive the whole program as a user does: the real
// Runtime, real Python plugins and a scripted model service, on an emulated
// terminal. Nothing of ours is replaced; what is looked at is the screen, the
// bytes that reach the terminal, the requests that reach the service and the
// files below the home folder.
package app_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// sessions is how many programs run at the same time unless -parallel says
// otherwise: they wait more than they work.
const sessions = "8"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", sessions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}
