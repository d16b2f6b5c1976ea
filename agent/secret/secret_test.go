package secret

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	r := NewRedactor([]string{
		"PATH=/usr/local/bin", "DEEPSEEK_API_KEY=abcd1234efgh5678ijkl", "DB_PASSWORD=hunter2hunter2",
		"SHORT_KEY=abc", "EXAMPLE_TOKEN=<your-token-here>", "DOTS_KEY=........", "EMPTY_SECRET=",
	})
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "nothing here", "nothing here"},
		{"value", "key abcd1234efgh5678ijkl.", "key abcd12...ijkl."},
		{"value inside a word", "xabcd1234efgh5678ijklx", "xabcd12...ijklx"},
		{"short value", "pass=hunter2hunter2", "pass=***"},
		{"variable that is not secret", "/usr/local/bin", "/usr/local/bin"},
		{"too short to tell", "abc", "abc"},
		{"placeholder", "put <your-token-here> there", "put <your-token-here> there"},
		{"shape", "Authorization: Bearer sk-proj1234567890abcdefXYZ\n", "Authorization: Bearer sk-pro...fXYZ\n"},
		{"end of a sentence", "It is ghp_0123456789abcdefghijABCD.", "It is ghp_01...ABCD."},
		{"two", "sk-aaaaaaaaaaaaaaaaaaaa1 sk-bbbbbbbbbbbbbbbbbbbb2", "sk-aaa...aaa1 sk-bbb...bbb2"},
		{"ordinary word with a prefix", "disk-based task-oriented sk-learn", "disk-based task-oriented sk-learn"},
		{"no digits", "sk-this-is-only-a-sentence-with-hyphens", "sk-this-is-only-a-sentence-with-hyphens"},
		{"bearer of no known shape", "authorization: Bearer 0a1b2c3d4e", "authorization: Bearer ***"},
		{"header in JSON", `{"X-Api-Key": "0123456789abcdef0123"}`, `{"X-Api-Key": "012345...0123"}`},
		{"prose about a header", "Authorization: required for every call", "Authorization: required for every call"},
		{"placeholder in a header", "Authorization: Bearer <your-key-1>", "Authorization: Bearer <your-key-1>"},
		{"password in a URL", "postgres://u:p4ssw0rdp4ssw0rdp4ssw0rd@db/x?y=a@b", "postgres://u:***@db/x?y=a@b"},
		{"URL without one", "see https://example.com:8080/a@b and http://user@host", "see https://example.com:8080/a@b and http://user@host"},
		{"private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----\n", "[REDACTED PRIVATE KEY]\n"},
		{"public key", "-----BEGIN PUBLIC KEY-----\nMIIabc\n", "-----BEGIN PUBLIC KEY-----\nMIIabc\n"},
		{"ordinary text", "token count 512, sk-learn is a library, api_key parameter is required", "token count 512, sk-learn is a library, api_key parameter is required"},
		{"cookie", "Cookie: session=0123456789abcdef", "Cookie: sessio...cdef"},
		{"word of a table", `"cookie": "\U0001f36a",`, `"cookie": "\U0001f36a",`},
		{"telephone", "call +14155552671.", "call +141****2671."},
		{"numbers and patches", "{+1234567890, 5} m=+9000000000.0\n+1234567890\n +1234567891.25", "{+1234567890, 5} m=+9000000000.0\n+1234567890\n +1234567891.25"},
		{"in a JSON string", `{"out":"x\nsk-a1b2c3d4e5f6g7h8\n"}`, `{"out":"x\nsk-a1b...g7h8\n"}`},
		{"two words and a key", "npm_config_registry sk_buff_head_init hf_transformers", "npm_config_registry sk_buff_head_init hf_transformers"},
		{"Chinese", "密钥是abcd1234efgh5678ijkl。", "密钥是abcd12...ijkl。"},
	} {
		if got := r.Redact(tc.in); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	r := NewRedactor([]string{"A_KEY=topsecretvalue123", "B_TOKEN=topsecretvalue"})
	f.Add("a topsecretvalue123 b")
	f.Add("sk-1234567890123456789012")
	f.Fuzz(func(t *testing.T, s string) {
		got := r.Redact(s)
		if strings.Contains(got, "topsecretvalue") {
			t.Errorf("%q keeps the secret: %q", s, got)
		}
		if again := r.Redact(got); strings.Contains(again, "topsecretvalue") {
			t.Errorf("a second pass finds more: %q", again)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	r := NewRedactor([]string{"A_KEY=topsecretvalue123", "B_TOKEN=anothersecret99"})
	text := strings.Repeat("a line of an ordinary tool result with numbers 12345\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Redact(text)
	}
}
