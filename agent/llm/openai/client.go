// Package openai talks to any service that answers OpenAI's streaming chat
// completions: hosted ones, and local servers that only roughly follow it.
// It sends what the contract fixes byte for byte and accepts much more than
// the specification allows.
package openai

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
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
	localStale       = 900 * time.Second
	customMaxTokens  = 65536
	noKey            = "no-key-required"
)

// Config says which service, which model and how.
type Config struct {
	Provider string // "custom", "deepseek", "openrouter" …
	Model    string
	BaseURL  string // up to, not including, /chat/completions
	APIKey   string
	// MaxTokens caps one answer. 0 means the provider's default: 65536 for a
	// custom service, no limit sent for others.
	MaxTokens int
	Window    int // context window in tokens, 0 when unknown
	// ReasoningEffort is sent as reasoning_effort when set.
	ReasoningEffort string
	Headers         map[string]string // added to every request
	ExtraBody       map[string]any    // merged into the body at top level
	UserAgent       string            // empty means "hermes"
	// Timeout bounds a request as a whole, ReadTimeout the wait for the next
	// byte, StaleTimeout the wait for the next event. 0 means the defaults of
	// the contract, which are longer for local services; negative means none.
	Timeout, ReadTimeout, StaleTimeout time.Duration
	// HTTP sends the requests; nil means NewHTTP's.
	HTTP *http.Client
}

// Client is an llm.Client. It is safe for concurrent use.
type Client struct {
	cfg      Config
	endpoint string
	http     *http.Client
	profile  profile
	drain    time.Duration // drainTime
}

// New returns a client for cfg. It opens no connection.
func New(cfg Config) *Client {
	base := strings.TrimRight(strings.TrimSpace(cfg.BaseURL), "/")
	c := &Client{cfg: cfg, endpoint: base + "/chat/completions", http: cfg.HTTP, profile: profileOf(cfg), drain: drainTime}
	if c.http == nil {
		c.http = NewHTTP()
	}
	local := isLocal(base)
	c.cfg.BaseURL = base
	c.cfg.Timeout = orDefault(cfg.Timeout, totalTimeout)
	c.cfg.ReadTimeout = orDefault(cfg.ReadTimeout, pick(local, localReadTimeout, readTimeout))
	c.cfg.StaleTimeout = orDefault(cfg.StaleTimeout, pick(local, localStale, staleTimeout))
	if c.cfg.MaxTokens == 0 && c.profile.capByDefault {
		c.cfg.MaxTokens = customMaxTokens
	}
	return c
}

// Info describes the service, without the key.
func (c *Client) Info() llm.Info {
	return llm.Info{
		Provider: c.cfg.Provider, Model: c.cfg.Model, BaseURL: c.cfg.BaseURL,
		APIMode: "chat_completions", Window: c.cfg.Window, MaxTokens: c.cfg.MaxTokens,
	}
}

// NewHTTP returns the HTTP client that New uses: proxies from the environment,
// connections kept, no limit of its own on time (the requests carry theirs).
// SSL_CERT_FILE is honoured on every system.
func NewHTTP() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dial,
		TLSClientConfig:     certFile(os.Getenv("SSL_CERT_FILE")),
		ForceAttemptHTTP2:   true,
		DisableCompression:  true, // a compressed stream arrives in lumps
		MaxIdleConnsPerHost: 4,    // turn, title, and two to spare
		IdleConnTimeout:     5 * time.Minute,
		TLSHandshakeTimeout: 30 * time.Second,
	}}
}

// certFile adds the certificates of file where Go does not read the variable
// by itself. An unreadable file leaves the system's certificates in force.
func certFile(file string) *tls.Config {
	if file == "" || (runtime.GOOS != "darwin" && runtime.GOOS != "windows") {
		return nil
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	pool.AppendCertsFromPEM(pem)
	return &tls.Config{RootCAs: pool}
}

// Stream implements llm.Client.
func (c *Client) Stream(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	w, ctx := newWatchdog(ctx, c.cfg)
	defer w.stop()
	resp, err := c.post(ctx, c.encode(r))
	if err != nil {
		return nil, c.connError(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // nothing to do about it
	w.sawByte()
	if resp.StatusCode != http.StatusOK {
		return nil, c.statusError(resp, w)
	}
	answer, err := c.read(ctx, resp, w, onDelta)
	if err == nil {
		w.endWithin(c.drain)
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, drainBytes)) // only for the connection's sake
	}
	return answer, err
}

// A connection is only used again when its last body was read to the end. The
// end of a stream follows its last event at once; a service that keeps the
// stream open is not waited for.
const (
	drainTime  = 20 * time.Millisecond
	drainBytes = 64 << 10
)

func (c *Client) post(ctx context.Context, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.setHeaders(req)
	req.Header.Set("Content-Type", "application/json")
	return c.http.Do(req)
}

func (c *Client) setHeaders(req *http.Request) {
	key := c.cfg.APIKey
	if key == "" {
		key = noKey
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Accept", "application/json")
	agent := c.cfg.UserAgent
	if agent == "" {
		agent = "hermes"
	}
	req.Header.Set("User-Agent", agent)
	for name, value := range c.cfg.Headers {
		req.Header.Set(name, value)
	}
}

// isLocal reports whether base names this machine or a private network, where
// a model may take minutes to load before it says anything.
func isLocal(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := u.Hostname()
	return host == "localhost" || strings.HasSuffix(host, ".local") || isPrivateIP(host)
}

func orDefault(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}

func pick[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}
