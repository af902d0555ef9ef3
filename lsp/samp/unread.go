package samp

import (
	"context"
	"hash/maphash"
	"iter"
	"strings"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// read finds all mail and divides it into new mail, mail that was read, and older mail.
func (r *Reading) read(ctx context.Context, p samp.Profile) (err error) {
	seed := maphash.MakeSeed()
	if r.state != nil {
		seed = r.state.seed // locations then have the hashes that the state has
	}
	if r.lines, err = r.dir.lines(ctx, p, &Lines{me: r.me, seed: seed}); err != nil {
		return err
	}
	r.Mail = r.lines.Mail
	o := older{lastNamed: make(map[string]int64)}
	seen := r.mark.SeenAt(r.now)
	senders := make(map[string]string)
	places := r.candidates(seen)
	part := r.lines
	if len(places) < r.Len() {
		part = r.subset(len(places), func(i int) int { return int(places[i]) })
	}
	// A list that grows would leave twice its length behind as garbage.
	lineread.Room(int64(len(places)) * int64(unsafe.Sizeof(Unread{})))
	r.Fresh = make([]Unread, 0, len(places))
	i := -1
	for m, err := range part.All(ctx) {
		if err != nil {
			r.Close()
			return err
		}
		i++
		place := int(places[i])
		switch before := seen.Before(m.TS); {
		case seen.Listed(m):
			if !before {
				o.addNamed(m)
			}
		case !before:
			u := Unread{TS: m.TS, place: place}
			if !r.noKeys {
				u.Key = cloneKey(senders, m)
			}
			r.Fresh = append(r.Fresh, u)
		case r.state == nil || !r.state.Has(KeyOf(m)):
			o.list = append(o.list, olderMessage{Unread{cloneKey(senders, m), m.TS, place}, strings.Clone(m.Stem), m.Offset})
		}
	}
	r.classify(&o)
	return nil
}

// candidates returns the places of the messages to read: all messages except those before the
// watermark that the state has as read.
func (r *Reading) candidates(seen samp.Seen) (places []uint32) {
	places = make([]uint32, 0, len(r.lines.locations))
	for i := range r.lines.locations {
		if s := &r.lines.locations[i]; !seen.Before(s.ts) || r.state == nil || !r.state.hasHash(s.id) {
			places = append(places, uint32(i))
		}
	}
	return places
}

// subset returns n of the lines, by their places. If these are all lines, it allocates nothing.
func (r *Reading) subset(n int, place func(i int) int) *Lines {
	same := 0
	for same < n && place(same) == same {
		same++
	}
	if same == r.Len() {
		return r.lines
	}
	part := *r.lines
	part.locations = make([]location, n)
	for i := range part.locations {
		part.locations[i] = r.lines.locations[place(i)]
	}
	return &part
}

// cloneKey returns a copy of a message's key. Keys of one sender share the sender's memory.
func cloneKey(senders map[string]string, m *samp.Found) Key {
	from, known := senders[m.From]
	if !known {
		from = strings.Clone(m.From)
		senders[from] = from
	}
	return Key{from, strings.Clone(m.Key)}
}

// older holds mail from before the watermark that the state doesn't have as read, and the keys
// of the messages that the watermark names.
type older struct {
	list  []olderMessage
	named []Key
	// lastNamed holds, by the log's stem, the offset of the last message that the watermark names.
	lastNamed map[string]int64
}

type olderMessage struct {
	Unread
	stem   string
	offset int64
}

func (o *older) addNamed(m *samp.Found) {
	o.named = append(o.named, Key{strings.Clone(m.From), strings.Clone(m.Key)})
	stem := strings.Clone(m.Stem)
	o.lastNamed[stem] = max(o.lastNamed[stem], m.Offset)
}

// classify divides older mail into mail that arrived late and mail that another tool may have
// shown. Another tool may have shown all mail that our last watermark doesn't cover, which is
// everything if we never wrote one. If the present watermark isn't ours, it may also have shown
// each record that precedes, in its log, a record that the watermark names.
func (r *Reading) classify(o *older) {
	r.Late, r.presumedRead = nil, nil
	var last int64
	var ours, remembered bool
	if r.state != nil {
		last, ours, remembered = r.state.LastWatermark(r.mark)
	}
	if ours {
		clear(o.lastNamed)
	} else {
		r.presumedRead = o.named
	}
	for i := range o.list {
		m := &o.list[i]
		switch {
		case r.state != nil && (!remembered || m.TS >= last), m.offset < o.lastNamed[m.stem]:
			r.presumedRead = append(r.presumedRead, m.Key)
		default:
			r.Late = append(r.Late, m.Unread)
		}
	}
}

// Messages walks some of the unread messages, with their texts. A message is valid until the
// next one.
func (r *Reading) Messages(ctx context.Context, list []Unread) iter.Seq2[*samp.Found, error] {
	if len(list) == 0 {
		return func(func(*samp.Found, error) bool) {}
	}
	return r.subset(len(list), func(i int) int { return list[i].place }).All(ctx)
}

// Since walks all messages to the reader from a second on, read and unread. A message is valid
// until the next one.
func (r *Reading) Since(ctx context.Context, ts int64) iter.Seq2[*samp.Found, error] {
	if r.lines == nil {
		return func(func(*samp.Found, error) bool) {}
	}
	return r.lines.Since(ctx, ts)
}

// since walks all messages from a second on, with their places.
func (r *Reading) since(ts int64, each func(place int, m *samp.Found) bool) error {
	first := r.lines.first(ts)
	for m, err := range r.lines.Since(context.Background(), ts) {
		if err != nil {
			return err
		}
		if !each(first, m) {
			return nil
		}
		first++
	}
	return nil
}
