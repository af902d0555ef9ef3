package ops

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// mode selects the messages of an inbox (rule N4).
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
	box := gather(logs, &p.me, p.profile)
	shown, older, mark := p.show(box.Messages)
	var after []byte
	if mark != nil {
		after = mark.Append(nil)
	}

	c.Out = slices.Grow(c.Out, p.estimate(shown))
	as := display{logs: logs, forms: p.forms, raw: p.mode == modeRaw}
	every(&c.encoder, "messages", shown, as.message)
	every(&c.encoder, "suspicious", box.Suspicious, as.message)
	c.Number("older", int64(older))
	c.Number("replicas", int64(box.Replicas))
	c.totals(logs)
	c.Raw("watermark", after)
	every(&c.encoder, "logs", logs, func(e *encoder, l *logPart) {
		e.Text("name", l.name)
		e.Number("lines", int64(l.scan.Lines))
		e.Number("malformed", int64(l.scan.Malformed))
		e.Number("complete", int64(l.scan.Complete))
	})
	return nil
}

// show returns the messages of the mode, and the watermark after showing them. Without a
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

// estimate returns about how many bytes the result has, so that the buffer is not reallocated while
// it grows: with a tenth of 10 MB to show, that took as long as the rest of the writing.
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

// display is how messages are written: the logs that contain them, and which optional
// members are included.
type display struct {
	logs       []logPart
	forms, raw bool
}

func (d display) message(e *encoder, f *samp.Found) {
	log := &d.logs[f.Rank]
	e.Text("id", f.Key)
	e.record(&f.Record)
	e.Text("log", log.name)
	e.Number("offset", f.Offset)
	e.Text("filing", [...]string{samp.Own: "own", samp.Copied: "copied", samp.Foreign: "misfiled"}[f.Provenance()])
	if d.forms {
		e.Text("form", samp.Identify(&f.Record).String())
	}
	if d.raw {
		line, _, _ := bytes.Cut(log.data[f.Offset:], []byte{'\n'})
		e.Text("raw", string(line))
	}
}

// totals writes how many lines the logs have, and how many of them aren't records.
func (e *encoder) totals(logs []logPart) {
	var lines, bad int
	for i := range logs {
		lines += logs[i].scan.Lines
		bad += logs[i].scan.Malformed
	}
	e.Number("lines", int64(lines))
	e.Number("malformed", int64(bad))
}

// logPart is one log in the second argument.
type logPart struct {
	name, stem string
	length     int64
	data       []byte
	scan       samp.Scan
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

// sorted returns the indexes of n things in the order of their names. It sorts ints, as
// core/samp does: sorting another type would add 4 KB to the module.
func sorted(n int, name func(i int) string) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(name(a), name(b)) })
	return order
}

// gather reads the mail of a reader from the logs, or all mail if me is nil.
func gather(logs []logPart, me *string, p samp.Profile) samp.Inbox {
	var found []samp.Found
	for rank := range logs {
		var more []samp.Found
		l := &logs[rank]
		more, l.scan = samp.Find(l.data, l.stem, rank, me, p)
		found = append(found, more...)
	}
	return samp.Gather(found)
}
