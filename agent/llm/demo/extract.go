package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// trimmed are the characters that stand around what is cut out of a text.
const trimmed = " \t\r\n,.;:!?，。；：！？、\"'“”‘’「」…~～"

// after returns the text of c behind the token i, without what surrounds it.
func (c *clause) after(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return strings.Trim(c.text[c.tokens[i].end:], trimmed)
}

// source is the text of the tokens [i, j) as it was typed.
func (c *clause) source(i, j int) string {
	return c.text[c.tokens[i].start:c.tokens[j-1].end]
}

// first returns the index of the first token that stands for one of set, -1
// when there is none.
func (c *clause) first(set conceptSet) int {
	lex := lexicon()
	for i, t := range c.tokens {
		if t.kind == tokWord && lex.wordConcepts(t.text).has(set) || t.kind == tokHan && lex.concepts[t.text].has(set) {
			return i
		}
	}
	return -1
}

// leading is what the first word that means anything stands for.
func (c *clause) leading() conceptSet {
	lex := lexicon()
	for _, t := range c.tokens {
		if lex.stop[t.text] || t.kind == tokStop {
			continue
		}
		if t.kind == tokHan {
			return lex.concepts[t.text]
		}
		return lex.wordConcepts(t.text)
	}
	return 0
}

// head is the part of the text that is searched for names and addresses.
func (c *clause) head() string { return cut(c.text, maxPrompt) }

// urls returns the web addresses in the text.
func (c *clause) urls() []string {
	var out []string
	for _, w := range runs(c.head(), urlRune) {
		low := strings.ToLower(w)
		if i := strings.Index(low, "http://"); i >= 0 {
			out = append(out, strings.TrimRight(w[i:], ".,;:!?)'"))
		} else if i := strings.Index(low, "https://"); i >= 0 {
			out = append(out, strings.TrimRight(w[i:], ".,;:!?)'"))
		} else if strings.HasPrefix(low, "www.") {
			out = append(out, "https://"+strings.TrimRight(w, ".,;:!?)'"))
		}
	}
	return out
}

func urlRune(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune("\"'<>`", r)
}

func pathRune(r rune) bool {
	return r < 0x7f && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./~-+*?\\@#", r))
}

// runs cuts s into maximal pieces of characters that keep accepts.
func runs(s string, keep func(rune) bool) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !keep(r) })
}

// paths returns what looks like the name of a file or folder.
func (c *clause) paths() []string {
	if !c.pathsGot {
		c.pathList, c.pathsGot = c.findPaths(), true
	}
	return c.pathList
}

func (c *clause) findPaths() []string {
	var out []string
	for _, q := range c.quotes {
		if looksLikePath(q) && !strings.ContainsAny(q, "\n*") {
			out = append(out, q)
		}
	}
	for _, w := range runs(cut(c.masked, maxPrompt), pathRune) {
		w = strings.TrimRight(w, ".,?")
		if strings.HasPrefix(w, "//") {
			continue // the rest of a web address
		}
		if w == "." && len(w) == 1 || looksLikePath(w) && !strings.ContainsAny(w, "*?") {
			out = append(out, w)
		}
	}
	if len(out) == 0 && c.here() {
		out = append(out, ".")
	}
	return out
}

// folder returns the bare name in "the agent folder" and agent 目录.
func (c *clause) folder() string {
	for i, t := range c.tokens {
		if i == 0 || !inWords("folder directory dir 目录 文件夹", t.text) {
			continue
		}
		if prev := c.tokens[i-1]; prev.kind == tokWord && !lexicon().stop[prev.text] {
			return c.source(i-1, i)
		}
	}
	return ""
}

