package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/sse"
)

// maxMessage bounds the service's words in an error, in bytes.
const maxMessage = 500

// maxRetryAfter bounds what a service may ask to wait (contract/core §1.6).
const maxRetryAfter = 600 * time.Second

// statusError reads the body of an answer that is no 200.
func (c *Caller) statusError(resp *http.Response, r io.Reader) error {
	body, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil && len(body) == 0 {
		body = nil // the status alone must do
	}
	f := readFault(body)
	if f.text == "" {
		f.text = http.StatusText(resp.StatusCode)
	}
	e := classify(resp.StatusCode, f)
	e.Message = c.Clean(f.text)
	e.RetryAfter = retryAfter(resp.Header, time.Now())
	return e
}

// Fault is the error for an object that arrived inside an answer with status
// 200: an error object, or what it wraps.
func (c *Caller) Fault(raw json.RawMessage, partial bool) *llm.Error {
	f := readFault(append(append([]byte(`{"error":`), raw...), '}'))
	status, _ := strconv.Atoi(f.code)
	if status < 400 || status > 599 {
		status = statusOf(f)
	}
	var e *llm.Error
	if status == 0 && !contextWords().MatchString(f.text) {
		e = &llm.Error{Kind: llm.ErrServer, Retryable: true}
	} else {
		e = classify(max(status, http.StatusBadRequest), f)
		e.Status = status
	}
	e.Message = c.Clean(f.text)
	e.Partial = partial
	return e
}

// statusOf is the HTTP status that a named type of error comes with where it
// is sent as one; 0 for names that say nothing.
func statusOf(f fault) int {
	for _, name := range []string{f.kind, f.code} {
		switch name {
		case "overloaded_error":
			return 529
		case "rate_limit_error", "rate_limit_exceeded":
			return http.StatusTooManyRequests
		case "authentication_error", "invalid_api_key":
			return http.StatusUnauthorized
		case "permission_error":
			return http.StatusForbidden
		case "billing_error", "insufficient_quota":
			return http.StatusPaymentRequired
		case "not_found_error", "model_not_found":
			return http.StatusNotFound
		case "request_too_large":
			return http.StatusRequestEntityTooLarge
		case "invalid_request_error", "context_length_exceeded", "invalid_prompt":
			return http.StatusBadRequest
		}
	}
	return 0
}

var (
	// Wordings of services for a conversation that is too long, and for a
	// limit on the answer that is too high.
	contextWords = lazy(`(?i)context[ _]?(length|window|size)|maximum context|too many tokens|prompt is too long|input is too long|exceeds? the (maximum|available) (context|tokens)|n_ctx`)
	capWords     = lazy(`(?i)max_(completion_|output_)?tokens`)
	creditWords  = lazy(`(?i)insufficient (balance|credit|quota|funds)|exceeded your current quota|billing`)
	secretHeader = lazy(`(?i)auth|key|token|secret|cookie`)
	limitNumber  = lazy(`(?i)(?:at most|maximum(?: value)?(?: context length)?(?: is| of|:)?|less than or equal to|<=|\[1, ?|up to|limit(?: is| of|:)?)\s*(\d[\d,]*)`)
)

// classify decides what a status and the service's words mean
// (contract/core §1.6).
func classify(status int, f fault) *llm.Error {
	msg, code := f.text, f.code
	e := &llm.Error{Status: status, Param: f.param}
	switch {
	case status == 401 || status == 403:
		e.Kind = llm.ErrAuth
	case status == 402, status == 429 && creditWords().MatchString(msg):
		e.Kind = llm.ErrBilling
	case status == 429:
		e.Kind, e.Retryable = llm.ErrRateLimit, true
	case status == 503 || status == 529:
		e.Kind, e.Retryable = llm.ErrOverloaded, true
	case status == 408 || status == 409 || status == 425 || status >= 500:
		e.Kind, e.Retryable = llm.ErrServer, true
	case status == 413:
		e.Kind = llm.ErrTooLarge
	case code == "context_length_exceeded" || contextWords().MatchString(msg):
		e.Kind, e.Limit = llm.ErrContextOverflow, number(msg)
	case capWords().MatchString(msg):
		e.Kind, e.Limit = llm.ErrOutputCap, number(msg)
	case status == 404:
		e.Kind = llm.ErrNotFound
	default:
		e.Kind = llm.ErrFormat
	}
	return e
}

