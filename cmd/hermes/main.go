// Command hermes is a full-screen terminal agent that runs Hermes plugins.
package main

import (
	"os"

	"hermes/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.System()))
}
