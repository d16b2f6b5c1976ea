package secret

import "strings"

// contexts are the places whose neighbourhood tells that a secret follows,
// whatever it looks like, by the byte that announces them: credentials in HTTP
// headers, the password of a URL, a token of Telegram, a private key block, a
// telephone number.
func contexts() map[byte]func(s string, i int) span {
	return map[byte]func(string, int) span{':': afterColon, '-': keyBlock, '+': phone}
}

// headers carry a credential as their value, in lower case.
var headers = [...]string{
	"authorization", "x-api-key", "api-key", "apikey", "x-auth-token", "x-api-token", "x-access-token", "x-goog-api-key",
	"private-token", "cookie",
}

// schemes stand before the credential in an authorization header.
var schemes = [...]string{"bearer", "basic", "token", "apikey"}

// afterColon looks at a colon: "://" of a URL, or the one behind a header's
// name or a bot's number.
func afterColon(s string, i int) span {
	if strings.HasPrefix(s[i:], "://") {
		return urlPassword(s, i+3)
	}
	if at := botToken(s, i); at.to > at.from {
		return at
	}
	name := strings.TrimRight(s[max(0, i-24):i], `"'\`)
	for _, h := range headers {
		if len(name) >= len(h) && strings.EqualFold(name[len(name)-len(h):], h) && !inWord(name, len(name)-len(h), h) {
			at := credential(s, i+1)
			if h == "cookie" && !strings.Contains(s[at.from:at.to], "=") {
				return span{} // a biscuit
			}
			return at
		}
	}
	return span{}
}

// inWord reports whether a header's name is the end of a longer one. Proxies
// put a word before authorization.
func inWord(s string, i int, header string) bool {
	if header == "authorization" && i > 0 && s[i-1] == '-' {
		return false
	}
	return i > 0 && isKeyByte(s[i-1])
}

// credential skips blanks, quotes and the scheme, and returns the word there.
func credential(s string, i int) span {
	i = skip(s, i, " \t\"'\\")
	end := word(s, i)
	for _, scheme := range schemes {
		if strings.EqualFold(s[i:end], scheme) {
			i = skip(s, end, " \t")
			end = word(s, i)
			break
		}
	}
	// Prose after "Authorization:" is not a key: keys have digits, or are long.
	if !strings.ContainsAny(s[i:end], "0123456789") && end-i < 16 {
		return span{}
	}
	return span{from: i, to: end}
}

func skip(s string, i int, set string) int {
	for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
		i++
	}
	return i
}

// word returns the end of the run of characters that credentials are made of.
func word(s string, i int) int {
	most := min(len(s), i+maxSigned)
	for i < most && (isKeyByte(s[i]) || strings.IndexByte("+/=~:", s[i]) >= 0) {
		i++
	}
	return i
}

// urlPassword finds the password of scheme://user:password@host; i is behind
// the slashes. An @ counts only before the path begins.
func urlPassword(s string, i int) span {
	end := strings.IndexAny(s[i:], "/?# \t\r\n\"'<>`")
	if end < 0 {
		end = len(s) - i
	}
	at := strings.LastIndexByte(s[i:i+end], '@')
	if at < 0 {
		return span{}
	}
	colon := strings.IndexByte(s[i:i+at], ':')
	if colon < 0 {
		return span{}
	}
	return span{from: i + colon + 1, to: i + at, with: hidden}
}

// botToken finds a token of Telegram, 123456789:AA…; s[i] is its colon.
func botToken(s string, i int) span {
	n := i
	for n > 0 && s[n-1] >= '0' && s[n-1] <= '9' {
		n--
	}
	if i-n < 8 || i-n > 10 {
		return span{}
	}
	end := i + 1
	for end < len(s) && isNameByte(s[end]) {
		end++
	}
	if end-i-1 < 30 {
		return span{}
	}
	return span{from: i + 1, to: end, with: hidden}
}

const keyBegin, keyEnd = "-----BEGIN ", "-----END "

// keyBlock finds a PEM private key. One that is cut off goes to the end of the
// text.
func keyBlock(s string, i int) span {
	if !strings.HasPrefix(s[i:], keyBegin) {
		return span{}
	}
	head, rest, ok := strings.Cut(s[i+len(keyBegin):], "-----")
	if !ok || len(head) > 40 || !strings.HasSuffix(head, "PRIVATE KEY") {
		return span{}
	}
	const with = "[REDACTED PRIVATE KEY]"
	if end := strings.Index(rest, keyEnd); end >= 0 {
		to := len(s) - len(rest) + end + len(keyEnd)
		if _, after, ok := strings.Cut(s[to:], "-----"); ok {
			to = len(s) - len(after)
		}
		return span{from: i, to: to, with: with}
	}
	return span{from: i, to: len(s), with: with}
}

// phone finds an international telephone number, as Signal names people by:
// ten digits or more, set off from what is around it. A plus that begins a line
// is the mark of a patch, other pluses belong to numbers.
func phone(s string, i int) span {
	if i > 0 && strings.IndexByte(" \t\"':", s[i-1]) < 0 {
		return span{}
	}
	end := i + 1
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if n := end - i - 1; n < 10 || n > 15 || s[i+1] == '0' {
		return span{}
	}
	if end < len(s) && (isNameByte(s[end]) || s[end] == '.' && end+1 < len(s) && isAlnum(s[end+1])) {
		return span{}
	}
	return span{from: i, to: end, with: s[i:i+4] + "****" + s[end-4:end]}
}
