package secret

import (
	"os"
	"strings"
	"testing"
)

// TestCorpus holds the three passes to texts whose masks the reference gave.
// A line that differs from it says why.
func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/redact.tsv")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRedactor(nil)
	passes := map[string]func(string) string{"plain": r.Redact, "file": r.RedactFile, "strict": r.RedactStrict}
	lines := strings.NewReplacer(`\n`, "\n")
	equal, other := 0, 0
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := append(strings.Split(line, "\t"), "")
		if passes[f[0]] == nil || len(f) < 5 {
			t.Fatalf("line %d: %q", i+1, line)
		}
		want, reference, why := f[2], f[3], f[4]
		if got := passes[f[0]](lines.Replace(f[1])); got != lines.Replace(want) {
			t.Errorf("%s of %q: %q, want %q", f[0], f[1], got, want)
		}
		if equal++; want != reference {
			equal, other = equal-1, other+1
			if why == "" {
				t.Errorf("line %d differs from the reference without a reason", i+1)
			}
		}
	}
	t.Logf("%d as the reference, %d for a reason", equal, other)
	if equal < 400 {
		t.Errorf("only %d lines are as the reference", equal)
	}
}

func TestFile(t *testing.T) {
	r := NewRedactor([]string{"MY_TOKEN=abcdefgh12345678"})
	for in, want := range map[string]string{
		"k = sk-proj-Q7w8E9r0T1y2U3i4O5p6\n":   "k = «redacted:sk-…»\n",
		"PASSWORD=hunter2hunter2":              "PASSWORD=hunter2hunter2",
		"x abcdefgh12345678 y":                 "x «redacted:…» y",
		"Bearer: see «redacted:sk-…» for more": "Bearer: see «redacted:sk-…» for more",
	} {
		if got := r.RedactFile(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestOutput(t *testing.T) {
	r := NewRedactor(nil)
	const line = "LDAP_PASSWORD=hunter2hunter2\nPATH=/usr/bin\n"
	if got := r.RedactOutput(line, "env | sort"); got != "LDAP_PASSWORD=***\nPATH=/usr/bin\n" {
		t.Errorf("env: %q", got)
	}
	if got := r.RedactOutput(line, "cat notes"); got != line {
		t.Errorf("cat: %q", got)
	}
	if got := r.RedactStrict(r.RedactStrict(line)); got != r.RedactStrict(line) {
		t.Errorf("a second pass changes more: %q", got)
	}
}

func TestIsEnvDump(t *testing.T) {
	for command, want := range map[string]bool{
		"env": true, "printenv PATH": true, "set": true, "export -p": true, "declare -x": true, "env | grep X": true,
		"cat x; env": true, "ls && printenv": true, "set -euo pipefail; ls": true, "env FOO=1 ls": true,
		// The reference overlooks these.
		"sudo env": true, "/usr/bin/env": true, "FOO=1 env": true, "(env)": true, "echo $(env)": true, "bash -c env": true,
		"docker exec x env": true, "cat .env": true, "cat /proc/self/environ": true, "time env": true,
		"": false, "ls": false, "echo env": false, "envsubst < a": false, "git status": false, "which env": false, "ls environment": false,
	} {
		if got := IsEnvDump(command); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}

func FuzzStrict(f *testing.F) {
	r := NewRedactor([]string{"A_KEY=topsecretvalue123"})
	for _, s := range []string{"A_KEY=topsecretvalue123", `{"a_key": "x"}`, "password: 'x", "a=1&token=2", "-----BEGIN PRIVATE KEY-----", "token=\"", "+14155552671"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, pass := range []func(string) string{r.Redact, r.RedactFile, r.RedactStrict} {
			if got := pass(s); strings.Contains(got, "topsecretvalue123") {
				t.Errorf("%q keeps the secret: %q", s, got)
			}
		}
	})
}
