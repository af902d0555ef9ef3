package samp

import "github.com/signalbox-dev/signalbox/core/canon"

// Head is how a line begins: the members up to the thread. Its texts are cut from the line.
type Head struct {
	ID, From, To, Thread []byte
	TS                   int64
}

// Peek reads the head of a line as nearly every program writes it: the members in the
// order of §2, with a space behind each colon and comma or without, and no escapes. What
// follows is not looked at, so the line may still be no record. ok is false for all other
// lines, which have to be parsed.
func Peek(line []byte) (h Head, ok bool) {
	p := peeker{rest: line, ok: true}
	if len(line) > 6 && line[6] == ' ' {
		p.pass(`{"id": "`)
		h.ID = p.text(`", "ts": `)
		h.TS = p.seconds()
		p.pass(`, "from": "`)
		h.From = p.text(`", "to": "`)
		h.To = p.text(`", "thread": "`)
	} else {
		p.pass(`{"id":"`)
		h.ID = p.text(`","ts":`)
		h.TS = p.seconds()
		p.pass(`,"from":"`)
		h.From = p.text(`","to":"`)
		h.To = p.text(`","thread":"`)
	}
	h.Thread = p.text(`"`)
	return h, p.ok && len(h.ID) > 0 && len(h.ID) <= maxKey
}

// peeker reads on as long as what stands there is what is expected.
type peeker struct {
	rest []byte
	ok   bool
}

func (p *peeker) pass(s string) {
	if p.ok = p.ok && len(p.rest) >= len(s) && string(p.rest[:len(s)]) == s; p.ok {
		p.rest = p.rest[len(s):]
	}
}

// text returns what stands before an end, and passes both.
func (p *peeker) text(end string) []byte {
	if !p.ok {
		return nil
	}
	n := canon.Plain(p.rest)
	text := p.rest[:n]
	p.rest = p.rest[n:]
	p.pass(end)
	return text
}

func (p *peeker) seconds() int64 {
	if !p.ok {
		return 0
	}
	ts, n := seconds(p.rest)
	p.rest, p.ok = p.rest[n:], n > 0
	return ts
}
