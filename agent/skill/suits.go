package skill

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"hermes/agent/config/yaml11"
)

// off says why the skill is not on offer on this machine.
func (l Library) off(s Skill) string {
	if slices.Contains(l.Disabled, s.Name) {
		return "disabled in config.yaml (skills.disabled)"
	}
	if !l.platform(s.Doc.Meta) {
		return "for another platform: " + strings.Join(list(at(s.Doc.Meta, "platforms")), ", ")
	}
	if !l.environment(s.Doc.Meta) {
		return "for another environment: " + strings.Join(list(at(s.Doc.Meta, "environments")), ", ")
	}
	return ""
}

func (l Library) platform(meta yaml11.Value) bool {
	names := list(at(meta, "platforms"))
	if len(names) == 0 {
		return true
	}
	goos := map[string]string{"macos": "darwin", "mac": "darwin", "win32": "windows"}
	for _, n := range names {
		n = strings.ToLower(n)
		if g, ok := goos[n]; ok {
			n = g
		}
		if n == l.Platform {
			return true
		}
	}
	return false
}

// environment reports whether one of the environments that the skill is for is
// active. Names that nobody knows count as active.
func (l Library) environment(meta yaml11.Value) bool {
	names := list(at(meta, "environments"))
	if len(names) == 0 {
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool {
		switch strings.ToLower(n) {
		case "docker":
			return l.getenv("TERMINAL_ENV") == "docker" || l.exists("/.dockerenv") || l.exists("/run/.containerenv")
		case "s6":
			return l.exists("/run/s6") || l.exists("/run/service")
		case "kanban":
			return l.getenv("HERMES_KANBAN_TASK") != ""
		}
		return true
	})
}

// exists reports whether the machine has a file that tells what it is.
func (l Library) exists(path string) bool {
	if l.Exists != nil {
		return l.Exists(path)
	}
	_, err := os.Stat(path)
	return err == nil
}

func (l Library) getenv(name string) string {
	if l.Getenv == nil {
		return ""
	}
	return l.Getenv(name)
}

// Suits reports whether the skill fits the tools and toolsets on offer:
// metadata.hermes.requires_* and fallback_for_* (contract/core §9.2).
func (s Skill) Suits(tools, toolsets []string) bool {
	cond := func(name string) []string { return list(at(s.Doc.Meta, "metadata", "hermes", name)) }
	has := func(offer []string) func(string) bool {
		return func(n string) bool { return slices.Contains(offer, n) }
	}
	lacks := func(offer []string) func(string) bool {
		return func(n string) bool { return !slices.Contains(offer, n) }
	}
	return !slices.ContainsFunc(cond("requires_tools"), lacks(tools)) &&
		!slices.ContainsFunc(cond("requires_toolsets"), lacks(toolsets)) &&
		!slices.ContainsFunc(cond("fallback_for_tools"), has(tools)) &&
		!slices.ContainsFunc(cond("fallback_for_toolsets"), has(toolsets))
}

// Tags and Related are metadata.hermes.tags and related_skills, or the same
// names at the top of the front matter.
func (s Skill) Tags() []string { return s.hermes("tags") }

// Related names skills that go with this one.
func (s Skill) Related() []string { return s.hermes("related_skills") }

func (s Skill) hermes(name string) []string {
	if l := list(at(s.Doc.Meta, "metadata", "hermes", name)); len(l) > 0 {
		return l
	}
	return list(at(s.Doc.Meta, name))
}

// EnvVar is a variable that a skill wants.
type EnvVar struct {
	Name        string `json:"name"`
	Prompt      string `json:"prompt"`
	Help        string `json:"help,omitempty"`
	RequiredFor string `json:"required_for,omitempty"`
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Env returns the variables that the skill wants, each once.
func (s Skill) Env() []EnvVar {
	out := []EnvVar{}
	add := func(v EnvVar) {
		known := func(e EnvVar) bool { return e.Name == v.Name }
		if !envName.MatchString(v.Name) || slices.ContainsFunc(out, known) {
			return
		}
		if v.Prompt == "" {
			v.Prompt = "Enter value for " + v.Name
		}
		out = append(out, v)
	}
	for _, it := range at(s.Doc.Meta, "required_environment_variables").Items {
		if it.Kind != yaml11.Map {
			add(EnvVar{Name: text(it)})
			continue
		}
		name := text(at(it, "name"))
		if name == "" {
			name = text(at(it, "env_var"))
		}
		add(EnvVar{name, text(at(it, "prompt")), text(at(it, "help")), text(at(it, "required_for"))})
	}
	for _, n := range list(at(s.Doc.Meta, "prerequisites", "env_vars")) {
		add(EnvVar{Name: n})
	}
	return out
}

// Missing returns the names of variables that the skill wants and that are not
// set.
func (l Library) Missing(s Skill) []string {
	out := []string{}
	for _, v := range s.Env() {
		if l.getenv(v.Name) == "" {
			out = append(out, v.Name)
		}
	}
	return out
}

// MissingCommands returns the programs of prerequisites.commands that PATH
// does not have. They are advice: the reference does not count them as missing.
func (l Library) MissingCommands(s Skill) []string {
	out := []string{}
	for _, name := range list(at(s.Doc.Meta, "prerequisites", "commands")) {
		if _, err := exec.LookPath(name); err != nil {
			out = append(out, name)
		}
	}
	return out
}
