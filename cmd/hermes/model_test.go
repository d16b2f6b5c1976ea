package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"hermes/agent/llm/llmtest"
)

type modelKey struct{}

// model is the scripted model service of one script.
type model struct{ server *llmtest.Server }

// cmdModel runs the scripted service:
//
//	model start STEPS.json   start it, and write a config.yaml that names it
//	model requests FILE      write the bodies it got, one a line
func cmdModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: model start STEPS.json | model requests FILE")
	}
	m := ts.Value(modelKey{}).(*model)
	switch args[0] {
	case "start":
		script, err := llmtest.ParseScript([]byte(ts.ReadFile(args[1])))
		ts.Check(err)
		m.server, err = llmtest.Start(script)
		ts.Check(err)
		ts.Defer(m.server.Close)
		path := filepath.Join(ts.Getenv("HERMES_HOME"), "config.yaml")
		old, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			ts.Check(err)
		}
		text := fmt.Sprintf("model: {provider: custom, base_url: %q, default: mock-model, api_key: sk-test-0000000000}\n", m.server.URL)
		ts.Check(os.WriteFile(path, append(old, text...), 0o600))
	case "requests":
		var b bytes.Buffer
		for _, r := range m.server.Requests() {
			b.Write(bytes.TrimSpace(r.Raw))
			b.WriteByte('\n')
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o600))
	default:
		ts.Fatalf("model %s?", args[0])
	}
}
