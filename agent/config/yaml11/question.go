package yaml11

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// parseWithQuestions parses again with every question mark inside a word put
// out of the way: yaml.v3 ends a plain text in a flow collection there, as in
// {description: Which key?}, which YAML and PyYAML allow. ok is false when that
// was not the trouble.
func parseWithQuestions(file string, data []byte) (doc *yaml.Node, ok bool) {
	text := string(data)
	mark := unused(text)
	if mark == "" {
		return nil, false
	}
	var b strings.Builder
	for i := range len(text) {
		if text[i] == '?' && i > 0 && !strings.ContainsRune(" \t\r\n[{,?", rune(text[i-1])) {
			b.WriteString(mark)
		} else {
			b.WriteByte(text[i])
		}
	}
	doc, err := parse(file, []byte(b.String()))
	if err != nil || doc == nil {
		return nil, false
	}
	restore(doc, strings.NewReplacer(mark, "?"))
	return doc, true
}

// unused returns a character of the private use area that text does not have.
func unused(text string) string {
	for r := rune(0xe000); r < 0xe100; r++ {
		if !strings.ContainsRune(text, r) {
			return string(r)
		}
	}
	return ""
}

func restore(n *yaml.Node, r *strings.Replacer) {
	for _, s := range []*string{&n.Value, &n.Tag, &n.Anchor, &n.HeadComment, &n.LineComment, &n.FootComment} {
		*s = r.Replace(*s)
	}
	for _, c := range n.Content {
		restore(c, r)
	}
}
