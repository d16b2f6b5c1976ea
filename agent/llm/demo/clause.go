package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clause is a part of a prompt that asks for one thing, or for several of the
// same kind.
type clause struct {
	text     string
	masked   string // text with quoted parts blanked
	quotes   []string
	tokens   []token // of masked, spelled numbers joined
	concepts conceptSet
	question bool

	// What several tools ask for is found once.
	pathList []string
	pathsGot bool
	wanted   conceptSet
	wantsGot bool
}

// maxPrompt bounds how much of a prompt is searched for several requests, in
// bytes; a longer one is taken as a single request. maxSentence bounds in the
// same way a sentence that may hold several.
const (
	maxPrompt   = 16 << 10
	maxSentence = 2 << 10
)

func newClause(text string) *clause {
	text = strings.TrimSpace(text)
	qs := quoted(text)
	c := &clause{text: text, masked: mask(text, qs)}
	for _, q := range qs {
		if t := strings.TrimSpace(text[q.start:q.end]); t != "" {
			c.quotes = append(c.quotes, t)
		}
	}
	lex := lexicon()
	c.tokens = joinNumbers(lex.tokenize(c.masked))
	c.concepts = lex.textConcepts(c.tokens, 1)
	if len(c.paths()) > 0 || len(c.globs()) > 0 || inWords("grep", firstWord(c)) {
		c.concepts |= conceptFile
	}
	c.question = isQuestion(c)
	return c
}

func firstWord(c *clause) string {
	if len(c.tokens) == 0 {
		return ""
	}
	return c.tokens[0].text
}

// clauses cuts a prompt into what it asks for.
func clauses(prompt string) []*clause {
	if len(prompt) > maxPrompt {
		return []*clause{newClause(prompt)}
	}
	var out []*clause
	for _, s := range sentences(prompt) {
		for _, part := range splitConnected(s) {
			if c := newClause(part); len(c.tokens) > 0 || len(c.quotes) > 0 {
				out = append(out, c)
			}
		}
	}
	return out
}

// sentences cuts at the ends of sentences outside quotation marks.
func sentences(s string) []string {
	masked := mask(s, quoted(s))
	var out []string
	start := 0
	for i := 0; i < len(masked); {
		r, size := utf8.DecodeRuneInString(masked[i:])
		if endsSentence(masked, i, r, size) {
			out = append(out, s[start:i+size])
			start = i + size
		}
		i += size
	}
	return append(out, s[start:])
}

func endsSentence(s string, i int, r rune, size int) bool {
	rest := strings.TrimLeft(s[i+size:], " ")
	next, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case '。', '？', '?', '！', '；', ';':
		return true
	case '\n':
		return true
	case '!':
		// 5! is a number that goes on.
		prev, _ := utf8.DecodeLastRuneInString(s[:i])
		return !(unicode.IsDigit(prev) || prev == ')') || rest == "" || unicode.IsUpper(next)
	case '.':
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		return rest != "" && unicode.IsSpace(after)
	}
	return false
}

// connectors join requests when a new request follows them.
const (
	connectorsEN = ", and then |, and also |, then |, also | and then | and also | then | and |, and |, plus | plus "
	connectorsZH = "另外|还有|然后|接着|顺便|同时|并且|，再|,再|，并|,并|再|并"
)

// splitConnected cuts a sentence at connectors that begin another request.
func splitConnected(s string) []string {
	if len(s) > maxSentence {
		return []string{s}
	}
	masked := mask(s, quoted(s))
	low := lower(masked)
	var out []string
	start := 0
	for i := 1; i < len(low); i++ {
		if !utf8.RuneStart(low[i]) {
			continue
		}
		n := connectorAt(low, i)
		if n == 0 || !startsRequest(low[i+n:]) || saysUnquoted(s[start:i]) {
			continue
		}
		out = append(out, s[start:i])
		start = i + n
		i += n - 1
	}
	return softSplit(append(out, s[start:]))
}

func connectorAt(s string, i int) int {
	for _, list := range []string{connectorsEN, connectorsZH} {
		for _, c := range strings.Split(list, "|") {
			if strings.HasPrefix(s[i:], c) {
				return len(c)
			}
		}
	}
	return 0
}

// requestStarts are words that open a request.
const requestStarts = `what what's whats how convert calculate compute tell show read search find look say echo repeat get check evaluate give multiply divide
subtract translate open list is will can could please which where when who do add remind use run
请 帮 帮我 帮忙 计算 算 算算 算一下 查 查询 查一下 查找 告诉 告诉我 将 把 读 读取 搜索 搜 说 看看 看一下 打开 显示 翻译 提醒 添加 用 让 换算 转换 列出 我想`

func startsRequest(s string) bool {
	ts := lexicon().tokenize(cut(strings.TrimLeft(s, " ，,:："), 60))
	if len(ts) == 0 {
		return false
	}
	// "add 3 and add" never occurs; "add" opens a request only with its object.
	return inWords(requestStarts, ts[0].text)
}

// saysUnquoted reports whether s says something that is not in quotation
// marks: then the rest belongs to what is said.
func saysUnquoted(s string) bool {
	c := newClause(s)
	return c.concepts.has(conceptSay) && len(c.quotes) == 0
}

// softSplit cuts at commas where each side is a request of its own.
func softSplit(parts []string) []string {
	var out []string
	for _, p := range parts {
		if saysUnquoted(p) {
			out = append(out, p)
			continue
		}
		masked := mask(p, quoted(p))
		start := 0
		for i, r := range masked {
			if r != '，' && (r != ',' || !strings.HasPrefix(masked[i+1:], " ")) {
				continue
			}
			if stands(p[start:i]) && stands(p[i+utf8.RuneLen(r):]) {
				out = append(out, p[start:i])
				start = i + utf8.RuneLen(r)
			}
		}
		out = append(out, p[start:])
	}
	return out
}

// stands reports whether a part is a request without its neighbours.
func stands(s string) bool {
	c := newClause(s)
	if len(findCalculations(c.tokens)) > 0 || len(findConversions(c.tokens)) > 0 {
		return true
	}
	return c.concepts.has(conceptWeather | conceptTranslate | conceptTodo)
}

func isQuestion(c *clause) bool {
	if strings.ContainsAny(c.masked, "?？") {
		return true
	}
	for i, t := range c.tokens {
		switch t.text {
		case "what", "what's", "whats", "who", "why", "how", "where", "when", "which":
			return i < 3
		case "吗", "呢", "什么", "怎么", "谁", "为什么", "多少", "几", "如何", "哪里":
			return true
		}
	}
	return false
}

// inWords reports whether list, words with white space between, holds w.
func inWords(list, w string) bool {
	if w == "" {
		return false
	}
	space := func(i int) bool {
		return i < 0 || i >= len(list) || list[i] == ' ' || list[i] == '\n' || list[i] == '\t'
	}
	for from := 0; ; {
		i := strings.Index(list[from:], w)
		if i < 0 {
			return false
		}
		i += from
		if space(i-1) && space(i+len(w)) {
			return true
		}
		from = i + len(w)
	}
}
