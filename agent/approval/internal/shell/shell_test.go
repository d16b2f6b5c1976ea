package shell

import (
	"strings"
	"testing"
)

// show writes the commands of a script one a line: what starts them in
// brackets, then their words.
func show(t *testing.T, command string) string {
	t.Helper()
	s, err := Parse(command)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, c := range s.Commands {
		line := ""
		if len(c.Wraps) > 0 {
			line = "[" + strings.Join(c.Wraps, " ") + "] "
		}
		for i, w := range c.Words {
			if i > 0 {
				line += " "
			}
			line += strings.ReplaceAll(w.Text, Unknown, "?")
		}
		for _, r := range c.Redirects {
			if r.Write {
				line += " >" + r.Target.Text
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func TestCommands(t *testing.T) {
	for command, want := range map[string]string{
		`a 'b c' "d $x" e\ f`:                  "a b c d $x e f",
		`a=rm; $a -r "$b"`:                     "rm -r $b",
		`x='a b'; $x "$x"`:                     "a b a b",
		`$(echo rm) $'\x2d\x66' ${y:-z}`:       "echo rm\nrm -f z",
		`{a,b} c{d,e}`:                         "a b cd ce",
		`if a; then b; else c; fi; (d) && e`:   "a\nb\nc\nd\ne",
		`for f in a b; do rm $f; done`:         "rm a\nrm b",
		`while read l; do x "$l"; done`:        "read l\nx $l",
		`sudo -u root nice -n 5 timeout 3 rm`:  "[sudo nice timeout] rm",
		`env A=1 B=2 -- x`:                     "[env] -- x",
		`env -S 'a b' c`:                       "a b c\n[env] c",
		`bash -lc 'a; b'`:                      "bash -lc a; b\na\nb",
		`sh -c "sh -c 'a'"`:                    "sh -c sh -c 'a'\nsh -c a\na",
		"sh <<E\na $x\nE":                      "sh\na $x",
		`echo "a b" | sh`:                      "echo a b\nsh\na b",
		`eval "a b"`:                           "eval a b\na b",
		`find . -exec sh -c 'a {}' \; -exec b`: "find . -exec sh -c a {} ; -exec b\n[find] sh -c a {}\na {}\n[find] b",
		`ls | xargs -n1 -I{} rm -f {}`:         "ls\n[xargs] rm -f {}",
		`awk '{system("a b")}'`:                "awk {system(\"a b\")}\na b",
		`a <(b) >(c)`:                          "b\nc\na ? ?",
		`docker -H h exec -it x sh -c a`:       "[docker] sh -c a\na",
		`docker build -t x .`:                  "docker build -t x .",
		`kubectl -n x exec pod -- a b`:         "[kubectl] a b",
		`uv run --with x pytest -q`:            "[uv] pytest -q",
		`ssh -p 22 host 'a b'`:                 "a b\n[ssh] a b",
		`f() { a; }; f`:                        "a\nf",
		`trap 'a' EXIT`:                        "trap a EXIT\na",
		`{ a; } >x 2>&1 >>"$HOME/y"`:           " >x >~/y\na",
		`a &>x <y`:                             "a >x",
		`[[ $(a) ]] && (( $(b) ))`:             "a\nb",
		`export X=$(a)`:                        "a",
		`command -v a`:                         "command -v a",
		`a ) b`:                                ErrSyntax.Error(),
		"":                                     "",
		strings.Repeat("(", 3000):              ErrSyntax.Error(),
	} {
		if got := show(t, command); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", command, got, want)
		}
	}
}

func TestFolderAndUpstream(t *testing.T) {
	s, err := Parse("cd /a; x; (cd b; y); z; cd $v; w; curl u | tee f | sh")
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{}
	for _, c := range s.Commands {
		dirs[c.Name()] = c.Dir
	}
	for name, want := range map[string]string{"x": "/a", "y": "/a/b", "z": "/a", "w": Unknown} {
		if dirs[name] != want {
			t.Errorf("%s in %q, want %q", name, dirs[name], want)
		}
	}
	last := s.Commands[len(s.Commands)-1]
	if len(last.Upstream) != 2 || last.Upstream[0].Name() != "curl" || last.Pipeline != "curl u | tee f | sh" {
		t.Errorf("%+v", last)
	}
}

func TestInert(t *testing.T) {
	for command, want := range map[string]string{
		`echo "a b" c`:                             `echo "___" _`,
		`echo "a b" | sh`:                          `echo "a b" | sh`,
		`echo "a b" | grep x | wc -l`:              `echo "___" | grep _ | wc -l`,
		`echo "a b" > f`:                           `echo "a b" > f`,
		`echo "a $(b c)"`:                          `echo "__$(b c)"`,
		`grep 'a b' f # c`:                         `grep _____ _ ___`,
		`git commit -m 'a b' && c`:                 `git commit __ _____ && c`,
		"git commit -m \"$(cat <<'E'\na b\nE\n)\"": "git commit __ \"$(cat <<'E'\n_____\n)\"",
		`echo() { sh; }; echo a`:                   `echo() { sh; }; echo a`,
		`x=$(echo a)`:                              `x=$(echo a)`,
		`bash -c "echo a"`:                         `bash -c "echo a"`,
	} {
		s, err := Parse(command)
		if err != nil {
			t.Fatal(err)
		}
		b := []byte(command)
		for _, sp := range s.Inert {
			for i := sp.From; i < sp.To; i++ {
				b[i] = '_'
			}
		}
		if string(b) != want {
			t.Errorf("%s: %s, want %s", command, b, want)
		}
	}
}
