package files

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

// world is a folder with the tools on it.
type world struct {
	t    *testing.T
	dir  string
	home string
	reg  *tool.Registry
}

func newWorld(t *testing.T, change ...func(*Deps)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), home: t.TempDir(), reg: tool.NewRegistry(nil)}
	d := Deps{Dir: w.dir, Home: w.home, Ripgrep: "none"}
	for _, c := range change {
		c(&d)
	}
	if err := Register(w.reg, d); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) write(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// call runs a tool as the pipeline does: coerced, validated, then run.
func (w *world) call(name, args string) string {
	w.t.Helper()
	x, ok := w.reg.Get(name)
	if !ok {
		w.t.Fatalf("no tool %s", name)
	}
	coerced := tool.Coerce(json.RawMessage(args), x.Spec().Parameters)
	if err := tool.Validate(coerced, x.Spec().Parameters); err != nil {
		return "invalid: " + err.Error()
	}
	r, err := x.Run(w.t.Context(), tool.Call{Session: "s", Args: coerced})
	if err != nil {
		w.t.Fatal(err)
	}
	return compact(w.t, r.Content)
}

// compact takes out the spaces between the values of a result: how results are
// spelled is another package's subject.
func compact(t *testing.T, result string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(result)); err != nil {
		t.Fatalf("%s: %v", result, err)
	}
	return b.String()
}

func (w *world) want(name, args, want string) {
	w.t.Helper()
	if got := w.call(name, args); got != want {
		w.t.Errorf("%s %s\n got %s\nwant %s", name, args, got, want)
	}
}

func (w *world) wantPart(name, args, want string) {
	w.t.Helper()
	if got := w.call(name, args); !strings.Contains(got, want) {
		w.t.Errorf("%s %s\n got %s\nwithout %s", name, args, got, want)
	}
}

func TestReadFile(t *testing.T) {
	w := newWorld(t)
	w.write("a.py", "import os\nprint('x')\n")
	w.want("read_file", `{"path":"a.py"}`, `{"content":"1|import os\n2|print('x')\n3|","total_lines":2,"file_size":21,"truncated":false,"is_binary":false,"is_image":false}`)
	w.write("noeol.txt", "one\ntwo")
	w.want("read_file", `{"path":"noeol.txt"}`, `{"content":"1|one\n2|two","total_lines":2,"file_size":7,"truncated":false,"is_binary":false,"is_image":false}`)
	w.write("empty", "")
	w.want("read_file", `{"path":"empty"}`, `{"content":"1|","total_lines":0,"file_size":0,"truncated":false,"is_binary":false,"is_image":false}`)
	w.write("crlf.txt", "a\r\nb\r\n")
	w.wantPart("read_file", `{"path":"crlf.txt"}`, `"content":"1|a\n2|b\n3|"`)
	w.wantPart("read_file", `{"path":"a.py","offset":"2","limit":"1"}`, `"content":"2|print('x')\n3|"`)
	w.wantPart("read_file", `{"path":"a.py","limit":1}`, `"content":"1|import os\n2|"`)
	w.wantPart("read_file", `{"path":"noeol.txt","offset":2}`, `"content":"2|two"`)
	w.wantPart("read_file", `{"path":"a.py","offset":9}`, `offset 9 is past the end: the file has 2 lines`)
	w.wantPart("read_file", `{"path":"a.py","offset":0}`, `invalid: parameter 'offset' must be at least 1`)
	w.wantPart("read_file", `{}`, `invalid: parameter 'path' is required`)
}

func TestReadLongFiles(t *testing.T) {
	w := newWorld(t)
	w.write("long", strings.Repeat("line\n", 4999))
	got := w.call("read_file", `{"path":"long"}`)
	if !strings.Contains(got, `"truncated":true,"hint":"Use offset=501 to continue reading (showing 1-500 of 4999 lines)","is_binary":false,"is_image":false}`) {
		t.Errorf("got …%s", got[len(got)-200:])
	}
	w.write("wide", strings.Repeat("界", maxLineChars+1)+"\n")
	w.wantPart("read_file", `{"path":"wide"}`, "界... [truncated]\\n2|")
	w.write("big", strings.Repeat(strings.Repeat("x", 999)+"\n", 600))
	got = w.call("read_file", `{"path":"big"}`)
	if !strings.Contains(got, `"_hint":"This file is large (600,000 bytes).`) || !strings.Contains(got, `showing 1-99 of 600 lines`) || !strings.Contains(got, `"next_offset":100`) {
		t.Errorf("got …%s", got[len(got)-300:])
	}
}

func TestReadTheSameAgain(t *testing.T) {
	w := newWorld(t)
	path := w.write("a.txt", "x\n")
	w.wantPart("read_file", `{"path":"a.txt"}`, `"content"`)
	w.wantPart("read_file", `{"path":"a.txt"}`, `{"status":"unchanged","message":"File unchanged since last read. `)
	w.wantPart("read_file", `{"path":"a.txt"}`, `{"error":"BLOCKED: You have called read_file on this exact region 3 times and the file has NOT changed.`)
	w.wantPart("read_file", `{"path":"a.txt","limit":3}`, `"content"`)
	w.write("a.txt", "y\n")
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	w.wantPart("read_file", `{"path":"a.txt"}`, `"content":"1|y`)
}

