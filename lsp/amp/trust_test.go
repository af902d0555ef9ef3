package amp

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// noon is a time at which no fixture has expired, in Unix milliseconds.
const noon = int64(1795262400000)

// pinned returns known keys: the fixtures', by name and address.
func pinned(t testing.TB, pins map[string]string) *Pins {
	t.Helper()
	p := openPins(t, filepath.Join(t.TempDir(), "keys.json"))
	for address, name := range pins {
		key, err := amp.ParseKey(fixture(t, "keys/"+name+".public.pem"))
		if err != nil {
			t.Fatal(err)
		}
		if added, err := p.Add(t.Context(), Pin{Address: address, Key: key, First: noon, Source: "test"}); err != nil || !added {
			t.Fatal(added, err)
		}
	}
	return p
}

// trust judges the message of a key.
func (b *readFixture) trust(s *Snapshot, key string, pins *Pins, now int64) amp.Trust {
	b.t.Helper()
	th, at := s.Message(key)
	if th == nil {
		b.t.Fatalf("there is no %q: %q", key, brief(s))
	}
	m := th.Messages[at].Message
	for _, c := range th.Messages[at].Copies {
		if c.Key == key {
			m = c
		}
	}
	msg, trust, err := s.Trust(m, pins, now)
	if err != nil {
		b.t.Fatal(err)
	}
	if msg.ID != m.ID || trust.Reason == "" {
		b.t.Errorf("%s has %q, and %+v", msg.ID, m.ID, trust)
	}
	for range 2 { // judged, and remembered
		if again, err := s.TrustOf(m, pins, now); err != nil || !reflect.DeepEqual(again, trust) {
			b.t.Errorf("%+v, and then %+v %v", trust, again, err)
		}
	}
	return trust
}

// TestTrust (AMP SIG-7 SIG-9 ENV-7): the keys known here decide, and nothing in the message
// does.
func TestTrust(t *testing.T) {
	const alice = "alice@acme.aimaestro.local"
	plain := func(b *readFixture) { b.Put(bobIn+"x.json", fixture(b.t, "inbox/01-plain.json")) }
	at := func(file, name string) func(b *readFixture) {
		return func(b *readFixture) { b.Put(file, fixture(b.t, name)) }
	}
	changed := func(b *readFixture) {
		b.Put(bobIn+"x.json", []byte(strings.Replace(string(fixture(b.t, "inbox/01-plain.json")), "authentication", "payment", 1)))
	}
	// Somebody writes to their own folder as alice to themselves, signed with their key.
	inName := func(b *readFixture) { b.forge("mallory", alice, "mallory@acme.aimaestro.local", "x.json", "msg_1_a") }
	for name, c := range map[string]struct {
		fill func(b *readFixture)
		key  string
		pins map[string]string
		now  int64
		want amp.State
	}{
		"a mailbox on this machine": {plain, bobIn, nil, noon, amp.TrustVerified},
		"and its key is pinned":     {plain, bobIn, map[string]string{alice: "alice"}, noon, amp.TrustVerified},
		"another key is pinned":     {plain, bobIn, map[string]string{alice: "carol"}, noon, amp.TrustKeyMismatch},
		"the mailbox has another key": {func(b *readFixture) {
			plain(b)
			b.Put(aliceBox+"/keys/public.pem", fixture(b.t, "keys/carol.public.pem"))
		}, bobIn, map[string]string{alice: "alice"}, noon, amp.TrustVerified},
		"two mailboxes of one address":    {func(b *readFixture) { plain(b); b.agent("eve", alice) }, bobIn, nil, noon, amp.TrustKeyUnknown},
		"and the key is pinned":           {func(b *readFixture) { plain(b); b.agent("eve", alice) }, bobIn, map[string]string{alice: "alice"}, noon, amp.TrustVerified},
		"changed":                         {changed, bobIn, nil, noon, amp.TrustUntrusted},
		"expired":                         {plain, bobIn, nil, noon + 30*24*3600*1000, amp.TrustExpired},
		"from outside":                    {at("agents/crab/messages/inbox/x.json", "inbox/30-external.json"), "agents/crab/messages/inbox/", map[string]string{"carol@globex.crabmail.ai": "carol"}, noon, amp.TrustExternal},
		"from outside, of no known key":   {at("agents/crab/messages/inbox/x.json", "inbox/30-external.json"), "agents/crab/messages/inbox/", nil, noon, amp.TrustKeyUnknown},
		"not signed":                      {at("agents/crab/messages/inbox/x.json", "inbox/34-external-unsigned-wrapper-escape.json"), "agents/crab/messages/inbox/", nil, noon, amp.TrustUnsigned},
		"somebody else's":                 {at(aliceIn+"x.json", "inbox/30-external.json"), aliceIn, map[string]string{"carol@globex.crabmail.ai": "carol"}, noon, amp.TrustUntrusted},
		"in a mailbox without an address": {at("agents/none/messages/inbox/x.json", "inbox/01-plain.json"), "agents/none/messages/inbox/", nil, noon, amp.TrustVerified},
		"sent":                            {at(aliceOut+"x.json", "sent/01-plain.json"), aliceOut, nil, noon, amp.TrustVerified},
		"sent, and another key is pinned": {at(aliceOut+"x.json", "sent/01-plain.json"), aliceOut, map[string]string{alice: "carol"}, noon, amp.TrustKeyMismatch},
		"sent by somebody else":           {at(bobOut+"x.json", "sent/01-plain.json"), bobOut, nil, noon, amp.TrustVerified},
		"sent in somebody's name":         {inName, "agents/mallory/messages/sent/", nil, noon, amp.TrustUntrusted},
		"and as an address of theirs": {func(b *readFixture) {
			inName(b)
			b.Put("agents/mallory/registrations/x.json", []byte(`{"address":"`+alice+`"}`))
		}, "agents/mallory/messages/sent/", map[string]string{alice: "alice"}, noon, amp.TrustUntrusted},
		"sent, and the key is gone": {func(b *readFixture) { at(aliceOut+"x.json", "sent/01-plain.json")(b); b.Remove(aliceBox + "/keys") }, aliceOut, nil, noon, amp.TrustKeyUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			b := twoAgents(t)
			b.agent("crab", "bob@acme.crabmail.ai")
			c.fill(b)
			s := b.scan()
			pins := pinned(t, c.pins)
			for range 2 { // the second time it is remembered
				if got := b.trust(s, c.key+"x.json", pins, c.now); got.State != c.want {
					t.Errorf("it is %q: %s", got.State, got.Reason)
				}
			}
		})
	}
}

