package demo

import "strings"

// named returns the tools that the clause asks for by name: "use the echo
// tool", "with get_time", 让回声工具. A word that merely is a tool's name does not
// count; it has to be spoken of as a tool.
func (c *clause) named(tools []*offered) []*offered {
	low := strings.ToLower(cut(c.masked, maxPrompt))
	var out []*offered
	for _, t := range tools {
		if mentionsName(low, t) {
			out = append(out, t)
		}
	}
	if len(out) > 0 {
		return out
	}
	return c.describedAsTool(tools)
}

// mentionsName reports whether the text names t as a tool.
func mentionsName(low string, t *offered) bool {
	name := strings.ToLower(t.name)
	for from := 0; ; {
		i := strings.Index(low[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if !letterAt(low, i-1) && !letterAt(low, end) {
			if strings.ContainsAny(name, "_-0123456789") || cuedAsTool(low[:i], low[end:]) {
				return true
			}
		}
		from = i + 1
	}
}

// cuedAsTool reports whether the words around a name speak of a tool.
func cuedAsTool(before, after string) bool {
	before = strings.TrimRight(before, " `'\"“‘「")
	after = strings.TrimLeft(after, " `'\"”’」")
	for _, w := range []string{"tool", "plugin", "function", "工具", "插件", "函数"} {
		if strings.HasPrefix(after, w) {
			return true
		}
	}
	for _, w := range []string{"use", "using", "use the", "using the", "call", "call the", "invoke", "tool", "via", "run the", "let", "使用", "调用", "工具", "用", "让", "通过"} {
		if strings.HasSuffix(before, w) && (ideographic(w) || !letterAt(before, len(before)-len(w)-1)) {
			return true
		}
	}
	return false
}

// describedAsTool reads "the weather tool" and 回声工具, where the words describe
// the tool in either language.
func (c *clause) describedAsTool(tools []*offered) []*offered {
	lex := lexicon()
	for i, t := range c.tokens {
		if i == 0 || !inWords("tool plugin 工具 插件", t.text) {
			continue
		}
		prev := c.tokens[i-1]
		want := lex.textConcepts([]token{prev}, 2) & asked &^ acting
		if inWords("plugin 插件", t.text) {
			want = 0 // "enable the weather plugin" speaks of a plugin, not of a call
		}
		var out []*offered
		for _, o := range tools {
			byWord := len(prev.text) > 3 && !lex.stop[prev.text] && (inWords(strings.Join(o.nameWords, " "), prev.text) || prev.kind == tokHan && strings.Contains(o.desc, prev.text+t.text))
			if byWord || o.inName.has(want) {
				out = append(out, o)
			}
		}
		if len(out) == 0 {
			for _, o := range tools {
				if o.inDesc.has(want) {
					out = append(out, o)
				}
			}
		}
		return out
	}
	return nil
}
