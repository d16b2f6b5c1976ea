// Command mutate proves that the tests look: it breaks one line of the program
// at a time and fails when the tests named for it still pass. Nothing in the
// tree is changed; the broken file is laid over it (go test -overlay).
//
//	go run ./.ci/mutate [NAME]
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// mutation is one way to break the program.
type mutation struct {
	name string // what a user would see
	file string
	old  string // stands exactly once in file
	new  string
	pkgs []string // whose tests must notice
	run  string   // which of their tests, a -run pattern
}

func main() {
	var chosen []mutation
	for _, m := range mutations {
		if len(os.Args) == 1 || os.Args[1] == m.name {
			chosen = append(chosen, m)
		}
	}
	bad := 0
	for i, err := range checkAll(chosen) {
		if err != nil {
			fmt.Printf("FAIL  %s: %v\n", chosen[i].name, err)
			bad++
			continue
		}
		fmt.Printf("ok    %s\n", chosen[i].name)
	}
	if bad > 0 || len(chosen) == 0 {
		os.Exit(1)
	}
}

// atOnce is how many mutations are checked at the same time: a test that turns
// red has mostly waited for what does not come, which leaves the processors to
// the next one's compiler.
const atOnce = 3

// checkAll returns what each check said, in the order of list.
func checkAll(list []mutation) []error {
	errs := make([]error, len(list))
	free := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for i, m := range list {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			errs[i] = m.check()
		})
	}
	wg.Wait()
	return errs
}

// check returns nil when the tests turn red, and compiled.
func (m mutation) check() error {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return fmt.Errorf("%s holds the line to break %d times, want once: %q", m.file, n, m.old)
	}
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir, string(text))
	if err != nil {
		return err
	}
	if out, err := exec.Command("go", append([]string{"build", "-overlay", overlay}, m.pkgs...)...).CombinedOutput(); err != nil {
		return fmt.Errorf("the broken program does not compile: %s", out)
	}
	args := append([]string{"test", "-count=1", "-vet=off", "-overlay", overlay, "-run", m.run}, m.pkgs...)
	out, err := exec.Command("go", args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return errors.New("the tests pass without it")
	case !errors.As(err, &exit):
		return err
	case !strings.Contains(string(out), "--- FAIL"):
		return fmt.Errorf("the tests did not fail but broke off: %s", out)
	}
	return nil
}

func (m mutation) overlay(dir, text string) (string, error) {
	broken := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(broken, []byte(strings.Replace(text, m.old, m.new, 1)), 0o600); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(map[string]map[string]string{"Replace": {abs: broken}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, b, 0o600)
}
