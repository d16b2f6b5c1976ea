// Command initbudget fails when the package initialisation of a binary takes
// longer than its budget: that time passes before main, in every start, and no
// code of ours can win it back.
//
//	go run ./.ci/initbudget path/to/hermes
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
)

// budget is the most that all packages together may take, in milliseconds.
// Syntax highlighting, which the Markdown renderer links, is 15 to 20 of it.
const budget = 30.0

// runs is how often the binary is started; the quickest counts, because what
// the machine does besides only ever adds.
const runs = 7

type pkg struct {
	name string
	ms   float64
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: initbudget BINARY")
		os.Exit(2)
	}
	best, pkgs, err := measure(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "initbudget:", err)
		os.Exit(1)
	}
	sort.Slice(pkgs, func(i, j int) bool { return pkgs[i].ms > pkgs[j].ms })
	for _, p := range pkgs[:min(5, len(pkgs))] {
		fmt.Printf("%8.2f ms  %s\n", p.ms, p.name)
	}
	fmt.Printf("%8.2f ms  in all, of %.0f\n", best, budget)
	if best > budget {
		os.Exit(1)
	}
}

func measure(binary string) (best float64, pkgs []pkg, err error) {
	best = -1
	for range runs {
		cmd := exec.Command(binary, "--version")
		cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var trace bytes.Buffer
		cmd.Stderr = &trace
		if err := cmd.Run(); err != nil {
			return 0, nil, fmt.Errorf("run %s --version: %w", binary, err)
		}
		sum, list := parse(trace.Bytes())
		if len(list) == 0 {
			return 0, nil, fmt.Errorf("%s wrote no init trace", binary)
		}
		if best < 0 || sum < best {
			best, pkgs = sum, list
		}
	}
	return best, pkgs, nil
}

// parse reads lines like "init fmt @0.5 ms, 0.006 ms clock, 48 bytes, 1 allocs".
func parse(trace []byte) (sum float64, pkgs []pkg) {
	sc := bufio.NewScanner(bytes.NewReader(trace))
	for sc.Scan() {
		f := strings.Fields(sc.Text())
		if len(f) < 6 || f[0] != "init" || f[5] != "ms" {
			continue
		}
		ms, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			continue
		}
		sum += ms
		pkgs = append(pkgs, pkg{f[1], ms})
	}
	return sum, pkgs
}