func TestReadRefuses(t *testing.T) {
	w := newWorld(t)
	w.write("config.yaml", "x")
	w.write("pic.png", "\x89PNG\r\n\x1a\n\x00\x00")
	w.write("sub/f", "x")
	w.wantPart("read_file", `{"path":"confg.yaml"}`, `{"content":"","total_lines":0,"file_size":0,"truncated":false,"is_binary":false,"is_image":false,"error":"File not found: confg.yaml","similar_files":["config.yaml"]}`)
	w.wantPart("read_file", `{"path":"sub"}`, `{"error":"Path is a directory: sub.`)
	w.wantPart("read_file", `{"path":"pic.png"}`, `{"error":"Cannot read binary file 'pic.png' (.png).`)
	if runtime.GOOS != "windows" {
		w.wantPart("read_file", `{"path":"/dev/zero"}`, "it is a device, pipe or socket")
		if err := os.Symlink(filepath.Join(w.home, ".env"), filepath.Join(w.dir, "harmless")); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(w.home, ".env"), []byte("KEY=secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{filepath.Join(w.home, ".env"), filepath.Join(w.home, "x", "..", ".ENV"), "harmless", filepath.Join(w.home, "mcp-tokens", "a")} {
		if runtime.GOOS == "windows" && p == "harmless" {
			continue
		}
		args, err := json.Marshal(map[string]string{"path": p})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.call("read_file", string(args)); !strings.Contains(got, "holds credentials") || strings.Contains(got, "secret") {
			t.Errorf("%s: %s", p, got)
		}
	}
	w.write(".env", "MODE=test")
	w.wantPart("read_file", `{"path":".env"}`, "1|MODE=test") // the project's own
}

func TestReadEncodings(t *testing.T) {
	w := newWorld(t)
	w.write("bom.txt", "\ufeffhello")
	w.wantPart("read_file", `{"path":"bom.txt"}`, `"content":"1|hello"`)
	w.write("utf16.txt", "\xff\xfeh\x00i\x00")
	w.wantPart("read_file", `{"path":"utf16.txt"}`, `"content":"1|hi"`)
	w.write("gbk.txt", "ok \xc4\xe3\xba\xc3\n")
	w.wantPart("read_file", `{"path":"gbk.txt"}`, `This file is not UTF-8`)
	w.write("nb.ipynb", `{"cells":[{"cell_type":"code","source":["a = 1\n","a"],"outputs":[{"data":{"text/plain":["1"]}}]},{"cell_type":"markdown","source":"# T"}]}`)
	w.wantPart("read_file", `{"path":"nb.ipynb"}`, `1|# --- cell 1 (code)\n2|a = 1\n3|a\n4|# output:\n5|1\n6|# --- cell 2 (markdown)\n7|# T`)
}

func TestReadOfficeFiles(t *testing.T) {
	w := newWorld(t)
	w.zip("d.docx", map[string]string{"word/document.xml": `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Hello</w:t></w:r><w:r><w:tab/><w:t>世界</w:t></w:r></w:p><w:p><w:r><w:t>Two</w:t></w:r></w:p></w:body></w:document>`})
	w.wantPart("read_file", `{"path":"d.docx"}`, `"content":"1|Hello\t世界\n2|Two\n3|"`)
	w.zip("t.xlsx", map[string]string{
		"xl/sharedStrings.xml":     `<sst><si><t>name</t></si><si><r><t>a</t></r><r><t>b</t></r></si></sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>4.5</v></c></row><row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>x</t></is></c></row></sheetData></worksheet>`,
	})
	w.wantPart("read_file", `{"path":"t.xlsx"}`, `"content":"1|# --- sheet: sheet1\n2|name\t4.5\n3|ab\tx\n4|"`)
	w.zip("named.xlsx", map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Two" r:id="b"/><sheet name="One" r:id="a"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c></row><row r="3"><c r="B3" t="b"><v>1</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml":   `<worksheet><sheetData/></worksheet>`,
	})
	w.wantPart("read_file", `{"path":"named.xlsx"}`, `"content":"1|# --- sheet: Two\n2|\n3|# --- sheet: One\n4|1\t\t3\n5|\tTRUE\n6|"`)
	w.write("broken.docx", "PK\x03\x04\x00\x00")
	w.wantPart("read_file", `{"path":"broken.docx"}`, `Cannot read binary file 'broken.docx' (.docx)`)
}

func (w *world) zip(name string, parts map[string]string) {
	w.t.Helper()
	f, err := os.Create(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for n, text := range parts {
		p, err := z.Create(n)
		if err != nil {
			w.t.Fatal(err)
		}
		fmt.Fprint(p, text)
	}
	if err := z.Close(); err != nil {
		w.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		w.t.Fatal(err)
	}
}

// Whatever a file holds, reading it ends in a result that is JSON.
func FuzzDecode(f *testing.F) {
	f.Add(".ipynb", []byte(`{"cells":[{"source":1}]}`))
	f.Add(".docx", []byte("PK\x03\x04"))
	f.Add(".txt", []byte("\xff\xfe\x00"))
	f.Fuzz(func(t *testing.T, ext string, data []byte) {
		text, _, ok := decode(ext, data)
		if ok {
			if _, err := json.Marshal(window(text, 1, 10, 1000)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A mask in a file's text cannot be taken for the key, and the limit of
// characters does not let a part of the key through.
func TestReadMasksSecrets(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "conf"), []byte("a\nKEY=topsecret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reg := tool.NewRegistry(nil)
	d := Deps{Dir: dir, Redact: func(s string) string { return strings.ReplaceAll(s, "topsecret", "«redacted:…»") }}
	if err := Register(reg, d); err != nil {
		t.Fatal(err)
	}
	read, _ := reg.Get("read_file")
	res, err := read.Run(t.Context(), tool.Call{Args: []byte(`{"path":"conf"}`)})
	if err != nil || !strings.Contains(res.Content, "KEY=«redacted:…»") || strings.Contains(res.Content, "topsecret") {
		t.Errorf("%v %s", err, res.Content)
	}
}
