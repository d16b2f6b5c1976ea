package secret

import "strings"

// kind is a sort of key that its beginning gives away.
type kind struct {
	prefix string
	min    int // characters after the prefix
	// more are characters that keys of the kind have besides letters and
	// digits.
	more string
	// word says that the prefix begins ordinary names too (sk_buff_init): only
	// what has a run of letters and digits that no name has is a key.
	word bool
}

// kinds are prefixes that the services document for their keys (contract/core
// §3.5, and some that it does not have). Longer ones stand before the ones
// they begin with.
var kinds = []kind{
	{prefix: "sk-", min: 10, more: "-_", word: true},
	{prefix: "sk_live_", min: 5, more: "_"},
	{prefix: "sk_test_", min: 5, more: "_"},
	{prefix: "rk_live_", min: 10},
	{prefix: "sk_", min: 10, more: "_", word: true},
	{prefix: "github_pat_", min: 10, more: "_"},
	{prefix: "ghp_", min: 10},
	{prefix: "gho_", min: 10},
	{prefix: "ghu_", min: 10},
	{prefix: "ghs_", min: 10},
	{prefix: "ghr_", min: 10},
	{prefix: "glpat-", min: 16, more: "-_"},
	{prefix: "xoxb-", min: 10, more: "-"},
	{prefix: "xoxp-", min: 10, more: "-"},
	{prefix: "xoxa-", min: 10, more: "-"},
	{prefix: "xoxr-", min: 10, more: "-"},
	{prefix: "xoxs-", min: 10, more: "-"},
	{prefix: "xoxe-", min: 10, more: "-"},
	{prefix: "xapp-", min: 10, more: "-"},
	{prefix: "AIza", min: 30, more: "-_"},
	{prefix: "AKIA", min: 16},
	{prefix: "ASIA", min: 16},
	{prefix: "pplx-", min: 10},
	{prefix: "fal_", min: 10, more: "-_", word: true},
	{prefix: "fc-", min: 10, word: true},
	{prefix: "bb_live_", min: 10, more: "-_"},
	{prefix: "gAAAA", min: 20, more: "-_="},
	{prefix: "hf_", min: 10, word: true},
	{prefix: "r8_", min: 10, word: true},
	{prefix: "npm_", min: 10, word: true},
	{prefix: "pypi-", min: 10, more: "-_", word: true},
	{prefix: "dop_v1_", min: 10},
	{prefix: "doo_v1_", min: 10},
	{prefix: "am_", min: 10, more: "-_", word: true},
	{prefix: "tvly-", min: 10, more: "-"},
	{prefix: "exa_", min: 10, word: true},
	{prefix: "gsk_", min: 10, word: true},
	{prefix: "syt_", min: 10, word: true},
	{prefix: "retaindb_", min: 10, word: true},
	{prefix: "hsk-", min: 10, word: true},
	{prefix: "mem0_", min: 10, word: true},
	{prefix: "brv_", min: 10, word: true},
	{prefix: "xai-", min: 30},
	{prefix: "ntn_", min: 10, word: true},
	{prefix: "fw-", min: 30},
	{prefix: "fw_", min: 30},
	{prefix: "fpk_", min: 30},
	{prefix: "nvapi-", min: 16, more: "-_"},
	{prefix: "SG.", min: 10, more: "-_.", word: true},
	{prefix: "eyJ", min: 10, more: "-_=."},
}

// Limits of keys in bytes, so that hostile texts cost no more than long ones:
// plain keys, and those that carry data (JWT, Fernet).
const (
	maxKey    = 512
	maxSigned = 16 << 10
)

// length returns how long the key at the start of s is, 0 when what follows
// the prefix is no key.
func (k kind) length(s string) int {
	n := len(k.prefix)
	most := min(len(s), maxKey)
	if strings.IndexByte(k.more, '=') >= 0 {
		most = min(len(s), maxSigned)
	}
	for n < most && (isAlnum(s[n]) || strings.IndexByte(k.more, s[n]) >= 0) {
		n++
	}
	// A sentence may end behind the key.
	for n > len(k.prefix) && strings.IndexByte(".-", s[n-1]) >= 0 {
		n--
	}
	body := s[len(k.prefix):n]
	switch {
	case len(body) < k.min, placeholder(body):
		return 0
	case k.more == "" && n < len(s) && s[n] == '_':
		return 0 // part of a longer name
	case k.word && !random(body):
		return 0
	case k.prefix == "eyJ" && strings.HasPrefix(body, "..."):
		return 0
	}
	return n
}

// random reports whether a text has a part that looks drawn by chance: digits
// among ten or more characters in a row, or twenty letters in a row.
func random(body string) bool {
	run, digits, letters := 0, 0, 0
	for i := 0; i < len(body); i++ {
		switch {
		case body[i] >= '0' && body[i] <= '9':
			run, digits = run+1, digits+1
		case isAlnum(body[i]):
			run, letters = run+1, letters+1
		default:
			run, digits, letters = 0, 0, 0
		}
		if run >= 10 && digits >= 1 || letters >= 20 {
			return true
		}
	}
	return false
}

func isAlnum(b byte) bool {
	return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z')
}

// isKeyByte reports whether b may stand inside a key or a name.
func isKeyByte(b byte) bool { return b == '_' || b == '-' || b == '.' || isAlnum(b) }

// isNameByte reports whether a key cannot begin right behind b.
func isNameByte(b byte) bool { return b == '_' || b == '-' || isAlnum(b) }
