package service

import (
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm"
)

func TestCertificates(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`)) // the client may be gone
	}))
	srv.Config.ErrorLog = nil
	defer srv.Close()
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		tls  TLS
		ok   bool
	}{
		{"the system's alone", TLS{}, false},
		{"ssl_ca_cert", TLS{CACert: file}, true},
		{"ssl_verify: false", TLS{Insecure: true}, true},
	} {
		h, err := NewHTTP(tc.tls)
		if err != nil {
			t.Fatal(err)
		}
		resp, _, _, err := ask(t, New(llm.Config{BaseURL: srv.URL, Model: "m", HTTP: h}), request())
		var e *llm.Error
		switch {
		case tc.ok && (err != nil || resp.Message.Content != "ok"):
			t.Errorf("%s: %v", tc.name, err)
		case !tc.ok && (!errors.As(err, &e) || e.Kind != llm.ErrTLS || e.Retryable):
			t.Errorf("%s: %v", tc.name, err)
		}
		h.CloseIdleConnections()
	}
	if _, err := NewHTTP(TLS{CACert: file + ".missing"}); err == nil || !strings.Contains(err.Error(), "ssl_ca_cert") {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(file, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewHTTP(TLS{CACert: file}); err == nil || !strings.Contains(err.Error(), "no PEM certificate") {
		t.Errorf("an empty file: %v", err)
	}
}
