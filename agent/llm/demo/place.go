package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// notPlaces are words that stand in questions about a place without naming it.
const notPlaces = `today tomorrow tonight now this next week weekend right currently please like morning afternoon evening night moment day days hour hours
celsius fahrenheit metric imperial degrees outside forecast report details info information conditions humidity temperature weather hot cold warm
rain rainy snow sunny windy umbrella going minute minutes seconds general total monday tuesday wednesday thursday friday saturday sunday too also
later soon am pm there here where is it
预报 报告 情况 信息 状况 好不好 冷 热 暖和 凉快 度 几度 多少度 实时 预计 穿 衣服 出门 出差 适合 摄氏度 华氏度 摄氏 华氏 单位 数据 如何 未来 天 周 早上 上午 中午 下午 晚上 城市 伞 带 雨 雪 晴 风`

// places returns the places that the clause names, in order.
func (c *clause) places() []string {
	if found := c.placesBehind("in for at of near around"); len(found) > 0 {
		return found
	}
	if found := c.placesBefore(); len(found) > 0 {
		return found
	}
	return c.placesLeft()
}

// placesElsewhere reads a place from a sentence that is about something else:
// "I'm going to Madrid", 我明天去成都.
func (c *clause) placesElsewhere() []string {
	for _, name := range c.placesBehind("in to at near visiting visit 去 到 在 飞 来 飞往 前往") {
		r, _ := utf8.DecodeRuneInString(name)
		if unicode.IsUpper(r) || isHan(r) && utf8.RuneCountInString(name) > 1 {
			return []string{name}
		}
	}
	return nil
}

// placesBehind reads phrases that one of the words opens: "in New York and
// London", "for Paris".
func (c *clause) placesBehind(words string) []string {
	for i, t := range c.tokens {
		if !inWords(words, t.text) {
			continue
		}
		var out []string
		j, joined := i+1, false
		for j < len(c.tokens) {
			name, next := c.placeAt(j)
			if name == "" {
				break
			}
			out = append(out, name)
			joined = joined || next < len(c.tokens) && inWords("and 和 & or", c.tokens[next].text)
			if next >= len(c.tokens) || !inWords("and , 和 & or", c.tokens[next].text) {
				break
			}
			for j = next + 1; j < len(c.tokens) && inWords("and in for", c.tokens[j].text); j++ {
			}
		}
		if len(out) == 2 && !joined {
			return out[:1] // "Paris, France" is one place
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// placeAt reads the words of one name at token i.
func (c *clause) placeAt(i int) (string, int) {
	for i < len(c.tokens) && c.tokens[i].text == "the" {
		i++
	}
	j := i
	for j < len(c.tokens) && j-i < 5 {
		t := c.tokens[j]
		if t.kind == tokHan && !lexicon().stop[t.text] && !c.passed(t) {
			j++
			continue
		}
		if t.kind != tokWord && !(t.text == "-" && t.glued) || t.kind == tokWord && c.passed(t) {
			break
		}
		// "," belongs to "Paris, France"; the comma itself ends a name.
		j++
	}
	if j == i {
		return "", i
	}
	return strings.TrimSuffix(strings.TrimSuffix(c.source(i, j), "'s"), "’s"), j
}

// placesBefore reads the Chinese name in front of the word for the weather: 今天
// 上海的天气. Names hold characters that elsewhere are words of their own (上, 都),
// so only longer words and a few verbs end it.
func (c *clause) placesBefore() []string {
	lex := lexicon()
	end := c.first(conceptWeather)
	for end > 0 && (lex.stop[c.tokens[end-1].text] || inWords(notPlaces, c.tokens[end-1].text)) && !(c.tokens[end-1].text == "都" || c.tokens[end-1].text == "里") {
		end--
	}
	start := end
	for start > 0 {
		t := c.tokens[start-1]
		name := inWords(hanNames, t.text)
		if t.kind != tokHan || start < end && c.tokens[start].start != t.end || !name && (len(t.text) > 3 && c.passed(t) || inWords("在 去 到 我 请 查 问 看 想 要 说 的 天 周", t.text)) {
			break
		}
		start--
	}
	if start == end || start < 0 {
		return nil
	}
	var out []string
	text := c.source(start, end)
	for _, sep := range []string{"和", "与", "跟", "及", "、"} {
		text = strings.ReplaceAll(text, sep, "\x00")
	}
	for _, name := range strings.Split(text, "\x00") {
		if n := utf8.RuneCountInString(name); n > 1 && n < 12 {
			out = append(out, name)
		}
	}
	return out
}

// passed reports whether a word is no part of a name of a place.
func (c *clause) passed(t token) bool {
	lex := lexicon()
	if lex.stop[t.text] || inWords(notPlaces, t.text) {
		return true
	}
	return t.kind == tokHan && lex.concepts[t.text] != 0 && len(t.text) > 3 || t.kind == tokWord && lex.wordConcepts(strings.TrimSuffix(t.text, "'s")).has(conceptWeather)
}

// placesLeft takes what is left when every other word is taken away: 今天杭州天气
// 怎么样, "Tokyo weather". Names joined by "and" are several places.
func (c *clause) placesLeft() []string {
	var out []string
	start, caps := -1, false
	flush := func(end int) {
		if start >= 0 && end > start {
			name := strings.Trim(c.source(start, end), trimmed)
			name = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
			if utf8.RuneCountInString(name) > 1 && utf8.RuneCountInString(name) < 40 {
				r, _ := utf8.DecodeRuneInString(name)
				up := unicode.IsUpper(r) || isHan(r)
				if up && !caps {
					out, caps = nil, true
				}
				if up == caps {
					out = append(out, name)
				}
			}
		}
		start = -1
	}
	for i, t := range c.tokens {
		word := t.kind == tokWord && !c.passed(t) && lexicon().wordConcepts(t.text) == 0
		han := t.kind == tokHan && !c.passed(t) && lexicon().concepts[t.text] == 0
		if !word && !han {
			flush(i)
			continue
		}
		if start >= 0 && han && !t.glued {
			flush(i)
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(c.tokens))
	if len(out) > 4 {
		return nil
	}
	return out
}
