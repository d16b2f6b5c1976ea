package app

import (
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/skill"
	"hermes/agent/tools/skills"
)

// skillWarnings remembers which broken skills the user was told of.
type skillWarnings struct {
	mu   sync.Mutex
	said map[string]bool
}

// registerSkills adds the tools that list and read skills.
func (rt *Runtime) registerSkills() error {
	return skills.Register(rt.tools, skills.Deps{
		Library: rt.skillLibrary, Plugin: rt.pluginSkills, Found: rt.warnSkills, Expand: rt.expandSkill,
	})
}

// skillLibrary is where skills are found, as the settings say now.
func (rt *Runtime) skillLibrary() skill.Library {
	return libraryOf(rt.opt.Home, rt.cfg.Load())
}

func libraryOf(home config.Home, cfg *config.Config) skill.Library {
	lib := skill.Library{Dir: home.Skills(), Platform: runtime.GOOS}
	if cfg == nil {
		return lib
	}
	lib.Getenv, lib.Disabled = cfg.Getenv, cfg.Strings("skills", "disabled")
	for _, dir := range cfg.Strings("skills", "external_dirs") {
		if rest, ok := strings.CutPrefix(dir, "~/"); ok {
			dir = filepath.Join(cfg.Getenv("HOME"), rest)
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(home.Dir(), dir)
		}
		if dir = filepath.Clean(dir); dir != lib.Dir {
			lib.External = append(lib.External, dir)
		}
	}
	return lib
}

// pluginSkills returns the skills of the plugins with this namespace.
func (rt *Runtime) pluginSkills(namespace string) []event.Skill {
	var out []event.Skill
	for _, p := range rt.Plugins() {
		for _, s := range p.Skills {
			if ns, _, ok := strings.Cut(s.Name, ":"); ok && ns == namespace {
				out = append(out, s)
			}
		}
	}
	return out
}

// warnSkills tells the user, once each, which skills have something wrong.
func (rt *Runtime) warnSkills(all []skill.Skill) {
	rt.skillWarnings.mu.Lock()
	defer rt.skillWarnings.mu.Unlock()
	for _, s := range all {
		key := s.Path() + "\x00" + s.Problem
		if s.Problem == "" || rt.skillWarnings.said[key] {
			continue
		}
		if rt.skillWarnings.said == nil {
			rt.skillWarnings.said = map[string]bool{}
		}
		rt.skillWarnings.said[key] = true
		rt.notice(event.LevelWarn, "skills", locale.SkillProblem.In(rt.Lang(), s.Name, s.Problem, s.Path()))
	}
}

// skillIndex is the list of skills for the system prompt.
func (rt *Runtime) skillIndex(tools, toolsets []string) string {
	return rt.skillLibrary().Index(tools, toolsets)
}
