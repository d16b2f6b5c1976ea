package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Budget bounds how many characters of tool results enter the conversation
// (contract/core §2.2, contract/plugins §7.5).
type Budget struct {
	Result int // per result
	Turn   int // the results of one answer's calls together
}

// previewChars is how much of a spilled result stays in the conversation.
const previewChars = 1500

// BudgetFor returns the budget of a context window in tokens, at four
// characters each. An unknown window (0) counts as large.
func BudgetFor(window int) Budget {
	b := Budget{Result: 100_000, Turn: 200_000}
	if window > 0 {
		b.Result = min(b.Result, max(8000, window*4*15/100))
		b.Turn = min(b.Turn, max(16_000, window*4*30/100))
	}
	return b
}

// Spill saves text under dir and returns what stands for it in the
// conversation. id names the file.
func Spill(dir, id, text string) string {
	n := utf8.RuneCountInString(text)
	head := preview(text)
	path, err := save(dir, id, text)
	if err != nil {
		return fmt.Sprintf("%s\n\n[Truncated: tool response was %s chars. Full output could not be saved to sandbox.]", head, Thousands(n))
	}
	return fmt.Sprintf("<persisted-output>\nThis result is %s characters long. All of it is in the file %s; read the part you need with read_file (offset, limit) or find it with search_files.\nIt begins:\n%s\n</persisted-output>", Thousands(n), path, head)
}

// preview is the beginning of text, cut at a line end when one lies in its
// second half.
func preview(text string) string {
	head := firstRunes(text, previewChars)
	if len(head) == len(text) {
		return text
	}
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	return head
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func save(dir, id, text string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make folder for tool results: %w", err)
	}
	f, err := create(dir, FileName(id))
	if err != nil {
		return "", fmt.Errorf("save tool result: %w", err)
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return "", fmt.Errorf("save tool result: %w", err)
	}
	return f.Name(), nil
}

// create makes a file that was not there before: the folder for temporary
// files is everybody's, and a link left in it must not be followed.
func create(dir, name string) (*os.File, error) {
	for n := 1; ; n++ {
		path := filepath.Join(dir, name+".txt")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d.txt", name, n))
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil || !errors.Is(err, fs.ErrExist) || n == 1000 {
			return f, err
		}
	}
}

// FileName makes a file name of an id that a model or service chose.
func FileName(id string) string {
	id = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '_'
	}, id)
	if id == "" {
		return "result"
	}
	return id[:min(len(id), 100)]
}

// Thousands writes n with a comma between groups of three digits.
func Thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
