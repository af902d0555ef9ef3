package mail

import (
	"bufio"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// maxFirst is the number of characters of a first line that a list shows.
const maxFirst = 80

type printer struct {
	w     *bufio.Writer
	paint cli.Paint
	json  bool
	buf   []byte
	// stamp is the last formatted time. Messages are sorted, so most are of the same hour, in
	// which only the minutes change: from second from up to but not including until.
	from, until int64
	stamp       []byte
	// year is the year that times are shown without. 0 means that no time shows its year.
	year int
}

func (o *commands) printer(w *bufio.Writer) *printer {
	p := &printer{w: w, paint: o.Paint(), json: o.JSON}
	if !o.Scripted {
		p.year = o.Now().Year()
	}
	return p
}

// message writes one line, or with --json one object.
func (p *printer) message(m *samp.Found, marks ...string) {
	marks = withCopy(m, marks)
	if p.json {
		p.object(m, marks)
		return
	}
	p.buf = p.line(p.buf[:0], m, marks)
	p.w.Write(p.buf)
}

// row returns a function that appends the line of a message.
func (o *commands) row() box.Row {
	p := o.printer(nil)
	return func(rows []byte, m *samp.Found) []byte { return p.line(rows, m, withCopy(m, nil)) }
}

// line appends one line: time, sender, thread and the beginning of the body.
func (p *printer) line(b []byte, m *samp.Found, marks []string) []byte {
	b = append(append(b, '['), p.time(m.TS)...)
	b = append(b, "] from="...)
	if p.paint.On {
		b = append(appendLine(append(b, cli.Bold...), m.From, cli.MaxName), cli.Plain...)
	} else {
		b = appendLine(b, m.From, cli.MaxName)
	}
	b = append(b, " thread="...)
	if p.paint.On {
		b = append(appendLine(append(b, cli.Dim...), m.Thread, cli.MaxName), cli.Plain...)
	} else {
		b = appendLine(b, m.Thread, cli.MaxName)
	}
	b = append(b, ": "...)
	b = appendFirst(b, m.Body, maxFirst)
	if len(marks) > 0 {
		b = append(append(append(b, " ["...), strings.Join(marks, ", ")...), ']')
	}
	return append(b, '\n')
}

// appendLine appends the result of [render.Line]. Most messages of a long list are plain:
// printable ASCII and Latin letters with single spaces between words. Those are copied
// unchanged, which is fast.
func appendLine(b []byte, s string, most int) []byte {
	width, last := 0, 0 // characters so far, and where to cut before "…"
	space, single := true, 0
	for i := 0; i < len(s); width++ {
		if i >= single && i+8 <= len(s) && width+8 < most {
			if ends, ok := plainWords(s[i:i+8], space); ok {
				i, width, space = i+8, width+7, ends
				continue
			}
			single = i + 8 // these bytes are checked one by one
		}
		c, size := s[i], 1
		switch {
		case ' ' < c && c <= '~':
			space = false
		case c == ' ' && !space && (width < most || i+1 < len(s) && ' ' < s[i+1] && s[i+1] <= '~'):
			space = true
		case 0xc3 <= c && c <= 0xcc && i+1 < len(s) && s[i+1]&0xc0 == 0x80: // U+00C0 to U+033F
			size, space = 2, false
		default:
			return appendHard(b, s, most)
		}
		if width == most-1 {
			last = i
		}
		if width == most {
			return append(append(b, strings.TrimRight(s[:last], " ")...), "…"...)
		}
		i += size
	}
	if space {
		return appendHard(b, s, most)
	}
	return append(b, s...)
}

// plainWords reports whether 8 bytes are printable ASCII with single spaces, and whether they
// end in a space. behind is set if a space precedes them.
func plainWords(s string, behind bool) (space, ok bool) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	if (x|(x+ones))&tops != 0 || ((x|tops)-' '*ones)&tops != tops {
		return false, false
	}
	spaces := ^((x ^ ' '*ones) + 0x7f*ones) & tops
	before := spaces << 8
	if behind {
		before |= 0x80
	}
	return spaces>>63 == 1, spaces&before == 0
}

func appendHard(b []byte, s string, most int) []byte {
	safe, _ := render.Line(s, most)
	return append(b, safe...)
}

