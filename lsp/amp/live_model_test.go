package amp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// model changes a root at random, and knows what it holds.
type model struct {
	*readFixture
	rng   *rand.Rand
	files map[string][]byte
}

func (m *model) pick() (string, bool) {
	if len(m.files) == 0 {
		return "", false
	}
	// A map has no order, and the seed must decide.
	names := slices.Sorted(maps.Keys(m.files))
	return names[m.rng.IntN(len(names))], true
}

// place returns the path of a file to write or remove.
func (m *model) place() string {
	box := []string{"", "agents/alice/", "agents/bob/", "agents/eve/"}[m.rng.IntN(4)]
	n := m.rng.IntN(6)
	return box + []string{
		fmt.Sprintf("messages/inbox/%d.json", n), fmt.Sprintf("messages/inbox/bob/%d.json", n), fmt.Sprintf("messages/sent/bob/%d.json", n),
		fmt.Sprintf("messages/inbox/alice/%d.json", n), fmt.Sprintf("messages/inbox/a/b/%d.json", n),
		"config.json", "keys/public.pem", "keys/private.pem", fmt.Sprintf("registrations/%d.json", n),
		fmt.Sprintf("messages/inbox/.%d.json", n), fmt.Sprintf("attachments/att_1_a/%d.json", n), fmt.Sprintf("messages/inbox/bob/%d.tmp", n),
	}[m.rng.IntN(12)]
}

// content returns something to write.
func (m *model) content(to string) []byte {
	switch part := partOf(to); {
	case part == partConfig:
		return fmt.Appendf(nil, `{"agent":{"name":"n%d","address":"a%d@b.c.d"}}`, m.rng.IntN(3), m.rng.IntN(3))
	case part == partRegistration:
		return fmt.Appendf(nil, `{"address":"a%d@b.c.d"}`, m.rng.IntN(3))
	case part == partPublic:
		return fixture(m.t, "keys/"+[]string{"alice", "bob"}[m.rng.IntN(2)]+".public.pem")
	}
	n := note{id: id(m.rng.Int64N(5)), at: m.rng.Int64N(5), text: fmt.Sprint(m.rng.IntN(2)), status: []string{amp.Unread, amp.Read}[m.rng.IntN(2)]}
	if m.rng.IntN(2) == 0 {
		n.reply = id(m.rng.Int64N(5))
	}
	data := n.bytes()
	if m.rng.IntN(8) == 0 {
		data = data[:m.rng.IntN(len(data))]
	}
	return data
}

// step makes one change and describes it.
func (m *model) step() string {
	name, some := m.pick()
	switch what := m.rng.IntN(14); {
	case what == 0 && some:
		m.Remove(name)
		delete(m.files, name)
		return "remove " + name
	case what == 1 && some:
		to := m.place()
		m.Mkdir(path.Dir(to))
		m.Rename(name, to)
		m.files[to] = m.files[name]
		if to != name {
			delete(m.files, name)
		}
		return "rename " + name + " " + to
	case what == 2 && some && m.rng.IntN(2) == 0:
		folder := path.Dir(name)
		m.Remove(folder)
		maps.DeleteFunc(m.files, func(other string, _ []byte) bool { return strings.HasPrefix(other, folder+"/") || folder == "." })
		return "remove all of " + folder
	case what == 3 && some && strings.HasPrefix(name, "agents/"):
		from, _ := split(name)
		to := "agents/other"
		if from == to {
			return "nothing"
		}
		m.Remove(to)
		maps.DeleteFunc(m.files, func(other string, _ []byte) bool { return strings.HasPrefix(other, to+"/") })
		m.Rename(from, to)
		for other := range maps.Clone(m.files) {
			if rest, ok := strings.CutPrefix(other, from+"/"); ok {
				m.files[to+"/"+rest] = m.files[other]
				delete(m.files, other)
			}
		}
		return "rename " + from + " " + to
	case what == 4 && some:
		m.files[name] = append(slices.Clip(m.files[name]), '\n')
		m.Put(name, m.files[name])
		return "append to " + name
	}
	to := m.place()
	m.files[to] = m.content(to)
	m.Put(to, m.files[to])
	return "put " + to
}

// plain finds, in the slow and obvious way, each readable message that differs from the others,
// and counts the files and the unread ones.
func (m *model) plain() (messages, unread int, shown map[string]bool) {
	shown = map[string]bool{}
	for name, data := range m.files {
		_, rest := split(name)
		box, file := "", path.Base(name)
		switch {
		case strings.HasPrefix(rest, "messages/inbox/"):
			box = Inbox
		case strings.HasPrefix(rest, "messages/sent/"):
			box = Sent
		}
		if box == "" || strings.HasPrefix(file, ".") || !strings.HasSuffix(file, ".json") {
			continue
		}
		messages++
		msg, err := amp.ParseMessage(data)
		if err != nil {
			shown[name] = true
			continue
		}
		if msg.ID == "" {
			msg.ID = name // nothing tells it from others
		}
		if box == Inbox && msg.Local.Status == amp.Unread {
			unread++
		}
		shown[msg.ID+msg.Payload.Text+msg.InReplyTo+msg.Signature] = true
	}
	return messages, unread, shown
}

// TestModel changes a root at random (AMP STO-1 STO-3 SIG-8). After each few steps the followed
// root equals a new scan, and has as many messages as a plain count.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for seed := range uint64(4) {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/%v", seed, poll), func(t *testing.T) {
				m := &model{newReadFixture(t), rand.New(rand.NewPCG(seed, 7)), map[string][]byte{}}
				m.Mkdir(".")
				every := time.Hour
				if poll {
					every = time.Millisecond
				}
				l := m.followWith(every, overrides{}) // what is broken is shown at once, as by a fresh look
				did := []string{}
				for range 60 {
					for range 1 + m.rng.IntN(4) {
						did = append(did, m.step())
					}
					m.check(l.sync(), did)
				}
				if poll {
					return
				}
				// What the system reported is enough by itself.
				for range 5 {
					did = append(did, m.step())
					fresh := m.scan()
					l.until(did[len(did)-1], func(s *Snapshot) bool { return same(fresh, s) == "" })
				}
			})
		}
	}
}

func (m *model) check(s *Snapshot, did []string) {
	m.t.Helper()
	if diff := same(m.scan(), s); diff != "" {
		m.t.Fatalf("%s\n%s", strings.Join(did[max(0, len(did)-12):], "\n"), diff)
	}
	messages, unread, shown := m.plain()
	unreadHere, placed := 0, 0
	for _, b := range s.Mailboxes {
		unreadHere += b.Unread
	}
	for _, t := range s.Threads {
		placed += len(t.Messages)
		for i, p := range t.Messages {
			if p.Parent >= i || p.Parent >= 0 && t.Messages[p.Parent].Depth+1 != p.Depth {
				m.t.Fatalf("%q stands wrong: %q", p.Key, brief(s))
			}
		}
	}
	if messages != s.Messages || unread != unreadHere || len(shown) != placed {
		m.t.Fatalf("%d messages, %d unread, %d shown, not %d, %d, %d: %q", s.Messages, unreadHere, placed, messages, unread, len(shown), brief(s))
	}
}
