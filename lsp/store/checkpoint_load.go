package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// errCheckpoint tells that a checkpoint is not one of ours, or not whole.
var errCheckpoint = errors.New("store: the saved index is damaged")

// loader reads a checkpoint. Nothing in it is believed before it is checked: a
// number that leads out of what it counts, or a list that is none, makes the
// whole file useless. Memory follows the size of the file.
type loader struct {
	from io.ReaderAt
	size int64
	pos  int64
	part int
	// The header.
	profile samp.Profile
	secret  secret
	sizes   [8]int
	logs    []savedLog
	x       *index
}

// The order of loader.sizes.
const (
	sizeLogs = iota
	sizeLogBytes
	sizeNames
	sizeText
	sizeThreads
	sizeLinked
	sizeSuspects
	sizeEntries
)

// load reads a checkpoint of a size into an index that empty gives, for a reader.
// The index has no logs yet: whoever calls it knows what these look like now.
// What was read by the reader is not marked.
func load(from io.ReaderAt, size int64, p samp.Profile, me string, empty func(secret) *index) (*index, []savedLog, error) {
	l := &loader{from: from, size: size}
	if err := l.header(); err != nil {
		return nil, nil, err
	}
	if l.profile != p {
		return nil, nil, fmt.Errorf("store: the saved index has ids of the form %v, not %v", l.profile, p)
	}
	l.x = empty(l.secret)
	for _, step := range []func() error{
		l.readLogs, l.names, func() error { l.x.me = l.x.names.add(me); return nil }, l.threads, l.rest,
	} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	l.x.sort()
	return l.x, l.logs, nil
}

// read reads one part of a size.
func (l *loader) read(size int) ([]byte, error) {
	b, err := l.readAt(make([]byte, size+sumSize), l.pos, l.part)
	l.pos += int64(size) + sumSize
	l.part++
	return b, err
}

// readAt reads a part into a buffer that is as long as it and its checksum.
func (l *loader) readAt(b []byte, pos int64, part int) ([]byte, error) {
	if n, err := l.from.ReadAt(b, pos); n < len(b) {
		return nil, errors.Join(errCheckpoint, err)
	}
	b, sum := b[:len(b)-sumSize], b[len(b)-sumSize:]
	if part == partHeader {
		// Its secret is needed first.
		l.secret = readSecret(b[len(checkpointMagic)+1:])
	}
	if binary.LittleEndian.Uint32(sum) != partSum(l.secret, part, b) {
		return nil, errCheckpoint
	}
	return b, nil
}

func (l *loader) header() error {
	if l.size < int64(headerSize+sumSize) {
		return errCheckpoint
	}
	b, err := l.read(headerSize)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(b), checkpointMagic) {
		return errCheckpoint
	}
	b = b[len(checkpointMagic):]
	l.profile = samp.Profile(b[0])
	b = b[1+16:]
	for i := range l.sizes {
		n := binary.LittleEndian.Uint64(b[8*i:])
		if n > uint64(l.size) || n >= none {
			return errCheckpoint
		}
		l.sizes[i] = int(n)
	}
	s := &l.sizes
	pieces := func(n, of int) int64 { return int64((n + of - 1) / of) }
	want := l.pos
	for _, n := range [...]int64{
		int64(s[sizeLogBytes]), 4*int64(s[sizeNames]) + int64(s[sizeText]), threadSize * int64(s[sizeThreads]), 4 * int64(s[sizeSuspects]),
	} {
		want += n + sumSize
	}
	want += 4*int64(s[sizeLinked]) + sumSize*pieces(s[sizeLinked], orderLen)
	want += entrySize*int64(s[sizeEntries]) + sumSize*pieces(s[sizeEntries], chunkLen)
	if want != l.size || s[sizeLogs] > maxLogs || s[sizeLogs] > s[sizeLogBytes] {
		return errCheckpoint
	}
	return nil
}

func (l *loader) readLogs() error {
	b, err := l.read(l.sizes[sizeLogBytes])
	if err != nil {
		return err
	}
	ok := false
	if l.logs, ok = parseLogs(b, l.sizes[sizeLogs]); !ok {
		return errCheckpoint
	}
	// An entry needs the names of the logs to be compared.
	for i := range l.logs {
		stem, _ := samp.LogStem(l.logs[i].name)
		l.x.logs = append(l.x.logs, Log{Name: l.logs[i].name, Stem: stem})
	}
	return nil
}

func (l *loader) names() error {
	count := l.sizes[sizeNames]
	b, err := l.read(4*count + l.sizes[sizeText])
	if err != nil {
		return err
	}
	// All texts are cut from one.
	text := string(b[4*count:])
	s := names{byText: make(map[string]uint32, count+1), texts: new([]string)}
	*s.texts = make([]string, 0, count+1)
	for i := range count {
		n := uint64(binary.LittleEndian.Uint32(b[4*i:]))
		if n > uint64(len(text)) {
			return errCheckpoint
		}
		s.byText[text[:n]] = uint32(i)
		*s.texts = append(*s.texts, text[:n])
		text = text[n:]
	}
	if len(text) > 0 || len(s.byText) != count {
		return errCheckpoint
	}
	l.x.names = s
	return nil
}