// number is the limit that an error text names, 0 when it names none.
func number(msg string) int {
	m := limitNumber().FindStringSubmatch(msg)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil {
		return 0
	}
	return n
}

// Clean makes the service's words fit to be shown: no key, one line, bounded.
func (c *Caller) Clean(msg string) string {
	if key := c.cfg.APIKey; len(key) >= 8 {
		msg = strings.ReplaceAll(msg, key, "***")
	}
	for name, value := range c.cfg.Headers {
		if len(value) >= 8 && secretHeader().MatchString(name) {
			msg = strings.ReplaceAll(msg, value, "***")
		}
	}
	msg = strings.ToValidUTF8(strings.Join(strings.Fields(msg), " "), "\ufffd")
	if len(msg) > maxMessage {
		cut := maxMessage
		for !utf8.RuneStart(msg[cut]) {
			cut--
		}
		msg = msg[:cut] + "…"
	}
	return msg
}

// Page is the error for a page where an answer should be.
func (x *Exchange) Page() error {
	data, err := io.ReadAll(io.LimitReader(x.Body, 64<<10))
	if err != nil && len(data) == 0 {
		data = nil // the fact that it is a page is enough
	}
	return &llm.Error{
		Kind: llm.ErrServer, Retryable: true,
		Message: fmt.Sprintf("%s answered with a web page (%s) instead of a completion", x.Resp.Request.URL.Host, x.c.Clean(plainText(data))),
	}
}

// Cut is the error for a body that broke off. Cancelling is no such error.
func (x *Exchange) Cut(err error, some bool) error {
	if cause := context.Cause(x.ctx); cause != nil {
		return ended(x.ctx, cause, some)
	}
	if errors.Is(err, ErrEndless) || errors.Is(err, sse.ErrTooLong) {
		// Once more would only be as much again.
		return &llm.Error{Kind: llm.ErrServer, Partial: some, Err: err, Message: err.Error()}
	}
	return &llm.Error{Kind: llm.ErrCut, Retryable: true, Partial: some, Err: err, Message: "the connection broke off in the middle of the answer"}
}

// connError is the error for a request that got no answer.
func (c *Caller) connError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return ended(ctx, cause, false)
	}
	e := &llm.Error{Kind: llm.ErrConnection, Retryable: true, Err: err, Message: "cannot reach " + c.Base + ": " + c.Clean(cause(err))}
	if isTLS(err) {
		e.Kind, e.Retryable = llm.ErrTLS, false
	}
	return e
}

// ended tells the watchdog's doing from the caller's.
func ended(ctx context.Context, cause error, some bool) error {
	switch {
	case errors.Is(cause, errNoByte), errors.Is(cause, errStale), errors.Is(cause, errTooLong):
		kind := llm.ErrConnection
		if some {
			kind = llm.ErrCut
		}
		return &llm.Error{Kind: kind, Retryable: true, Partial: some, Err: cause, Message: cause.Error()}
	}
	return ctx.Err()
}

// cause is the innermost text that says something: net/http wraps it with the
// URL, which is named already.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil || inner.Error() == "" {
			return err.Error()
		}
		if !strings.HasSuffix(err.Error(), inner.Error()) {
			return err.Error()
		}
		if _, ok := err.(interface{ Timeout() bool }); ok && !strings.HasPrefix(err.Error(), "Post ") {
			return err.Error()
		}
		err = inner
	}
}

func isTLS(err error) bool {
	var (
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		name    x509.HostnameError
		verify  *tls.CertificateVerificationError
	)
	return errors.As(err, &unknown) || errors.As(err, &invalid) || errors.As(err, &name) || errors.As(err, &verify)
}

// retryAfter reads the header as seconds or as a date; 0 when there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return min(time.Duration(ms*float64(time.Millisecond)), maxRetryAfter)
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if s <= 0 || s != s {
			return 0
		}
		return time.Duration(min(s, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return min(t.Sub(now), maxRetryAfter)
	}
	return 0
}

// lazy compiles a pattern when it is first asked for: the ones of this package
// would take a share of every start that few runs need.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
