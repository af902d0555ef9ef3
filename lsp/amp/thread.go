package amp

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

func (s *state) rebuildThreads() []string {
	all := s.placed()
	places := placesOf(all)
	before := s.byID
	s.threads, s.byID = group(all, places)
	var other []string
	for id, t := range s.byID {
		if old := before[id]; old == nil || !sameThread(old, t) {
			other = append(other, id)
		}
	}
	for id := range before {
		if s.byID[id] == nil {
			other = append(other, id)
		}
	}
	slices.Sort(other)
	return other
}

func (s *state) placed() []Placed {
	n := 0
	for _, b := range s.boxes {
		n += len(b.records)
	}
	all := make([]Placed, 0, n)
	at := make(map[[sha256.Size]byte]int, n)
	for _, dir := range slices.Sorted(maps.Keys(s.boxes)) {
		for _, r := range s.boxes[dir].records {
			if i, ok := at[r.copyKey]; ok && r.copyKey != [sha256.Size]byte{} {
				all[i].Copies = append(all[i].Copies, r.msg)
				continue
			}
			at[r.copyKey] = len(all)
			all = append(all, Placed{Message: r.msg})
		}
	}
	for i := range all {
		if len(all[i].Copies) > 0 {
			all[i].choose()
		}
	}
	slices.SortStableFunc(all, func(a, b Placed) int { return older(a.Message, b.Message) })
	return all
}

// choose takes the copy first that stands for the message: the one in the inbox of whom it
// is to, then one in another inbox, then the sender's own. So a copy that was put elsewhere
// does not hide the one that arrived.
func (p *Placed) choose() {
	list := append([]*Message{p.Message}, p.Copies...)
	slices.SortFunc(list, func(a, b *Message) int {
		return cmp.Or(cmp.Compare(a.copyRank(), b.copyRank()), earlier(a, b))
	})
	p.Message, p.Copies = list[0], list[1:]
}

func (m *Message) copyRank() int {
	party := m.To
	if m.Box == Sent {
		party = m.From
	}
	rank := 0
	if a, ok := amp.ParseAddress(party); !ok || !m.Mailbox.has(a) {
		rank = 1
	}
	if m.Box == Sent {
		rank += 2
	}
	return rank
}

func (m *Mailbox) has(a amp.Address) bool {
	return slices.ContainsFunc(m.Addresses, func(b amp.Address) bool { return a.Same(b) })
}

// earlier orders the messages of an inbox as they came, and by Key at last. The
// file's time does not count: it changes when a message is marked.
func earlier(a, b *Message) int {
	if c := a.arrival().Compare(b.arrival()); c != 0 {
		return c
	}
	return strings.Compare(a.Key, b.Key)
}

func (m *Message) arrival() amp.Arrival {
	return amp.Arrival{Received: m.Received, Written: m.Time, ID: m.ID}
}

// older orders messages by their time, then id and Key.
func older(a, b *Message) int {
	// Texts are compared only where it matters: of all that is done after a change,
	// this sorting is the most.
	if c := cmp.Compare(a.When(), b.When()); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Key, b.Key))
}

// group makes threads of messages that are sorted, the oldest first: those of each
// thread in the order in which a tree is read. It does not recurse, since a
// stranger decides how deep the replies are.
func group(all []Placed, places []amp.Place) (list []*Thread, byID map[string]*Thread) {
	byID = make(map[string]*Thread)
	replies, index := make([][]int, len(all)), make([]int, len(all))
	for i := range places {
		if p := places[i].Parent; p >= 0 {
			replies[p] = append(replies[p], i)
		}
	}
	for i := range places {
		if places[i].Parent >= 0 {
			continue
		}
		t := byID[places[i].Thread]
		if t == nil {
			t = &Thread{ID: places[i].Thread}
			byID[t.ID], list = t, append(list, t)
		}
		for stack := []int{i}; len(stack) > 0; {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			index[n] = len(t.Messages)
			t.add(all[n], &places[n], index)
			for _, r := range slices.Backward(replies[n]) {
				stack = append(stack, r)
			}
		}
	}
	slices.SortFunc(list, func(a, b *Thread) int { return cmp.Or(cmp.Compare(b.Last, a.Last), strings.Compare(b.ID, a.ID)) })
	return list, byID
}

func (t *Thread) add(p Placed, at *amp.Place, index []int) {
	p.Parent, p.Depth, p.Missing = -1, at.Depth, at.Missing
	if at.Parent >= 0 {
		p.Parent = index[at.Parent]
	}
	w := p.When()
	if len(t.Messages) == 0 {
		t.First, t.Last = w, w
	}
	t.First, t.Last = min(t.First, w), max(t.Last, w)
	t.Messages = append(t.Messages, p)
}

