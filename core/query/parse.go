package query

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/isotime"
	"github.com/signalbox-dev/signalbox/core/needle"
)

// Calendar turns days into times, where the user is.
type Calendar struct {
	// Begin returns the Unix milliseconds at which a local day begins. Day 0 is the
	// last of the month before, and the day after a month's last is the first of
	// the next.
	Begin func(year, month, day int) (ms int64)
	// Year, Month and Day are today, and Now is the time in Unix milliseconds.
	Year, Month, Day int
	Now              int64
}

// protocols are the formats, as core/mail spells them.
func protocols() []string { return []string{"samp", "amp", "agn", "atsf", "session"} }

func states() []string { return []string{IsUnread, IsRead, IsMine, IsSuspicious} }

func kinds() []Kind {
	return []Kind{From, To, Thread, In, Is, Protocol, Before, After, On, Client, Tool, File}
}

// toolSorts returns the sorts of tools. A log need not show them.
func toolSorts() []string {
	return []string{"read", "edit", "delete", "search", "execute", "think", "fetch", "other", "unknown"}
}

// Parse reads a query, even one that is only half typed.
func Parse(text string, c Calendar) Query {
	p := parser{text: text, calendar: c}
	for p.next() {
		p.term()
	}
	return p.query
}

type parser struct {
	text     string
	at       int // the next byte
	calendar Calendar
	query    Query
}

// next goes to the beginning of the next term, and reports whether there is one.
func (p *parser) next() bool {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return true
		}
		p.at += size
	}
	return false
}

// word returns the bytes up to the next white space.
func (p *parser) word() string {
	rest := p.text[p.at:]
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		return rest[:i]
	}
	return rest
}

// value is a term's value, with its place.
type value struct {
	text       string
	start, end int // in the query, quotes included
	quoted     bool
}

// term reads one term.
func (p *parser) term() {
	start := p.at
	t := Term{}
	if p.text[p.at] == '-' {
		t.Not = true
		p.at++
	}
	t.Kind = p.kind()
	v := p.value()
	if len(p.query.Terms) == MaxTerms {
		p.problem(start, v.end, "a query has at most 32 terms; this one is left out")
		p.at = len(p.text)
		return
	}
	if strings.TrimSpace(v.text) == "" {
		p.empty(start, v.end, &t, v.quoted)
		return
	}
	switch t.Kind {
	case Is:
		p.choice(&t, v, states())
	case Protocol:
		p.choice(&t, v, protocols())
	case Before, After, On:
		p.date(&t, v)
	case Tool, File:
		p.call(&t, v)
	default:
		group := t.Kind == In && (strings.EqualFold(v.text, InMail) || strings.EqualFold(v.text, InTasks))
		t.Needle, t.Whole = needle.New(v.text), group || v.quoted && t.Kind != Word
		p.query.Terms = append(p.query.Terms, t)
	}
}

// kind reads the name of a term and its colon, if the name is known. Anything else is a
// Word, which may contain a colon, as addresses and times do.
func (p *parser) kind() Kind {
	name, _, ok := strings.Cut(p.word(), ":")
	if !ok {
		return Word
	}
	for _, k := range kinds() {
		if strings.EqualFold(name, string(k)) {
			p.at += len(name) + 1
			return k
		}
	}
	return Word
}

// value reads a value up to white space, or a phrase in quotes.
func (p *parser) value() value {
	start := p.at
	if p.at == len(p.text) || p.text[p.at] != '"' {
		text := p.word()
		p.at += len(text)
		return value{text: text, start: start, end: p.at}
	}
	p.at++
	text, _, closed := strings.Cut(p.text[p.at:], `"`)
	p.at += len(text)
	if closed {
		p.at++
	} else {
		p.problem(start, start+1, `the phrase has no closing "`)
	}
	return value{text: text, start: start, end: p.at, quoted: true}
}

// empty adds the problem of a term without a value.
func (p *parser) empty(start, end int, t *Term, quoted bool) {
	switch {
	case t.Kind == Is:
		p.problem(start, end, "is: needs one of "+strings.Join(states(), ", "))
	case t.Kind == Protocol:
		p.problem(start, end, "protocol: needs one of "+strings.Join(protocols(), ", "))
	case t.dated():
		p.problem(start, end, string(t.Kind)+": needs "+dateForm(t.Kind))
	case t.Kind != Word:
		p.problem(start, end, string(t.Kind)+": needs a name, or a part of one")
	case quoted:
		p.problem(start, end, "the phrase is empty")
	default:
		p.problem(start, end, "a minus needs a word after it; one that is meant itself goes into quotes")
	}
}

