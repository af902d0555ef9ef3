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

// read finds all mail and divides it into what is new, what was read and older mail.
func (r *Reading) read(ctx context.Context, p samp.Profile) (err error) {
	seed := maphash.MakeSeed()
	if r.state != nil {
		seed = r.state.seed // so that a message's hash says whether it was read
	}
	if r.lines, err = r.dir.lines(ctx, p, &Lines{me: r.me, seed: seed}); err != nil {
		return err
	}
	r.Mail = r.lines.Mail
	o := older{stems: make(map[string]int64)}
	seen := r.mark.SeenAt(r.now)
	senders := make(map[string]string)
	places := r.candidates(seen)
	part := r.lines
	if len(places) < r.Len() {
		part = r.part(len(places), func(i int) int { return int(places[i]) })
	}
	// A list that grows leaves twice its length behind.
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
				o.names(m)
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

// candidates returns the places of the messages that are to be looked at: all but older ones
// that the state holds.
func (r *Reading) candidates(seen samp.Seen) (places []uint32) {
	places = make([]uint32, 0, len(r.lines.locations))
	for i := range r.lines.locations {
		if s := &r.lines.locations[i]; !seen.Before(s.ts) || r.state == nil || !r.state.hasHash(s.id) {
			places = append(places, uint32(i))
		}
	}
	return places
}

// part returns n of the lines. All of them need no memory of their own.
func (r *Reading) part(n int, place func(i int) int) *Lines {
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

// cloneKey returns a message's key in memory of its own. Its sender is shared.
func cloneKey(senders map[string]string, m *samp.Found) Key {
	from, known := senders[m.From]
	if !known {
		from = strings.Clone(m.From)
		senders[from] = from
	}
	return Key{from, strings.Clone(m.Key)}
}

// older is mail from before the watermark that is not known to have been read, and what
// the watermark names.
type older struct {
	list  []olderMessage
	named []Key
	// stems holds the last place in each log that the watermark names.
	stems map[string]int64
}

type olderMessage struct {
	Unread
	stem   string
	offset int64
}

func (o *older) names(m *samp.Found) {
	o.named = append(o.named, Key{strings.Clone(m.From), strings.Clone(m.Key)})
	stem := strings.Clone(m.Stem)
	o.stems[stem] = max(o.stems[stem], m.Offset)
}

// classify divides older mail into mail that came late and mail that another tool may have
// shown. The latter is what the watermark covers and the watermark that we left does not,
// and everything if we never left one. If the watermark is not ours, a record that stands
// in its log before a record that the watermark names was there when it was written.
func (r *Reading) classify(o *older) {
	r.Late, r.presumedRead = nil, nil
	var left int64
	var ours, remembered bool
	if r.state != nil {
		left, ours, remembered = r.state.Left(r.mark)
	}
	if ours {
		clear(o.stems)
	} else {
		r.presumedRead = o.named
	}
	for i := range o.list {
		m := &o.list[i]
		switch {
		case r.state != nil && (!remembered || m.TS >= left), m.offset < o.stems[m.stem]:
			r.presumedRead = append(r.presumedRead, m.Key)
		default:
			r.Late = append(r.Late, m.Unread)
		}
	}
}

// Messages walks some of the unread messages with their texts. A message is valid until
// the next one.
func (r *Reading) Messages(ctx context.Context, list []Unread) iter.Seq2[*samp.Found, error] {
	if len(list) == 0 {
		return func(func(*samp.Found, error) bool) {}
	}
	return r.part(len(list), func(i int) int { return list[i].place }).All(ctx)
}

// Since walks all messages to the reader from a second on, read or not. A message is valid
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
