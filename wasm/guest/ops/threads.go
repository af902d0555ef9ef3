package ops

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// grouped are the messages of a thread.
type grouped struct {
	count int64
	first int64
	// parties are the writers and readers of all of them.
	parties []string
	newest  *samp.Found
}

func sampThreads(c *call) error {
	var me string
	var named bool
	var p inboxParams
	limit := int64(abi.DefaultFindings)
	if err := c.read(given(text("me", &me), &named), profile(&p.profile), logList(&p.logs), bounded("limit", &limit, 0, abi.MaxFindings)); err != nil {
		return err
	}
	if named && me == "" {
		return wrong("me", "a reader: leave it out for all mail")
	}
	logs, err := cut(c.b, p.logs)
	if err != nil {
		return err
	}
	var box samp.Inbox
	var scans []samp.Scan
	if named {
		box, scans = gather(logs, me, p.profile)
	} else {
		box, scans = gatherAll(logs, p.profile)
	}
	threads := group(box.Messages)

	c.key("threads")
	c.open('[')
	shown := threads[:min(int64(len(threads)), limit)]
	for _, t := range shown {
		c.item()
		c.group(t, logs)
	}
	c.close(']')
	c.number("more", int64(len(threads)-len(shown)))
	c.number("suspicious", int64(len(box.Suspicious)))
	c.number("replicas", int64(box.Replicas))
	c.totals(scans)
	return nil
}

// group puts sorted messages into threads, newest message first. It goes from the
// newest to the oldest.
func group(messages []samp.Found) []*grouped {
	byName := map[string]*grouped{}
	var list []*grouped
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		t := byName[m.Thread]
		if t == nil {
			t = &grouped{newest: m}
			byName[m.Thread] = t
			list = append(list, t)
		}
		t.count++
		t.first = m.TS
		t.parties = append(t.parties, m.From, m.To)
	}
	return list
}

// gatherAll is like gather, for every reader's mail.
func gatherAll(logs []logPart, p samp.Profile) (samp.Inbox, []samp.Scan) {
	var found []samp.Found
	scans := make([]samp.Scan, len(logs))
	for rank, l := range logs {
		scan := &scans[rank]
		samp.Lines(l.data, func(offset int, raw []byte) {
			if len(bytes.TrimSpace(raw)) == 0 {
				return
			}
			scan.Lines++
			r, err := samp.Parse(raw)
			if err != nil {
				scan.Malformed++
				return
			}
			found = append(found, samp.Found{Record: r, Key: samp.EffectiveID(&r, p), Stem: l.stem, Rank: rank, Offset: int64(offset)})
		})
	}
	return samp.Gather(found), scans
}

func (e *encoder) group(t *grouped, logs []logPart) {
	e.open('{')
	e.text("thread", t.newest.Thread)
	e.number("count", t.count)
	e.number("first", t.first)
	parties := make([]string, 0, 2)
	for _, i := range sorted(len(t.parties), func(i int) string { return t.parties[i] }) {
		if name := t.parties[i]; len(parties) == 0 || parties[len(parties)-1] != name {
			parties = append(parties, name)
		}
	}
	e.texts("parties", parties)
	e.key("last")
	e.message(t.newest, logs, true, false)
	e.close('}')
}