// time formats a local time as MM-DD HH:MM, or as YYYY-MM-DD HH:MM in another year.
// Scripts that use the published tool's name match the first.
func (p *printer) time(ts int64) []byte {
	if p.from <= ts && ts < p.until {
		minute := byte((ts - p.from) / 60)
		p.stamp[len(p.stamp)-2], p.stamp[len(p.stamp)-1] = '0'+minute/10, '0'+minute%10
		return p.stamp
	}
	at := time.UnixMilli(show.Millis(ts))
	layout := "01-02 15:04"
	if p.year != 0 && at.Year() != p.year {
		layout = "2006-01-02 15:04"
	}
	p.stamp = at.AppendFormat(p.stamp[:0], layout)
	// The clock may change to or from summer time within an hour.
	begin := at.Add(-time.Duration(at.Minute())*time.Minute - time.Duration(at.Second())*time.Second)
	end := begin.Add(time.Hour - time.Second)
	p.from, p.until = 0, 0
	if begin.Minute() == 0 && end.Minute() == 59 && begin.Hour() == end.Hour() {
		p.from, p.until = begin.Unix(), end.Unix()+1
	}
	return p.stamp
}

// appendFirst appends the first line of a body and marks what is left out: "…" for the rest
// of a long line, "(+3 lines)" for further lines, "(empty)" for an empty body (rule R5).
func appendFirst(b []byte, body string, most int) []byte {
	first := samp.FirstLine(body)
	rest := body[len(first):]
	b = appendLine(b, first, most)
	switch more := countLines(rest); {
	case body == "":
		b = append(b, "(empty)"...)
	case more > 0:
		b = append(b, " (+"+cli.Plural(more, "line")+")"...)
	}
	return b
}

// countLines counts the lines after the first. rest begins with the end of the first
// line.
func countLines(rest string) int {
	n := 0
	for rest != "" {
		r, size := utf8.DecodeRuneInString(rest)
		if r == '\r' && strings.HasPrefix(rest, "\r\n") {
			size = 2
		}
		rest = rest[size:]
		if rest == "" {
			// A trailing line end does not begin another line.
			break
		}
		n++
		rest = rest[len(samp.FirstLine(rest)):]
	}
	return n
}

func (p *printer) object(m *samp.Found, marks []string) {
	_ = cli.Print(p.w, object(m, marks)) // Flush returns the error
}

func object(m *samp.Found, marks []string) printed.Message {
	return printed.Message{
		ID: m.Key, Time: show.Millis(m.TS), From: m.From, To: m.To, Thread: m.Thread, Body: m.Body,
		File: samp.LogName(m.Stem), Form: samp.Identify(&m.Record).String(), Marks: marks, TS: m.TS,
	}
}

// The marks that a message may carry.
const (
	markCopy       = "sync copy"
	markLate       = "late"
	markSuspicious = "suspicious"
)

// withCopy adds the mark of a message that is only in a sync tool's copy of a log.
func withCopy(m *samp.Found, marks []string) []string {
	if m.Provenance() == samp.Copied && !slices.Contains(marks, markCopy) {
		return append(slices.Clone(marks), markCopy)
	}
	return marks
}

type senders map[string]struct{}

func sendersOf(messages []box.Unread) senders {
	s := make(senders)
	for i := range messages {
		s.add(messages[i].From)
	}
	return s
}

// add copies the name, which may be part of a buffer.
func (s senders) add(name string) {
	if _, known := s[name]; !known {
		s[strings.Clone(name)] = struct{}{}
	}
}

// String lists the names, sorted.
func (s senders) String() string {
	names := slices.Sorted(maps.Keys(s))
	for i := range names {
		names[i] = cli.Line(names[i])
	}
	return strings.Join(names, ", ")
}

// full writes all of a message: a header, and the body indented, so that no body looks like a
// header.
func (p *printer) full(m *samp.Found, marks ...string) {
	marks = withCopy(m, marks)
	if p.json {
		p.object(m, marks)
		return
	}
	form := samp.Identify(&m.Record)
	p.w.WriteString(p.paint.In(cli.Yellow, "message "+cli.Line(m.Key)))
	if form != samp.FormSpaced && form != samp.FormCompact {
		p.w.WriteString(" (id " + form.String() + ")")
	}
	for _, mark := range marks {
		p.w.WriteString(" [" + mark + "]")
	}
	p.w.WriteByte('\n')
	p.field("From", m.From)
	p.field("To", m.To)
	p.field("Thread", m.Thread)
	p.field("Date", cli.Second(show.Millis(m.TS)))
	p.field("Log", samp.LogName(m.Stem))
	p.w.WriteByte('\n')
	cli.WriteText(p.w, m.Body, "    ")
}

func (p *printer) field(name, value string) { p.paint.Field(p.w, 9, name, cli.Line(value)) }
