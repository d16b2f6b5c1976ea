package agent

import (
	"encoding/json"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
)

// mutations notes the files that the turn wanted to change and could not
// (contract/core §1.8).
type mutations struct {
	order []string
	why   map[string]failedChange
}

type failedChange struct{ tool, err string }

// maxListed and maxChangeError bound the footer.
const (
	maxListed      = 10
	maxChangeError = 180
)

// observe notes how a call that changes files ended.
func (m *mutations) observe(c *call) {
	if c.spec.Owner != "" || c.name != "write_file" && c.name != "patch" || c.args == nil {
		return
	}
	bad := c.answer.status != event.StatusOK
	text, _ := errorIn(c.answer.result)
	bad = bad || text != ""
	if text == "" {
		text = c.answer.err
	}
	for _, path := range changedPaths(c.args) {
		if !bad {
			delete(m.why, path)
			continue
		}
		if m.why == nil {
			m.why = map[string]failedChange{}
		}
		if _, known := m.why[path]; !known {
			m.order = append(m.order, path)
		}
		m.why[path] = failedChange{c.name, text}
	}
}

// changedPaths are the files that a call names: its path, or those of a patch
// of several.
func changedPaths(args json.RawMessage) []string {
	var a struct {
		Path  string `json:"path"`
		Patch string `json:"patch"`
	}
	if json.Unmarshal(args, &a) != nil {
		return nil
	}
	if a.Path != "" {
		return []string{a.Path}
	}
	var out []string
	for line := range strings.Lines(a.Patch) {
		for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
			if p, ok := strings.CutPrefix(strings.TrimSpace(line), head); ok {
				out = append(out, strings.TrimSpace(p))
			}
		}
	}
	return out
}

// footer is what goes below an answer when files were not changed; empty when
// all is well.
func (m *mutations) footer(lang locale.Lang) string {
	if len(m.why) == 0 {
		return ""
	}
	lines := []string{locale.NotModified.In(lang, len(m.why))}
	listed := map[string]bool{}
	for _, path := range m.order {
		f, ok := m.why[path]
		if !ok || listed[path] {
			continue
		}
		if listed[path] = true; len(listed) > maxListed {
			break
		}
		lines = append(lines, "  • `"+path+"` — ["+f.tool+"] "+cutChars(short(f.err), maxChangeError))
	}
	return strings.Join(lines, "\n")
}
