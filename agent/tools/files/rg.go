package files

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// rgText is a text in ripgrep's JSON: as it is, or in base64 when it is not
// UTF-8.
type rgText struct {
	Text  string `json:"text"`
	Bytes string `json:"bytes"`
}

func (t rgText) raw() []byte {
	if t.Bytes == "" {
		return []byte(t.Text)
	}
	b, err := base64.StdEncoding.DecodeString(t.Bytes)
	if err != nil {
		return []byte(t.Text)
	}
	return b
}

// rgLine is one line of `rg --json`.
type rgLine struct {
	Type string `json:"type"`
	Data struct {
		Path  rgText `json:"path"`
		Lines rgText `json:"lines"`
		Line  int    `json:"line_number"`
	} `json:"data"`
}

// ripgrep searches with rg, which uses all cores. The rules are those of the
// built-in search.
func ripgrep(ctx context.Context, rg, root string, args searchArgs) ([]fileMatches, error) {
	argv := []string{"--json", "--no-config", "--no-messages", "--no-ignore-global", "--max-filesize", strconv.Itoa(maxScanned), "-C", strconv.Itoa(args.Context)}
	if gitRoot(root) == "" {
		argv = append(argv, "--no-require-git", "--no-ignore-parent")
	}
	if args.Glob != "" {
		argv = append(argv, "--glob", args.Glob)
	}
	argv = append(argv, "-e", args.Pattern, "--", root)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, rg, argv...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start ripgrep: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start ripgrep: %w", err)
	}
	found, readErr := readRipgrep(bufio.NewReaderSize(out, 64<<10))
	if errors.Is(readErr, errEnough) {
		stop()
	}
	err = cmd.Wait()
	switch exit := (*exec.ExitError)(nil); {
	case errors.Is(readErr, errEnough):
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case readErr != nil:
		return nil, fmt.Errorf("read ripgrep's output: %w", readErr)
	case errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 2 && len(found) > 0):
		// 1: nothing found; 2 beside matches: something could not be read
	case err != nil:
		return nil, fmt.Errorf("ripgrep: %s", strings.TrimSpace(stderr.String()))
	}
	for i := range found {
		if info, err := os.Stat(found[i].path); err == nil {
			found[i].mod = info.ModTime().UnixNano()
		}
	}
	newestFirst(found)
	return found, nil
}

func readRipgrep(r *bufio.Reader) ([]fileMatches, error) {
	var found []fileMatches
	total := 0
	dec := json.NewDecoder(r)
	for dec.More() {
		var l rgLine
		if err := dec.Decode(&l); err != nil {
			return found, err
		}
		switch l.Type {
		case "begin":
			found = append(found, fileMatches{path: string(l.Data.Path.raw())})
		case "match", "context":
			if len(found) == 0 {
				continue
			}
			f := &found[len(found)-1]
			line := bytes.TrimSuffix(l.Data.Lines.raw(), []byte("\n"))
			f.lines = append(f.lines, newMatch(f.path, l.Data.Line-1, line))
			if l.Type == "match" {
				f.count++
				if total++; total >= maxMatches {
					return found, errEnough
				}
			}
		case "end":
			if n := len(found); n > 0 && found[n-1].count == 0 {
				found = found[:n-1]
			}
		}
	}
	return found, nil
}