func sameThread(a, b *Thread) bool {
	return slices.EqualFunc(a.Messages, b.Messages, func(x, y Placed) bool {
		return x.Parent == y.Parent && x.Missing == y.Missing && sameMessage(x.Message, y.Message) && slices.EqualFunc(x.Copies, y.Copies, sameMessage)
	})
}

// sameMessage reports whether two messages say the same. Their mailboxes differ
// with whatever else is in them.
func sameMessage(a, b *Message) bool {
	if a == b {
		return true
	}
	x, y := *a, *b
	x.Mailbox, y.Mailbox = nil, nil
	if !tree.SameError(x.Err, y.Err) {
		return false
	}
	x.Err, y.Err = nil, nil
	return x == y && a.Mailbox.Dir == b.Mailbox.Dir && a.Mailbox.Name == b.Mailbox.Name
}

// Ids are not signed: anybody can write a message that has the id of another one,
// and put it where they can write. So what a reply answers is not just whatever has
// the id that it names: it has to lie where the reply lies, or to be between the
// same two agents.

// placesOf returns the place of each message in its conversation. Where several
// messages have one id, the replies belong to the message with the best claim to it.
// Another one stands beside it if both answer nothing and one mailbox holds both.
func placesOf(all []Placed) []amp.Place {
	list, beside := links(all)
	places := amp.Threads(list)
	for i, leader := range beside {
		if own, other := &places[i], &places[leader]; own.Parent < 0 && other.Parent < 0 && !own.Missing && !other.Missing {
			own.Thread = other.Thread
		}
	}
	return places
}

// links returns what each message says of its place, with ids in one spelling. A message
// without a valid id is found by its file, and so is one whose id another message has a
// better claim to: beside maps it to that one, where one mailbox holds both.
func links(all []Placed) (list []amp.Link, beside map[int]int) {
	list, beside = make([]amp.Link, len(all)), make(map[int]int)
	first := make(map[string]int, len(all))
	conflicts := make(map[string][]int)
	for i := range all {
		list[i] = linkOf(all[i].Message)
		id := list[i].ID
		if at, ok := first[id]; !ok {
			first[id] = i
		} else if len(conflicts[id]) == 0 {
			conflicts[id] = []int{at, i}
		} else {
			conflicts[id] = append(conflicts[id], i)
		}
	}
	for _, same := range conflicts {
		slices.SortStableFunc(same, func(i, j int) int {
			a, b := all[i].Message, all[j].Message
			return cmp.Or(cmp.Compare(a.copyRank(), b.copyRank()), earlier(a, b))
		})
		for _, i := range same[1:] {
			list[i].ID = fileID(all[i].Key)
			if all[i].sharesMailbox(&all[same[0]]) {
				beside[i] = same[0]
			}
		}
	}
	for i := range list {
		id := list[i].InReplyTo
		at, ok := first[id]
		if id == "" || !ok {
			continue
		}
		candidates := conflicts[id]
		if len(candidates) == 0 {
			candidates = []int{at}
		}
		list[i].InReplyTo = answered(all, list, i, candidates)
	}
	return list, beside
}

// answered returns the id of the candidate that a reply answers, or one that nobody
// has.
func answered(all []Placed, list []amp.Link, reply int, candidates []int) string {
	best, most := -1, 0
	for _, c := range candidates {
		claim := 0
		if all[reply].sharesMailbox(&all[c]) {
			claim = 2
		}
		if sameParties(all[reply].Message, all[c].Message) {
			claim++
		}
		if claim > most {
			best, most = c, claim
		}
	}
	if best < 0 {
		return list[reply].InReplyTo + "?"
	}
	return list[best].ID
}

func (p *Placed) sharesMailbox(o *Placed) bool {
	return p.in(o.Message.Mailbox) || slices.ContainsFunc(o.Copies, func(c *Message) bool { return p.in(c.Mailbox) })
}

func (p *Placed) in(b *Mailbox) bool {
	return p.Mailbox == b || slices.ContainsFunc(p.Copies, func(c *Message) bool { return c.Mailbox == b })
}

func sameParties(a, b *Message) bool {
	return strings.EqualFold(a.From, b.To) && strings.EqualFold(a.To, b.From) || strings.EqualFold(a.From, b.From) && strings.EqualFold(a.To, b.To)
}

func linkOf(m *Message) amp.Link {
	id, ok := canonicalID(m.ID)
	if !ok {
		id = fileID(m.Key)
	}
	reply, _ := canonicalID(m.InReplyTo)
	return amp.Link{ID: id, InReplyTo: reply}
}

// fileID stands for the id of a message that has none of its own.
func fileID(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "file-" + hex.EncodeToString(sum[:8])
}