// here reports whether the text speaks of the working directory.
func (c *clause) here() bool {
	low := strings.ToLower(cut(c.masked, maxPrompt))
	for _, w := range []string{"current dir", "current folder", "this dir", "this folder", "working dir", "当前目录", "当前文件夹", "这个目录", "本目录", "工作目录"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// wellKnown are files that are called by their bare names.
const wellKnown = "readme makefile dockerfile license changelog gemfile jenkinsfile todo.txt"

func looksLikePath(w string) bool {
	low := strings.ToLower(w)
	if inWords(wellKnown, low) {
		return true
	}
	if w == "" || len(w) > 400 || strings.Contains(low, "://") || strings.HasPrefix(low, "www.") || strings.ContainsAny(w, " ") && !strings.Contains(w, "/") && !strings.Contains(w, ".") {
		return false
	}
	if !strings.ContainsFunc(w, unicode.IsLetter) {
		return false
	}
	if strings.HasPrefix(w, "~/") || strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../") || len(w) > 1 && w[0] == '/' {
		return true
	}
	if strings.Contains(w, "/") {
		return len(unitsNamed(low)) == 0 && !inWords("and/or he/she his/her yes/no tcp/ip i/o n/a either/or", low)
	}
	dot := strings.LastIndexByte(w, '.')
	if dot < 0 || dot == len(w)-1 || len(w)-dot > 8 {
		return false
	}
	ext := w[dot+1:]
	if ext[0] >= '0' && ext[0] <= '9' || inWords("e.g i.e a.m p.m u.s", low) {
		return false
	}
	return dot > 0 || len(ext) > 2
}

// globs returns patterns of file names: *.go, and "all .py files".
func (c *clause) globs() []string {
	var out []string
	for _, w := range runs(c.head(), pathRune) {
		w = strings.TrimRight(w, ".,")
		switch {
		case strings.Contains(w, "*"):
			out = append(out, w)
		case len(w) > 1 && w[0] == '.' && len(w) <= 6 && strings.IndexFunc(w[1:], func(r rune) bool { return !unicode.IsLetter(r) }) < 0:
			out = append(out, "*"+w)
		}
	}
	return out
}

// markers introduce what is searched for.
var markers = []string{
	"containing the text", "containing the word", "containing", "that contains", "that contain", "which contain", "contains", "that mention", "mentioning", "mention", "mentions", "that use", "matching", "named", "called",
	"with the name", "with the word", "for the word", "for the text", "for files named", "for", "about", "on the topic of", "regarding",
	"包含", "含有", "名为", "名叫", "叫做", "叫", "关于", "带有", "提到了", "提到", "里有",
}

// trailers follow what is searched for and are not part of it.
var trailers = []string{
	" in the current directory", " in this directory", " in this folder", " in the project", " in this project", " in the repo", " in this repo", " in my files", " in the files",
	" in files", " on the web", " on the internet", " online", " please", " for me", " files", " file", " in all files", " here",
	"的文件夹", "的文件", "的代码", "的内容", "的新闻", "的资料", "的信息", "文件", "这个词", "这个单词",
}

// query returns what the clause wants to have looked for.
func (c *clause) query() string {
	if len(c.quotes) > 0 {
		return c.quotes[0]
	}
	text := c.head()
	start := 0
	if i := c.first(conceptSearch | conceptList); i >= 0 {
		start = min(c.tokens[i].end, len(text))
	}
	best := c.marked(start)
	if g := c.globs(); best == "" && len(g) > 0 {
		return g[0]
	}
	if best == "" && start > 0 {
		best = stripTrailers(text[start:])
	}
	return best
}

// saysMore reports whether s has a word that means something by itself.
func saysMore(s string) bool {
	lex := lexicon()
	for _, t := range lex.tokenize(cut(s, 200)) {
		if !lex.stop[t.text] {
			return true
		}
	}
	return false
}

// marked returns what a marker behind start introduces.
func (c *clause) marked(start int) string {
	text := c.head()
	low := lower(text)
	for _, m := range markers {
		i := indexWord(low[start:], m)
		if i < 0 {
			continue
		}
		if rest := stripTrailers(text[start+i+len(m):]); rest != "" && saysMore(rest) {
			return rest
		}
	}
	return ""
}

// lower is s in lower case with every offset unchanged; where the cases of a
// letter differ in length, s stays as it is.
func lower(s string) string {
	if low := strings.ToLower(s); len(low) == len(s) {
		return low
	}
	return s
}

// indexWord finds m in s, as words of their own where it is Latin.
func indexWord(s, m string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], m)
		if i < 0 {
			return -1
		}
		i += from
		if ideographic(m) || !letterAt(s, i-1) && !letterAt(s, i+len(m)) {
			return i
		}
		from = i + len(m)
	}
}

