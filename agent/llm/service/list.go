package service

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hermes/agent/llm"
)

// Bounds of lists of models.
const (
	listTime = 8 * time.Second // contract/specialised §1.3
	listAge  = time.Hour
)

// Lists gives lists of models for pickers, and keeps what services answered.
// Nothing is asked before somebody wants to see a list. It is safe for
// concurrent use.
type Lists struct {
	// Dir is the folder for what is kept; it is made when needed, and "" keeps
	// nothing.
	Dir string
	// Now is the clock, nil for the machine's.
	Now func() time.Time
}

// Models is the list of c's service: curated names first, then those of its
// own list that are not among them (the other way round when live says so).
// A list that is younger than an hour is not asked for again, unless fresh
// says so. When the service gives none, an older list or the curated names
// come back beside the error.
func (l Lists) Models(ctx context.Context, c Client, curated []string, live, fresh bool) ([]llm.ModelInfo, error) {
	base := c.Info().BaseURL
	kept, at := l.read(base)
	if !fresh && kept != nil && l.now().Sub(at) < listAge {
		return merge(curated, kept, live), nil
	}
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	models, err := c.Models(ctx)
	if err != nil {
		return merge(curated, kept, live), err
	}
	if err := l.write(base, models); err != nil {
		return merge(curated, models, live), fmt.Errorf("keep the list of models: %w", err)
	}
	return merge(curated, models, live), nil
}

func merge(curated []string, models []llm.ModelInfo, live bool) []llm.ModelInfo {
	byID := map[string]llm.ModelInfo{}
	for _, m := range models {
		byID[m.ID] = m
	}
	var first []llm.ModelInfo
	seen := map[string]bool{}
	for _, id := range curated {
		m, ok := byID[id]
		if !ok {
			m = llm.ModelInfo{ID: id}
		}
		if !seen[id] {
			first = append(first, m)
		}
		seen[id] = true
	}
	var rest []llm.ModelInfo
	for _, m := range models {
		if !seen[m.ID] {
			rest = append(rest, m)
		}
		seen[m.ID] = true
	}
	if live {
		return append(rest, first...)
	}
	return append(first, rest...)
}

func (l Lists) now() time.Time {
	if l.Now == nil {
		return time.Now()
	}
	return l.Now()
}

// list is the file that is kept for one base URL.
type list struct {
	Base   string          `json:"base_url"`
	At     time.Time       `json:"at"`
	Models []llm.ModelInfo `json:"models"`
}

func (l Lists) path(base string) string {
	sum := sha256.Sum256([]byte(strings.TrimRight(base, "/")))
	return filepath.Join(l.Dir, hex.EncodeToString(sum[:8])+".json")
}

// read returns what is kept; a file that is missing or broken is nothing.
func (l Lists) read(base string) ([]llm.ModelInfo, time.Time) {
	if l.Dir == "" {
		return nil, time.Time{}
	}
	data, err := os.ReadFile(l.path(base))
	if err != nil {
		return nil, time.Time{}
	}
	var f list
	if json.Unmarshal(data, &f) != nil || f.Base != base {
		return nil, time.Time{}
	}
	return f.Models, f.At
}

func (l Lists) write(base string, models []llm.ModelInfo) error {
	if l.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(l.Dir, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(list{base, l.now(), models})
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(l.Dir, "list-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), l.path(base))
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is of no use
	}
	return err
}
