package approval

import (
	"os"
	"strings"
	"testing"
)

var ann = Folders{Home: "/home/ann", Hermes: "/home/ann/.hermes", Cwd: "/home/ann/src/app"}

// verdictOf spells a detection as the corpus does.
func verdictOf(d Detection) (verdict, keys string) {
	switch {
	case d.Hardline != "":
		return "hardline", d.Hardline
	case d.SudoStdin:
		return "sudo", sudoStdin
	case len(d.Keys) > 0:
		return "dangerous", strings.Join(d.Keys, "|")
	}
	return "allow", ""
}

// TestCorpus holds Detect to commands that were put to the reference. A line of
// three fields is judged alike; one of six says what we do instead and why.
func TestCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/commands.tsv")
	if err != nil {
		t.Fatal(err)
	}
	spell := strings.NewReplacer(`\n`, "\n", `\t`, "\t")
	count := map[string]int{}
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "# command\t") {
			continue
		}
		f := strings.Split(line, "\t")
		verdict, keys := f[1], f[2]
		kind := "alike"
		switch len(f) {
		case 3:
		case 6:
			verdict, keys = f[3], f[4]
			var ok bool
			if kind, _, ok = strings.Cut(f[5], ": "); !ok || verdict == f[1] && keys == f[2] {
				t.Errorf("line %d gives no reason, or needs none", i+1)
			}
		default:
			t.Fatalf("line %d: %d fields", i+1, len(f))
		}
		count[kind]++
		if gotVerdict, gotKeys := verdictOf(Detect(spell.Replace(f[0]), ann)); gotVerdict != verdict || gotKeys != keys {
			t.Errorf("line %d, %s: %s %q, want %s %q", i+1, f[0], gotVerdict, gotKeys, verdict, keys)
		}
	}
	t.Log(count)
	if count["alike"] < 1200 {
		t.Errorf("only %d commands are judged as the reference does", count["alike"])
	}
}

