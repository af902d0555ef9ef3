package samp

import "github.com/signalbox-dev/signalbox/core/canon"

// Head is the beginning of a line: the members up to the thread. Its texts are cut from the
// line.
type Head struct {
	ID, From, To, Thread []byte
	TS                   int64
}

// ParseHead reads the head of a line in the usual form: the members in the order of §2, with or
// without a space after each colon and comma, and no escapes. It does not check the rest, so the
// line need not be a record. ok is false for all other lines, which must be parsed.
func ParseHead(line []byte) (h Head, ok bool) {
	p := headReader{rest: line, ok: true}
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

// headReader reads on as long as the text is as expected.
type headReader struct {
	rest []byte
	ok   bool
}

func (p *headReader) pass(s string) {
	if p.ok = p.ok && len(p.rest) >= len(s) && string(p.rest[:len(s)]) == s; p.ok {
		p.rest = p.rest[len(s):]
	}
}

// text returns the text before end, and passes both.
func (p *headReader) text(end string) []byte {
	if !p.ok {
		return nil
	}
	n := canon.Plain(p.rest)
	text := p.rest[:n]
	p.rest = p.rest[n:]
	p.pass(end)
	return text
}

func (p *headReader) seconds() int64 {
	if !p.ok {
		return 0
	}
	ts, n := seconds(p.rest)
	p.rest, p.ok = p.rest[n:], n > 0
	return ts
}
