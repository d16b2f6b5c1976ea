package demo

import (
	"strings"
	"unicode"

	"hermes/agent/locale"
)

// answerLang is the language to answer a prompt in: the one it is written in,
// fallback when it is in neither or says too little.
func answerLang(prompt string, fallback locale.Lang) locale.Lang {
	prompt = cut(prompt, maxPrompt)
	for _, text := range []string{mask(prompt, quoted(prompt)), prompt} {
		han, latin, other := 0, 0, 0
		inWord := false
		for _, r := range text {
			latinLetter := unicode.Is(unicode.Latin, r)
			switch {
			case isHan(r):
				han++
			case unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r):
				other++
			case latinLetter && !inWord:
				latin++
			case unicode.IsLetter(r) && !latinLetter:
				other++
			}
			inWord = latinLetter
		}
		switch {
		case other > 0 && other*3 >= han: // a few characters of kana make it Japanese
			return fallback
		case han > latin || han > 0 && han >= latin && fallback == locale.ZH || han >= 3 && han*2 >= latin:
			return locale.ZH
		case latin > 0:
			return locale.EN
		}
	}
	return fallback
}

// languageTable names languages: code, English name, Chinese names.
const languageTable = `en english 英语 英文
zh chinese 中文 汉语 普通话
fr french 法语 法文
de german 德语 德文
es spanish 西班牙语 西班牙文
ja japanese 日语 日文
ko korean 韩语 韩文
ru russian 俄语 俄文
it italian 意大利语
pt portuguese 葡萄牙语
ar arabic 阿拉伯语
nl dutch 荷兰语
tr turkish 土耳其语
hi hindi 印地语
la latin 拉丁语`

// targetLanguage returns the language that c asks for, as p writes languages.
func (c *clause) targetLanguage(p param) (string, bool) {
	low := strings.ToLower(c.masked)
	bestAt, best := -1, []string(nil)
	for line := range strings.Lines(languageTable) {
		names := strings.Fields(line)
		for _, n := range names[1:] {
			if i := strings.LastIndex(low, n); i > bestAt {
				bestAt, best = i, names
			}
		}
	}
	if best == nil {
		return "", false
	}
	known := examplesOf(p)
	for _, k := range known {
		for _, n := range best {
			if strings.EqualFold(k, n) {
				return k, true
			}
		}
	}
	for _, k := range known {
		if len(k) == 2 {
			return best[0], true
		}
	}
	return strings.ToUpper(best[1][:1]) + best[1][1:], true
}
