package mailbox

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
)

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

// links returns what each message says of its place, with ids in one spelling. A
// message without a valid id is found by its file, and so is one whose id another
// message has a better claim to. beside maps the latter to that other message, where
// one mailbox holds both.
func links(all []Placed) (list []amp.Link, beside map[int]int) {
	list, beside = make([]amp.Link, len(all)), make(map[int]int)
	first := make(map[string]int, len(all))
	rivals := make(map[string][]int)
	for i := range all {
		list[i] = linkOf(all[i].Message)
		id := list[i].ID
		if at, ok := first[id]; !ok {
			first[id] = i
		} else if len(rivals[id]) == 0 {
			rivals[id] = []int{at, i}
		} else {
			rivals[id] = append(rivals[id], i)
		}
	}
	for _, same := range rivals {
		slices.SortFunc(same, func(i, j int) int {
			a, b := all[i].Message, all[j].Message
			return cmp.Or(cmp.Compare(a.standing(), b.standing()), earlier(a, b))
		})
		for _, i := range same[1:] {
			list[i].ID = fileID(all[i].Key)
			if all[i].together(&all[same[0]]) {
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
		candidates := rivals[id]
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
		if all[reply].together(&all[c]) {
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

// together reports whether one mailbox holds both messages.
func (p *Placed) together(o *Placed) bool {
	return p.in(o.Message.Mailbox) || slices.ContainsFunc(o.Copies, func(c *Message) bool { return p.in(c.Mailbox) })
}

func (p *Placed) in(b *Mailbox) bool {
	return p.Mailbox == b || slices.ContainsFunc(p.Copies, func(c *Message) bool { return c.Mailbox == b })
}

// sameParties reports whether two messages are between the same agents.
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
