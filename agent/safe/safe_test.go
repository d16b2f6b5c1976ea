package safe

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func explode() { panic("no such thing") }

func TestDoTurnsAPanicIntoAnError(t *testing.T) {
	err := Do("compute", func() error { explode(); return nil })
	var p *PanicError
	if !errors.As(err, &p) || err.Error() != "compute: panic: no such thing" || !strings.Contains(p.Stack, "safe.explode") {
		t.Errorf("got %v", err)
	}
	fail := errors.New("fail")
	if err := Do("compute", func() error { return fail }); err != fail { //nolint:errorlint // the very error
		t.Errorf("got %v", err)
	}
}

func TestGoLogsThePanicAndAnswersForIt(t *testing.T) {
	var out bytes.Buffer
	back := make(chan *PanicError)
	Go(slog.New(slog.NewTextHandler(&out, nil)), "a tool", explode, func(e *PanicError) { back <- e })
	if e := <-back; e.Value != "no such thing" {
		t.Errorf("got %v", e)
	}
	for _, want := range []string{`in="a tool"`, `panic="no such thing"`, "safe.explode"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("log lacks %s: %s", want, &out)
		}
	}
	ended := make(chan struct{})
	Go(nil, "nothing", func() { close(ended) }, func(*PanicError) { t.Error("no panic was there") })
	<-ended
	Run(nil, "without a log", explode, nil)
}
