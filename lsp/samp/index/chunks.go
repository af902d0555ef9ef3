package index

import "strings"

const chunkLen = 4096

// chunks is a list of entries that grows without copying.
type chunks struct {
	list []*[chunkLen]entry
	n    int
	// spans holds the oldest and the newest time in each chunk, so that a search can skip
	// chunks that are too old.
	spans []span
}

// span is a range of times, both ends included.
type span struct{ oldest, newest int64 }

func (c *chunks) add(e entry) uint32 {
	if c.n%chunkLen == 0 {
		c.list = append(c.list, new([chunkLen]entry))
		c.spans = append(c.spans, span{e.ts, e.ts})
	}
	s := &c.spans[len(c.spans)-1]
	s.oldest, s.newest = min(s.oldest, e.ts), max(s.newest, e.ts)
	c.list[c.n/chunkLen][c.n%chunkLen] = e
	c.n++
	return uint32(c.n - 1)
}

func (c *chunks) at(n uint32) *entry { return &c.list[n/chunkLen][n%chunkLen] }

// names numbers strings: aliases and thread names.
type names struct {
	byText map[string]uint32
	texts  *[]string
}

func newNames() names { return names{byText: make(map[string]uint32), texts: new([]string)} }

func (s names) add(text string) uint32 {
	if n, ok := s.byText[text]; ok {
		return n
	}
	n := uint32(len(*s.texts))
	// The text may be part of a buffer that is about to be reused.
	text = strings.Clone(text)
	s.byText[text] = n
	*s.texts = append(*s.texts, text)
	return n
}

func (s names) find(text string) (uint32, bool) {
	n, ok := s.byText[text]
	return n, ok
}

func (s names) text(n uint32) string { return (*s.texts)[n] }