// TestTrustWithoutPins: without pins, the keys of this machine's mailboxes are known.
func TestTrustWithoutPins(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"x.json", fixture(t, "inbox/01-plain.json"))
	if got := b.trust(b.scan(), bobIn+"x.json", nil, noon); got.State != amp.TrustVerified || got.Step != amp.NoAttachments {
		t.Errorf("%+v", got)
	}
}

// TestReplay (AMP SIG-9): a signature that comes again under another id in the same inbox is a
// replay. The message that came first is not.
func TestReplay(t *testing.T) {
	const first = "msg_1795249958451_30328b7b"
	data := string(fixture(t, "inbox/01-plain.json"))
	as := func(id, received string) []byte {
		return []byte(strings.Replace(strings.ReplaceAll(data, first, id), `"received_at": "2026-11-21T08:32:39Z"`, `"received_at": "`+received+`"`, 1))
	}
	b := twoAgents(t)
	b.Put(bobIn+"a.json", as("msg_1_a", "2026-11-21T09:00:00Z"))
	b.Put(bobIn+"b.json", as(first, "2026-11-21T08:32:39Z"))
	b.Put(bobBox+"/messages/inbox/flat.json", as(strings.ReplaceAll(first, "_", "-"), "2026-11-21T10:00:00Z"))
	b.Put(bobIn+"c.json", as("msg_2_c", "2026-11-21T08:32:40Z"))
	b.Put(aliceOut+"b.json", fixture(t, "sent/01-plain.json"))
	b.Put(aliceOut+"d.json", as("msg_3_d", "2026-11-21T08:00:00Z"))
	b.Put(aliceIn+"e.json", as("msg_4_e", "2026-11-21T08:00:00Z"))
	s := b.scan()
	got := map[string]amp.State{}
	for key, want := range map[string]amp.State{
		bobIn + "a.json": amp.TrustReplayed, bobIn + "b.json": amp.TrustVerified, bobIn + "c.json": amp.TrustReplayed,
		bobBox + "/messages/inbox/flat.json": amp.TrustVerified, // the same in another spelling
		aliceOut + "b.json":                  amp.TrustVerified,
		aliceOut + "d.json":                  amp.TrustVerified, // a sent message is not a replay of a received one
		aliceIn + "e.json":                   amp.TrustVerified, // nor is a message to somebody else
	} {
		if got[key] = b.trust(s, key, nil, noon).State; got[key] != want {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
	// When the first one goes, the next one becomes the first.
	b.Remove(bobIn + "b.json")
	b.Remove(bobBox + "/messages/inbox/flat.json")
	s = b.scan()
	if got := b.trust(s, bobIn+"c.json", nil, noon); got.State != amp.TrustVerified {
		t.Errorf("%+v", got)
	}
	if got := b.trust(s, bobIn+"a.json", nil, noon); got.State != amp.TrustReplayed || !strings.Contains(got.Reason, "msg_2_c") {
		t.Errorf("%+v", got)
	}
}

// again is a message of the fixture in a new envelope, a minute later.
func again(t *testing.T, idempotency string) (first, second []byte) {
	t.Helper()
	data := strings.Replace(string(fixture(t, "inbox/01-plain.json")), `"timestamp":`, `"idempotency_key": "idk_1", "timestamp":`, 1)
	return []byte(data), []byte(strings.NewReplacer("msg_1795249958451_30328b7b", "msg_1795250018451_aaaaaaaa", "2026-11-21T08:32", "2026-11-21T08:33", "idk_1", idempotency).Replace(data))
}

// TestSentBefore (AMP SIG-9): words that their sender may have sent twice are no
// alarm, unless the first message shows that the second one is a copy.
func TestSentBefore(t *testing.T) {
	for idempotency, want := range map[string]amp.State{"idk_2": amp.TrustRepeated, "idk_1": amp.TrustReplayed} {
		b := twoAgents(t)
		first, second := again(t, idempotency)
		b.Put(bobIn+"a.json", first)
		b.Put(bobIn+"b.json", second)
		s := b.scan()
		if one, two := b.trust(s, bobIn+"a.json", nil, noon), b.trust(s, bobIn+"b.json", nil, noon); one.State != amp.TrustVerified || two.State != want {
			t.Errorf("%s: %+v, %+v", idempotency, one, two)
		}
	}
}

// TestReplayOfStolenSignature (AMP SIG-9): a message with another message's signature and other
// words does not change the trust in that message.
func TestReplayOfStolenSignature(t *testing.T) {
	data := string(fixture(t, "inbox/01-plain.json"))
	stolen := strings.NewReplacer("msg_1795249958451_30328b7b", "msg_1_a", "authentication", "payment", "2026-11-21T08:32:39Z", "2026-11-21T07:00:00Z").Replace(data)
	b := twoAgents(t)
	b.Put(bobIn+"a.json", []byte(stolen))
	b.Put(bobIn+"b.json", []byte(data))
	s := b.scan()
	if got := b.trust(s, bobIn+"b.json", nil, noon); got.State != amp.TrustVerified {
		t.Errorf("%+v", got)
	}
	if got := b.trust(s, bobIn+"a.json", nil, noon); got.State != amp.TrustUntrusted {
		t.Errorf("%+v", got)
	}
}

// TestReplayAfterMark (AMP SIG-9): marking a message does not make it a replay, even if two
// came in the same second.
func TestReplayAfterMark(t *testing.T) {
	data := string(fixture(t, "inbox/01-plain.json"))
	b := twoAgents(t)
	b.Put(bobIn+"a.json", []byte(data))
	b.Put(bobIn+"b.json", []byte(strings.ReplaceAll(data, "msg_1795249958451_30328b7b", "msg_1_b")))
	for range 2 {
		s := b.scan()
		if first, second := b.trust(s, bobIn+"a.json", nil, noon), b.trust(s, bobIn+"b.json", nil, noon); first.State != amp.TrustVerified || second.State != amp.TrustReplayed {
			t.Errorf("%+v, %+v", first, second)
		}
		later := time.Now().Add(time.Hour)
		if err := os.Chtimes(b.Path(bobIn+"a.json"), later, later); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTrustFollows: cached trust does not outlive what it depends on.
func TestTrustFollows(t *testing.T) {
	const alice = "alice@acme.aimaestro.local"
	b := twoAgents(t)
	b.Put(bobIn+"x.json", fixture(t, "inbox/01-plain.json"))
	pins := pinned(t, nil)
	l := b.follow()
	states := []amp.State{}
	look := func() { states = append(states, b.trust(l.sync(), bobIn+"x.json", pins, noon).State) }
	look()
	b.Put(aliceBox+"/keys/public.pem", fixture(t, "keys/carol.public.pem"))
	look()
	key, err := amp.ParseKey(fixture(t, "keys/alice.public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pins.Add(t.Context(), Pin{Address: alice, Key: key, First: noon}); err != nil {
		t.Fatal(err)
	}
	look()
	b.Put(bobIn+"x.json", []byte(strings.Replace(string(fixture(t, "inbox/01-plain.json")), "review", "delete", 1)))
	look()
	b.Put(bobIn+"x.json", fixture(t, "inbox/01-plain.json"))
	b.agent("bob", "robert@acme.aimaestro.local")
	look()
	want := []amp.State{amp.TrustVerified, amp.TrustUntrusted, amp.TrustVerified, amp.TrustUntrusted, amp.TrustUntrusted}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Error(diff)
	}
}

// TestTrustOfMany: trust can be asked for concurrently, and the cache is bounded.
func TestTrustOfMany(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"x.json", fixture(t, "inbox/01-plain.json"))
	s := b.scan()
	m := s.Threads[0].Messages[0].Message
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if trust, err := s.TrustOf(m, nil, noon); err != nil || trust.State != amp.TrustVerified {
					t.Errorf("%+v, %v", trust, err)
				}
			}
		})
	}
	all.Wait()
	for n := range maxJudged + 10 {
		s.cache.put(&basis{digest: [32]byte{1, byte(n), byte(n >> 8)}}, amp.Trust{})
	}
	if n := len(s.cache.trusts); n > maxJudged {
		t.Errorf("%d are remembered", n)
	}
	b.Remove(bobIn + "x.json")
	if _, _, err := s.Trust(m, nil, noon); err == nil || !strings.Contains(err.Error(), `"`+m.Key+`"`) {
		t.Errorf("of a message that is gone: %v", err)
	}
}

