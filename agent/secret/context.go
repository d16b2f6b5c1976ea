package secret

import "strings"

// contexts are the places whose neighbourhood tells that a secret follows,
// whatever it looks like, by the byte that announces them: credentials in HTTP
// headers, the password of a URL, and a private key block.
func contexts() map[byte]func(s string, i int) span {
	return map[byte]func(string, int) span{':': afterColon, '-': keyBlock}
}

// headers carry a credential as their value, in lower case.
var headers = [...]string{"authorization", "x-api-key", "api-key", "x-auth-token", "x-goog-api-key", "cookie"}

// schemes stand before the credential in an authorization header.
var schemes = [...]string{"bearer", "basic", "token", "apikey"}

// afterColon looks at a colon: "://" of a URL, or the one behind a header's name.
func afterColon(s string, i int) span {
	if strings.HasPrefix(s[i:], "://") {
		return urlPassword(s, i+3)
	}
	name := strings.TrimRight(s[max(0, i-20):i], `"'`)
	for _, h := range headers {
		if len(name) >= len(h) && strings.EqualFold(name[len(name)-len(h):], h) && !inWord(name, len(name)-len(h)) {
			return credential(s, i+1)
		}
	}
	return span{}
}

func inWord(s string, i int) bool { return i > 0 && isKeyByte(s[i-1]) }

// credential skips blanks, quotes and the scheme, and returns the word there.
func credential(s string, i int) span {
	i = skip(s, i, " \t\"'")
	end := word(s, i)
	for _, scheme := range schemes {
		if strings.EqualFold(s[i:end], scheme) {
			i = skip(s, end, " \t")
			end = word(s, i)
			break
		}
	}
	// Prose after "Authorization:" is not a key: keys have digits.
	if !strings.ContainsAny(s[i:end], "0123456789") {
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
	for i < len(s) && (isKeyByte(s[i]) || strings.IndexByte("+/=~:", s[i]) >= 0) {
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
	return span{i + colon + 1, i + at, true}
}

const keyBegin, keyEnd = "-----BEGIN ", "-----END "

// keyBlock finds the body of a PEM private key.
func keyBlock(s string, i int) span {
	if !strings.HasPrefix(s[i:], keyBegin) {
		return span{}
	}
	head, rest, ok := strings.Cut(s[i+len(keyBegin):], "-----")
	if !ok || len(head) > 40 || !strings.HasSuffix(head, "PRIVATE KEY") {
		return span{}
	}
	from := len(s) - len(rest)
	if end := strings.Index(rest, keyEnd); end >= 0 {
		return span{from, from + end, true}
	}
	return span{from, len(s), true}
}