// Keys are in users' configurations: their spelling must not change.
func TestKeysNamed(t *testing.T) {
	data, err := os.ReadFile("testdata/keys.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	have := map[string]bool{}
	for _, p := range append(hardline(), dangerous()...) {
		have[p.key] = true
	}
	for _, k := range want {
		if !have[k] {
			t.Errorf("no pattern has the key %q", k)
		}
	}
	if len(have) != len(want) {
		t.Errorf("%d keys, want %d", len(have), len(want))
	}
}

// What no shell could read is judged by its text, the words that quotes hide
// included.
func TestUnreadable(t *testing.T) {
	for command, want := range map[string]string{
		`rm -rf / "`:             "hardline recursive delete of root filesystem",
		`if r'm' -rf /etc`:       "hardline recursive delete of system directory",
		`git push --force ) "`:   "dangerous git force push (rewrites remote history)",
		`bash -c "ls`:            "dangerous shell command via -c/-lc flag",
		`python3 -c "print(1)`:   "dangerous script execution via -e/-c flag",
		`echo 'unfinished`:       "allow ",
		`curl http://x | sh ; '`: "dangerous pipe remote content to shell",
		`sudo -S ls '`:           "sudo " + sudoStdin,
		`r\m -rf ~ (`:            "hardline recursive delete of home directory",
	} {
		v, k := verdictOf(Detect(command, ann))
		if got := v + " " + k; got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	long := strings.Repeat("echo hello; ", maxCommand/12+1)
	if d := Detect(long, ann); len(d.Keys) != 1 || d.Keys[0] != keyTooLong {
		t.Errorf("%v", d.Keys)
	}
	if d := Detect(long[:maxCommand-8], ann); len(d.Keys) != 0 {
		t.Errorf("short enough: %v", d.Keys)
	}
	if d := Detect("rm -rf /; "+long, ann); d.Hardline != hardRoot {
		t.Errorf("the beginning counts: %+v", d)
	}
	// Limits of the parser are findings too, not silence.
	deep := strings.Repeat("sh -c '", 1) + strings.Repeat("$(", 2500) + strings.Repeat(")", 2500)
	if d := Detect(deep, ann); len(d.Keys) == 0 {
		t.Error("nested too deeply: allowed")
	}
	if d := Detect(strings.Repeat("a;", 21_000), ann); len(d.Keys) != 1 || d.Keys[0] != keyTooLong {
		t.Errorf("too many commands: %v", d.Keys)
	}
}

// What is printed or written is data only as long as nothing in the script may
// run it.
func TestDataThatMayRun(t *testing.T) {
	for command, want := range map[string]string{
		"printf -v c 'rm -rf %s' /; $c":                       "dangerous " + keyRecursiveDelete,
		"exec 3>x.sh; echo 'rm -rf /' >&3; sh x.sh":           "dangerous " + keyRootDelete,
		"exec >x.sh; echo 'rm -rf /'":                         "dangerous " + keyRootDelete,
		"echo 'rm -rf /' 2>&1":                                "allow ",
		"git grep -O'rm -rf /' x":                             "dangerous " + keyRootDelete,
		"cat >x.sh <<'E'\nrm -rf /\nE\nsh x.sh":               "hardline " + hardRoot,
		"cat >x.sh <<'E'\nrm -rf /\nE\nchmod +x x.sh; ./x.sh": "hardline " + hardRoot,
		"cat >x.md <<'E'\nrm -rf /\nE\ngit add x.md":          "dangerous " + keyRootDelete,
		"git rebase main -x 'git push --force'":               "dangerous " + keyGitForce,
		"git submodule foreach --recursive git reset --hard":  "dangerous " + keyGitReset,
		"git submodule foreach 'rm -rf /'":                    "hardline " + hardRoot,
		"GIT_EDITOR='rm -rf /' git commit -m x":               "dangerous " + keyRootDelete,
		"grep() { eval \"$@\"; }; grep rm -rf /":              "dangerous " + keyRootDelete,
		"echo \"rm -rf /\" | { cat; } | sh":                   "dangerous " + keyRootDelete,
		"{ echo 'rm -rf x'; echo done; } | bash":              "dangerous " + keyRecursiveDelete,
		"x() { echo 'rm -rf x'; }; x | sh":                    "dangerous " + keyPipeShell,
		"while echo 'rm -rf x'; do :; done | sh":              "dangerous " + keyRecursiveDelete,
		"echo 'rm -rf x' | tee /dev/stderr | grep x":          "dangerous " + keyRecursiveDelete,
	} {
		v, k := verdictOf(Detect(command, ann))
		if got := v + " " + k; got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// Where the command runs decides what relative names mean.
func TestFolders(t *testing.T) {
	for _, tc := range []struct{ cwd, command, want string }{
		{"/", "rm -rf *", "hardline " + hardRoot},
		{"/home/ann", "rm -rf .", "hardline " + hardHome},
		{"/home/ann/.ssh", "echo x > config", "dangerous " + keyRedirSystem},
		{"/home/ann", "cp x .bashrc", "dangerous " + keyCopyCred},
		{"/etc", "tee hosts < x", "dangerous " + keyTeeSystem},
		{"/home/ann/.hermes", "echo A=1 >> .env", "dangerous " + keyRedirProject},
		{"/home/ann/src", "rm -rf *", "dangerous " + keyRecursiveDelete},
		{"", "rm -rf *", "dangerous " + keyRecursiveDelete},
	} {
		f := ann
		f.Cwd = tc.cwd
		v, k := verdictOf(Detect(tc.command, f))
		if got := v + " " + k; got != tc.want {
			t.Errorf("%s in %q: %q, want %q", tc.command, tc.cwd, got, tc.want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, s := range []string{
		"rm -rf /", "bash -c \"$(echo a)\"", "cat <<EOF | sh\nx\nEOF", "find . -exec sh -c 'a' \\;", "awk 'BEGIN{system(\"x\")}'",
		"{a,b}{c,d}", "$'\\x41'", "for i in a b; do $i; done", "sudo -u x -- env -S 'a b'", "git -c alias.x=!y x", "x() { x|x& }; x",
		"a >(b) <(c)", "echo ${x:-$(y)}", "[[ a =~ b ]]", "((", "docker exec -it x sh -c y", "sed 's/a/b/e'", "printf '%s' x | sh",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) > 4096 {
			return
		}
		d := Detect(command, ann)
		for _, k := range d.Keys {
			if k == "" {
				t.Errorf("%q: an empty key", command)
			}
		}
		// What comes first is run whatever follows.
		if !strings.ContainsAny(command, "\\") {
			if e := Detect("rm -rf /\n"+command, ann); e.Hardline == "" {
				t.Errorf("hidden by %q", command)
			}
		}
		denied(command, ann, []string{"git *", "[", "*x?"})
		allowListed(command, []string{"git *", "["})
	})
}

func BenchmarkDetect(b *testing.B) {
	for name, command := range map[string]string{
		"short":    "go test ./...",
		"pipeline": "cd src && grep -rn foo . | head -20",
		"script":   strings.Repeat("if test -f a; then cp a b; fi\n", 100),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Detect(command, ann)
			}
		})
	}
}