func (l *loader) threads() error {
	count := l.sizes[sizeThreads]
	b, err := l.read(threadSize * count)
	if err != nil {
		return err
	}
	x := l.x
	x.threads = make([]thread, count)
	x.byName.reserve(count)
	named := make([]bool, l.sizes[sizeNames])
	sum := 0
	for i := range x.threads {
		n, messages := binary.LittleEndian.Uint32(b[threadSize*i:]), binary.LittleEndian.Uint32(b[threadSize*i+4:])
		if int64(n) >= int64(len(named)) || named[n] || int64(messages) > int64(l.sizes[sizeLinked]-sum) {
			return errCheckpoint
		}
		named[n] = true
		sum += int(messages)
		x.threads[i] = thread{name: n, first: none, last: none, count: messages}
		x.byName.add(uint64(n), uint32(i), func(t uint32) uint64 { return uint64(x.threads[t].name) })
		if name := x.names.text(n); len(name) > mail.MaxName {
			x.byDigest[mail.Digest(name)] = uint32(i)
		}
	}
	if sum != l.sizes[sizeLinked] {
		return errCheckpoint
	}
	return nil
}

// rest reads the order, the entries and the suspects.
func (l *loader) rest() error {
	b, err := l.read(4 * l.sizes[sizeSuspects])
	if err != nil {
		return err
	}
	suspects := numbers(b)
	order := roomFor[uint32](l.sizes[sizeLinked])[:0]
	for len(order) < cap(order) {
		b, err := l.read(4 * min(orderLen, cap(order)-len(order)))
		if err != nil {
			return err
		}
		for i := 0; i < len(b); i += 4 {
			order = append(order, binary.LittleEndian.Uint32(b[i:]))
		}
	}
	c, err := l.chain(order)
	if err != nil {
		return err
	}
	suspected, err := l.entries(c)
	if err != nil {
		return err
	}
	l.fillTables(len(order))
	for i := range l.x.threads {
		t := &l.x.threads[i]
		if l.x.unread += int(t.unread); t.unread > 0 {
			l.x.waiting++
		}
	}
	return l.suspects(suspects, suspected)
}

