package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"go.uber.org/goleak"

	"hermes/assets"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestUnpack(t *testing.T) {
	fsys := fstest.MapFS{"pyhost/a.py": {Data: []byte("a = 1\n")}, "pyhost/deep/b.py": {Data: []byte("b = 2\n")}}
	cache := filepath.Join(t.TempDir(), "cache")
	root, err := Unpack(fsys, cache)
	if err != nil || filepath.Dir(root) != cache {
		t.Fatalf("Unpack = %s, %v", root, err)
	}
	path := filepath.Join(root, "pyhost", "deep", "b.py")
	if data, err := os.ReadFile(path); err != nil || string(data) != "b = 2\n" {
		t.Fatalf("b.py = %q, %v", data, err)
	}
	again, err := Unpack(fsys, cache)
	if err != nil || again != root {
		t.Fatalf("second Unpack = %s, %v", again, err)
	}
	// Byte code that Python leaves beside the files does not matter.
	if err := os.WriteFile(filepath.Join(root, "pyhost", "a.pyc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// Files that somebody changed are not run.
	if err := os.WriteFile(path, []byte("import evil\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if root, err = Unpack(fsys, cache); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile(path); string(data) != "b = 2\n" {
		t.Errorf("a changed file was kept: %q", data)
	}
	fsys["pyhost/a.py"] = &fstest.MapFile{Data: []byte("a = 2\n")}
	other, err := Unpack(fsys, cache)
	if err != nil || other == root {
		t.Errorf("other files went to %s, %v", other, err)
	}
	left, _ := filepath.Glob(filepath.Join(cache, "*"))
	if len(left) != 2 {
		t.Errorf("left in the cache: %v", left)
	}
}

func TestUnpackWhereTheHomeCannotBeWritten(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := Unpack(fstest.MapFS{"a.py": {Data: []byte("1")}}, filepath.Join(blocked, "cache"))
	if err != nil || !strings.HasPrefix(root, os.TempDir()) {
		t.Errorf("Unpack = %s, %v", root, err)
	}
}

func TestSweep(t *testing.T) {
	cache := t.TempDir()
	old := time.Now().Add(-31 * 24 * time.Hour)
	yesterday := time.Now().Add(-25 * time.Hour)
	for name, at := range map[string]time.Time{
		"pyhost-used": old, "pyhost-old": old, "pyhost-recent": yesterday, "pyhost-used-123": yesterday,
		"results-1-2": yesterday, "results-3-4": time.Now(), "models": old,
	} {
		path := filepath.Join(cache, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(cache, filepath.Join(cache, "pyhost-used"))
	left, _ := filepath.Glob(filepath.Join(cache, "*"))
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if want := []string{"models", "pyhost-recent", "pyhost-used", "results-3-4"}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}

// fakePython writes a script of that name that reports itself and says no.
func fakePython(t *testing.T, dir, name string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho refused by "+name+" >&2\nexit 127\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func search(home string, env map[string]string) Search {
	return Search{Home: home, Cache: filepath.Join(home, "cache"), Getenv: func(name string) string { return env[name] }}
}

func commands(list []candidate) []string {
	var out []string
	for _, c := range list {
		out = append(out, strings.Join(c.command, " "))
	}
	return slices.Compact(out)
}

func TestSearchOrder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts are not executable files there")
	}
	home, bin, venv := t.TempDir(), t.TempDir(), t.TempDir()
	managed := fakePython(t, filepath.Join(home, "venv", "bin"), "python3")
	active := fakePython(t, filepath.Join(venv, "bin"), "python3")
	reference := fakePython(t, t.TempDir(), "python3")
	script := filepath.Join(bin, "hermes")
	if err := os.WriteFile(script, []byte("#!"+reference+"\nfrom hermes_cli.main import main\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var onPath []string
	for _, name := range []string{"python3.13", "python3.12", "python3.11", "python3", "python3.14", "python3.10", "python3.9"} {
		onPath = append(onPath, fakePython(t, bin, name))
	}
	env := map[string]string{"PATH": "relative:" + bin, "VIRTUAL_ENV": venv}
	want := append([]string{managed, reference}, onPath...)
	want = append(want, filepath.Join(bin, "python3"))
	if got := commands(search(home, env).candidates()); !slices.Equal(got, want) {
		t.Errorf("candidates = %q\nwant %q", got, want)
	}
	// An active environment counts once it holds plugins.
	site := filepath.Join(venv, "lib", "python3.12", "site-packages", "x-1.dist-info")
	if err := os.MkdirAll(site, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(site, "entry_points.txt"), []byte("[hermes_agent.plugins]\nx = x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := commands(search(home, env).candidates()); got[2] != active {
		t.Errorf("candidates = %q, want %s third", got, active)
	}
	env["HERMES_PYTHON"] = "python3.10"
	if got := search(home, env).candidates(); len(got) != 1 || got[0].command[0] != filepath.Join(bin, "python3.10") || !got[0].only {
		t.Errorf("with HERMES_PYTHON: %+v", got)
	}
	s := search(home, env)
	s.Setting = "/opt/python"
	if got := s.candidates(); len(got) != 1 || got[0].command[0] != "/opt/python" {
		t.Errorf("with plugins.python: %+v", got)
	}
}

func TestReferencePythonIgnoresOtherPrograms(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"\x7fELF\x00", "#!/bin/sh\nexec hermes_cli\n", "#!/usr/bin/env python3\nfrom hermes_cli", ""} {
		path := filepath.Join(dir, "hermes")
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := scriptPython(path); got != "" {
			t.Errorf("scriptPython(%q) = %q", text, got)
		}
	}
}

// realPython is an interpreter of this machine.
func realPython(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3.11", "python3"} {
		out, err := exec.Command(name, "-I", "-c", "import sys; print(sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no Python on PATH")
	}
	t.Skip("no Python on PATH")
	return ""
}

func spec(t *testing.T, cache string) Spec {
	t.Helper()
	root, err := Unpack(assets.FS, cache)
	if err != nil {
		t.Fatal(err)
	}
	return Spec{Root: root, Env: os.Environ(), Dir: t.TempDir(), Cache: cache}
}

func TestStartAnySkipsWhatDoesNotWorkAndRemembers(t *testing.T) {
	real := realPython(t)
	home, bin := t.TempDir(), t.TempDir()
	fakePython(t, bin, "python3.13")
	link := filepath.Join(bin, "python3.11")
	if err := os.WriteFile(link, []byte("#!/bin/sh\nexec "+real+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := search(home, map[string]string{"PATH": bin})
	ctx := context.Background()
	p, err := StartAny(ctx, s, spec(t, s.Cache))
	if err != nil {
		t.Fatal(err)
	}
	p.Close(ctx)
	if p.Hello.Executable != real {
		t.Errorf("started %s, want %s", p.Hello.Executable, real)
	}
	if got := remembered(s.Cache, s.inputs()); got == nil || got.Exe != real {
		t.Errorf("remembered %+v", got)
	}
	// Another PATH asks for another search.
	if got := remembered(s.Cache, search(home, map[string]string{"PATH": "/other"}).inputs()); got != nil {
		t.Errorf("remembered %+v for another PATH", got)
	}
}

func TestStartAnySaysWhatItTried(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	fakePython(t, bin, "python3")
	s := search(home, map[string]string{"PATH": bin})
	_, err := StartAny(context.Background(), s, spec(t, s.Cache))
	nf, ok := IsNotFound(err)
	if !ok || len(nf.Tried) == 0 || !strings.Contains(nf.Tried[0].Why, "refused by python3") {
		t.Fatalf("err = %v, %+v", err, nf)
	}
	s.Setting = filepath.Join(bin, "gone")
	_, err = StartAny(context.Background(), s, spec(t, s.Cache))
	if nf, ok := IsNotFound(err); !ok || nf.Asked != s.Setting || !strings.Contains(err.Error(), "gone") {
		t.Fatalf("err = %v", err)
	}
}

func TestStartedHostAnswersAndCloses(t *testing.T) {
	cache := t.TempDir()
	sp := spec(t, cache)
	sp.Python = []string{realPython(t)}
	p, err := Start(context.Background(), sp)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := p.Peer.Call(ctx, rpc.Call{Method: "no.such.method"}); err == nil || !strings.Contains(err.Error(), "unknown method 'no.such.method'") {
		t.Errorf("unknown method: %v", err)
	}
	// Both sides must know the same methods.
	for _, method := range []string{bridge.MethodInit, bridge.MethodLoad, bridge.MethodUnload, bridge.MethodTool, bridge.MethodCheck, bridge.MethodCommand, bridge.MethodHook} {
		if !slices.Contains(p.Hello.Features, method) {
			t.Errorf("the host does not know %s", method)
		}
	}
	for _, method := range []string{bridge.MethodWhere, bridge.MethodSkip, bridge.MethodCancel, bridge.MethodStatus} {
		if _, err := p.Peer.Call(ctx, rpc.Call{Method: method, Params: map[string]int{"id": 1 << 30}}); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
	p.Close(ctx)
	if e := p.Exit(); e.Code != 0 || e.Signal != "" || !e.Asked || e.Protocol != nil {
		t.Errorf("exit = %+v", e)
	}
	if _, err := p.Peer.Call(ctx, rpc.Call{Method: "status"}); !errors.Is(err, rpc.ErrClosed) {
		t.Errorf("call after the end: %v", err)
	}
}

// The host works over its standard streams, too, as it does where no further
// descriptors can be passed on.
func TestHostOverStandardStreams(t *testing.T) {
	sp := spec(t, t.TempDir())
	cmd := exec.Command(realPython(t), "-I", filepath.Join(sp.Root, "pyhost", "hermes_host", "__main__.py"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hello := make(chan struct{}, 1)
	p := rpc.New(out, in, rpc.Options{Notify: func(method string, _ json.RawMessage) {
		if method == "hello" {
			hello <- struct{}{}
		}
	}})
	<-hello
	dir := filepath.Join(t.TempDir(), "noisy")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	code := "import os\nprint('x')\nos.write(1, b'raw')\ndef register(ctx):\n    pass\n"
	if err := os.WriteFile(filepath.Join(dir, "__init__.py"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := p.Call(ctx, rpc.Call{Method: "init", Params: map[string]any{"cwd": sp.Dir}}); err != nil {
		t.Fatal(err)
	}
	got, err := p.Call(ctx, rpc.Call{Method: "plugin.load", Params: map[string]any{"key": "n", "module": "hermes_plugins.n", "dir": dir}})
	if err != nil || !strings.Contains(string(got), `"ok":true`) {
		t.Errorf("load = %s, %v", got, err)
	}
	_ = in.Close()
	<-p.Done()
	p.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("exit: %v", err)
	}
}

func TestParseFault(t *testing.T) {
	lines := strings.Split(`something before
Fatal Python error: Segmentation fault

Current thread 0x00007f (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
  File "/home/u/.hermes/plugins/a b/__init__.py", line 7 in <module>
  File "/x/host.py", line 1 in f

Extension modules: a, b`, "\n")
	want := []Frame{
		{"/usr/lib/python3.11/ctypes/__init__.py", 519, "string_at"},
		{"/home/u/.hermes/plugins/a b/__init__.py", 7, "<module>"},
		{"/x/host.py", 1, "f"},
	}
	if got := ParseFault(lines); !slices.Equal(got, want) {
		t.Errorf("ParseFault = %+v", got)
	}
	if got := ParseFault([]string{"  File \"/x\", line 1 in f"}); got != nil {
		t.Errorf("a frame without a heading: %+v", got)
	}
}

func FuzzParseFault(f *testing.F) {
	f.Add("Current thread 0x1 (most recent call first):\n  File \"/a.py\", line 3 in f\n")
	f.Add("(most recent call first)\n  File \"\", line 99999999999999999999 in \n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, frame := range ParseFault(strings.Split(text, "\n")) {
			if frame.Line < 0 || strings.ContainsAny(frame.File+frame.Func, "\n") {
				t.Errorf("frame = %+v", frame)
			}
		}
	})
}

// FuzzRemembered feeds damaged memories: none is an interpreter.
func FuzzRemembered(f *testing.F) {
	f.Add([]byte(`{"inputs":"x","exe":"/bin/sh","size":1}`))
	f.Add([]byte(`{"inputs":"x","exe":"relative"}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, memoryFile), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if m := remembered(dir, "x"); m != nil {
			info, err := os.Stat(m.Exe)
			if err != nil || !filepath.IsAbs(m.Exe) || !strings.Contains(string(data), "mtime") || info.Size() < 0 {
				t.Errorf("remembered %+v, %v", m, err)
			}
		}
	})
}

// FuzzParseBox feeds damaged flight recorders, as a plugin that writes to every
// descriptor leaves them.
func FuzzParseBox(f *testing.F) {
	f.Add([]byte("\x02\x00\x00\x00tool x\n__init__.py\n7\nrun\x00rest"))
	f.Add([]byte("\x01\x00\x00\x00register\x00"))
	f.Add(bytes.Repeat([]byte("garbage\n"), 200))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, r := range parseBox(data) {
			if r.Number == 0 || r.Frame.Line < 0 || strings.ContainsAny(r.Where+r.Frame.File+r.Frame.Func, "\n\x00") || !utf8.ValidString(r.Where) {
				t.Errorf("running = %+v", r)
			}
		}
	})
}

func TestParseBox(t *testing.T) {
	data := make([]byte, 3*recorderWidth)
	copy(data[recorderWidth:], "\x02\x00\x00\x00tool x\nsub/a.py\n7\nrun\x00rest of an older one")
	copy(data[2*recorderWidth:], "\x03\x00\x00\x00register\x00")
	want := []Running{{2, "tool x", Frame{"sub/a.py", 7, "run"}}, {3, "register", Frame{}}}
	if got := parseBox(data[:2*recorderWidth+20]); !slices.Equal(got, want) {
		t.Errorf("parseBox = %+v", got)
	}
}
