package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"hermes/agent/event"
	"hermes/agent/skill"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

var namespace = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)

type pluginViewed struct {
	Success     bool   `json:"success"`
	Name        string `json:"name"`
	Content     string `json:"content"`
	Description string `json:"description"`
	Files       any    `json:"linked_files"`
	Readiness   string `json:"readiness_status"`
}

// pluginSkill answers for ns:name. served is false when no plugin has skills
// under ns: the name is looked for among the others then.
func (d Deps) pluginSkill(ctx context.Context, session, ns, name, file string) (r tool.Result, served bool) {
	if !namespace.MatchString(ns) {
		return refuse("Invalid namespace '%s' in '%s:%s'. Namespaces must match [a-zA-Z0-9_-]+.", ns, ns, name), true
	}
	all := d.Plugin(ns)
	if len(all) == 0 {
		return tool.Result{}, false
	}
	full := ns + ":" + name
	var names, siblings []string
	var found *event.Skill
	for i, s := range all {
		names = append(names, s.Name)
		if s.Name == full {
			found = &all[i]
			continue
		}
		siblings = append(siblings, strings.TrimPrefix(s.Name, ns+":"))
	}
	if found == nil {
		return result.JSON(refusal{
			Reason:    fmt.Sprintf("Skill '%s' not found in plugin '%s'.", name, ns),
			Available: names, Hint: fmt.Sprintf("The '%s' plugin provides %d skill(s).", ns, len(all)),
		}), true
	}
	data, err := os.ReadFile(found.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("Skill '%s' file no longer exists at %s. Reload the plugin, or ask the user to mend it.", full, found.Path), true
	case err != nil:
		return refuse("Skill '%s' cannot be read: %v", full, err), true
	}
	dir := filepath.Dir(found.Path)
	s := skill.Skill{Name: full, Root: filepath.Dir(dir), Rel: filepath.Base(dir), Doc: skill.Parse(data)}
	if file != "" {
		return d.viewFile(full, s, file), true
	}
	head := fmt.Sprintf("[Bundle context: This skill is part of the '%s' plugin.\n", ns)
	if len(siblings) > 0 {
		head += fmt.Sprintf("Sibling skills: %s.\nUse qualified form to invoke siblings (e.g. %s:%s).", strings.Join(siblings, ", "), ns, siblings[0])
	}
	out := pluginViewed{
		Success: true, Name: full, Description: s.Given(), Readiness: "available",
		Content: strings.TrimRight(head, "\n") + "]\n\n" + d.Expand(ctx, s.Doc.Text, dir, session),
	}
	if files := s.Files(); files != nil {
		out.Files = files
	}
	return result.JSON(out), true
}
