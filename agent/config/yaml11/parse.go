// Package yaml11 reads YAML as PyYAML's safe loader does, which is what wrote
// and reads the files this program shares with the reference: scalars follow
// YAML 1.1 (yes/no/on/off, octal 010, sexagesimal 1:30, 1e3 is text), a
// repeated key is legal and the last one wins, and a file holds one document.
//
// Parsing itself is yaml.v3's; this package never uses yaml.v3's own scalar
// resolution. Every value keeps the text as it was typed, because lists show
// that (decision D52). The package reads no files and writes none.
package yaml11

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Error says where a document is broken, and why.
type Error struct {
	File   string
	Line   int // from 1; 0 when the place is not known
	Reason string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Parse reads the one document of data and returns its root node, nil when
// there is none (an empty file, or comments only). file appears in errors,
// which are *Error.
func Parse(file string, data []byte) (*yaml.Node, error) {
	doc, err := ParseDocument(file, data)
	if err != nil || doc == nil {
		return nil, err
	}
	return doc.Content[0], nil
}

// ParseDocument is Parse for callers that write the document back: the
// document node carries the comments at its head and foot.
func ParseDocument(file string, data []byte) (doc *yaml.Node, err error) {
	if err := checkText(file, data); err != nil {
		return nil, err
	}
	doc, err = parse(file, data)
	if err != nil && bytes.IndexByte(data, '?') >= 0 {
		if doc, ok := parseWithQuestions(file, data); ok {
			return doc, nil
		}
	}
	return doc, err
}

// parse is ParseDocument as yaml.v3 sees the document.
func parse(file string, data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	doc, err := next(dec)
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, locate(file, data, err)
	}
	second, err := next(dec)
	switch {
	case errors.Is(err, io.EOF):
		return doc, nil
	case err != nil:
		return nil, locate(file, data, err)
	}
	return nil, &Error{file, second.Line, "found a second document; expected a single one"}
}

// next decodes one document. yaml.v3 turns its own failures into errors, but
// lets others through as panics; a broken file must not end the program.
func next(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			doc, err = nil, fmt.Errorf("parser gave up: %v", r)
		}
	}()
	doc = new(yaml.Node)
	if err := dec.Decode(doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, io.EOF
	}
	return doc, nil
}

// checkText refuses what Python cannot read as UTF-8 text and the characters
// that YAML forbids. yaml.v3 would accept UTF-16 and gives no line for either.
func checkText(file string, data []byte) error {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return &Error{file, 1, "the file is UTF-16; save it as UTF-8"}
	}
	line := 1
	for i := 0; i < len(data); {
		c := data[i]
		if c == '\n' {
			line++
		}
		if c < utf8.RuneSelf {
			if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
				return &Error{file, line, fmt.Sprintf("control character #x%04x is not allowed", c)}
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return &Error{file, line, fmt.Sprintf("byte 0x%02x is not UTF-8; save the file as UTF-8", c)}
		}
		i += size
	}
	return nil
}

var (
	linePrefix    = "line "
	unknownAnchor = "unknown anchor '"
)

// parserMessages begin the messages of yaml.v3's parser, as opposed to its
// scanner: it counts their lines from 0.
var parserMessages = []string{
	"did not find expected <", "did not find expected node content", "did not find expected '-' indicator",
	"did not find expected key", "did not find expected ',' or", "found duplicate %", "found incompatible", "found undefined tag",
	"exceeded max depth",
}

// locate turns a failure of yaml.v3 into an Error with the right line.
func locate(file string, data []byte, cause error) error {
	msg := strings.TrimPrefix(cause.Error(), "yaml: ")
	line := 0
	if rest, ok := strings.CutPrefix(msg, linePrefix); ok {
		if num, text, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(num); err == nil {
				line, msg = n, text
			}
		}
	}
	if name, ok := strings.CutPrefix(msg, unknownAnchor); ok {
		name, _, _ = strings.Cut(name, "'")
		return &Error{file, aliasLine(data, name), fmt.Sprintf("unknown anchor %q", name)}
	}
	for _, m := range parserMessages {
		if strings.HasPrefix(msg, m) {
			line++
			break
		}
	}
	// An unclosed quote is reported behind the last line.
	line = min(max(line, 1), 1+bytes.Count(bytes.TrimRight(data, "\n"), []byte("\n")))
	switch {
	case strings.HasPrefix(msg, "did not find expected key"), strings.HasPrefix(msg, "did not find expected '-'"):
		line = narrow(data, line, msg)
	case strings.HasPrefix(msg, "did not find expected ',' or") && headFails(data, 1, msg):
		line = 1 // where the bracket opens; yaml.v3 does not name the first line
	}
	return &Error{file, line, msg}
}

// headFails reports whether the first n lines alone fail with msg.
func headFails(data []byte, n int, msg string) bool {
	end := 0
	for range n {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			end = len(data)
			break
		}
		end += i + 1
	}
	_, err := next(yaml.NewDecoder(bytes.NewReader(data[:end])))
	return err != nil && strings.HasSuffix(err.Error(), msg)
}

// narrow finds the line where a block collection goes wrong: yaml.v3 names the
// line where it begins. It is the shortest head of the file with that error.
func narrow(data []byte, from int, msg string) int {
	lo, hi := from, 1+bytes.Count(data, []byte("\n"))
	for lo < hi {
		mid := (lo + hi) / 2
		if headFails(data, mid, msg) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// aliasLine returns the first line that mentions the alias.
func aliasLine(data []byte, name string) int {
	loc := regexp.MustCompile(`\*` + regexp.QuoteMeta(name) + `(\W|$)`).FindIndex(data)
	if loc == nil {
		return 0
	}
	return 1 + bytes.Count(data[:loc[0]], []byte("\n"))
}
