package dotenv

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var samples = []string{
	"A=1\n", "A = 1\n", "export A=1\n", "export  A = 'x y'\n", "exportA=1\n", "A=1 # c\n", "A=1#c\n", "A='#' # c\n", "A=\"a # b\"\n",
	"A=\n", "A\n", "A=''\n", "A=\"\"\n", "# c\nA=1\n", "\n\n  A=1\nB=2", "A=1\r\nB=2\r\n", "A=1\rB=2\r",
	"A='it\\'s'\n", "A=\"say \\\"x\\\"\"\n", "A='a\\nb'\n", "A=\"a\\nb\\t\\x\\\\\"\n", "A=a\\nb\n", "A='C:\\'\n", "A='open\nB=1\n",
	"A=\"two\nlines\"\nB=1\n", "A=\"two\r\nlines\"\r\n", "A=x y  \n", "A='x' y\nB=1\n", "'A B'=1\n", "'A=1\n", "A B=1\nC=2\n", "=1\nA=2\n",
	"A=1\nB=${A}2\n", "B=${A}\nA=1\n", "A='${OUTER}'\n", "A=${OUTER}\n", "A=${NOPE}\n", "A=${NOPE:-d e}\n", "A=${OUTER:-d}\n", "A=${NOPE:-}\n", "A=${NOPE:x}\n",
	"A=$OUTER\n", "A=${OUTER\n", "A=${${OUTER}}\n", "A=${}\n", "OUTER\nA=${OUTER}\n", "A=1\nA=2\nB=${A}\n", "A=a=b=c\n", "A=sk-abc#def\n", "A=\t1\n",
	"A = # c\n", "A=#c\n", "A= #c\n", "  # indented\nA=1\n", "A='x'# c\n", "A.B-C=1\n", "A:1\n", "A=ключ 日本\n", "{\"a\": 1}\n", "A='1''2'\n", "A=`x`\n", "\u00a0A=1\n",
	"A=\"\\u0041\"\n", "A='\\\\'\n", "A=\"\\\\\"\n", "a: b\n", "export=1\n", "export\tA=1\n", "export \n", "A=1 export B=2\n",
}

// oracle prints what python-dotenv makes of each sample, in order.
const oracle = `
import json, os, sys, tempfile
from dotenv.main import DotEnv
os.environ["OUTER"] = "outer"
os.environ.pop("NOPE", None)
out = []
for text in json.load(sys.stdin):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".env", delete=False) as f:
        f.write(text)
    d = DotEnv(f.name, encoding="utf-8", override=True).dict()
    os.unlink(f.name)
    out.append([[k, v] for k, v in d.items() if v is not None])
json.dump(out, sys.stdout)
`

func read(text string) [][2]string {
	lookup := func(name string) (string, bool) { return "outer", name == "OUTER" }
	out := [][2]string{}
	for _, v := range Expand(Parse(text), lookup) {
		out = append(out, [2]string{v.Name, v.Value})
	}
	return out
}

// TestAgainstPythonDotenv compares with the answers of python-dotenv 1.2.2, the
// version that the reference pins, asked again where that is installed.
func TestAgainstPythonDotenv(t *testing.T) {
	recorded := filepath.Join("testdata", "python-dotenv.json")
	var want map[string][][2]string
	if live := askPython(t, samples); live != nil {
		want = live
		if os.Getenv("UPDATE_RECORDED") != "" {
			raw, _ := json.MarshalIndent(live, "", " ")
			if err := os.WriteFile(recorded, append(raw, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	} else {
		raw, err := os.ReadFile(recorded)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range samples {
		w, ok := want[s]
		if !ok {
			t.Errorf("%q: no recorded answer", s)
			continue
		}
		got, _ := json.Marshal(read(s))
		wanted, _ := json.Marshal(w)
		if string(got) != string(wanted) {
			t.Errorf("%q: %s, python-dotenv %s", s, got, wanted)
		}
	}
}

func askPython(t *testing.T, texts []string) map[string][][2]string {
	t.Helper()
	const python = "python3"
	version, err := exec.Command(python, "-c", "from importlib.metadata import version as v; print(v('python-dotenv'))").Output()
	if err != nil || strings.TrimSpace(string(version)) != "1.2.2" {
		return nil
	}
	in, _ := json.Marshal(texts)
	cmd := exec.Command(python, "-c", oracle)
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("asking python-dotenv: %v", err)
	}
	var live [][][2]string
	if err := json.Unmarshal(out, &live); err != nil {
		t.Fatal(err)
	}
	answers := map[string][][2]string{}
	for i, s := range texts {
		answers[s] = live[i]
	}
	return answers
}

func TestDecode(t *testing.T) {
	if text, latin := Decode([]byte("\ufeffK_FIRST=1\nK_SECOND=2\n")); latin || len(read(text)) != 2 {
		t.Errorf("byte order mark: %q", text)
	}
	if text, latin := Decode([]byte("A=caf\xe9\n")); !latin || read(text)[0][1] != "café" {
		t.Errorf("Latin-1: %q", text)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range samples {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, line := 0, 0
		for _, b := range Parse(text) {
			if b.Start != at || b.End <= b.Start || b.Line < line {
				t.Fatalf("%+v after byte %d, line %d", b, at, line)
			}
			at, line = b.End, b.Line
		}
		if at != len(text) {
			t.Fatalf("%d of %d bytes read", at, len(text))
		}
		read(text)
	})
}
