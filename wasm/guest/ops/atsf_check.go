package ops

import (
	"bytes"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// threadCheck is what atsf.check has found. Findings are written as they come
// and bounded in number, as in samp.validate.
type threadCheck struct {
	out         encoder
	limit, more int64
	// dir is the name of the thread's directory, if named is set.
	dir   string
	named bool
}

func atsfCheck(dst, a, b []byte) ([]byte, error) {
	c := threadCheck{limit: abi.DefaultFindings}
	thread, messages, err := bothFiles(a, b, given(text("dir", &c.dir), &c.named), integer("limit", &c.limit, nil))
	if err != nil {
		return nil, err
	}
	if c.limit < 0 || c.limit > abi.MaxFindings {
		return nil, wrong("limit", "a number from 0 to 100000")
	}
	c.out.open('[')
	tally, _ := atsf.Count(messages)
	c.thread(thread, tally)
	torn := c.messages(messages)
	c.out.close(']')

	e := encoder{buf: dst}
	e.open('{')
	e.figures(&tally)
	e.bool("torn", torn)
	e.key("findings")
	e.buf = append(e.buf, c.out.buf...)
	e.number("more", c.more)
	e.close('}')
	return e.buf, nil
}

func (c *threadCheck) thread(data []byte, tally atsf.Tally) {
	t, err := atsf.ParseThread(data)
	if err != nil {
		c.finding(atsf.ThreadName, 0, 0, "fault", asFault(err))
		return
	}
	c.findings(atsf.ThreadName, 0, 0, t.Findings)
	if c.named {
		if odd := asFault(t.CheckDir(c.dir)); odd != nil {
			c.finding(atsf.ThreadName, 0, 0, "fault", odd)
		}
	}
	for _, m := range atsf.Compare(&t, tally) {
		c.finding(atsf.ThreadName, 0, 0, "fault", &canon.Fault{Rule: "T4", Field: m.Field, Reason: m.Reason})
	}
}

// messages checks every line, as many at a time as one read of a log returns.
func (c *threadCheck) messages(data []byte) (torn bool) {
	at, number := 0, 0
	for at < len(data) {
		l := atsf.ReadLog(data[at:], 0)
		for i := range l.Entries {
			e := &l.Entries[i]
			if e.Fault != nil {
				c.finding(atsf.MessagesName, number+e.Number, at+e.Offset, "fault", e.Fault)
				continue
			}
			c.findings(atsf.MessagesName, number+e.Number, at+e.Offset, e.Message.Findings)
			c.assets(number+e.Number, at+e.Offset, e.Message.Content)
		}
		number += bytes.Count(data[at:at+l.Next], []byte{'\n'})
		at += l.Next
		if l.Torn {
			c.finding(atsf.MessagesName, number+1, at, "note", &canon.Fault{Rule: "M5", Reason: "the last line is not ended and not read"})
			return true
		}
	}
	return false
}

// assets names the references that no file in assets/ can have (rule L4).
func (c *threadCheck) assets(number, offset int, content []atsf.Block) {
	for i := range content {
		b := &content[i]
		if !b.Known || b.AssetRef == "" {
			continue
		}
		if _, err := atsf.ParseAssetName(b.AssetRef); err != nil {
			f := *asFault(err)
			f.Field, f.Offset = "content["+strconv.Itoa(i)+"].assetRef", b.Offset
			c.finding(atsf.MessagesName, number, offset, "fault", &f)
		}
	}
}

func (c *threadCheck) findings(file string, number, offset int, f canon.Findings) {
	for i := range f.Faults {
		c.finding(file, number, offset, "fault", &f.Faults[i])
	}
	for i := range f.Notes {
		c.finding(file, number, offset, "note", &f.Notes[i])
	}
}

// finding writes a finding. offset is where the line begins, 0 for thread.json.
func (c *threadCheck) finding(file string, number, offset int, level string, f *canon.Fault) {
	if c.limit == 0 {
		c.more++
		return
	}
	c.limit--
	e := &c.out
	e.item()
	e.open('{')
	e.text("file", file)
	e.number("line", int64(number))
	e.number("offset", int64(offset+f.Offset))
	e.text("level", level)
	e.text("rule", f.Rule)
	e.text("field", f.Field)
	e.text("reason", f.Reason)
	e.close('}')
}
