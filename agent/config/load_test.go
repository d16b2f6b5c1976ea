package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/locale"
)

func load(t *testing.T, config string, environ ...string) *Config {
	t.Helper()
	c, err := Load(scratch(t, config), environ)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// said returns the notices in English.
func said(c *Config) []string {
	var out []string
	for _, n := range c.Notices() {
		out = append(out, n.In(locale.EN))
		if n.In(locale.ZH) == n.In(locale.EN) {
			out = append(out, "not translated: "+n.In(locale.ZH))
		}
	}
	return out
}

func TestFindHome(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for _, p := range pairs {
				if v, ok := strings.CutPrefix(p, name+"="); ok {
					return v
				}
			}
			return ""
		}
	}
	for _, tc := range []struct {
		env  func(string) string
		want string
	}{
		{env("HERMES_HOME=/x/y", "HOME=/h"), "/x/y"},
		{env("HERMES_HOME=  /x/y/ ", "HOME=/h"), "/x/y"},
		{env("HERMES_HOME=  ", "HOME=/h"), "/h/.hermes"},
		{env("HOME=/h"), "/h/.hermes"},
	} {
		h, err := FindHome(tc.env)
		if err != nil || h.Dir() != filepath.FromSlash(tc.want) {
			t.Errorf("%v, %v; want %s", h.Dir(), err, tc.want)
		}
	}
	if h, err := FindHome(env()); err != nil && !errors.Is(err, ErrNoHome) || err == nil && !strings.HasSuffix(h.Dir(), ".hermes") {
		t.Errorf("without variables: %v, %v", h, err)
	}
}

func TestGetters(t *testing.T) {
	c := load(t, `
model: {default: deepseek-chat, context_length: 131072}
agent: {max_turns: 1:30}
display: {show_reasoning: no, streaming: "off", compact: 1, skin: 404}
approvals: {mode: off, timeout: 2.5}
paths: {home: "${MY_HOME}/x", unknown: "${NOT_SET}", both: "a${MY_HOME}b${"}
plugins:
  enabled: [calculator, 404, on, "a/b"]
  entries:
    dot.ty: {allow_tool_override: yes, hook_timeout_s: 0.25}
headers: {X-A: 1, X-B: two, X-C: [3]}
nothing: ~
`, "MY_HOME=/m")
	got := fmt.Sprintln(
		c.String("model.default"), c.Int("model.context_length"), c.Int("agent.max_turns"), c.Bool("display.show_reasoning"),
		c.Bool("display.streaming"), c.Bool("display.compact"), c.String("display.skin"), c.String("approvals.mode"), c.Duration("approvals.timeout"),
		c.String("paths.home"), c.String("paths.unknown"), c.String("paths.both"), c.Strings("plugins.enabled"),
		c.Bool("plugins.entries", "dot.ty", "allow_tool_override"), c.Duration("plugins.entries", "dot.ty", "hook_timeout_s"),
		c.Map("headers"), c.Keys("headers"), c.Has("nothing"), c.Has("model"), c.Place("agent.max_turns"), c.Place("missing"))
	want := "deepseek-chat 131072 90 false false true 404 off 2.5s" +
		" /m/x ${NOT_SET} a/mb${ [calculator 404 on a/b] true 250ms map[X-A:1 X-B:two] [X-A X-B X-C] false true config.yaml:3 config.yaml"
	if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if n := said(c); len(n) != 0 {
		t.Errorf("notices %q", n)
	}
}

func TestDefaultsAndOverrides(t *testing.T) {
	c := load(t, "")
	got := fmt.Sprintln(c.Int("agent.max_turns"), c.Bool("security.redact_secrets"), c.String("display.skin"), c.Duration("plugins.tool_timeout_s"), c.Strings("plugins.enabled"))
	if got != "90 true default 10m0s []\n" {
		t.Error(got)
	}
	env := []string{"HERMES_MAX_ITERATIONS=7", "HERMES_REDACT_SECRETS=false"}
	if c := load(t, "", env...); c.Int("agent.max_turns") != 7 || c.Bool("security.redact_secrets") {
		t.Error("the variables do not count")
	}
	if c := load(t, "agent: {max_turns: 5}\nsecurity: {redact_secrets: true}", env...); c.Int("agent.max_turns") != 5 || c.Bool("security.redact_secrets") {
		t.Error("agent.max_turns wins over its variable, HERMES_REDACT_SECRETS over its key")
	}
	if c := load(t, "max_turns: 4", env...); c.Int("agent.max_turns") != 4 {
		t.Error("the root key does not count")
	}
}

