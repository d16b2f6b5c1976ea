package store

import (
	"errors"
	"strings"

	"modernc.org/sqlite"

	"hermes/agent/locale"
)

// Errors that callers tell apart.
var (
	// ErrNotFound says that no session has that id, title or number.
	ErrNotFound = errors.New("session not found")
	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("the session store is closed")
)

// NewerError says that a newer program wrote the database: it is read, never
// written (decision D21). Every method that writes returns it.
type NewerError struct {
	Path         string
	Found, Known int // schema versions
}

func (e *NewerError) Error() string { return e.In(locale.EN) }

// In is the sentence in a language.
func (e *NewerError) In(l locale.Lang) string {
	return locale.SessionsNewer.In(l, e.Path, e.Found, e.Known)
}

// ReadOnlyError says that the file cannot be written.
type ReadOnlyError struct{ Path string }

func (e *ReadOnlyError) Error() string { return e.In(locale.EN) }

// In is the sentence in a language.
func (e *ReadOnlyError) In(l locale.Lang) string { return locale.SessionsReadOnly.In(l, e.Path) }

// CorruptError says that the file is damaged, or no database at all. The file
// is left as it is.
type CorruptError struct {
	Path string
	Err  error
}

func (e *CorruptError) Error() string { return e.In(locale.EN) }

// In is the sentence in a language.
func (e *CorruptError) In(l locale.Lang) string { return locale.SessionsDamaged.In(l, e.Path, e.Err) }

func (e *CorruptError) Unwrap() error { return e.Err }

// AmbiguousError says that a prefix fits several sessions.
type AmbiguousError struct {
	Ref     string
	Matches []string // ids, at most ten
}

func (e *AmbiguousError) Error() string { return e.In(locale.EN) }

// In is the sentence in a language.
func (e *AmbiguousError) In(l locale.Lang) string {
	return locale.SessionsAmbiguous.In(l, e.Ref, strings.Join(e.Matches, ", "))
}

// TitleTakenError says which session has the title.
type TitleTakenError struct{ Title, Session string }

func (e *TitleTakenError) Error() string { return e.In(locale.EN) }

// In is the sentence in a language.
func (e *TitleTakenError) In(l locale.Lang) string {
	return locale.SessionsTitleTaken.In(l, e.Title, e.Session)
}

// TitleLengthError says that a title is too long, in characters.
type TitleLengthError struct{ Length, Max int }

func (e *TitleLengthError) Error() string { return e.In(locale.EN) }

// In is the sentence in a language.
func (e *TitleLengthError) In(l locale.Lang) string {
	return locale.SessionsTitleLong.In(l, e.Length, e.Max)
}

// SQLite's result codes that this package acts on; the low byte is the primary
// code (sqlite.org/rescode.html).
const (
	codeBusy        = 5
	codeLocked      = 6
	codeCorrupt     = 11
	codeProtocol    = 15
	codeNotADB      = 26
	codeCorruptVTab = 267
)

// code is SQLite's extended result code of err, 0 when it has none.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

func primary(err error) int { return code(err) & 0xff }

func isBusy(err error) bool { p := primary(err); return p == codeBusy || p == codeLocked }

// isCorrupt also knows the schema errors that SQLite reports as plain errors.
func isCorrupt(err error) bool {
	if p := primary(err); p == codeCorrupt || p == codeNotADB {
		return true
	}
	return err != nil && strings.Contains(err.Error(), "malformed database schema")
}
