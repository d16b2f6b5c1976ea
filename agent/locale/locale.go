// Package locale is the one catalogue of texts that users read, in English and
// Simplified Chinese. Texts that tools, logs or the model read are not here:
// they stay English (decision D25).
//
// A text is a variable of type Msg, in the file of its subject. Both languages
// take the same verbs in the same number; where the order differs, use indexed
// verbs (%[2]s). A test checks that.
package locale

import (
	"fmt"
	"strings"
)

// Lang is a language of the catalogue.
type Lang uint8

// Languages.
const (
	EN Lang = iota
	ZH
)

// String returns the tag, as display.language writes it.
func (l Lang) String() string {
	if l == ZH {
		return "zh"
	}
	return "en"
}

// Parse reads a language tag or POSIX locale (zh, zh-CN, zh_CN.UTF-8, en_US);
// ok is false for a language that the catalogue does not have.
func Parse(tag string) (l Lang, ok bool) {
	tag = strings.ToLower(tag)
	switch {
	case tag == "zh" || strings.HasPrefix(tag, "zh-") || strings.HasPrefix(tag, "zh_"):
		return ZH, true
	case tag == "en" || strings.HasPrefix(tag, "en-") || strings.HasPrefix(tag, "en_"):
		return EN, true
	}
	return EN, false
}

// FromEnv picks the language of the process environment: the first of
// LC_ALL, LC_MESSAGES and LANG that is set, as POSIX orders them.
func FromEnv(getenv func(string) string) Lang {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			l, _ := Parse(v)
			return l
		}
	}
	return EN
}

// Msg is one text in every language.
type Msg struct{ EN, ZH string }

// In returns the text in l with args filled in as by fmt.Sprintf; without
// args the text is returned as it stands.
func (m Msg) In(l Lang, args ...any) string {
	s := m.EN
	if l == ZH {
		s = m.ZH
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, args...)
}
