package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"hermes/agent/logfile"
)

// pluginLogger is the name under which the reference logs about plugins.
const pluginLogger = "hermes_cli.plugins"

// debugHandler writes the plugin logger's records to standard error, in the
// reference's form for HERMES_PLUGINS_DEBUG (contract/plugins §14):
//
//	[plugins] DEBUG <message>
type debugHandler struct {
	w         io.Writer
	component string
}

func newDebugHandler(w io.Writer) *debugHandler {
	fmt.Fprintln(w, "[plugins] DEBUG HERMES_PLUGINS_DEBUG=1 — verbose plugin discovery logging enabled")
	return &debugHandler{w: w}
}

// Enabled implements slog.Handler.
func (d *debugHandler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler. One record is one write, so that lines of
// two goroutines do not mix.
func (d *debugHandler) Handle(_ context.Context, r slog.Record) error {
	component, exc := d.component, ""
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case logfile.Component:
			component = a.Value.String()
		case logfile.Traceback:
			exc = a.Value.String()
		}
		return true
	})
	if component != pluginLogger {
		return nil
	}
	level := "DEBUG"
	switch {
	case r.Level >= slog.LevelError:
		level = "ERROR"
	case r.Level >= slog.LevelWarn:
		level = "WARNING"
	case r.Level >= slog.LevelInfo:
		level = "INFO"
	}
	line := fmt.Sprintf("[plugins] %s %s\n", level, r.Message)
	if exc = strings.TrimRight(exc, "\n"); exc != "" {
		line += exc + "\n"
	}
	_, err := io.WriteString(d.w, line)
	return err
}

// WithAttrs implements slog.Handler.
func (d *debugHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *d
	for _, a := range attrs {
		if a.Key == logfile.Component {
			c.component = a.Value.String()
		}
	}
	return &c
}

// WithGroup implements slog.Handler.
func (d *debugHandler) WithGroup(string) slog.Handler { return d }

// both sends every record to two handlers.
type both struct{ a, b slog.Handler }

// Enabled implements slog.Handler.
func (h both) Enabled(ctx context.Context, l slog.Level) bool {
	return h.a.Enabled(ctx, l) || h.b.Enabled(ctx, l)
}

// Handle implements slog.Handler.
func (h both) Handle(ctx context.Context, r slog.Record) error {
	var errs [2]error
	if h.a.Enabled(ctx, r.Level) {
		errs[0] = h.a.Handle(ctx, r.Clone())
	}
	if h.b.Enabled(ctx, r.Level) {
		errs[1] = h.b.Handle(ctx, r)
	}
	return errors.Join(errs[:]...)
}

// WithAttrs implements slog.Handler.
func (h both) WithAttrs(attrs []slog.Attr) slog.Handler {
	return both{h.a.WithAttrs(attrs), h.b.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h both) WithGroup(name string) slog.Handler {
	return both{h.a.WithGroup(name), h.b.WithGroup(name)}
}
