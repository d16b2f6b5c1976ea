package export

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hermes/agent/store"
)

// page is a session as people read it.
type page struct {
	ID, Title, Source, Model, Dir string
	Started                       string
	Messages                      []block
}

type block struct {
	Role, Tool, Time, Text, Reasoning string
	Calls                             []callBlock
	Compacted                         bool
}

type callBlock struct{ Name, Arguments string }

func pageOf(d *store.Dump) page {
	s := d.Session
	p := page{
		ID: s.Text("id"), Title: s.Text("title"), Source: s.Text("source"), Model: s.Text("model"), Dir: s.Text("cwd"),
		Started: stamp(number(s, "started_at")),
	}
	if p.Title == "" {
		p.Title = p.ID
	}
	for _, m := range d.Messages {
		b := block{
			Role: m.Text("role"), Tool: m.Text("tool_name"), Time: stamp(number(m, "timestamp")),
			Text: words(m), Reasoning: m.Text("reasoning"), Compacted: number(m, "compacted") != 0,
		}
		for _, f := range m {
			if raw, ok := f.Value.(json.RawMessage); ok && f.Name == "tool_calls" {
				b.Calls = callBlocks(raw)
			}
		}
		p.Messages = append(p.Messages, b)
	}
	return p
}

func number(r store.Record, name string) float64 {
	for _, f := range r {
		if f.Name != name {
			continue
		}
		switch v := f.Value.(type) {
		case float64:
			return v
		case int64:
			return float64(v)
		}
	}
	return 0
}

func stamp(sec float64) string {
	if sec == 0 {
		return ""
	}
	return time.UnixMicro(int64(sec * 1e6)).UTC().Format("2006-01-02T15:04:05Z")
}

// words is the text of a message; pictures are named.
func words(m store.Record) string {
	for _, f := range m {
		raw, ok := f.Value.(json.RawMessage)
		if f.Name != "content" || !ok {
			continue
		}
		var parts []struct{ Type, Text string }
		if json.Unmarshal(raw, &parts) != nil {
			return string(raw)
		}
		var out []string
		for _, p := range parts {
			if p.Text == "" {
				p.Text = "[" + p.Type + "]"
			}
			out = append(out, p.Text)
		}
		return strings.Join(out, "\n")
	}
	return m.Text("content")
}

func callBlocks(raw json.RawMessage) []callBlock {
	var calls []struct {
		Function struct {
			Name      string
			Arguments any
		}
	}
	if json.Unmarshal(raw, &calls) != nil {
		return []callBlock{{"", string(raw)}}
	}
	var out []callBlock
	for _, c := range calls {
		args, ok := c.Function.Arguments.(string)
		if !ok {
			if b, err := json.Marshal(c.Function.Arguments); err == nil {
				args = string(b)
			}
		}
		out = append(out, callBlock{c.Function.Name, args})
	}
	return out
}

// RoleName is the heading of a message; the templates call it.
func (b block) RoleName() string {
	first, n := utf8.DecodeRuneInString(b.Role)
	name := b.Role
	if n > 0 {
		name = string(unicode.ToUpper(first)) + b.Role[n:]
	}
	if b.Tool != "" {
		name += " — " + b.Tool
	}
	if b.Time != "" {
		name += " — " + b.Time
	}
	return name
}

func writeMarkdown(w io.Writer, dumps []*store.Dump) error {
	var b strings.Builder
	for i, d := range dumps {
		if i > 0 {
			b.WriteString("\n---\n\n")
		}
		markdownPage(&b, pageOf(d), number(d.Session, "message_count"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownPage(b *strings.Builder, p page, count float64) {
	b.WriteString("---\n")
	for _, f := range [][2]string{
		{"session_id", p.ID}, {"title", p.Title}, {"source", p.Source}, {"created_at", p.Started}, {"model", p.Model}, {"cwd", p.Dir},
	} {
		fmt.Fprintf(b, "%s: %s\n", f[0], jsonText(f[1]))
	}
	fmt.Fprintf(b, "message_count: %.0f\n---\n\n# %s\n", count, oneLine(p.Title))
	for _, m := range p.Messages {
		fmt.Fprintf(b, "\n## %s\n", oneLine(m.RoleName()))
		if m.Reasoning != "" {
			b.WriteString("\n> " + strings.ReplaceAll(m.Reasoning, "\n", "\n> ") + "\n")
		}
		if m.Text != "" {
			b.WriteString("\n")
			if m.Role == "tool" {
				fenced(b, "", m.Text)
			} else {
				b.WriteString(strings.TrimRight(m.Text, "\n") + "\n")
			}
		}
		for _, c := range m.Calls {
			fmt.Fprintf(b, "\nCall `%s`\n\n", c.Name)
			fenced(b, "json", c.Arguments)
		}
	}
}

// fenced writes a code block whose fence is longer than any in the text.
func fenced(b *strings.Builder, lang, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	b.WriteString(fence + lang + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n")
}

func jsonText(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimRight(b.String(), "\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func writeHTML(w io.Writer, dumps []*store.Dump) error {
	pages := make([]page, len(dumps))
	for i, d := range dumps {
		pages[i] = pageOf(d)
	}
	t, err := template.New("export").Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, pages)
}

// pageTemplate needs nothing of the network and runs no script; the policy
// says so to the browser, too.
const pageTemplate = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{range $i, $p := .}}{{if $i}}, {{end}}{{$p.Title}}{{end}}</title>
<style>
:root { color-scheme: light dark; --line: #8884; --user: #3a7bd522; --tool: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: .8rem; font-weight: 600; opacity: .7; margin: 0 0 .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; font-size: .85rem; } dd { margin: 0; }
article { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .9rem; margin: .7rem 0; overflow-wrap: anywhere; }
article.user { background: var(--user); } article.tool { background: var(--tool); } article.gone { opacity: .6; }
pre { font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; margin: 0; }
div.text { white-space: pre-wrap; } details { font-size: .85rem; opacity: .8; } nav { margin: 1rem 0; }
</style>
</head>
<body>
{{if gt (len .) 1}}<nav><ul>{{range .}}<li><a href="#{{.ID}}">{{.Title}}</a></li>{{end}}</ul></nav>{{end}}
{{range .}}<section id="{{.ID}}">
<h1>{{.Title}}</h1>
<dl><dt>Session</dt><dd>{{.ID}}</dd><dt>Started</dt><dd>{{.Started}}</dd><dt>Source</dt><dd>{{.Source}}</dd>{{with .Model}}<dt>Model</dt><dd>{{.}}</dd>{{end}}{{with .Dir}}<dt>Folder</dt><dd>{{.}}</dd>{{end}}</dl>
{{range .Messages}}<article class="{{.Role}}{{if .Compacted}} gone{{end}}">
<h2>{{.RoleName}}</h2>
{{with .Reasoning}}<details><summary>Reasoning</summary><div class="text">{{.}}</div></details>{{end}}
{{if eq .Role "tool"}}<pre>{{.Text}}</pre>{{else}}<div class="text">{{.Text}}</div>{{end}}
{{range .Calls}}<details open><summary>Call {{.Name}}</summary><pre>{{.Arguments}}</pre></details>{{end}}
</article>
{{end}}</section>
{{end}}</body>
</html>
`
