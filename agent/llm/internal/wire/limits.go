package wire

import (
	"net/netip"
	"net/url"
	"strings"
	"time"

	"hermes/agent/llm"
)

// Limits of contract/core §1.3.
const (
	totalTimeout     = 1800 * time.Second
	readTimeout      = 120 * time.Second
	localReadTimeout = 1800 * time.Second
	staleTimeout     = 180 * time.Second
	staleLong        = 240 * time.Second // above longTokens
	staleLonger      = 300 * time.Second // above longerTokens
	staleReasoning   = 600 * time.Second // models that think before they speak
	localStale       = 900 * time.Second
	longTokens       = 50_000
	longerTokens     = 100_000
	bytesPerToken    = 4
)

// limits bound a request: as a whole, until the next byte, until the next
// event. Zero or less means no bound.
type limits struct{ total, read, stale time.Duration }

// limitsFor are the limits of cfg for a request of size bytes; large ones get
// more time before the service counts as stale, unless the user set it.
func limitsFor(cfg llm.Config, local bool, size int) limits {
	l := limits{total: cfg.Timeout, read: cfg.ReadTimeout, stale: cfg.StaleTimeout}
	def(&l.total, totalTimeout)
	if local {
		def(&l.read, localReadTimeout)
		def(&l.stale, localStale)
		return l
	}
	stale := staleTimeout
	switch tokens := size / bytesPerToken; {
	case tokens > longerTokens:
		stale = staleLonger
	case tokens > longTokens:
		stale = staleLong
	}
	if Reasons(cfg.Model) {
		stale = max(stale, staleReasoning)
	}
	def(&l.stale, stale)
	def(&l.read, max(readTimeout, l.stale)) // a byte bound below the event bound would undo it
	if cfg.ReadTimeout == 0 && cfg.StaleTimeout == 0 && stale == staleTimeout {
		l.read = readTimeout
	}
	return l
}

func def(d *time.Duration, v time.Duration) {
	if *d == 0 {
		*d = v
	}
}

// Reasons reports whether model is known to think for minutes before its
// first word.
func Reasons(model string) bool {
	m := strings.ToLower(model)
	if i := strings.LastIndexByte(m, '/'); i >= 0 {
		m = m[i+1:]
	}
	for _, prefix := range []string{"o1", "o3", "o4", "gpt-5", "deepseek-r", "deepseek-v4", "qwq", "grok-4", "kimi-k2-thinking", "magistral"} {
		if strings.HasPrefix(m, prefix) {
			return true
		}
	}
	return strings.Contains(m, "reason") || strings.Contains(m, "thinking")
}

// IsLocal reports whether base names this machine or a private network, where
// a model may take minutes to load before it says anything.
func IsLocal(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if host == "localhost" || strings.HasSuffix(host, ".local") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast())
}
