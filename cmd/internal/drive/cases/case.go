// Package cases runs recorded cases of real trouble against the program: it
// lays the files of a case out, serves its scripted model, lets the program do
// the steps, and holds what was observed against what the case expects.
//
// A case is a JSON file with the fields of Case. The placeholders {{HOME}},
// {{WORK}}, {{BASE}}, {{PORT}} and {{PYTHON}} are replaced everywhere in it.
package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Case is one case file.
type Case struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Title  string `json:"title"`

	Enable []string                   `json:"enable"` // plugins.enabled; nil writes no such key
	Config map[string]json.RawMessage `json:"config"`
	Env    map[string]string          `json:"env"`

	Home   []File `json:"home"`
	Work   []File `json:"work"`
	Beside []File `json:"beside"`

	Server   *Script           `json:"server"`
	Read     map[string]string `json:"read"` // files to look at afterwards, by the name that assertions use
	TimeoutS float64           `json:"timeout_s"`

	Drive        []json.RawMessage `json:"drive"`
	Expect       []Assertion       `json:"expect"`
	Alternatives [][]string        `json:"alternatives"`

	path string
}

// File is a file of the case's input.
type File struct {
	Path    string  `json:"path"`
	Text    *string `json:"text"`
	Base64  *string `json:"base64"`
	Repeat  *Repeat `json:"repeat"`
	Symlink *string `json:"symlink"`
	Mode    string  `json:"mode"` // octal
}

// Repeat makes a long text.
type Repeat struct {
	Before string `json:"before"`
	Text   string `json:"text"`
	Times  int    `json:"times"`
	After  string `json:"after"`
}

// Levels of an assertion.
const (
	Must   = "must"   // what the reference does and others rely on
	Better = "better" // the right value where the reference falls short
)

// Assertion is one line of what a case expects.
type Assertion struct {
	At    string          `json:"at"` // JSON pointer into the observation
	Op    string          `json:"op"`
	Value json.RawMessage `json:"value"`
	Level string          `json:"level"`
	Why   string          `json:"why"`
}

// step is what of a step the judge needs.
type step struct {
	Do       string  `json:"do"`
	ID       string  `json:"id"`
	TimeoutS float64 `json:"timeout_s"`
}

func (c *Case) steps() ([]step, error) {
	out := make([]step, len(c.Drive))
	for i, raw := range c.Drive {
		if err := json.Unmarshal(raw, &out[i]); err != nil {
			return nil, fmt.Errorf("%s: step %d: %w", c.ID, i, err)
		}
	}
	return out, nil
}

// defaultTimeout is the time of a case that names none, in seconds.
const defaultTimeout = 90

var caseFile = regexp.MustCompile(`^C\d{3}\.json$`)

// Find returns the case files below dir, sorted. A folder without any is an
// error: a check that looks at nothing passes always.
func Find(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && caseFile.MatchString(d.Name()) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find cases: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("find cases: there are none in %s", dir)
	}
	slices.Sort(out)
	return out, nil
}

// Load reads a case file with its placeholders replaced by the values of vars.
func Load(path string, vars map[string]string) (*Case, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the case: %w", err)
	}
	c := &Case{path: path}
	if err := json.Unmarshal([]byte(substitute(string(data), vars)), c); err != nil {
		return nil, fmt.Errorf("read the case %s: %w", path, err)
	}
	if c.ID == "" || len(c.Drive) == 0 || len(c.Expect) == 0 {
		return nil, fmt.Errorf("read the case %s: %w", path, errors.New("it has no id, no steps or no assertions"))
	}
	if c.TimeoutS <= 0 {
		c.TimeoutS = defaultTimeout
	}
	return c, nil
}

// substitute replaces {{NAME}} in JSON text.
func substitute(text string, vars map[string]string) string {
	for name, value := range vars {
		quoted, _ := json.Marshal(value) // a string always encodes
		text = strings.ReplaceAll(text, "{{"+name+"}}", string(quoted[1:len(quoted)-1]))
	}
	return text
}
