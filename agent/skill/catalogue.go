package skill

import (
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// maxIndexed bounds a description in the index, in characters.
const maxIndexed = 60

const indexHead = `# Skills
A skill holds a way of working that was found good, and how the user wants a thing done. Look through the list before you begin: when a skill fits the task, even in part, load it with skill_view(name) first and follow it. When a skill that you followed was wrong or out of date, mend it with skill_manage(action='patch'). When none fits, go on without.

`

// Index is the list of skills for the system prompt, with its heading: those
// that suit the tools and toolsets on offer. It is empty when there are none, or
// when the tool that reads them is not on offer (contract/core §9.3).
func (l Library) Index(tools, toolsets []string) string {
	if !slices.Contains(tools, "skill_view") {
		return ""
	}
	groups := map[string][]Skill{}
	roots := map[string]string{}
	for _, s := range l.Usable() {
		if !s.Suits(tools, toolsets) {
			continue
		}
		g := s.Group()
		if _, known := roots[g]; !known {
			roots[g] = s.Root
		}
		groups[g] = append(groups[g], s)
	}
	if len(groups) == 0 {
		return ""
	}
	names := make([]string, 0, len(groups))
	for g := range groups {
		names = append(names, g)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString(indexHead + "<available_skills>\n")
	for _, g := range names {
		writeGroup(&b, g, filepath.Join(roots[g], filepath.FromSlash(g)), groups[g])
	}
	b.WriteString("</available_skills>")
	return b.String()
}

func writeGroup(b *strings.Builder, name, dir string, skills []Skill) {
	b.WriteString("  " + oneLine(name) + ":")
	if d := oneLine(categoryText(dir)); d != "" {
		b.WriteString(" " + d)
	}
	b.WriteString("\n")
	for _, s := range skills {
		b.WriteString("    - " + oneLine(s.Name))
		if d := s.indexed(); d != "" {
			b.WriteString(": " + d)
		}
		b.WriteString("\n")
	}
}

// indexed is the description as the index shows it: the front matter's only.
func (s Skill) indexed() string {
	d := oneLine(s.Given())
	if short := cut(d, maxIndexed); short != d {
		return cut(d, maxIndexed-3) + "..."
	}
	return d
}

// oneLine keeps a text from breaking out of its line or of the tags.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.ReplaceAll(s, "</available_skills>", "")
}

// categoryText is the description in a category's DESCRIPTION.md.
func categoryText(dir string) string {
	data, err := readBounded(filepath.Join(dir, "DESCRIPTION.md"), maxRead)
	if err != nil {
		return ""
	}
	return text(at(Parse(data).Meta, "description"))
}
