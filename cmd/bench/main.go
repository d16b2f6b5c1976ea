//go:build linux

// Command bench measures the program on a pseudo-terminal, with hermes-agent
// beside it, and prints the table of the README:
//
//	go run ./cmd/bench --reference ~/hermes-agent/venv/bin/hermes
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"hermes/cmd/internal/bench"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		os.Exit(1)
	}
}

// errMissed makes the exit code say that a target was missed.
var errMissed = errors.New("not every figure was taken and at or below its target")

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	bin := flags.String("bin", "", "measure this binary; without it a release build is made")
	reference := flags.String("reference", "", "hermes-agent's `command`, measured beside")
	runs := flags.Int("runs", 20, "how often each figure is taken")
	only := flags.String("only", "", "take these figures only: `ids`, separated by commas")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o := bench.Options{Bin: *bin, Dir: ".", Reference: *reference, Runs: *runs, Progress: stderr}
	if *only != "" {
		o.Only = strings.Split(*only, ",")
	}
	result, err := bench.Run(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, result.Table())
	if len(result.Failed) > 0 {
		return errors.Join(append(result.Failed, errMissed)...)
	}
	for _, row := range result.Rows() {
		if !row.Passed {
			return errMissed
		}
	}
	return nil
}
