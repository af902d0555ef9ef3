package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

func atsfThread(c *call) error {
	var dir string
	var named bool
	if err := c.read(given(text("dir", &dir), &named)); err != nil {
		return err
	}
	t, err := atsf.ParseThread(c.b)
	if err != nil {
		return malformed(err)
	}
	c.agentThread(&t)
	var odd *canon.Fault
	if named {
		odd = asFault(t.CheckDir(dir))
	}
	c.fault("odd", odd)
	c.both(t.Findings)
	return nil
}

func atsfMessage(c *call) error { return parsed(c, atsf.ParseMessage, (*encoder).agentMessage) }

func atsfLog(c *call) error {
	var limit int64
	if err := c.read(bounded("limit", &limit, 0, atsf.MaxEntries)); err != nil {
		return err
	}
	l := atsf.ReadLog(c.b, int(limit))
	every(&c.encoder, "entries", l.Entries, func(e *encoder, entry *atsf.Entry) { e.entry(entry, c.b) })
	c.Number("next", int64(l.Next))
	c.Bool("torn", l.Torn)
	return nil
}

// entry writes one line of the log in data.
func (e *encoder) entry(entry *atsf.Entry, data []byte) {
	e.Number("number", int64(entry.Number))
	e.Number("offset", int64(entry.Offset))
	e.Number("length", int64(bytes.IndexByte(data[entry.Offset:], '\n')))
	message := &entry.Message
	if entry.Fault != nil {
		message = nil
	}
	nested(e, "message", message, (*encoder).agentMessage)
	e.fault("fault", entry.Fault)
}

func atsfCount(c *call) error {
	tally, next := atsf.Count(c.b)
	c.figures(&tally)
	c.Number("next", int64(next))
	return nil
}

func atsfCompare(c *call) error {
	thread, messages, err := c.bothFiles()
	if err != nil {
		return err
	}
	t, err := atsf.ParseThread(thread)
	if err != nil {
		return malformed(err)
	}
	tally, next := atsf.Count(messages)
	c.figures(&tally)
	c.Number("next", int64(next))
	every(&c.encoder, "mismatches", atsf.Compare(&t, tally), (*encoder).mismatch)
	return nil
}

// bothFiles reads the parameter with the length of thread.json, besides an op's own
// ones, and splits the second argument into thread.json and messages.jsonl.
func (c *call) bothFiles(more ...param) (thread, messages []byte, err error) {
	var length int64
	if err := c.read(append(more, needed(integer("threadLength", &length, nil)))...); err != nil {
		return nil, nil, err
	}
	if length < 0 || length > int64(len(c.b)) {
		return nil, nil, badArgument("the length of thread.json lies outside the second argument")
	}
	return c.b[:length:length], c.b[length:], nil
}
