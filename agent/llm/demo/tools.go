package demo

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"hermes/agent/llm"
)

// offered is a tool as the request offers it, read for matching. Nothing in
// this package depends on which tools there are: all is judged by names,
// descriptions and schemas.
type offered struct {
	name       string
	desc       string
	root       *schema
	params     []param // in the order of the schema
	nameWords  []string
	nameTokens []token
	descTokens []token
	inName     conceptSet
	inDesc     conceptSet // of the first sentence
}

// param is one parameter of a tool.
type param struct {
	name     string
	s        *schema
	required bool
	words    []string // of the name, lower case
	roles    roleSet
}

// purposeTokens is how much of a description, from its start, is taken for
// what the tool is about.
const purposeTokens = 14

// maxDesc bounds how much of a description is read, in bytes.
const maxDesc = 4000

// readTools reads the tools of a request; one whose schema cannot be read is
// left out, since no call to it could be checked.
func readTools(defs []llm.ToolDef) []*offered {
	var out []*offered
	for _, d := range defs {
		if t := readTool(d); t != nil {
			out = append(out, t)
		}
	}
	return out
}

func readTool(d llm.ToolDef) *offered {
	root, ok := readSchema(parametersOf(d))
	if !ok || d.Name == "" {
		return nil
	}
	lex := lexicon()
	desc := cut(strings.ToValidUTF8(d.Description, "\uFFFD"), maxDesc)
	t := &offered{name: d.Name, desc: desc, root: root, nameWords: splitName(d.Name)}
	t.nameTokens = lex.tokenize(strings.Join(t.nameWords, " "))
	t.descTokens = lex.tokenize(firstSentence(desc))
	for _, w := range t.nameWords {
		t.inName |= lex.wordConcepts(w)
	}
	t.inName |= lex.textConcepts(t.nameTokens, 2)
	t.inDesc = lex.textConcepts(t.descTokens[:min(len(t.descTokens), purposeTokens)], 2)
	for _, p := range root.props {
		q := param{name: p.name, s: p.s, required: root.required[p.name], words: splitName(p.name)}
		q.roles = lex.rolesOf(q)
		t.params = append(t.params, q)
	}
	return t
}

// parametersOf takes the parameters from the whole function object when they
// are not given by themselves.
func parametersOf(d llm.ToolDef) json.RawMessage {
	if len(d.Parameters) > 0 || len(d.Schema) == 0 {
		return d.Parameters
	}
	var whole struct {
		Parameters json.RawMessage `json:"parameters"`
	}
	if json.Unmarshal(d.Schema, &whole) != nil {
		return nil
	}
	return whole.Parameters
}

// concepts is all that the tool says of itself.
func (t *offered) concepts() conceptSet { return t.inName | t.inDesc }

func (t *offered) param(name string) *param {
	for i := range t.params {
		if t.params[i].name == name {
			return &t.params[i]
		}
	}
	return nil
}

// others counts the parameters that are neither required nor in filled: of two
// tools that fit, the one with fewer is the closer one.
func (t *offered) others(filled map[string]bool) int {
	n := 0
	for _, p := range t.params {
		if !p.required && !filled[p.name] {
			n++
		}
	}
	return n
}

// missing names the first required parameter that args lacks.
func (t *offered) missing(args *object) (string, bool) {
	for _, p := range t.params {
		if _, ok := args.vals[p.name]; p.required && !ok {
			return p.name, true
		}
	}
	for name := range t.root.required {
		if _, ok := args.vals[name]; !ok {
			return name, true
		}
	}
	return "", false
}

// accepts is the last check before a call is made.
func (t *offered) accepts(args *object) bool { return t.root.acceptsObject(args) }

// splitName cuts an identifier into lower-case words: snake_case, kebab-case,
// camelCase; Chinese stays together.
func splitName(name string) []string {
	var words []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	prev := rune(0)
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush()
			prev = r
			continue
		case unicode.IsUpper(r) && unicode.IsLower(prev), isHan(r) != isHan(prev) && b.Len() > 0:
			flush()
		}
		b.WriteRune(r)
		prev = r
	}
	flush()
	return words
}

// firstSentence is where a description says what the tool does; what follows
// often names what it is not for.
func firstSentence(s string) string {
	for i, r := range s {
		switch r {
		case '。', '！', '？', '\n', ';', '；':
			return s[:i]
		case '.', '!', '?':
			next, _ := utf8.DecodeRuneInString(s[i+1:])
			if i+1 >= len(s) || unicode.IsSpace(next) {
				return s[:i]
			}
		}
	}
	return s
}

// cut shortens s to at most n bytes without breaking a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// listed returns what a text lists as examples or choices: what stands in
// quotes, and the items of enumerations in brackets.
func listed(s string) []string {
	out := quotedSpans(s)
	depth, start := 0, 0
	for i, r := range s {
		switch r {
		case '(', '（', '[', ':', '：':
			depth, start = 1, i+utf8.RuneLen(r)
		case ')', '）', ']', ',', '，', '、', '/', ';', '；', '|':
			if depth > 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
			}
			start = i + utf8.RuneLen(r)
			if r == ')' || r == '）' || r == ']' {
				depth = 0
			}
		}
	}
	if depth > 0 {
		out = append(out, strings.TrimRight(strings.TrimSpace(s[start:]), ".。"))
	}
	return out
}
