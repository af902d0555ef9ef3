package ops

import (
	"bytes"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// threadCheck collects the findings of atsf.check.
type threadCheck struct {
	findings
	// dir is the name of the thread's directory, if named is set.
	dir   string
	named bool
}

// atsfCheck is the op atsf.check: it writes the counts of a thread's messages, and the faults and
// notes of its two files.
func atsfCheck(c *call) error {
	var found threadCheck
	thread, messages, err := c.bothFiles(given(text("dir", &found.dir), &found.named), found.limited())
	if err != nil {
		return err
	}
	tally, _ := atsf.Count(messages)
	found.checkThread(thread, tally)
	torn := found.checkMessages(messages)
	c.figures(&tally)
	c.Bool("torn", torn)
	c.findings(&found.findings)
	return nil
}

func (c *threadCheck) checkThread(data []byte, tally atsf.Tally) {
	t, err := atsf.ParseThread(data)
	if err != nil {
		c.add(atsf.ThreadName, 0, 0, "fault", asFault(err))
		return
	}
	c.addAll(atsf.ThreadName, 0, 0, t.Findings)
	if c.named {
		if odd := asFault(t.CheckDir(c.dir)); odd != nil {
			c.add(atsf.ThreadName, 0, 0, "fault", odd)
		}
	}
	for _, m := range atsf.Compare(&t, tally) {
		c.add(atsf.ThreadName, 0, 0, "fault", &canon.Fault{Rule: "T4", Field: m.Field, Reason: m.Reason})
	}
}

// messages checks every line, as many at a time as [atsf.ReadLog] returns.
func (c *threadCheck) checkMessages(data []byte) (torn bool) {
	at, number := 0, 0
	for at < len(data) {
		l := atsf.ReadLog(data[at:], 0)
		for i := range l.Entries {
			e := &l.Entries[i]
			if e.Fault != nil {
				c.add(atsf.MessagesName, number+e.Number, at+e.Offset, "fault", e.Fault)
				continue
			}
			c.addAll(atsf.MessagesName, number+e.Number, at+e.Offset, e.Message.Findings)
			c.assets(number+e.Number, at+e.Offset, e.Message.Content)
		}
		number += bytes.Count(data[at:at+l.Next], []byte{'\n'})
		at += l.Next
		if l.Torn {
			c.add(atsf.MessagesName, number+1, at, "note", &canon.Fault{Rule: "M5", Reason: "the last line is not ended and not read"})
			return true
		}
	}
	return false
}

// assets reports references that no file in assets/ can have (rule L4).
func (c *threadCheck) assets(number, offset int, content []atsf.Block) {
	for i := range content {
		b := &content[i]
		if !b.Known || b.AssetRef == "" {
			continue
		}
		if _, err := atsf.ParseAssetName(b.AssetRef); err != nil {
			f := *asFault(err)
			f.Field, f.Offset = "content["+strconv.Itoa(i)+"].assetRef", b.Offset
			c.add(atsf.MessagesName, number, offset, "fault", &f)
		}
	}
}
