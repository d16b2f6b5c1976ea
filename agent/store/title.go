package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxTitle is the longest title, in characters (contract/core §8.1).
const MaxTitle = 100

// CleanTitle takes out of a title what would not show, or would show
// otherwise than it reads: control characters, marks without width,
// directions. Blanks of any kind become one blank.
func CleanTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, title)
	return strings.Join(strings.Fields(title), " ")
}

// SetTitle names a session. An empty title takes the name away. It fails with
// *TitleTakenError when another session has the title, *TitleLengthError when
// it is too long.
func (s *Store) SetTitle(ctx context.Context, id, title string) error {
	title = CleanTitle(title)
	if n := utf8.RuneCountInString(title); n > MaxTitle {
		return &TitleLengthError{n, MaxTitle}
	}
	return s.write(ctx, "set the title", func(t tx) error {
		var other string
		err := t.QueryRow(`SELECT id FROM sessions WHERE title = ? AND id <> ?`, title, id).Scan(&other)
		switch {
		case err == nil:
			return &TitleTakenError{title, other}
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
		return setTitle(t, id, title)
	})
}

func setTitle(t tx, id, title string) error {
	r, err := t.exec(`UPDATE sessions SET title = ? WHERE id = ?`, filled(title), id)
	if err != nil {
		return err
	}
	return oneRow(r)
}

// SetAutoTitle names a session that has no name yet and returns the name it
// has then: the title, cut to MaxTitle, with ` #2` and so on when it is taken.
func (s *Store) SetAutoTitle(ctx context.Context, id, title string) (string, error) {
	title = cut(CleanTitle(title), MaxTitle)
	var got string
	err := s.write(ctx, "set the title", func(t tx) error {
		var old sql.NullString
		err := t.QueryRow(`SELECT title FROM sessions WHERE id = ?`, id).Scan(&old)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return ErrNotFound
		case err != nil:
			return err
		case old.String != "" || title == "":
			got = old.String
			return nil
		}
		if got, err = freeTitle(t, title); err != nil {
			return err
		}
		return setTitle(t, id, got)
	})
	return got, err
}

// freeTitle is title when no session has it, else the next number of its line.
func freeTitle(t tx, title string) (string, error) {
	var taken int
	if err := t.QueryRow(`SELECT COUNT(*) FROM sessions WHERE title = ?`, title).Scan(&taken); err != nil || taken == 0 {
		return title, err
	}
	return nextTitle(t, title)
}

// nextTitle is the next of the line "T", "T #2", "T #3".
func nextTitle(t tx, title string) (string, error) {
	base, _ := numbered(title)
	highest := 1
	err := eachTitle(t, base, func(n int) { highest = max(highest, n) })
	if err != nil {
		return "", err
	}
	suffix := fmt.Sprintf(" #%d", highest+1)
	return cut(base, MaxTitle-len(suffix)) + suffix, nil
}

func eachTitle(t tx, base string, f func(n int)) error {
	rows, err := t.Query(`SELECT title FROM sessions WHERE title LIKE ? ESCAPE '\'`, likeLiteral(base)+" #%")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var title string
		if err := rows.Scan(&title); err != nil {
			return err
		}
		if b, n := numbered(title); n > 0 && strings.EqualFold(b, base) {
			f(n)
		}
	}
	return rows.Err()
}

// numbered splits "T #3" into T and 3; n is 0 when there is no number.
func numbered(title string) (base string, n int) {
	i := strings.LastIndex(title, " #")
	if i <= 0 {
		return title, 0
	}
	n, err := strconv.Atoi(title[i+2:])
	if err != nil || n < 2 {
		return title, 0
	}
	return title[:i], n
}

func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:n]))
}

// likeLiteral escapes what LIKE would read as a pattern.
func likeLiteral(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}
