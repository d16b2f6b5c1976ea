// Package sse reads server-sent events as services that claim to be
// OpenAI-compatible really write them: any line ending, comments, events that
// no blank line ends, bodies that are no event stream at all.
package sse

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxEvent bounds one event, in bytes. A tool call with a whole file in its
// arguments may arrive as one event; more than this is not an answer.
const MaxEvent = 64 << 20

// ErrTooLong says that an event passed MaxEvent.
var ErrTooLong = errors.New("server-sent event is longer than 64 MiB")

// Event is one event.
type Event struct {
	Name string // the event field, mostly empty
	Data []byte // data lines joined by newlines; valid until the next call
	// Bare says that Data is a line without a field name that begins like
	// JSON: some services write errors into the stream that way.
	Bare bool
}

// Reader reads events from a body.
type Reader struct {
	br    *bufio.Reader
	line  []byte
	data  []byte
	name  string
	first bool // nothing was read yet: a byte order mark may follow
	cr    bool // the last line ended with CR: a LF belongs to it
}

// NewReader returns a reader of r.
func NewReader(r io.Reader) *Reader {
	return &Reader{br: bufio.NewReaderSize(r, 16<<10), first: true}
}

// Next returns the next event that carries data. At the end of the body it
// returns what is left of an unfinished event first, then io.EOF. Another
// error means that reading broke off; an unfinished event is dropped then,
// because its last line may be cut.
func (r *Reader) Next() (Event, error) {
	r.data, r.name = r.data[:0], ""
	some := false
	for {
		line, err := r.readLine()
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			if errors.Is(err, io.EOF) && some {
				return Event{Name: r.name, Data: r.data}, nil
			}
			return Event{}, err
		}
		switch {
		case len(line) == 0:
			if some {
				return Event{Name: r.name, Data: r.data}, nil
			}
			r.name = ""
		case line[0] == ':': // comment, used as keep-alive
		case line[0] == '{' || line[0] == '[':
			if some {
				// Not an event stream any more; data already read is whole.
				r.unread(line)
				return Event{Name: r.name, Data: r.data}, nil
			}
			r.data = append(r.data, line...)
			return Event{Data: r.data, Bare: true}, nil
		default:
			field, value, _ := bytes.Cut(line, []byte(":"))
			value = bytes.TrimPrefix(value, []byte(" "))
			switch string(field) {
			case "data":
				if some {
					r.data = append(r.data, '\n')
				}
				if len(r.data)+len(value) > MaxEvent {
					return Event{}, ErrTooLong
				}
				r.data = append(r.data, value...)
				some = true
			case "event":
				r.name = string(value)
			}
		}
	}
}

// unread keeps line for the next readLine.
func (r *Reader) unread(line []byte) { r.line = append([]byte(nil), line...) }

// readLine returns the next line without its end (CR, LF or CRLF). The last
// line of a body may lack one; io.EOF comes with it.
func (r *Reader) readLine() ([]byte, error) {
	if r.line != nil {
		line := r.line
		r.line = nil
		return line, nil
	}
	if r.first {
		r.first = false
		if bom, _ := r.br.Peek(3); string(bom) == "\xef\xbb\xbf" {
			_, _ = r.br.Discard(3) // cannot fail: Peek held them
		}
	}
	var line []byte
	for {
		if r.br.Buffered() == 0 {
			if _, err := r.br.Peek(1); err != nil {
				return line, err
			}
		}
		buf, _ := r.br.Peek(r.br.Buffered()) // cannot fail: that much is there
		if r.cr {
			r.cr = false
			if buf[0] == '\n' {
				r.discard(1)
				continue
			}
		}
		i := bytes.IndexAny(buf, "\r\n")
		if i < 0 {
			line = append(line, buf...)
			r.discard(len(buf))
			if len(line) > MaxEvent {
				return nil, ErrTooLong
			}
			continue
		}
		line = append(line, buf[:i]...)
		r.cr = buf[i] == '\r'
		r.discard(i + 1)
		return line, nil
	}
}

func (r *Reader) discard(n int) { _, _ = r.br.Discard(n) }
