package openai

import (
	"bufio"
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
)

// maxMessage bounds the service's words in an error, in bytes.
const maxMessage = 500

// maxRetryAfter bounds what a service may ask to wait (contract/core §1.6).
const maxRetryAfter = 600 * time.Second

// statusError reads the body of an answer that is no 200.
func (c *Client) statusError(resp *http.Response, w *watchdog) error {
	body, err := io.ReadAll(io.LimitReader(watched{resp.Body, w}, 1<<20))
	if err != nil && len(body) == 0 {
		body = nil // the status alone must do
	}
	msg, code := message(body)
	if msg == "" {
		msg = http.StatusText(resp.StatusCode)
	}
	e := classify(resp.StatusCode, msg, code)
	e.Message = c.clean(msg)
	e.RetryAfter = retryAfter(resp.Header, time.Now())
	return e
}

// failure is the error that arrived inside an answer with status 200.
func (a *assembly) failure(c *Client) error {
	if a.err == nil {
		return nil
	}
	msg, code := message(append(append([]byte(`{"error":`), a.err...), '}'))
	status, _ := strconv.Atoi(code)
	if status < 400 || status > 599 {
		status = 0
	}
	var e *llm.Error
	if status == 0 && !contextWords().MatchString(msg) {
		e = &llm.Error{Kind: llm.ErrServer, Retryable: true}
	} else {
		e = classify(max(status, http.StatusBadRequest), msg, code)
		e.Status = status
	}
	e.Message = c.clean(msg)
	e.Partial = a.some()
	return e
}

var (
	// Wordings of services for a conversation that is too long, and for a
	// limit on the answer that is too high.
	contextWords = lazy(`(?i)context[ _]?(length|window|size)|maximum context|too many tokens|prompt is too long|input is too long|exceeds? the (maximum|available) (context|tokens)|n_ctx`)
	capWords     = lazy(`(?i)max_(completion_|output_)?tokens`)
	creditWords  = lazy(`(?i)insufficient (balance|credit|quota|funds)|exceeded your current quota|billing`)
	limitNumber  = lazy(`(?i)(?:at most|maximum(?: value)?(?: context length)?(?: is| of|:)?|less than or equal to|<=|\[1, ?|up to|limit(?: is| of|:)?)\s*(\d[\d,]*)`)
)

// classify decides what a status and the service's words mean
// (contract/core §1.6).
func classify(status int, msg, code string) *llm.Error {
	e := &llm.Error{Status: status}
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

// message digs the text and the code out of an error body: OpenAI's object, a
// bare text, FastAPI's detail, or a web page's title.
func message(body []byte) (msg, code string) {
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Message text            `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Code    text            `json:"code"`
	}
	if json.Unmarshal(body, &doc) != nil {
		return plainText(body), ""
	}
	var inner struct {
		Message  text `json:"message"`
		Code     text `json:"code"`
		Type     text `json:"type"`
		Metadata struct {
			Raw text `json:"raw"` // OpenRouter: what the service behind it said
		} `json:"metadata"`
	}
	var plain string
	switch {
	case json.Unmarshal(doc.Error, &inner) == nil && inner.Message != "":
		msg = string(inner.Message)
		if raw := string(inner.Metadata.Raw); raw != "" && !strings.Contains(msg, raw) {
			msg += ": " + raw
		}
		return msg, string(inner.Code)
	case json.Unmarshal(doc.Error, &plain) == nil && plain != "":
		return plain, string(doc.Code)
	case doc.Message != "":
		return string(doc.Message), string(doc.Code)
	case len(doc.Detail) > 0:
		if json.Unmarshal(doc.Detail, &plain) == nil {
			return plain, ""
		}
		return string(doc.Detail), ""
	}
	return string(body), ""
}

var (
	title = lazy(`(?is)<title[^>]*>(.*?)</title>`)
	tags  = lazy(`(?s)<[^>]*>`)
)

// plainText is what a person would read of a body: a web page's title, or the
// text without tags.
func plainText(body []byte) string {
	s := string(body)
	if m := title().FindStringSubmatch(s); m != nil {
		s = m[1]
	} else if strings.Contains(s, "<") {
		s = tags().ReplaceAllString(s, " ")
	}
	return strings.Join(strings.Fields(s), " ")
}

// clean makes the service's words fit to be shown: no key, one line, bounded.
func (c *Client) clean(msg string) string {
	if key := c.cfg.APIKey; len(key) >= 8 {
		msg = strings.ReplaceAll(msg, key, "***")
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

// webPage is the error for a page where an answer should be.
func (c *Client) webPage(resp *http.Response, body *bufio.Reader) error {
	data, err := io.ReadAll(io.LimitReader(body, 64<<10))
	if err != nil && len(data) == 0 {
		data = nil // the fact that it is a page is enough
	}
	return &llm.Error{
		Kind: llm.ErrServer, Retryable: true,
		Message: fmt.Sprintf("%s answered with a web page (%s) instead of a completion", resp.Request.URL.Host, c.clean(plainText(data))),
	}
}

// cut is the error for a body that broke off. Cancelling is no such error.
func (c *Client) cut(ctx context.Context, err error, some bool) error {
	if cause := context.Cause(ctx); cause != nil {
		return c.ended(ctx, cause, some)
	}
	return &llm.Error{Kind: llm.ErrCut, Retryable: true, Partial: some, Err: err, Message: "the connection broke off in the middle of the answer"}
}

// connError is the error for a request that got no answer.
func (c *Client) connError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return c.ended(ctx, cause, false)
	}
	e := &llm.Error{Kind: llm.ErrConnection, Retryable: true, Err: err, Message: "cannot reach " + c.cfg.BaseURL + ": " + c.clean(cause(err))}
	if isTLS(err) {
		e.Kind, e.Retryable = llm.ErrTLS, false
	}
	return e
}

// ended tells the watchdog's doing from the caller's.
func (c *Client) ended(ctx context.Context, cause error, some bool) error {
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