// call adds a term with the name of a tool, or a path. A log may split a tool's name into parts
// and shorten a path, but it shows the path's last name.
func (p *parser) call(t *Term, v value) {
	text := v.text
	trace := strings.Trim(text, "_")
	if t.Needle = needle.New(text); t.Kind == File {
		text = strings.ReplaceAll(text, `\`, "/")
		t.Rooted = text[0] == '/' || len(text) > 2 && text[1:3] == ":/"
		trace = strings.TrimRight(text, "/")
		trace = trace[strings.LastIndexByte(trace, '/')+1:]
	} else if slices.ContainsFunc(toolSorts(), t.Needle.In) {
		trace = ""
	} else if i := strings.LastIndex(trace, "__"); i >= 0 {
		trace = trace[i+2:]
	}
	t.Needle, t.Trace, t.Whole = needle.New(text), needle.New(trace), v.quoted
	p.query.Terms = append(p.query.Terms, *t)
}

// choice adds a term whose value is one of the allowed ones.
func (p *parser) choice(t *Term, v value, allowed []string) {
	for _, o := range allowed {
		if strings.EqualFold(v.text, o) {
			t.Value = o
			p.query.Terms = append(p.query.Terms, *t)
			return
		}
	}
	p.problem(v.start, v.end, string(t.Kind)+": is one of "+strings.Join(allowed, ", "))
}

// dateForm describes the value of a term about time.
func dateForm(k Kind) string {
	if k == On {
		return "a day, such as 2026-11-01, today or yesterday"
	}
	return "a day or how long ago, such as 2026-11-01, today, yesterday, 3d or 2h"
}

// date adds a term with a day or a span before now. Each message matches exactly one of before,
// on and after with the same day.
func (p *parser) date(t *Term, v value) {
	if ago, ok := Ago(v.text); ok && t.Kind != On {
		if at := p.calendar.Now - ago; t.Kind == Before {
			t.Begin, t.End = math.MinInt64, at
		} else {
			t.Begin, t.End = at, math.MaxInt64
		}
		p.query.Terms = append(p.query.Terms, *t)
		return
	}
	year, month, day, ok := p.day(v.text)
	if !ok {
		p.problem(v.start, v.end, string(t.Kind)+": needs "+dateForm(t.Kind))
		return
	}
	if month == 0 {
		p.problem(v.start, v.end, "there is no such day")
		return
	}
	begin, end := p.calendar.Begin(year, month, day), p.calendar.Begin(year, month, day+1)
	switch t.Kind {
	case Before:
		t.Begin, t.End = math.MinInt64, begin
	case After:
		t.Begin, t.End = end, math.MaxInt64
	default:
		t.Begin, t.End = begin, end
	}
	p.query.Terms = append(p.query.Terms, *t)
}

// maxSpan is the largest number in a span. It is more than a century in each unit but minutes.
const maxSpan = 999_999

// Ago reads a span of time, such as 30m, 2h, 3d or 1w, and returns its milliseconds.
func Ago(s string) (ms int64, ok bool) {
	digits := strings.TrimRight(s, "mhdwMHDW")
	n, err := strconv.ParseUint(digits, 10, 32)
	if len(s)-len(digits) != 1 || err != nil || n > maxSpan {
		return 0, false
	}
	unit := int64(60_000)
	switch s[len(s)-1] {
	case 'h', 'H':
		unit *= 60
	case 'd', 'D':
		unit *= 24 * 60
	case 'w', 'W':
		unit *= 7 * 24 * 60
	}
	return int64(n) * unit, true
}

// day reads a day. Month 0 means a day that does not exist.
func (p *parser) day(s string) (year, month, day int, ok bool) {
	c := &p.calendar
	switch {
	case strings.EqualFold(s, "today"):
		return c.Year, c.Month, c.Day, true
	case strings.EqualFold(s, "yesterday"):
		return c.Year, c.Month, c.Day - 1, true
	}
	y, m, d, ok := isotime.Date(s)
	if !ok || !isotime.Valid(y, m, d) {
		return 0, 0, 0, ok
	}
	return int(y), int(m), int(d), true
}

func (p *parser) problem(start, end int, message string) {
	p.query.Problems = append(p.query.Problems, Problem{Offset: start, Length: end - start, Message: message})
}
