package terminal

import "testing"

func TestBackgroundOnly(t *testing.T) {
	for command, want := range map[string]string{
		"nohup sleep 1": refuseWrapper, "setsid true": refuseWrapper, "sleep 1 & disown": refuseWrapper,
		"cd x && nohup ./run > log 2>&1 &": refuseWrapper,
		"nohup --help":                     "", "echo nohup": "", "git commit -m 'use nohup'": "", "setsid -w true": "",
		"sleep 1 &": refuseAmp, "a & b": refuseAmp, "true&": refuseAmp, "(sleep 1 &)": refuseAmp, "x=$(a & b)": refuseAmp,
		"echo 'a & b'": "", "echo a && echo b": "", "echo a 2>&1": "", "echo a &> /dev/null": "", "ls |& cat": "",
		"echo $((1 & 2))": "", "echo hi # & x": "", "cat <<E\na & b\nE": "", "curl 'http://a/?b=1&c=2'": "", "f() { a & }": "",
		"npm start": refuseServer, "npm run dev": refuseServer, "cd x && npm run dev": refuseServer, "yarn dev": refuseServer,
		"pnpm dev": refuseServer, "bun run dev": refuseServer, "npm run watch": refuseServer, "npx vite": refuseServer,
		"vite": refuseServer, "vite --port 3": refuseServer, "next dev": refuseServer, "nodemon x.js": refuseServer, "uvicorn a:b": refuseServer,
		"A=1 gunicorn a:b": refuseServer, "env A=1 gunicorn a:b": refuseServer, "python3 -m http.server 80": refuseServer,
		"docker compose up": refuseServer, "docker compose -f x up": refuseServer, "docker-compose up": refuseServer,
		"npm run build": "", "npm test": "", "vite build": "", "next build": "", "vite --version": "", "npm run dev --help": "",
		"echo 'npm run dev'": "", "docker compose up -d": "", "docker ps": "", "timeout 5 npm run dev": "", "python -m pytest": "",
		"": "", "echo 'unclosed": "", "tail -f x": "",
	} {
		if got := backgroundOnly(command); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestMeaning(t *testing.T) {
	for _, tc := range []struct {
		command string
		code    int
		want    string
	}{
		{"rg x", 1, "No matches found (not an error)"},
		{"cat y | /usr/bin/grep x", 1, "No matches found (not an error)"},
		{"cd a && LC_ALL=C diff b c", 1, "Files differ (expected, not an error)"},
		{"find /", 1, "Some directories were inaccessible (partial results may still be valid)"},
		{"[ -f x ]", 1, "Condition evaluated to false (expected, not an error)"},
		{"git diff --exit-code", 1, "Non-zero exit (often normal — e.g. 'git diff' returns 1 when files differ)"},
		{"curl x", 22, "HTTP response code indicated error (e.g. 404, 500)"},
		{"grep x", 2, ""},
		{"git x", 128, ""},
		{"grep x", 0, ""},
		{"make; echo $(grep x)", 1, ""},
		{"'", 1, ""},
	} {
		if got := meaning(tc.command, tc.code); got != tc.want {
			t.Errorf("%s %d: %q", tc.command, tc.code, got)
		}
	}
}

func FuzzRefusals(f *testing.F) {
	f.Add("a & b | c $(d) <<E\nE\n")
	f.Fuzz(func(_ *testing.T, s string) {
		_ = backgroundOnly(s)
		_ = meaning(s, 1)
	})
}