func TestWrongTypesAreSaidOnce(t *testing.T) {
	c := load(t, `
agent: {max_turns: many}
display: {streaming: perhaps, skin: [a]}
plugins:
  enabled: calculator
  disabled: {a: b}
  more: [a, [b], ~]
`)
	for range 2 {
		got := fmt.Sprintln(c.Int("agent.max_turns"), c.Bool("display.streaming"), c.String("display.skin"),
			c.Strings("plugins.enabled"), c.Strings("plugins.disabled"), c.Strings("plugins.more"))
		if got != "90 true default [calculator] [] [a]\n" {
			t.Error(got)
		}
	}
	want := []string{
		"config.yaml:2: agent.max_turns should be a number; the default is used",
		"config.yaml:3: display.streaming should be true or false; the default is used",
		"config.yaml:3: display.skin should be a single value; the default is used",
		`config.yaml:5: plugins.enabled should be a list; the one value "calculator" is taken`,
		"config.yaml:6: plugins.disabled should be a list; the default is used",
		"config.yaml:7: an entry of plugins.more is not a single value and is left out",
	}
	if got := said(c); !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestABrokenFileIsKeptAndSaid(t *testing.T) {
	home := scratch(t, "model:\n  default: [x\n")
	c, err := Load(home, nil)
	var broken *ParseError
	if !errors.As(err, &broken) || broken.Line != 2 {
		t.Fatalf("error %v", err)
	}
	if c == nil || c.String("display.skin") != "default" {
		t.Error("no defaults")
	}
	if got := read(t, broken.Backup); got != "model:\n  default: [x\n" {
		t.Errorf("copy %q", got)
	}
	if !strings.Contains(filepath.Base(broken.Backup), "config.yaml.corrupt.20") || !strings.HasSuffix(broken.Backup, ".bak") {
		t.Errorf("copy is named %s", broken.Backup)
	}
	sentence := broken.In(locale.EN)
	for _, part := range []string{"config.yaml:2: ", "Default settings are used", filepath.Base(broken.Backup)} {
		if !strings.Contains(sentence, part) {
			t.Errorf("%q is not in %q", part, sentence)
		}
	}
	if _, err := Load(home, nil); err == nil {
		t.Error("no error the second time")
	}
	if copies, _ := filepath.Glob(home.Config() + ".corrupt.*"); len(copies) != 1 {
		t.Errorf("%d copies of one state", len(copies))
	}
	for _, bad := range []string{"- a\n- list\n", "just text\n", "a: 1\n---\nb: 2\n", "a: \xff\n"} {
		if _, err := Load(scratch(t, bad), nil); !errors.As(err, &broken) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, fine := range []string{"# only a comment\n", "~\n", "{}\n", "\ufeffa: 1\n"} {
		if _, err := Load(scratch(t, fine), nil); err != nil {
			t.Errorf("%q: %v", fine, err)
		}
	}
}

func TestUnreadableFiles(t *testing.T) {
	home := scratch(t, "")
	if err := os.MkdirAll(home.Config(), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Load(home, nil)
	var unread *ReadError
	if !errors.As(err, &unread) || !strings.Contains(unread.In(locale.EN), "Cannot read "+home.Config()) {
		t.Errorf("error %v", err)
	}
}

func TestEnvFile(t *testing.T) {
	home := scratch(t, "")
	write(t, home.Env(), "\ufeffK_FIRST=1\nDEEPSEEK_API_KEY=sk-gеheim\nSHELL_VAR=file\nREF=${SHELL_VAR}+${OUTER}\nnot a line\nNAME=Zoë\n")
	c, err := Load(home, []string{"SHELL_VAR=shell", "OUTER=o", "=C:=C:\\x", "ODD"})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.Getenv("K_FIRST"), c.Getenv("SHELL_VAR"), c.Getenv("REF"), c.Getenv("NAME"), c.Getenv("DEEPSEEK_API_KEY"), c.Getenv("=C:"))
	if got != `1filefile+oZoësk-gheimC:\x` {
		t.Errorf("%q", got)
	}
	if env := c.Environ(); !slices.Contains(env, "SHELL_VAR=file") || slices.Contains(env, "SHELL_VAR=shell") {
		t.Errorf("environ %q", env)
	}
	want := []string{
		".env:5: this line is not NAME=value and is left out",
		".env: DEEPSEEK_API_KEY holds characters that no key has; they were left out",
	}
	if n := said(c); !slices.Equal(n, want) {
		t.Errorf("notices %q", n)
	}
	if Safe(home, nil).Getenv("K_FIRST") != "1" {
		t.Error("safe mode does not read .env")
	}
}

func TestReload(t *testing.T) {
	home := scratch(t, "a: 1\n")
	c, err := Load(home, []string{"X=1"})
	if err != nil {
		t.Fatal(err)
	}
	if same, err := c.Reload(); err != nil || same != c {
		t.Errorf("reloaded without a change: %v", err)
	}
	change := func(text string, at time.Time) {
		write(t, home.Config(), text)
		if err := os.Chtimes(home.Config(), at, at); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	change("a: 22\n", now.Add(time.Minute))
	c, err = c.Reload()
	if err != nil || c.Int("a") != 22 || c.Getenv("X") != "1" {
		t.Errorf("%v, a is %d", err, c.Int("a"))
	}
	change("a: [\n", now.Add(2*time.Minute))
	if c, err = c.Reload(); err == nil || c.Int("a") != 22 {
		t.Errorf("%v, a is %d; the last good file counts", err, c.Int("a"))
	}
}

func TestSetEnv(t *testing.T) {
	home := scratch(t, "")
	write(t, home.Env(), "# my comment\nK_OLD=1\n\n  export TWICE=a # c\nTWICE='b'\nLAST=x")
	for _, tc := range [][2]string{
		{"CASE_NEW_API_KEY", "sk-new-000000000000"},
		{"TWICE", "c"},
		{"SPACED", " two  words "},
		{"HASH", "a #b"},
		{"QUOTES", `it's "so"`},
		{"LINES", "one\ntwo"},
		{"SLASH", `C:\new`},
		{"EMPTY", ""},
		{"QUOTED", "'x'"},
	} {
		if err := SetEnv(home, tc[0], tc[1]); err != nil {
			t.Fatal(err)
		}
		c, err := Load(home, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := c.LookupEnv(tc[0]); got != tc[1] || !ok {
			t.Errorf("%s is %q, want %q", tc[0], got, tc[1])
		}
	}
	text := read(t, home.Env())
	if !strings.HasPrefix(text, "# my comment\nK_OLD=1\n\n  export TWICE=a # c\nTWICE=c\nLAST=x\nCASE_NEW_API_KEY=sk-new-000000000000\n") {
		t.Errorf("file:\n%s", text)
	}
	if st, err := os.Stat(home.Env()); err != nil || st.Mode().Perm() != FileMode {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	for _, bad := range [][2]string{{"PATH", "/x"}, {"LD_PRELOAD", "x"}, {"a b", "x"}, {"", "x"}, {"X", "a${B}"}} {
		if err := SetEnv(home, bad[0], bad[1]); err == nil {
			t.Errorf("%q was written", bad)
		}
	}
	if read(t, home.Env()) != text {
		t.Error("a refused write changed the file")
	}
}

func TestProjectEnv(t *testing.T) {
	dir := t.TempDir()
	if f, err := ProjectEnv(dir); err != nil || f.Path != "" || len(f.Gaps(nil)) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	write(t, filepath.Join(dir, ".env"), "DEEPSEEK_API_KEY=dk\nGROQ_API_KEY=gk\nEXAMPLE_API_KEY=your_api_key_here\nPATH=/evil\nSECRET=s\nREF_API_KEY=${HOME}\n")
	f, err := ProjectEnv(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(f.Gaps([]string{"GROQ_API_KEY=mine", "HOME=/h"})); got != "map[DEEPSEEK_API_KEY:dk]" || f.Tracked {
		t.Errorf("%s %+v", got, f)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	home, err := At(dir)
	if err != nil {
		b.Fatal(err)
	}
	text := "model: {provider: deepseek, default: deepseek-chat}\nplugins:\n  enabled:\n"
	for i := range 50 {
		text += fmt.Sprintf("    - plugin%02d\n", i)
	}
	text += strings.Repeat("# a comment that explains a setting\ndisplay:\n  skin: default\n  streaming: true\n", 1)
	for i := range 100 {
		text += fmt.Sprintf("section%02d:\n  key: value # why\n  list: [a, b, c]\n", i)
	}
	if err := os.WriteFile(home.Config(), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(home.Env(), []byte("DEEPSEEK_API_KEY=sk-test\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	environ := os.Environ()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		c, err := Load(home, environ)
		if err != nil {
			b.Fatal(err)
		}
		ResolveModel(c, nil, ModelFlags{})
	}
}
