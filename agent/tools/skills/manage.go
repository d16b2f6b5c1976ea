//lint:file-ignore ST1005 the model reads these errors as sentences

package skills

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/agent/skill"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/edit"
	"hermes/agent/tools/internal/result"
)

const manageDescription = `Keeps skills: what you learned about doing a kind of task, for later conversations. create makes one (content is the whole SKILL.md: front matter with name and description, then the instructions); patch replaces a passage of SKILL.md or of file_path; edit rewrites SKILL.md; write_file and remove_file keep supporting files under references/, templates/, scripts/ or assets/; delete removes a skill, and absorbed_into names the one that took over what it said. Create one after a task that took corrections or many steps, patch one that was wrong. Not for facts about the user or the machine: those go to memory.`

const manageParameters = `{"type":"object","properties":{"action":{"type":"string","enum":["create","patch","edit","delete","write_file","remove_file"]},"name":{"type":"string","description":"lower case letters, digits, - . _; at most 64 characters"},"content":{"type":"string","description":"create, edit: the whole SKILL.md"},"old_string":{"type":"string","description":"patch: the passage as it stands"},"new_string":{"type":"string","description":"patch: what takes its place; empty deletes"},"replace_all":{"type":"boolean","description":"patch: every place"},"category":{"type":"string","description":"create: the folder it goes into"},"file_path":{"type":"string","description":"a supporting file, relative to the skill"},"file_content":{"type":"string","description":"write_file: everything the file shall hold"},"absorbed_into":{"type":"string","description":"delete: the skill that took over; empty for none"}},"required":["action","name"]}`

type manageArgs struct {
	Action      string  `json:"action"`
	Name        string  `json:"name"`
	Content     string  `json:"content"`
	Old         string  `json:"old_string"`
	New         *string `json:"new_string"`
	All         bool    `json:"replace_all"`
	Category    string  `json:"category"`
	FilePath    string  `json:"file_path"`
	FileContent *string `json:"file_content"`
	Absorbed    string  `json:"absorbed_into"`
}

type managed struct {
	Success  bool           `json:"success"`
	Message  string         `json:"message"`
	Path     string         `json:"path,omitempty"`
	SkillMD  string         `json:"skill_md,omitempty"`
	Change   map[string]any `json:"_change,omitempty"`
	Category string         `json:"category,omitempty"`
	Hint     string         `json:"hint,omitempty"`
}

// keeper carries one call of skill_manage out. Its errors are answers for the
// model, written as the reference spells them.
type keeper struct {
	lib skill.Library
	a   manageArgs
}

func (d Deps) manage(_ context.Context, c tool.Call) tool.Result {
	k := keeper{lib: d.Library()}
	if err := unmarshal(c, &k.a); err != nil {
		return refuse("%v", err)
	}
	do, known := map[string]func() (managed, error){
		"create": k.create, "edit": k.edit, "patch": k.patch, "delete": k.remove,
		"write_file": k.writeFile, "remove_file": k.removeFile,
	}[k.a.Action]
	if !known {
		return refuse("Unknown action '%s'. Use: create, edit, patch, delete, write_file, remove_file", k.a.Action)
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	m, err := do()
	var no *refusal
	switch {
	case errors.As(err, &no):
		return result.JSON(no)
	case err != nil:
		return refuse("%v", err)
	}
	m.Success = true
	return result.JSON(m)
}

func (r *refusal) Error() string { return r.Reason }

var goodName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)

func checkName(kind, s, tail string) error {
	switch {
	case utf8.RuneCountInString(s) > skill.MaxName:
		return fmt.Errorf("%s exceeds %d characters.", kind, skill.MaxName)
	case !goodName.MatchString(s):
		return fmt.Errorf("Invalid %s '%s'. Use lowercase letters, numbers, hyphens, dots, and underscores. %s", strings.ToLower(kind), s, tail)
	}
	return nil
}

func checkText(text string) error {
	if !strings.HasPrefix(strings.TrimPrefix(text, "\uFEFF"), "---") {
		return errors.New("SKILL.md must start with YAML frontmatter (---). See existing skills for format.")
	}
	d := skill.Parse([]byte(text))
	switch {
	case d.Unclosed():
		return errors.New("SKILL.md frontmatter is not closed. Ensure you have a closing '---' line.")
	case strings.Contains(d.Problem, "not a mapping"):
		return errors.New("Frontmatter must be a YAML mapping (key: value pairs).")
	case d.Problem != "":
		return fmt.Errorf("YAML frontmatter parse error: %s", d.Problem)
	case d.Field("name") == "":
		return errors.New("Frontmatter must include 'name' field.")
	case d.Field("description") == "":
		return errors.New("Frontmatter must include 'description' field.")
	case utf8.RuneCountInString(d.Field("description")) > skill.MaxDescription:
		return fmt.Errorf("Description exceeds %d characters.", skill.MaxDescription)
	case strings.TrimSpace(d.Body) == "":
		return errors.New("SKILL.md must have content after the frontmatter (instructions, procedures, etc.).")
	}
	if n := utf8.RuneCountInString(text); n > skill.MaxText {
		return fmt.Errorf("SKILL.md content is %s characters (limit: %s). Consider splitting into a smaller SKILL.md with supporting files in references/ or templates/.", thousands(n), thousands(skill.MaxText))
	}
	return nil
}

