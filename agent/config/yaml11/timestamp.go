package yaml11

import (
	"strconv"
	"strings"
	"time"
)

// timestamp reads a date, or a date and time:
//
//	[0-9]{4}-[0-9]{2}-[0-9]{2}
//	[0-9]{4}-[0-9][0-9]?-[0-9][0-9]?([Tt]|[ \t]+)[0-9][0-9]?:[0-9]{2}:[0-9]{2}(\.[0-9]*)?
//	  ([ \t]*(Z|[-+][0-9][0-9]?(:[0-9]{2})?))?
//
// hasTime tells them apart. A time without a zone has the location Naive.
func timestamp(s string) (t time.Time, hasTime, ok bool) {
	if len(s) < 8 || s[4] != '-' {
		return t, false, false
	}
	p := cursor{s: s}
	year, month, day := p.digits(4, 4), 0, 0
	p.literal('-')
	month = p.digits(1, 2)
	p.literal('-')
	day = p.digits(1, 2)
	if p.failed {
		return t, false, false
	}
	if p.rest() == "" {
		t, ok = date(year, month, day, 0, 0, 0, 0, Naive)
		return t, false, ok && len(s) == 10
	}
	if !p.separator() {
		return t, false, false
	}
	hour := p.digits(1, 2)
	p.literal(':')
	minute := p.digits(2, 2)
	p.literal(':')
	second := p.digits(2, 2)
	nanos := p.fraction()
	if p.failed {
		return t, false, false
	}
	tail := strings.TrimLeft(p.rest(), " \t")
	if tail == "" && p.rest() != "" || !zoneText(tail) {
		return t, false, false
	}
	loc, ok := zone(tail)
	if !ok {
		return t, false, false
	}
	if loc == nil {
		loc = Naive
	}
	t, ok = date(year, month, day, hour, minute, second, nanos, loc)
	return t, true, ok
}

// Naive is the location of times that were written without a zone.
var Naive = time.FixedZone("naive", 0)

// date refuses what time.Date would carry over (month 13, 30 February).
func date(year, month, day, hour, minute, second, nanos int, loc *time.Location) (time.Time, bool) {
	t := time.Date(year, time.Month(month), day, hour, minute, second, nanos, loc)
	return t, year >= 1 && t.Month() == time.Month(month) && t.Day() == day && hour < 24 && minute < 60 && second < 60
}

// zoneText reports whether s is "", Z, or [-+][0-9][0-9]?(:[0-9]{2})?.
func zoneText(s string) bool {
	if s == "" || s == "Z" {
		return true
	}
	if s[0] != '+' && s[0] != '-' {
		return false
	}
	p := cursor{s: s[1:]}
	p.digits(1, 2)
	if p.rest() != "" {
		p.literal(':')
		p.digits(2, 2)
	}
	return !p.failed && p.rest() == ""
}

// cursor reads a text from left to right and remembers the first failure.
type cursor struct {
	s      string
	at     int
	failed bool
}

func (p *cursor) rest() string { return p.s[p.at:] }

func (p *cursor) literal(c byte) {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
	} else {
		p.failed = true
	}
}

func (p *cursor) digits(least, most int) int {
	n := min(span(p.rest(), digit), most)
	if n < least {
		p.failed = true
		return 0
	}
	v, _ := strconv.Atoi(p.rest()[:n]) // at most four digits
	p.at += n
	return v
}

// separator takes T, t or blanks between date and time.
func (p *cursor) separator() bool {
	if c := p.s[p.at]; c == 'T' || c == 't' {
		p.at++
		return true
	}
	n := span(p.rest(), func(c byte) bool { return c == ' ' || c == '\t' })
	p.at += n
	return n > 0
}

// fraction takes .[0-9]* and returns it in nanoseconds; like Python it keeps
// six digits.
func (p *cursor) fraction() int {
	if p.failed || !strings.HasPrefix(p.rest(), ".") {
		return 0
	}
	p.at++
	n := span(p.rest(), digit)
	micros := (p.rest()[:n] + "000000")[:6]
	p.at += n
	v, _ := strconv.Atoi(micros)
	return v * 1000
}
