package ops

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// mode is how much of an inbox is asked for (rule N4).
type mode uint8

const (
	modeDefault mode = iota
	modeAll
	modeRaw
	modeNewest
)

// inboxParams are the parameters of samp.inbox.
type inboxParams struct {
	me        string
	profile   samp.Profile
	mode      mode
	newest    int64
	forms     bool
	watermark *samp.Watermark
	now       int64
	hasNow    bool
	logs      []logPart
}

func (p *inboxParams) read(a []byte) error {
	p.forms = true
	err := read(a,
		needed(text("me", &p.me)), profile(&p.profile), param{name: "mode", read: p.readMode},
		boolean("forms", &p.forms), param{name: "watermark", read: p.readWatermark},
		integer("now", &p.now, &p.hasNow), logList(&p.logs),
	)
	if err == nil && p.mode == modeDefault && !p.hasNow {
		return badArgument(`parameter "now" is missing, which the default mode needs`)
	}
	return err
}

func (p *inboxParams) readMode(v canon.Value) error {
	if n, ok := v.Int64(); ok && n > 0 {
		p.mode, p.newest = modeNewest, n
		return nil
	}
	switch string(v.Raw) {
	case `"default"`:
		p.mode = modeDefault
	case `"all"`:
		p.mode = modeAll
	case `"raw"`:
		p.mode = modeRaw
	default:
		return wrong("mode", `"default", "all", "raw" or a number above 0`)
	}
	return nil
}

func (p *inboxParams) readWatermark(v canon.Value) error {
	w, err := samp.ParseWatermark(v.Raw)
	if err != nil {
		return malformed(err)
	}
	p.watermark = &w
	return nil
}

func sampInbox(c *call) error {
	var p inboxParams
	if err := p.read(c.a); err != nil {
		return err
	}
	logs, err := cut(c.b, p.logs)
	if err != nil {
		return err
	}
	box, scans := gather(logs, p.me, p.profile)
	shown, older, mark := p.show(box.Messages)

	c.buf = slices.Grow(c.buf, p.estimate(shown))
	c.messages("messages", shown, logs, &p)
	c.messages("suspicious", box.Suspicious, logs, &p)
	c.number("older", int64(older))
	c.number("replicas", int64(box.Replicas))
	c.totals(scans)
	if mark == nil {
		c.null("watermark")
	} else {
		c.key("watermark")
		c.buf = mark.Append(c.buf)
	}
	c.scans(logs, scans)
	return nil
}

// show returns the messages of a mode, and the watermark after it. Without a
// watermark everything is new, whatever its time.
func (p *inboxParams) show(all []samp.Found) (shown []samp.Found, older int, mark *samp.Watermark) {
	switch p.mode {
	case modeAll, modeRaw:
		return all, 0, p.watermark
	case modeNewest:
		return all[max(0, int64(len(all))-p.newest):], 0, p.watermark
	}
	shown = all
	var before samp.Watermark
	if p.watermark != nil {
		var hidden []samp.Found
		before = p.watermark.Capped(p.now)
		shown, hidden = samp.Unread(all, before)
		older = len(hidden)
	}
	if p.watermark == nil && len(shown) == 0 {
		return nil, 0, nil
	}
	next := before.Advance(all, shown, p.now)
	return shown, older, &next
}

// estimate returns about how many bytes the result has, so that it is not moved
// again and again while it grows: with a tenth of 10 MB to show, that took as long
// as the rest of the writing.
func (p *inboxParams) estimate(shown []samp.Found) int {
	const rest, names = 512, 160
	n := rest + names*len(shown)
	for i := range shown {
		r := &shown[i].Record
		n += len(r.ID) + len(r.From) + len(r.To) + len(r.Thread) + len(r.Body) + len(r.Body)/16
	}
	if p.mode == modeRaw {
		n *= 2
	}
	return n
}

func (e *encoder) messages(name string, list []samp.Found, logs []logPart, p *inboxParams) {
	e.key(name)
	e.open('[')
	for i := range list {
		e.item()
		e.message(&list[i], logs, p.forms, p.mode == modeRaw)
	}
	e.close(']')
}

func (e *encoder) message(f *samp.Found, logs []logPart, form, raw bool) {
	e.open('{')
	e.text("id", f.Key)
	e.record(&f.Record)
	e.text("log", logs[f.Rank].name)
	e.number("offset", f.Offset)
	e.text("filing", [...]string{samp.Own: "own", samp.Copied: "copied", samp.Misfiled: "misfiled"}[f.Filing()])
	if form {
		e.text("form", samp.Identify(&f.Record).String())
	}
	if raw {
		line, _, _ := bytes.Cut(logs[f.Rank].data[f.Offset:], []byte{'\n'})
		e.text("raw", string(line))
	}
	e.close('}')
}

// totals writes how many lines the logs have, and how many of them are no records.
func (e *encoder) totals(scans []samp.Scan) {
	var lines, bad int
	for _, s := range scans {
		lines += s.Lines
		bad += s.Malformed
	}
	e.number("lines", int64(lines))
	e.number("malformed", int64(bad))
}

func (e *encoder) scans(logs []logPart, scans []samp.Scan) {
	e.key("logs")
	e.open('[')
	for i, s := range scans {
		e.item()
		e.open('{')
		e.text("name", logs[i].name)
		e.number("lines", int64(s.Lines))
		e.number("malformed", int64(s.Malformed))
		e.number("complete", int64(s.Complete))
		e.close('}')
	}
	e.close(']')
}

// logPart is one log among the bytes of the second argument.
type logPart struct {
	name, stem string
	length     int64
	data       []byte
}

func logList(into *[]logPart) param {
	return needed(items("logs", into, func(raw []byte, l *logPart) error {
		if err := read(raw, needed(text("name", &l.name)), needed(integer("length", &l.length, nil))); err != nil {
			return err
		}
		var ok bool
		if l.stem, ok = samp.LogStem(l.name); !ok {
			return wrong("name", "the name of a log: "+quoted(l.name))
		}
		return nil
	}))
}

// cut assigns every log its bytes, and sorts the logs by name, which orders messages
// of the same second (rule N3).
func cut(data []byte, logs []logPart) ([]logPart, error) {
	rest := data
	for i := range logs {
		n := logs[i].length
		if n < 0 || n > int64(len(rest)) {
			return nil, badArgument("the length of " + quoted(logs[i].name) + " lies outside the second argument")
		}
		logs[i].data, rest = rest[:n:n], rest[n:]
	}
	if len(rest) > 0 {
		return nil, badArgument(`the second argument is longer than the logs of "logs"`)
	}
	inOrder := make([]logPart, 0, len(logs))
	for n, i := range sorted(len(logs), func(i int) string { return logs[i].name }) {
		if n > 0 && logs[i].name == inOrder[n-1].name {
			return nil, badArgument("log " + quoted(logs[i].name) + " stands twice")
		}
		inOrder = append(inOrder, logs[i])
	}
	return inOrder, nil
}

// sorted returns the order of n things by their names. Numbers are sorted, as
// core/samp does: sorting another type would take 4 KB of the module.
func sorted(n int, name func(i int) string) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(name(a), name(b)) })
	return order
}

func gather(logs []logPart, me string, p samp.Profile) (samp.Inbox, []samp.Scan) {
	var found []samp.Found
	scans := make([]samp.Scan, len(logs))
	for rank, l := range logs {
		var more []samp.Found
		more, scans[rank] = samp.Find(l.data, l.stem, rank, me, p)
		found = append(found, more...)
	}
	return samp.Gather(found), scans
}
