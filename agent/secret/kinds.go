package secret

import "strings"

// kind is a sort of key that its beginning gives away.
type kind struct {
	prefix string
	min    int // characters after the prefix
}

// kinds are prefixes that the services document for their keys. Longer ones
// stand before the ones they begin with.
var kinds = []kind{
	{"sk-", 16},
	{"sk_live_", 10},
	{"sk_test_", 10},
	{"rk_live_", 10},
	{"github_pat_", 20},
	{"ghp_", 20},
	{"gho_", 20},
	{"ghu_", 20},
	{"ghs_", 20},
	{"ghr_", 20},
	{"glpat-", 16},
	{"xoxb-", 10},
	{"xoxp-", 10},
	{"xoxa-", 10},
	{"xoxr-", 10},
	{"xoxs-", 10},
	{"xapp-", 10},
	{"AIza", 30},
	{"AKIA", 16},
	{"ASIA", 16},
	{"pplx-", 16},
	{"hf_", 16},
	{"npm_", 20},
	{"pypi-", 20},
	{"gsk_", 16},
	{"xai-", 16},
	{"tvly-", 10},
	{"fc-", 24},
	{"exa_", 16},
	{"r8_", 16},
	{"nvapi-", 16},
	{"SG.", 30},
	{"dop_v1_", 20},
	{"eyJ", 40},
}

// length returns how long the key at the start of s is, 0 when what follows
// the prefix is no key.
func (k kind) length(s string) int {
	n := len(k.prefix)
	digits := false
	for n < len(s) && isKeyByte(s[n]) {
		digits = digits || (s[n] >= '0' && s[n] <= '9')
		n++
	}
	// A sentence may end behind the key.
	for n > len(k.prefix) && strings.IndexByte(".-", s[n-1]) >= 0 {
		n--
	}
	if n-len(k.prefix) < k.min || !digits {
		return 0
	}
	return n
}

func isKeyByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' ||
		(b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z')
}