// stripTrailers cuts what follows the thing searched for, and fillers around it.
func stripTrailers(s string) string {
	s = strings.Trim(s, trimmed)
	for range 3 {
		for _, t := range trailers {
			if len(s) > len(t) && strings.EqualFold(s[len(s)-len(t):], t) {
				s = strings.Trim(s[:len(s)-len(t)], trimmed)
			}
		}
	}
	if i := pathTail(s); i > 0 {
		s = strings.Trim(s[:i], trimmed)
	}
	return dropLead(s)
}

// pathTail is where " in src/" begins, when the end of s names a folder.
func pathTail(s string) int {
	for _, w := range []string{" in ", " under ", " inside ", " within "} {
		if i := strings.LastIndex(s, w); i > 0 && looksLikePath(strings.Trim(s[i+len(w):], trimmed)) {
			return i
		}
	}
	return -1
}

// dropLead takes fillers from the beginning of s.
func dropLead(s string) string {
	for range 4 {
		cut := false
		for _, w := range []string{"the word ", "the text ", "the string ", "the phrase ", "the ", "all ", "any ", "for ", "of ", "about ", "me ", "up ", "一下", "所有", "有关", "这句话", "一句话", "一句", "一遍", "一声", "一个"} {
			if len(s) > len(w) && strings.EqualFold(s[:len(w)], w) {
				s, cut = strings.TrimLeft(s[len(w):], trimmed), true
			}
		}
		if !cut {
			break
		}
	}
	return s
}

// said returns what the clause wants to have said or passed on: a quotation,
// what follows a colon, what follows the verb.
func (c *clause) said() string {
	if len(c.quotes) > 0 {
		return c.quotes[0]
	}
	if i := strings.IndexAny(c.text, ":：") + 1; i > 0 {
		_, size := utf8.DecodeRuneInString(c.text[i-1:])
		if t := strings.Trim(c.text[i-1+size:], " \t\r\n"); t != "" && !strings.HasPrefix(c.text[i-1:], "://") {
			return t
		}
	}
	lex := lexicon()
	for i := len(c.tokens) - 1; i >= 0; i-- {
		t := c.tokens[i]
		if t.kind == tokWord && !inWords("say echo repeat speak says parrot", t.text) || t.kind != tokWord && !lex.concepts[t.text].has(conceptSay) {
			continue
		}
		if c.namesTool(i) {
			continue
		}
		if text := trimSaid(c.text[t.end:]); text != "" {
			return text
		}
	}
	return ""
}

// namesTool reports whether the token i is the name of a tool ("the echo tool").
func (c *clause) namesTool(i int) bool {
	for j := i + 1; j < len(c.tokens) && j <= i+1; j++ {
		if inWords("tool tools plugin function command 工具 插件 函数 功能", c.tokens[j].text) {
			return true
		}
	}
	return false
}

func trimSaid(s string) string {
	s = strings.Trim(s, " \t\r\n,，:：\"“”")
	for _, w := range []string{"after me", "back to me", "back", "exactly", "this"} {
		if len(s) >= len(w) && strings.EqualFold(s[:len(w)], w) && !letterAt(s, len(w)) {
			s = strings.Trim(s[len(w):], " \t\r\n,，:：\"“”")
		}
	}
	low := lower(s)
	for _, w := range []string{" using the ", " with the ", " using ", " via the ", " through the "} {
		if i := strings.LastIndex(low, w); i > 0 && (strings.HasSuffix(strings.TrimRight(low, ".!? "), "tool") || strings.HasSuffix(strings.TrimRight(low, ".!? "), "plugin")) {
			s = s[:i]
			break
		}
	}
	return strings.TrimSpace(dropLead(strings.TrimSpace(s)))
}