// thousands writes n with commas.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (k keeper) create() (managed, error) {
	a := k.a
	if a.Content == "" {
		return managed{}, errors.New("content is required for 'create'. Provide the full SKILL.md text (frontmatter + body).")
	}
	if err := checkName("Skill name", a.Name, "Must start with a letter or digit."); err != nil {
		return managed{}, err
	}
	if a.Category != "" {
		if err := checkName("Category", a.Category, "Categories must be a single directory name."); err != nil {
			return managed{}, err
		}
	}
	if err := checkText(a.Content); err != nil {
		return managed{}, err
	}
	if old := match(k.lib.Scan(), a.Name); len(old) > 0 {
		return managed{}, fmt.Errorf("A skill named '%s' already exists at %s.", a.Name, old[0].Dir())
	}
	rel := filepath.Join(a.Category, a.Name)
	dir := filepath.Join(k.lib.Dir, rel)
	path := filepath.Join(dir, "SKILL.md")
	if _, err := os.Lstat(path); err == nil {
		return managed{}, fmt.Errorf("A skill named '%s' already exists at %s.", a.Name, dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return managed{}, err
	}
	if !skill.Inside(k.lib.Dir, dir) {
		return managed{}, fmt.Errorf("%s leads out of the skills directory.", dir)
	}
	if err := write(path, a.Content); err != nil {
		return managed{}, err
	}
	return managed{
		Message: fmt.Sprintf("Skill '%s' created.", a.Name), Path: filepath.ToSlash(rel), SkillMD: path, Category: a.Category,
		Change: map[string]any{"description": skill.Parse([]byte(a.Content)).Field("description")},
		Hint:   fmt.Sprintf("To add reference files, templates, or scripts, use skill_manage(action='write_file', name='%s', file_path='references/example.md', file_content='...')", a.Name),
	}, nil
}

// own returns the skill of the call, which must be one that may be changed.
func (k keeper) own() (skill.Skill, error) {
	hits := match(k.lib.Scan(), k.a.Name)
	switch {
	case len(hits) == 0:
		return skill.Skill{}, fmt.Errorf("Skill '%s' not found in active profile 'default'. Use skills_list() to see available skills.", k.a.Name)
	case len(hits) > 1:
		return skill.Skill{}, fmt.Errorf("Ambiguous skill name '%s': %d skills match. Name it as category/name.", k.a.Name, len(hits))
	case hits[0].External:
		return skill.Skill{}, fmt.Errorf("Skill '%s' lies in an external directory (%s) and is read-only.", k.a.Name, hits[0].Root)
	case !skill.Inside(k.lib.Dir, hits[0].Path()):
		return skill.Skill{}, fmt.Errorf("Skill '%s' is a link that leads out of the skills directory; it is not changed.", k.a.Name)
	}
	return hits[0], nil
}

func (k keeper) edit() (managed, error) {
	if k.a.Content == "" {
		return managed{}, errors.New("content is required for 'edit'. Provide the full updated SKILL.md text.")
	}
	if err := checkText(k.a.Content); err != nil {
		return managed{}, err
	}
	s, err := k.own()
	if err != nil {
		return managed{}, err
	}
	if err := write(s.Path(), k.a.Content); err != nil {
		return managed{}, err
	}
	return managed{
		Message: fmt.Sprintf("Skill '%s' updated (full rewrite).", k.a.Name), Path: s.Dir(),
		Change: map[string]any{"description": skill.Parse([]byte(k.a.Content)).Field("description")},
	}, nil
}

