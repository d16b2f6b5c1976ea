package logfile

import (
	"log/slog"
	"strings"
	"time"
)

// format makes a line as Python's logging does with the reference's format:
//
//	2026-11-30 20:08:12,506 INFO [<session>] hermes_cli.plugins: <message>
func format(at time.Time, level slog.Level, session, component, message string) string {
	var b strings.Builder
	b.WriteString(strings.Replace(at.Format("2006-01-02 15:04:05.000"), ".", ",", 1))
	b.WriteByte(' ')
	b.WriteString(levelName(level))
	if session != "" {
		b.WriteString(" [" + session + "]")
	}
	if component == "" {
		component = "hermes"
	}
	b.WriteString(" " + component + ": ")
	b.WriteString(strings.TrimRight(message, "\n"))
	b.WriteByte('\n')
	return b.String()
}

func levelName(l slog.Level) string {
	switch {
	case l >= slog.LevelError:
		return "ERROR"
	case l >= slog.LevelWarn:
		return "WARNING"
	case l >= slog.LevelInfo:
		return "INFO"
	}
	return "DEBUG"
}

func parseLevel(name string) slog.Level {
	switch strings.ToUpper(strings.TrimSpace(name)) {
	case "DEBUG":
		return slog.LevelDebug
	case "WARNING", "WARN":
		return slog.LevelWarn
	case "ERROR", "CRITICAL":
		return slog.LevelError
	}
	return slog.LevelInfo
}