// TestBasis (AMP SIG-7 SIG-9 ENV-7): the basis of a message stays equal while other mail comes,
// and differs after anything that may change the trust.
func TestBasis(t *testing.T) {
	const alice = "alice@acme.aimaestro.local"
	data := string(fixture(t, "inbox/01-plain.json"))
	first := strings.NewReplacer("msg_1795249958451_30328b7b", "msg_1_a", "2026-11-21T08:32:39Z", "2026-11-21T08:00:00Z").Replace(data)
	put := func(file, text string) func(b *seenFixture, pins *Pins) {
		return func(b *seenFixture, _ *Pins) { b.Put(file, []byte(text)) }
	}
	for name, c := range map[string]struct {
		change func(b *seenFixture, pins *Pins)
		now    int64
		same   bool
	}{
		"nothing":              {func(*seenFixture, *Pins) {}, noon, true},
		"judged":               {func(b *seenFixture, _ *Pins) { b.judge("x.json") }, noon, true},
		"other mail":           {put(bobIn+"y.json", string(fixture(t, "inbox/06-reply.json"))), noon, true},
		"later":                {func(*seenFixture, *Pins) {}, noon + 1, true},
		"expired":              {func(*seenFixture, *Pins) {}, noon + 30*24*3600*1000, false},
		"other words":          {put(bobIn+"x.json", strings.Replace(data, "authentication", "payment", 1)), noon, false},
		"the words came first": {put(bobIn+"a.json", first), noon, false},
		"somebody else's key":  {put(aliceBox+"/keys/public.pem", string(fixture(t, "keys/carol.public.pem"))), noon, false},
		"another mailbox":      {func(b *seenFixture, _ *Pins) { b.agent("eve", alice) }, noon, false},
		"another address":      {func(b *seenFixture, _ *Pins) { b.agent("bob", "robert@acme.aimaestro.local") }, noon, false},
		"pinned": {func(b *seenFixture, pins *Pins) {
			if err := pins.Replace(b.t.Context(), pinned(t, map[string]string{alice: "carol"}).List()[0]); err != nil {
				b.t.Fatal(err)
			}
		}, noon, false},
		"deleted and back": {func(b *seenFixture, _ *Pins) {
			b.judge("x.json")
			b.deleted("x.json")
			b.Put(bobIn+"x.json", []byte(data))
		}, noon, false},
	} {
		t.Run(name, func(t *testing.T) {
			b, pins := newSeenFixture(t), pinned(t, nil)
			b.Put(bobIn+"x.json", []byte(data))
			written := time.UnixMilli(noon)
			on := func(now int64) basis {
				if err := os.Chtimes(b.Path(bobIn+"x.json"), written, written); err != nil {
					t.Fatal(err)
				}
				s := b.scan()
				s.Seen = b.seen
				th, at := s.Message(bobIn + "x.json")
				return s.basis(th.Messages[at].Message, pins, now)
			}
			before := on(noon)
			c.change(b, pins)
			if same := on(c.now) == before; same != c.same {
				t.Errorf("equal is %v", same)
			}
		})
	}
}