func (k keeper) patch() (managed, error) {
	a := k.a
	switch {
	case a.Old == "":
		return managed{}, errors.New("old_string is required for 'patch'. Provide the text to find.")
	case a.New == nil:
		return managed{}, errors.New("new_string is required for 'patch'. Use empty string to delete matched text.")
	}
	s, err := k.own()
	if err != nil {
		return managed{}, err
	}
	path, label := s.Path(), "SKILL.md"
	if a.FilePath != "" {
		if path, err = target(s, a.FilePath); err != nil {
			return managed{}, err
		}
		label = a.FilePath
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return managed{}, fmt.Errorf("File not found: %s", label)
	} else if err != nil {
		return managed{}, err
	}
	ch, err := edit.Replace(string(data), a.Old, *a.New, a.All)
	if err != nil {
		preview := []rune(string(data))
		return managed{}, &refusal{Reason: err.Error(), Preview: string(preview[:min(500, len(preview))])}
	}
	if label == "SKILL.md" {
		if err := checkText(ch.Text); err != nil {
			return managed{}, fmt.Errorf("Patch would break SKILL.md structure: %w", err)
		}
	} else if err := checkSize(ch.Text); err != nil {
		return managed{}, err
	}
	if err := write(path, ch.Text); err != nil {
		return managed{}, err
	}
	plural := ""
	if ch.Count != 1 {
		plural = "s"
	}
	return managed{
		Message: fmt.Sprintf("Patched %s in skill '%s' (%d replacement%s).", label, a.Name, ch.Count, plural),
		Change:  map[string]any{"old": a.Old, "new": *a.New},
	}, nil
}

func (k keeper) remove() (managed, error) {
	s, err := k.own()
	if err != nil {
		return managed{}, err
	}
	if k.a.Absorbed != "" {
		if into := match(k.lib.Scan(), k.a.Absorbed); len(into) == 0 || into[0].Path() == s.Path() {
			return managed{}, fmt.Errorf("absorbed_into='%s' does not exist. Create or patch the umbrella skill first, then retry the delete.", k.a.Absorbed)
		}
	}
	if err := os.RemoveAll(s.Dir()); err != nil {
		return managed{}, err
	}
	if dir := filepath.Dir(s.Dir()); dir != k.lib.Dir {
		_ = os.Remove(dir) // fails, as it shall, when the category holds more
	}
	return managed{Message: fmt.Sprintf("Skill '%s' deleted.", k.a.Name)}, nil
}

func (k keeper) writeFile() (managed, error) {
	a := k.a
	switch {
	case a.FilePath == "":
		return managed{}, errors.New("file_path is required for 'write_file'. Example: 'references/api-guide.md'")
	case a.FileContent == nil:
		return managed{}, errors.New("file_content is required for 'write_file'.")
	}
	if err := checkSize(*a.FileContent); err != nil {
		return managed{}, err
	}
	s, err := k.own()
	if err != nil {
		return managed{}, err
	}
	path, err := target(s, a.FilePath)
	if err != nil {
		return managed{}, err
	}
	if err := write(path, *a.FileContent); err != nil {
		return managed{}, err
	}
	return managed{Message: fmt.Sprintf("File '%s' written to skill '%s'.", a.FilePath, a.Name), Path: path}, nil
}

func (k keeper) removeFile() (managed, error) {
	a := k.a
	if a.FilePath == "" {
		return managed{}, errors.New("file_path is required for 'remove_file'.")
	}
	s, err := k.own()
	if err != nil {
		return managed{}, err
	}
	path, err := target(s, a.FilePath)
	if err != nil {
		return managed{}, err
	}
	if info, err := os.Lstat(path); err != nil || info.IsDir() {
		return managed{}, &refusal{Reason: fmt.Sprintf("File '%s' not found in skill '%s'.", a.FilePath, a.Name), Files: s.FileNames()}
	}
	if err := os.Remove(path); err != nil {
		return managed{}, err
	}
	return managed{Message: fmt.Sprintf("File '%s' removed from skill '%s'.", a.FilePath, a.Name)}, nil
}

func checkSize(text string) error {
	if n := len(text); n > skill.MaxFile {
		return fmt.Errorf("File content is %s bytes (limit: %s bytes / 1 MiB). Consider splitting into smaller files.", thousands(n), thousands(skill.MaxFile))
	}
	return nil
}

// target is the path of a supporting file. The nearest folder that is there
// must lie in the skill, links followed.
func target(s skill.Skill, file string) (string, error) {
	parts := strings.Split(strings.ReplaceAll(file, `\`, "/"), "/")
	folders := []string{"assets", "references", "scripts", "templates"}
	switch {
	case slices.Contains(parts, ".."):
		return "", errors.New("Path traversal ('..') is not allowed.")
	case !slices.Contains(folders, parts[0]):
		return "", fmt.Errorf("File must be under one of: %s. Got: '%s'", strings.Join(folders, ", "), file)
	case len(parts) < 2 || parts[len(parts)-1] == "":
		return "", fmt.Errorf("Provide a file path, not just a directory. Example: '%s/myfile.md'", parts[0])
	}
	path := filepath.Join(append([]string{s.Dir()}, parts...)...)
	for at := path; len(at) > len(s.Dir()); at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil {
			if !skill.Inside(s.Dir(), at) {
				return "", fmt.Errorf("Path escapes allowed directory: '%s' leads out of the skill.", file)
			}
			break
		}
	}
	return path, nil
}

// write replaces a file in one step, so that a crash leaves the old or the new.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".skill-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
