package ops

import (
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// grouped are the messages of a thread.
type grouped struct {
	count int64
	first int64
	// parties are the senders and receivers of all messages.
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
	var reader *string
	if named {
		reader = &me
	}
	box := gather(logs, reader, p.profile)
	threads := group(box.Messages)

	shown := threads[:min(int64(len(threads)), limit)]
	every(&c.encoder, "threads", shown, func(e *encoder, t **grouped) { e.group(*t, logs) })
	c.Number("more", int64(len(threads)-len(shown)))
	c.Number("suspicious", int64(len(box.Suspicious)))
	c.Number("replicas", int64(box.Replicas))
	c.totals(logs)
	return nil
}

// group groups sorted messages into threads. The thread with the newest message comes first.
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

func (e *encoder) group(t *grouped, logs []logPart) {
	e.Text("thread", t.newest.Thread)
	e.Number("count", t.count)
	e.Number("first", t.first)
	parties := make([]string, 0, 2)
	for _, i := range sorted(len(t.parties), func(i int) string { return t.parties[i] }) {
		if name := t.parties[i]; len(parties) == 0 || parties[len(parties)-1] != name {
			parties = append(parties, name)
		}
	}
	e.Texts("parties", parties)
	nested(e, "last", t.newest, display{logs: logs, forms: true}.message)
}
