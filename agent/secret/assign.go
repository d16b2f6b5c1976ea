package secret

import (
	"regexp"
	"strings"
	"sync"
)

// lazy compiles an expression when it is first needed: a start of the program
// that masks nothing does without.
func lazy(s string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(s) })
}

// Notations of a name and its value. Names are matched loosely and judged by
// secretWord.
var (
	// NAME=value, export NAME="value"; value may follow blanks.
	assignEqual = lazy(`([A-Za-z][\w.\-]*)(=[ \t]*)("[^"\n]*"|'[^'\n]*'|[^\s"'&;,]+)`)
	// name: value at the beginning of a line or behind a dash.
	assignColon = lazy(`(?m)^([ \t]*(?:- )?["']?)([A-Za-z][\w .\-]*)(["']?:[ \t]+)("[^"\n]*"|'[^'\n]*'|[^\s"'{\[&*|>#,]+)`)
	// "name": "value" of JSON, wherever it stands, also inside a JSON string.
	assignJSON = lazy(`(\\?")([A-Za-z][\w.\-]*)(\\?"\s*:\s*\\?")([^"\\\n]+)(\\?")`)

	queryParam = lazy(`([?&])([\w\-]+)=([^&#\s"'<>]+)`)
	formBody   = lazy(`^[\w.\-\[\]%]+=[^&\s]*(?:&[\w.\-\[\]%]+=[^&\s]*)+$`)
)

// secretWord finds in a name what says that its value is secret.
var secretWord = lazy(`(?i)(?:api[ _.\-]?key|token|secret|passwd|password|passphrase|credential|(?:^|[_.\-])(?:key|auth|pass)(?:$|[_.\-]|\b))`)

// bodyKeys are the parameters of requests that carry secrets.
var bodyKeys = map[string]bool{
	"access_token": true, "refresh_token": true, "id_token": true, "token": true, "api_key": true, "apikey": true, "key": true,
	"client_secret": true, "password": true, "secret": true, "auth": true, "jwt": true, "private_key": true, "authorization": true,
	"code": true, "session": true, "signature": true, "x-amz-signature": true,
}

// assignments masks the values of secret names.
func assignments(s string) string {
	s = assignJSON().ReplaceAllStringFunc(s, func(m string) string {
		g := assignJSON().FindStringSubmatch(m)
		if !secretWord().MatchString(g[2]) || ordinary(g[4]) {
			return m
		}
		return g[1] + g[2] + g[3] + maskValue(g[4]) + g[5]
	})
	s = assignEqual().ReplaceAllStringFunc(s, func(m string) string {
		g := assignEqual().FindStringSubmatch(m)
		if !secretWord().MatchString(g[1]) {
			return m
		}
		return g[1] + g[2] + quoted(g[3], g[1] == strings.ToUpper(g[1]))
	})
	return assignColon().ReplaceAllStringFunc(s, func(m string) string {
		g := assignColon().FindStringSubmatch(m)
		if !secretWord().MatchString(g[2]) {
			return m
		}
		return g[1] + g[2] + g[3] + quoted(g[4], false)
	})
}

// quoted masks a value and keeps the quotes around it. Of variables nothing
// stays: their short values are whole passwords.
func quoted(value string, all bool) string {
	q := ""
	if value[0] == '"' || value[0] == '\'' {
		q, value = value[:1], value[1:len(value)-1]
	}
	if all && (masked(value) || !ordinary(value)) {
		return q + hidden + q
	}
	if ordinary(value) {
		return q + value + q
	}
	return q + maskValue(value) + q
}

func maskValue(value string) string {
	if len(value) < longEnough || strings.Contains(value, "...") {
		return hidden
	}
	return shorten(value)
}

// words are values that are no secrets: types, switches, nothing.
var words = map[string]bool{
	"": true, "true": true, "false": true, "null": true, "none": true, "nil": true, "yes": true, "no": true, "on": true, "off": true,
	"string": true, "str": true, "int": true, "bool": true, "optional": true, "required": true, "auto": true, "undefined": true,
}

// ordinary reports whether a value of a secret name is none: a count, a
// switch, a look-up, an example.
func ordinary(value string) bool {
	if words[strings.ToLower(value)] || placeholder(value) || masked(value) {
		return true
	}
	if len(value) < 7 && strings.Trim(value, "0123456789.") == "" {
		return true
	}
	for _, call := range []string{"os.environ", "os.getenv", "process.env", "env.", "getenv(", "System.getenv", "Deno.env", "ENV["} {
		if strings.HasPrefix(value, call) {
			return true
		}
	}
	return strings.ContainsAny(value, "(){}[]<>")
}

// masked reports whether a value is a mask of an earlier pass.
func masked(value string) bool {
	return value == hidden || len(value) == 13 && value[6:9] == "..."
}

// form masks the secrets of a text that is one form body and nothing else.
func form(s string) string {
	if len(s) > 64<<10 || !strings.Contains(s, "&") || !formBody().MatchString(strings.TrimSpace(s)) {
		return s
	}
	parts := strings.Split(s, "&")
	for i, p := range parts {
		name, value, _ := strings.Cut(p, "=")
		if bodyKeys[strings.ToLower(strings.TrimSpace(name))] && value != "" && !placeholder(value) {
			parts[i] = name + "=" + hidden
		}
	}
	return strings.Join(parts, "&")
}

// queries masks secret parameters of URLs.
func queries(s string) string {
	if !strings.Contains(s, "=") {
		return s
	}
	return queryParam().ReplaceAllStringFunc(s, func(m string) string {
		g := queryParam().FindStringSubmatch(m)
		if !bodyKeys[strings.ToLower(g[2])] || placeholder(g[3]) {
			return m
		}
		return g[1] + g[2] + "=" + hidden
	})
}
