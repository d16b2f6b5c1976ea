package themes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBuiltinsAreReadableEverywhere(t *testing.T) {
	backgrounds := []Color{{Set: true}, {R: 255, G: 255, B: 255, Set: true}, {R: 128, G: 128, B: 128, Set: true}, DarkBackground(), {R: 0xfd, G: 0xf6, B: 0xe3, Set: true}, {R: 0x28, G: 0x2a, B: 0x36, Set: true}}
	for _, name := range Names() {
		th, ok := Builtin(name)
		if !ok {
			t.Fatalf("no theme %q", name)
		}
		for _, bg := range backgrounds {
			p := th.On(bg)
			for i, c := range p.text() {
				if !c.Set {
					t.Errorf("%s: colour %d is not a colour", name, i)
				}
				if got := Contrast(*c, bg); got < TextContrast {
					t.Errorf("%s: colour %d (%v) on %v has contrast %.2f, want %.1f", name, i, c, bg, got, TextContrast)
				}
			}
			if got := Contrast(p.Border, bg); got < ShapeContrast {
				t.Errorf("%s: border on %v has contrast %.2f", name, bg, got)
			}
		}
	}
}

func TestReferenceNamesExist(t *testing.T) {
	for _, name := range []string{"default", "ares", "mono", "slate", "daylight", "warm-lightmode", "poseidon", "sisyphus", "charizard"} {
		if _, ok := Builtin(name); !ok {
			t.Errorf("no theme %q", name)
		}
	}
}

func TestSkinFileOfTheReference(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	skin := "name: mine\ncolors:\n  banner_title: '#FFD700'\n  ui_ok: '#4caf50'\nbranding:\n  agent_name: My Agent\n  prompt_symbol: '>>'\nspinner:\n  thinking_verbs: [pondering, musing]\ntool_emojis:\n  terminal: T\n"
	if err := os.WriteFile(path, []byte(skin), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "mine" || got.Branding.AgentName != "My Agent" || got.Branding.PromptSymbol != ">>" {
		t.Errorf("branding: %+v", got.Branding)
	}
	if got.Dark.Title.String() != "#ffd700" || got.Dark.OK.String() != "#4caf50" || got.Dark.Error != Default().Dark.Error {
		t.Errorf("colours: %+v", got.Dark)
	}
	if strings.Join(got.ThinkingVerbs, " ") != "pondering musing" || got.ToolEmojis["terminal"] != "T" {
		t.Errorf("words: %v %v", got.ThinkingVerbs, got.ToolEmojis)
	}
}

func TestBadSkinNamesTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"colors:\n  ui_ok: green\n":    "line 2: colors.ui_ok",
		"colors:\n  ui_ok: '#12345'\n": "line 2: colors.ui_ok",
		"- a\n- b\n":                   "line 1: a skin is a mapping",
		"name: x\n  bad: [\n":          "line",
		"colors:\n\n  ui_warn: '#gg0'": "line 3: colors.ui_warn",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("name: x\ncolors: {ui_ok: '#fff'}\n"))
	f.Add([]byte("a: &a [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if th, err := Parse(data); err == nil && th == nil {
			t.Fatal("neither theme nor error")
		}
	})
}