func numbers(b []byte) []uint32 {
	list := make([]uint32, len(b)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return list
}

// together runs work on all processors, and gives the first error.
func together(workers int, work func() error) error {
	var wg sync.WaitGroup
	errs := make([]error, max(workers, 1))
	for i := range errs {
		wg.Go(func() { errs[i] = work() })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// entries reads all entries, by all processors.
func (l *loader) entries(c *chain) (suspected int, err error) {
	x, count := l.x, l.sizes[sizeEntries]
	blocks := (count + chunkLen - 1) / chunkLen
	x.entries = chunks{list: make([]*[chunkLen]entry, blocks), n: count, spans: make([]span, blocks)}
	all := roomFor[[chunkLen]entry](blocks)
	var next atomic.Int64
	var mu sync.Mutex
	err = together(min(runtime.GOMAXPROCS(0), blocks), func() error {
		d := decoder{l: l, chain: c, me: x.me, seen: make([]int64, l.sizes[sizeNames]), met: make([]bool, l.sizes[sizeNames])}
		buf := make([]byte, chunkLen*entrySize+sumSize)
		for {
			i := int(next.Add(1)) - 1
			if i >= blocks {
				break
			}
			n := min(chunkLen, count-i*chunkLen)
			b, err := l.readAt(buf[:n*entrySize+sumSize], l.pos+int64(i)*int64(len(buf)), l.part+i)
			if err != nil {
				return err
			}
			chunk := &all[i]
			if !d.chunk(chunk[:n], b, uint32(i*chunkLen), &x.entries.spans[i]) {
				return errCheckpoint
			}
			x.entries.list[i] = chunk
		}
		mu.Lock()
		defer mu.Unlock()
		suspected += d.suspected
		for n, met := range d.met {
			if ts, known := x.seen[uint32(n)]; met && (!known || ts < d.seen[n]) {
				x.seen[uint32(n)] = d.seen[n]
			}
		}
		return nil
	})
	return suspected, err
}

// decoder is one of the goroutines that read entries.
type decoder struct {
	l *loader
	// seen holds the newest time of each name that met tells.
	seen      []int64
	met       []bool
	suspected int
	chain     *chain
	me        uint32
}

// chunk reads entries whose first one has a number.
func (d *decoder) chunk(list []entry, b []byte, first uint32, s *span) bool {
	le := binary.LittleEndian
	sizes := &d.l.sizes
	for i := range list {
		row := (*[entrySize]byte)(b[i*entrySize:])
		e := &list[i]
		*e = entry{
			offset: int64(le.Uint64(row[0:])), ts: int64(le.Uint64(row[8:])), id: le.Uint64(row[16:]), content: le.Uint64(row[24:]),
			length: le.Uint32(row[32:]), line: le.Uint32(row[36:]), from: le.Uint32(row[40:]), to: le.Uint32(row[44:]), thread: le.Uint32(row[48:]),
			log: le.Uint16(row[52:]), state: state(row[54]), filing: samp.Filing(row[55]),
			prev: none, next: none,
		}
		if max(int64(e.from), int64(e.to)) >= int64(sizes[sizeNames]) || int64(e.thread) >= int64(sizes[sizeThreads]) || int(e.log) >= len(d.l.logs) {
			return false
		}
		if end := d.l.logs[e.log].scanned; e.offset < 0 || e.offset >= end || e.length == 0 || e.length != none && int64(e.length) > end-e.offset {
			return false
		}
		if e.state&^savedState != 0 || e.filing > samp.Misfiled || e.filing == samp.Misfiled && e.state&visible != 0 {
			return false
		}
		if e.state&suspicious != 0 {
			if e.filing != samp.Misfiled {
				return false
			}
			d.suspected++
		}
		if e.state&visible != 0 {
			if e.to == d.me {
				// Threads are shared by all that read.
				t := &d.l.x.threads[e.thread]
				atomic.AddUint32(&t.mail, 1)
				atomic.AddUint32(&t.unread, 1)
			}
		}
		if !d.chain.link(e, first+uint32(i)) {
			return false
		}
		if i == 0 {
			*s = span{e.ts, e.ts}
		}
		s.oldest, s.newest = min(s.oldest, e.ts), max(s.newest, e.ts)
		if e.filing == samp.Misfiled {
			continue
		}
		for _, alias := range [...]uint32{e.from, e.to} {
			if !d.met[alias] || d.seen[alias] < e.ts {
				d.met[alias], d.seen[alias] = true, e.ts
			}
		}
	}
	return true
}

func (l *loader) suspects(list []uint32, suspected int) error {
	x := l.x
	for _, n := range list {
		if int64(n) >= int64(x.entries.n) {
			return errCheckpoint
		}
		e := x.entries.at(n)
		if e.filing != samp.Misfiled || e.state&suspect != 0 {
			return errCheckpoint
		}
		e.state |= suspect
		if e.state&suspicious != 0 {
			x.suspected++
		}
		x.suspectTexts.add(e.content, n, x.contentAt)
	}
	if x.suspected != suspected {
		return errCheckpoint
	}
	x.suspects = list
	return nil
}

// fillTables makes the tables of what is shown.
func (l *loader) fillTables(count int) {
	x := l.x
	var tables sync.WaitGroup
	for t, hash := range map[*table]func(*entry) uint64{
		&x.ids: func(e *entry) uint64 { return e.id }, &x.texts: func(e *entry) uint64 { return e.content },
	} {
		tables.Go(func() {
			t.reserve(count)
			t.fill(func(yield func(uint64, uint32) bool) {
				for i, chunk := range x.entries.list {
					for j := range chunk[:min(chunkLen, x.entries.n-i*chunkLen)] {
						if e := &chunk[j]; e.state&visible != 0 && !yield(hash(e), uint32(i*chunkLen+j)) {
							return
						}
					}
				}
			})
		})
	}
	tables.Wait()
}

// chain is the order of the messages of all threads, from which each entry takes
// its neighbours. A list that is made so cannot lead back into itself.
type chain struct {
	// order holds entries, and threads the thread of each place in it.
	order, threads []uint32
	// place gives the place of each entry, or none.
	place []uint32
}

func (l *loader) chain(order []uint32) (*chain, error) {
	x := l.x
	c := &chain{order: order, threads: roomFor[uint32](len(order))[:0], place: roomFor[uint32](l.sizes[sizeEntries])}
	for i := range c.place {
		c.place[i] = none
	}
	for p, n := range order {
		if int64(n) >= int64(len(c.place)) || c.place[n] != none {
			return nil, errCheckpoint
		}
		c.place[n] = uint32(p)
	}
	for i := range x.threads {
		t := &x.threads[i]
		if t.count == 0 {
			continue
		}
		first := len(c.threads)
		for range t.count {
			c.threads = append(c.threads, uint32(i))
		}
		t.first, t.last = order[first], order[len(c.threads)-1]
	}
	return c, nil
}

// link gives an entry its neighbours. It is false for one that is not where it
// says.
func (c *chain) link(e *entry, n uint32) bool {
	p := c.place[n]
	if (p != none) != (e.state&visible != 0) {
		return false
	}
	if p == none {
		return true
	}
	if c.threads[p] != e.thread {
		return false
	}
	e.state |= linked
	if p > 0 && c.threads[p-1] == e.thread {
		e.prev = c.order[p-1]
	}
	if next := int(p) + 1; next < len(c.order) && c.threads[next] == e.thread {
		e.next = c.order[next]
	}
	return true
}
