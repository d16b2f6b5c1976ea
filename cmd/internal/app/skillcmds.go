package app

import (
	"context"
	"fmt"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/skill"
)

// ListSkills returns every skill on disk, those that are not on offer too.
func ListSkills(opt Options) ([]skill.Skill, error) {
	cfg, err := loadFor(opt)
	if err != nil {
		return nil, err
	}
	return libraryOf(opt.Home, cfg).Scan(), nil
}

// skillCommands returns the slash commands of skills, those left out whose name
// is taken.
func (rt *Runtime) skillCommands(taken map[string]bool) []event.Command {
	var out []event.Command
	for _, s := range rt.skillLibrary().Usable() {
		name := skill.Slug(s.Name)
		if name == "" || taken[name] {
			continue
		}
		taken[name] = true
		out = append(out, event.Command{Name: name, Args: locale.SkillArgs.In(rt.Lang()), Description: s.Description, Group: groupTools})
	}
	return out
}

// invokeSkill sends the message of a skill's command; found is false when there
// is no such skill. Further /names at the start of args stack more of them.
func (rt *Runtime) invokeSkill(name, args string) (found bool) {
	bySlug := map[string]skill.Skill{}
	for _, s := range rt.skillLibrary().Usable() {
		if _, known := bySlug[skill.Slug(s.Name)]; !known {
			bySlug[skill.Slug(s.Name)] = s
		}
	}
	first, found := bySlug[skill.Slug(name)]
	if !found {
		return false
	}
	chosen := []skill.Skill{first}
	for len(chosen) < skill.MaxStacked && strings.HasPrefix(args, "/") {
		word, rest, _ := strings.Cut(args, " ")
		s, known := bySlug[skill.Slug(word[1:])]
		if !known {
			break
		}
		chosen, args = append(chosen, s), strings.TrimSpace(rest)
	}
	contents := make([]string, len(chosen))
	for i, s := range chosen {
		contents[i] = rt.expandSkill(context.Background(), s.Doc.Text, s.Dir(), rt.agent.Session())
	}
	rt.agent.Submit(skill.Invocation(chosen, contents, args))
	return true
}

// expandSkill fills in what the text of a skill refers to, unless
// skills.template_vars is off.
func (rt *Runtime) expandSkill(_ context.Context, text, dir, session string) string {
	if cfg := rt.cfg.Load(); cfg != nil && cfg.Has("skills", "template_vars") && !cfg.Bool("skills", "template_vars") {
		return text
	}
	return skill.Variables(text, dir, session)
}

// cmdSkills lists the skills.
func (rt *Runtime) cmdSkills(context.Context, string) (commandOutput, error) {
	var b strings.Builder
	for _, s := range rt.skillLibrary().Scan() {
		fmt.Fprintf(&b, "%-24s %-14s %s\n", s.Name, s.Category, s.Description)
		for _, why := range []string{s.Off, s.Problem} {
			if why != "" {
				fmt.Fprintf(&b, "    %s\n", why)
			}
		}
	}
	if b.Len() == 0 {
		return commandOutput{text: locale.SkillsNone.In(rt.Lang(), rt.opt.Home.Skills())}, nil
	}
	return commandOutput{b.String(), true}, nil
}
