package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/agent/skill"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const viewDescription = `Reads a skill: its instructions and the names of the files that belong to it, or, with file_path, one of those files. Load a skill before you do what it is about, and follow it. name is the skill's name, category/name where a name is there twice, or plugin:skill for one of a plugin. To change a skill use skill_manage.`

const viewParameters = `{"type":"object","properties":{"name":{"type":"string","description":"the skill"},"file_path":{"type":"string","description":"a file of the skill, relative to its folder, for example references/api.md"}},"required":["name"]}`

const (
	nameHint = "Use a skill name or relative path within the skills directory."
	pathHint = "Use a relative path within the skill directory"
	listHint = "Use skills_list to see all available skills"
	fileHint = "To view linked files, call skill_view(name, file_path) where file_path is e.g. 'references/api.md' or 'assets/config.yaml'"
)

type viewed struct {
	Success         bool           `json:"success"`
	Name            string         `json:"name"`
	Description     string         `json:"description"`
	Tags            []string       `json:"tags"`
	Related         []string       `json:"related_skills"`
	Content         string         `json:"content"`
	Path            string         `json:"path"`
	Dir             string         `json:"skill_dir"`
	Files           any            `json:"linked_files"`
	UsageHint       *string        `json:"usage_hint"`
	Env             []skill.EnvVar `json:"required_environment_variables"`
	Commands        []string       `json:"required_commands"`
	MissingEnv      []string       `json:"missing_required_environment_variables"`
	MissingFiles    []string       `json:"missing_credential_files"`
	MissingCommands []string       `json:"missing_required_commands"`
	SetupNeeded     bool           `json:"setup_needed"`
	SetupSkipped    bool           `json:"setup_skipped"`
	Readiness       string         `json:"readiness_status"`
	SetupHelp       string         `json:"setup_help,omitempty"`
	SetupNote       string         `json:"setup_note,omitempty"`
	// Metadata is the front matter's, as it was written.
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Problem  string          `json:"front_matter_problem,omitempty"`
}

type viewedFile struct {
	Success bool   `json:"success"`
	Name    string `json:"name"`
	File    string `json:"file"`
	Content string `json:"content"`
	Type    string `json:"file_type,omitempty"`
	Binary  bool   `json:"is_binary,omitempty"`
}

func (d Deps) view(ctx context.Context, c tool.Call) tool.Result {
	var args struct {
		Name     string `json:"name"`
		FilePath string `json:"file_path"`
	}
	if err := unmarshal(c, &args); err != nil {
		return refuse("%v", err)
	}
	if ns, name, ok := strings.Cut(args.Name, ":"); ok {
		if r, served := d.pluginSkill(ctx, c.Session, ns, name, args.FilePath); served {
			return r
		}
	}
	if bad := badName(args.Name); bad != "" {
		return result.JSON(refusal{Reason: bad, Hint: nameHint})
	}
	s, no := d.find(args.Name)
	if no != nil {
		return result.JSON(no)
	}
	if args.FilePath != "" {
		return d.viewFile(args.Name, s, args.FilePath)
	}
	return result.JSON(d.whole(ctx, c.Session, s))
}

func badName(name string) string {
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case strings.HasPrefix(slashed, "/"), strings.HasPrefix(name, "~"), filepath.VolumeName(name) != "":
		return "Skill name must be a relative path within the skills directory."
	case slices.Contains(strings.Split(slashed, "/"), ".."):
		return "Skill name cannot contain '..' path traversal components."
	}
	return ""
}

// find returns the one skill that name means.
func (d Deps) find(name string) (skill.Skill, *refusal) {
	all := d.Library().Scan()
	d.Found(all)
	hits := match(all, name)
	if len(hits) == 0 {
		names := []string{}
		for _, s := range all {
			if s.Off == "" && !slices.Contains(names, s.Name) && len(names) < 20 {
				names = append(names, s.Name)
			}
		}
		return skill.Skill{}, &refusal{Reason: fmt.Sprintf("Skill '%s' not found.", name), Available: names, Hint: listHint}
	}
	if len(hits) > 1 {
		var paths []string
		for _, s := range hits {
			paths = append(paths, s.Path())
		}
		return skill.Skill{}, &refusal{
			Reason:  fmt.Sprintf("Ambiguous skill name '%s': %d skills match across your local skills dir and external_dirs. Refusing to guess — load one explicitly by its categorized path.", name, len(hits)),
			Matches: paths,
			Hint:    "Pass the full relative path instead of the bare name (e.g., 'category/skill-name'), or rename one of the colliding skills so each name is unique.",
		}
	}
	s := hits[0]
	switch {
	case strings.HasPrefix(s.Off, "for another platform"):
		return s, &refusal{Reason: fmt.Sprintf("Skill '%s' is not supported on this platform.", name), Readiness: "unsupported"}
	case strings.HasPrefix(s.Off, "disabled"):
		return s, &refusal{Reason: fmt.Sprintf("Skill '%s' is disabled. Enable it with `hermes skills` or inspect the files directly on disk.", name)}
	case strings.HasPrefix(s.Off, "SKILL.md cannot be read"):
		return s, &refusal{Reason: fmt.Sprintf("Skill '%s': %s", name, s.Off)}
	}
	return s, nil
}

