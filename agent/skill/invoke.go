package skill

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// MaxStacked is how many skills one message may invoke.
const MaxStacked = 5

var (
	notSlug = regexp.MustCompile(`[^a-z0-9-]`)
	dashes  = regexp.MustCompile(`-{2,}`)
)

// Slug is the slash command of a skill's name; empty when nothing is left of it.
func Slug(name string) string {
	s := strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(name))
	return strings.Trim(dashes.ReplaceAllString(notSlug.ReplaceAllString(s, ""), "-"), "-")
}

// Variables fills ${HERMES_SKILL_DIR} and ${HERMES_SESSION_ID} in; a variable
// without a value stays as it stands.
func Variables(text, dir, session string) string {
	for name, value := range map[string]string{"${HERMES_SKILL_DIR}": dir, "${HERMES_SESSION_ID}": session} {
		if value != "" {
			text = strings.ReplaceAll(text, name, value)
		}
	}
	return text
}

// Invocation is the user message for skills that were invoked with an
// instruction. contents are their texts, filled in. Plugins cut the instruction
// out of it by these marks (contract/core §9.4).
func Invocation(skills []Skill, contents []string, instruction string) string {
	if len(skills) > 1 {
		return stacked(skills, contents, instruction)
	}
	s := skills[0]
	text := fmt.Sprintf("[IMPORTANT: The user has invoked the %q skill, indicating they want you to follow its instructions. The full skill content is loaded below.]\n\n", s.Name) + s.block(contents[0])
	if instruction != "" {
		text += "\n\nThe user has provided the following instruction alongside the skill invocation: " + instruction
	}
	return text
}

func stacked(skills []Skill, contents []string, instruction string) string {
	names, commands := make([]string, len(skills)), make([]string, len(skills))
	for i, s := range skills {
		names[i], commands[i] = s.Name, "/"+Slug(s.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[IMPORTANT: The user has invoked the %q stacked skill bundle, loading %d skills together. Treat every skill below as active guidance for this turn.]\n\nSkills loaded: %s",
		strings.Join(commands, " "), len(skills), strings.Join(names, ", "))
	if instruction != "" {
		b.WriteString("\n\nUser instruction: " + instruction)
	}
	for i, s := range skills {
		fmt.Fprintf(&b, "\n\n[Loaded as part of the stacked skill invocation %q.]\n\n%s", s.Name, s.block(contents[i]))
	}
	return b.String()
}

// block is the content of a skill with where its files are.
func (s Skill) block(content string) string {
	dir := s.Dir()
	var b strings.Builder
	b.WriteString(strings.TrimSpace(content))
	fmt.Fprintf(&b, "\n\n[Skill directory: %s]\nRelative paths in this skill (scripts/foo.js, templates/config.yaml) are below that directory; use absolute paths in the terminal tool.", dir)
	if files := s.FileNames(); len(files) > 0 {
		b.WriteString("\n\n[This skill has supporting files:]")
		for _, f := range files {
			fmt.Fprintf(&b, "\n- %s  ->  %s", f, filepath.Join(dir, filepath.FromSlash(f)))
		}
		fmt.Fprintf(&b, "\n\nRead one with skill_view(name=%q, file_path=\"<path>\").", s.Name)
	}
	return b.String()
}
