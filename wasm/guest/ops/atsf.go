package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

func atsfThread(dst, a, b []byte) ([]byte, error) {
	var dir string
	var named bool
	if err := read(a, given(text("dir", &dir), &named)); err != nil {
		return nil, err
	}
	t, err := atsf.ParseThread(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.agentThread(&t)
	var odd *canon.Fault
	if named {
		odd = asFault(t.CheckDir(dir))
	}
	e.fault("odd", odd)
	e.faults("faults", t.Faults)
	e.faults("notes", t.Notes)
	e.close('}')
	return e.buf, nil
}

func atsfMessage(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	m, err := atsf.ParseMessage(b)
	if err != nil {
		return nil, malformed(err)
	}
	e := encoder{buf: dst}
	e.open('{')
	e.agentMessage(&m)
	e.close('}')
	return e.buf, nil
}

func atsfLog(dst, a, b []byte) ([]byte, error) {
	var limit int64
	if err := read(a, integer("limit", &limit, nil)); err != nil {
		return nil, err
	}
	if limit < 0 || limit > atsf.MaxEntries {
		return nil, wrong("limit", "a number from 0 to 65536")
	}
	l := atsf.ReadLog(b, int(limit))
	e := encoder{buf: dst}
	e.open('{')
	e.key("entries")
	e.open('[')
	for i := range l.Entries {
		e.item()
		e.entry(&l.Entries[i], b)
	}
	e.close(']')
	e.number("next", int64(l.Next))
	e.bool("torn", l.Torn)
	e.close('}')
	return e.buf, nil
}

// entry writes one line of a log, which data holds.
func (e *encoder) entry(entry *atsf.Entry, data []byte) {
	e.open('{')
	e.number("number", int64(entry.Number))
	e.number("offset", int64(entry.Offset))
	e.number("length", int64(bytes.IndexByte(data[entry.Offset:], '\n')))
	if entry.Fault != nil {
		e.null("message")
	} else {
		e.key("message")
		e.open('{')
		e.agentMessage(&entry.Message)
		e.close('}')
	}
	e.fault("fault", entry.Fault)
	e.close('}')
}

func atsfCount(dst, a, b []byte) ([]byte, error) {
	if err := read(a); err != nil {
		return nil, err
	}
	tally, next := atsf.Count(b)
	e := encoder{buf: dst}
	e.open('{')
	e.figures(&tally)
	e.number("next", int64(next))
	e.close('}')
	return e.buf, nil
}

func atsfCompare(dst, a, b []byte) ([]byte, error) {
	thread, messages, err := bothFiles(a, b)
	if err != nil {
		return nil, err
	}
	t, err := atsf.ParseThread(thread)
	if err != nil {
		return nil, malformed(err)
	}
	tally, next := atsf.Count(messages)
	e := encoder{buf: dst}
	e.open('{')
	e.figures(&tally)
	e.number("next", int64(next))
	e.mismatches(atsf.Compare(&t, tally))
	e.close('}')
	return e.buf, nil
}

func (e *encoder) mismatches(list []atsf.Mismatch) {
	e.key("mismatches")
	e.open('[')
	for i := range list {
		e.item()
		e.open('{')
		e.mismatch(&list[i])
		e.close('}')
	}
	e.close(']')
}

// bothFiles reads the parameter that says where in the second argument
// thread.json ends and messages.jsonl begins, besides an op's own ones.
func bothFiles(a, b []byte, more ...param) (thread, messages []byte, err error) {
	var length int64
	if err := read(a, append(more, needed(integer("threadLength", &length, nil)))...); err != nil {
		return nil, nil, err
	}
	if length < 0 || length > int64(len(b)) {
		return nil, nil, badArgument("the length of thread.json lies outside the second argument")
	}
	return b[:length:length], b[length:], nil
}