// match returns the skills that name means: by path, else by folder or name.
// Skills of the home win over external ones.
func match(all []skill.Skill, name string) []skill.Skill {
	name, file := strings.CutSuffix(strings.Trim(strings.ReplaceAll(name, `\`, "/"), "/"), "/SKILL.md")
	for _, fits := range []func(skill.Skill) bool{
		func(s skill.Skill) bool { return (file || strings.Contains(name, "/")) && s.Rel == name },
		func(s skill.Skill) bool { return strings.Contains(name, "/") && s.Category+"/"+s.Name == name },
		func(s skill.Skill) bool { return s.Name == name || filepath.Base(s.Rel) == name },
	} {
		var local, external []skill.Skill
		for _, s := range all {
			switch {
			case !fits(s):
			case s.External:
				external = append(external, s)
			default:
				local = append(local, s)
			}
		}
		if len(local) > 0 {
			return local
		}
		if len(external) > 0 {
			return external
		}
	}
	return nil
}

func (d Deps) whole(ctx context.Context, session string, s skill.Skill) viewed {
	lib := d.Library()
	v := viewed{
		Success: true, Name: s.Name, Description: s.Given(), Tags: s.Tags(), Related: s.Related(),
		Content: d.Expand(ctx, s.Doc.Text, s.Dir(), session), Path: s.Rel + "/SKILL.md", Dir: s.Dir(),
		Env: s.Env(), Commands: []string{}, MissingEnv: lib.Missing(s), MissingFiles: []string{}, MissingCommands: []string{},
		Readiness: "available", Problem: s.Problem, Metadata: s.Metadata(),
	}
	if files := s.Files(); files != nil {
		hint := fileHint
		v.Files, v.UsageHint = files, &hint
	}
	if len(v.MissingEnv) > 0 {
		v.SetupNeeded, v.Readiness = true, "setup_needed"
		names := make([]string, len(v.MissingEnv))
		for i, n := range v.MissingEnv {
			names[i] = "env $" + n
		}
		for _, e := range v.Env {
			if v.SetupHelp == "" && slices.Contains(v.MissingEnv, e.Name) {
				v.SetupHelp = e.Help
			}
		}
		v.SetupNote = strings.TrimSpace("Setup needed before using this skill: missing " + strings.Join(names, ", ") + ". " + v.SetupHelp)
	}
	return v
}

// available are all files of a skill by folder.
func available(s skill.Skill) map[string][]string {
	files := s.Files()
	if others := s.Others(); len(others) > 0 {
		if files == nil {
			files = map[string][]string{}
		}
		files["other"] = others
	}
	return files
}

// viewFile reads one file of a skill. A path that leaves the skill's folder, by
// its spelling or through a link, is refused before anything is read.
func (d Deps) viewFile(name string, s skill.Skill, path string) tool.Result {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if slices.Contains(strings.Split(slashed, "/"), "..") {
		return result.JSON(refusal{Reason: "Path traversal ('..') is not allowed.", Hint: pathHint})
	}
	full := filepath.Join(s.Dir(), filepath.FromSlash(slashed))
	if filepath.IsAbs(path) || strings.HasPrefix(slashed, "/") || filepath.VolumeName(path) != "" {
		return result.JSON(refusal{Reason: fmt.Sprintf("Path escapes allowed directory: '%s' is not in '%s'.", path, s.Dir()), Hint: pathHint})
	}
	info, err := os.Stat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return result.JSON(refusal{Reason: fmt.Sprintf("File '%s' not found in skill '%s'.", path, name), Files: available(s), Hint: "Use one of the available file paths listed above"})
	case err != nil:
		return refuse("File '%s' of skill '%s' cannot be read: %v", path, name, err)
	case !skill.Inside(s.Dir(), full):
		return result.JSON(refusal{Reason: fmt.Sprintf("Path escapes allowed directory: '%s' leads out of '%s'.", path, s.Dir()), Hint: pathHint})
	case !info.Mode().IsRegular():
		return refuse("'%s' in skill '%s' is a directory or a special file, not a file to read.", path, name)
	case info.Size() > skill.MaxFile:
		return refuse("File '%s' has %d bytes (limit: %d). Read it in parts with read_file: %s", path, info.Size(), skill.MaxFile, full)
	}
	data, err := os.ReadFile(full)
	if err != nil {
		return refuse("File '%s' of skill '%s' cannot be read: %v", path, name, err)
	}
	if !utf8.Valid(data) {
		return result.JSON(viewedFile{Success: true, Name: name, File: path, Binary: true, Content: fmt.Sprintf("[Binary file: %s, size: %d bytes]", filepath.Base(path), len(data))})
	}
	return result.JSON(viewedFile{Success: true, Name: name, File: path, Content: strings.ReplaceAll(string(data), "\r\n", "\n"), Type: filepath.Ext(path)})
}
