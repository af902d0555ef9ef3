package agntest

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// fact is a fact that counts, in the order of the scenario. Exactly one pointer is set.
type fact struct {
	writtenAt int64  // the time that it has
	to        string // the message that it answers
	msg       *agn.Message
	ack       *agn.Ack
	resume    *agn.Resume
}

// believable reports whether a time is no further ahead than clocks may differ (AGN E7).
func believable(millis, now int64) bool { return millis <= now+2*60*1000 }

// inOrder returns facts in the order in which they count: by time, but no answer before its
// message, and messages from the future when they were first answered, or last.
func inOrder(facts []fact, now int64) []fact {
	sent := map[string]*agn.Message{}
	for _, f := range facts {
		if f.msg != nil {
			sent[f.msg.ID] = f.msg
		}
	}
	there := map[string]int64{}
	for id, m := range sent {
		there[id] = m.Time.Millis
		if believable(m.Time.Millis, now) {
			continue
		}
		there[id] = now
		first := true
		for _, f := range facts {
			if f.to == id && believable(f.writtenAt, now) && (f.ack == nil || f.ack.By == m.To) && (first || f.writtenAt < there[id]) {
				there[id], first = f.writtenAt, false
			}
		}
	}
	type placed struct {
		at, writtenAt int64
		of            int // messages before what answers them
		fact
	}
	list := []placed{}
	for _, f := range facts {
		p := placed{at: f.writtenAt, writtenAt: f.writtenAt, fact: f}
		switch m := sent[f.to]; {
		case f.msg != nil:
			p.at = there[f.msg.ID]
		case m != nil:
			if p.of = 1; !believable(f.writtenAt, now) {
				p.at = there[f.to]
			}
			p.at, p.writtenAt = max(p.at, there[f.to]), max(f.writtenAt, m.Time.Millis)
		}
		list = append(list, p)
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.writtenAt, b.writtenAt), cmp.Compare(a.of, b.of), cmp.Compare(a.fact.writtenAt, b.fact.writtenAt))
	})
	out := []fact{}
	for _, p := range list {
		out = append(out, p.fact)
	}
	return out
}
