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

// rebuildThreads groups the messages into threads, and returns the ids of threads that
// changed, sorted.
func (s *state) rebuildThreads() []string {
	all := s.collectMessages()
	places := placesOf(all)
	before := s.byID
	s.threads, s.byID = group(all, places)
	var changed []string
	for id, t := range s.byID {
		if old := before[id]; old == nil || !sameThread(old, t) {
			changed = append(changed, id)
		}
	}
	for id := range before {
		if s.byID[id] == nil {
			changed = append(changed, id)
		}
	}
	slices.Sort(changed)
	return changed
}

func (s *state) collectMessages() []Placed {
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
			all[i].sortCopies()
		}
	}
	slices.SortStableFunc(all, func(a, b Placed) int { return byTime(a.Message, b.Message) })
	return all
}

// sortCopies puts the file first that represents the message: the one in its receiver's inbox,
// then one in another inbox, then the sender's. So a copy that was put elsewhere does not hide
// the one that arrived.
func (p *Placed) sortCopies() {
	list := append([]*Message{p.Message}, p.Copies...)
	slices.SortFunc(list, func(a, b *Message) int {
		return cmp.Or(cmp.Compare(a.copyRank(), b.copyRank()), byArrival(a, b))
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

// byArrival compares messages of an inbox by arrival, then by Key. It ignores the file's time,
// which changes when a message is marked.
func byArrival(a, b *Message) int {
	if c := a.arrival().Compare(b.arrival()); c != 0 {
		return c
	}
	return strings.Compare(a.Key, b.Key)
}

func (m *Message) arrival() amp.Arrival {
	return amp.Arrival{Received: m.Received, Written: m.Time, ID: m.ID}
}

// byTime compares messages by their time, then by id and Key.
func byTime(a, b *Message) int {
	// Texts are compared only if they must be: this sort is the most expensive step after a
	// change.
	if c := cmp.Compare(a.When(), b.When()); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Key, b.Key))
}

// group makes threads of messages that are sorted, oldest first. The messages of a thread are
// in the order in which a tree of replies is read. It does not recurse, since a stranger
// decides how deep the replies are.
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
	when := p.When()
	if len(t.Messages) == 0 {
		t.First, t.Last = when, when
	}
	t.First, t.Last = min(t.First, when), max(t.Last, when)
	t.Messages = append(t.Messages, p)
}

func sameThread(a, b *Thread) bool {
	return slices.EqualFunc(a.Messages, b.Messages, func(x, y Placed) bool {
		return x.Parent == y.Parent && x.Missing == y.Missing && sameMessage(x.Message, y.Message) && slices.EqualFunc(x.Copies, y.Copies, sameMessage)
	})
}

// sameMessage reports whether two messages are equal. It compares only folder and name of their
// mailboxes, which change with other mail.
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

// Ids are not signed: anybody can write a message with another message's id, and put it where
// they can write. So a reply answers a message with the id that it names only if both are in
// one mailbox, or between the same two agents.

// placesOf returns the place of each message in its thread. If several messages have one id,
// replies belong to the one with the best claim to it. Another one joins its thread if neither
// is a reply and one mailbox holds both.
func placesOf(all []Placed) []amp.Place {
	list, leaders := links(all)
	places := amp.Threads(list)
	for i, leader := range leaders {
		if own, other := &places[i], &places[leader]; own.Parent < 0 && other.Parent < 0 && !own.Missing && !other.Missing {
			own.Thread = other.Thread
		}
	}
	return places
}

// links returns the id of each message, and of the message that it answers, in one spelling. A
// message without a valid id gets one made from its file. So does a message whose id another
// one has a better claim to; leaders maps it to that one if one mailbox holds both.
func links(all []Placed) (list []amp.Link, leaders map[int]int) {
	list, leaders = make([]amp.Link, len(all)), make(map[int]int)
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
			return cmp.Or(cmp.Compare(a.copyRank(), b.copyRank()), byArrival(a, b))
		})
		for _, i := range same[1:] {
			list[i].ID = fileID(all[i].Key)
			if all[i].sharesMailbox(&all[same[0]]) {
				leaders[i] = same[0]
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
		list[i].InReplyTo = answeredID(all, list, i, candidates)
	}
	return list, leaders
}

// answeredID returns the id of the candidate that a reply answers, or an id that no message
// has.
func answeredID(all []Placed, list []amp.Link, reply int, candidates []int) string {
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

// fileID returns an id made from a file's key, for a message without an id that others may use.
func fileID(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "file-" + hex.EncodeToString(sum[:8])
}
