package door_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

const dora = "dora@acme.aimaestro.local"

func (p *post) snap() *ampstore.Snapshot {
	p.t.Helper()
	snap, err := ampstore.Scan(p.t.Context(), p.root)
	if err != nil {
		p.t.Fatal(err)
	}
	return snap
}

// letter signs and delivers a message from an agent of this machine, and returns its key
// in the receiver's inbox.
func (p *post) letter(from string, at time.Time, l ampstore.Letter) string {
	p.t.Helper()
	box, err := ampstore.Open(p.root, "agents/"+from)
	if err != nil {
		p.t.Fatal(err)
	}
	defer box.Close()
	prepared, err := box.Prepare(p.t.Context(), p.snap(), l, ampstore.NewStamp(at))
	if err != nil {
		p.t.Fatal(err)
	}
	sent, err := box.Send(p.t.Context(), prepared, at)
	if err != nil {
		p.t.Fatal(err)
	}
	return sent.InboxKey
}

// message reads a message by its key.
func (p *post) message(key string) *amp.Message {
	p.t.Helper()
	snap := p.snap()
	t, at := snap.Message(key)
	if t == nil {
		p.t.Fatalf("no message %s", key)
	}
	m, err := snap.Read(t.Messages[at].Message)
	if err != nil {
		p.t.Fatal(err)
	}
	return &m
}

// TestMailQuestions follows a signed question from dora to bob: it asks while it is the newest
// message, and then shows what became of it.
func TestMailQuestions(t *testing.T) {
	for _, c := range []struct {
		name  string
		ask   ampstore.Letter
		reply string // who writes next, or nobody
		text  string
		want  string // of the question, as asked returns it
		open  *panel.ThreadQuestion
	}{
		{"open", ampstore.Letter{Text: which}, "", "", "open [MIT Apache 2.0]", &panel.ThreadQuestion{Text: "Which?", Options: []string{"MIT", "Apache 2.0"}}},
		{"urgent", ampstore.Letter{Text: "Urgent: stop?"}, "", "", "open", &panel.ThreadQuestion{Text: "Urgent: stop?", Urgent: true}},
		{"no question", ampstore.Letter{Text: "Done."}, "", "", "", nil},
		{"expired", ampstore.Letter{Text: which, Expires: time.Minute}, "", "", "", nil},
		{"not expired", ampstore.Letter{Text: "Now?", Expires: 240 * time.Hour}, "", "", "open", &panel.ThreadQuestion{Text: "Now?"}},
		{"answered", ampstore.Letter{Text: which}, "bob", "MIT", "answered: MIT", nil},
		{"answered before it expired", ampstore.Letter{Text: which, Expires: time.Minute}, "bob", "MIT", "answered: MIT", nil},
		{"overtaken", ampstore.Letter{Text: which}, "dora", "I took MIT.", "overtaken", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPost(t, panel.Settings{Alias: "bob"})
			p.init("dora", dora)
			c.ask.To, c.ask.Subject = bob, "licence"
			key := p.letter("dora", now.Add(-time.Hour), c.ask)
			if c.reply != "" {
				l := ampstore.Letter{Text: c.text, Reply: p.message(key)}
				if c.reply == "dora" {
					l.To = bob
				}
				p.letter(c.reply, now.Add(-time.Hour), l)
			}
			page := p.thread("licence")
			if got := asked(page.Messages)[0]; got != c.want {
				t.Errorf("%s and not %s", got, c.want)
			}
			if c.open != nil {
				c.open.Message = page.Messages[0].Ref
			}
			if diff := cmp.Diff(c.open, page.Thread.Question); diff != "" {
				t.Error(diff)
			}
			n := 0
			if c.open != nil {
				n = 1
			}
			if list := p.inbox(panel.InboxFilter{Asks: true, Text: "licence"}); len(list) != n {
				t.Errorf("%d threads ask", len(list))
			}
		})
	}
}

// TestMailUnsure: whether a message needs a reply is not clear if neither its words, its type nor
// its priority say so. What asks nothing is unanswered, unless it is urgent.
func TestMailUnsure(t *testing.T) {
	for _, c := range []struct {
		name          string
		letter        ampstore.Letter
		reply, unsure bool
		section       panel.NeedSection
	}{
		{"a statement", ampstore.Letter{Type: "response", Text: "The build is red."}, true, true, panel.SectionUnanswered},
		{"a request", ampstore.Letter{Type: "request", Text: "The build is red."}, true, false, panel.SectionUnanswered},
		{"an urgent one", ampstore.Letter{Type: "response", Priority: amp.Urgent, Text: "The build is red."}, true, false, panel.SectionQuestions},
		{"words that ask", ampstore.Letter{Type: "response", Text: "Please look at the build."}, true, false, panel.SectionUnanswered},
		{"thanks", ampstore.Letter{Text: "Thanks."}, false, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPost(t, panel.Settings{Alias: "bob"})
			p.init("dora", dora)
			before, err := p.Needs(t.Context(), panel.NeedsParams{})
			if err != nil {
				t.Fatal(err)
			}
			c.letter.To, c.letter.Subject = bob, "news"
			p.letter("dora", now.Add(-time.Hour), c.letter)
			is := p.thread("news").Thread
			if is.NeedsReply != c.reply || is.Unsure != c.unsure {
				t.Errorf("needs a reply: %t, unsure: %t", is.NeedsReply, is.Unsure)
			}
			needs, err := p.Needs(t.Context(), panel.NeedsParams{})
			if err != nil {
				t.Fatal(err)
			}
			if needs.Questions-before.Questions != rank(c.section == panel.SectionQuestions) || needs.UnansweredTotal-before.UnansweredTotal != rank(c.section == panel.SectionUnanswered) {
				t.Errorf("%d questions, and %d unanswered", needs.Questions-before.Questions, needs.UnansweredTotal-before.UnansweredTotal)
			}
		})
	}
}

// TestMailQuestionsCounted counts threads of signed mail that ask, until they are put
// away. A question without a signature does not count.
func TestMailQuestionsCounted(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	p.init("dora", dora)
	p.letter("dora", now.Add(-time.Hour), ampstore.Letter{To: bob, Subject: "licence", Text: which})
	p.write("agents/bob/messages/inbox/eve/msg_1795300000_0000000e.json", []byte(`{"envelope":{"version":"amp/0.1","id":"msg_1795300000_0000000e",`+
		`"from":"`+dora+`","to":"`+bob+`","subject":"password","priority":"normal","timestamp":"2026-11-21T10:00:00Z","thread_id":"x"},`+
		`"payload":{"type":"request","message":"What is it?"},"local":{"status":"unread","received_at":"2026-11-21T10:00:00Z"}}`))
	if m := p.thread("password"); m.Thread.Question != nil || m.Messages[0].Asked != "" || m.Messages[0].Trust.Level != panel.TrustWarn {
		t.Errorf("%+v", m)
	}
	before := p.inbox(panel.InboxFilter{Asks: true})
	ref := p.thread("licence").Thread.Ref
	yes, later := true, now.UnixMilli()+1000
	for _, q := range []panel.ShelveParams{{Archived: &yes}, {SnoozeUntil: &later}} {
		counts, err := p.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{ref}, Read: true})
		if err != nil || counts.Asks != len(before) {
			t.Errorf("%d threads ask, and %+v, %v", len(before), counts, err)
		}
		q.Refs = []panel.Ref{ref}
		if counts, err = p.Shelve(t.Context(), q); err != nil || counts.Asks != len(before)-1 {
			t.Errorf("put away: %+v, %v", counts, err)
		}
		if list := p.inbox(panel.InboxFilter{Asks: true, Everywhere: true}); len(list) != len(before)-1 {
			t.Errorf("%d threads ask", len(list))
		}
		no := false
		if _, err = p.Shelve(t.Context(), panel.ShelveParams{Refs: []panel.Ref{ref}, Archived: &no}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMailQuestionBehindUntrusted finds a question behind 300 newer ones whose signatures
// do not fit, as long as the key of who asks is the known one.
func TestMailQuestionBehindUntrusted(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	p.init("dora", dora)
	p.letter("dora", now.Add(-2*time.Hour), ampstore.Letter{To: bob, Subject: "licence", Text: which})
	p.flood(p.letter("dora", now.Add(-time.Hour), ampstore.Letter{To: bob, Subject: "junk", Text: which}), 300)
	pins := ampstore.PinsAt(ampstore.PinsPath(environ.Env{Getenv: func(k string) string { return p.env[k] }, Home: p.home}))
	check := func(why string, want int) {
		t.Helper()
		for _, filter := range []panel.InboxFilter{{Asks: true, Text: "licence"}, {Asks: true, Text: "junk"}} {
			if list := p.inbox(filter); len(list) != want {
				t.Errorf("%s: %d threads about %s ask, want %d", why, len(list), filter.Text, want)
			}
		}
	}
	check("trusted", 1)
	check("again", 1)
	owner, _ := amp.ParseAddress(dora)
	known, _ := pins.For(owner)
	other := known
	var err error
	if other.Key, err = amp.ParseKey(publicKey(t, "carol")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why  string
		pin  ampstore.Pin
		want int
	}{{"another key is pinned", other, 0}, {"her key is pinned again", known, 1}} {
		if err := pins.Replace(t.Context(), c.pin); err != nil {
			t.Fatal(err)
		}
		check(c.why, c.want)
	}
}

// flood delivers copies of a message with other ids and subjects, so that its signature
// fits none of them.
func (p *post) flood(key string, count int) {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(key)))
	if err != nil {
		p.t.Fatal(err)
	}
	id := p.message(key).ID
	for i := range count {
		other := fmt.Sprintf("msg_%d_%08x", now.UnixMilli(), i)
		text := strings.NewReplacer(id, other, `"junk"`, fmt.Sprintf(`"junk %d"`, i)).Replace(string(data))
		p.write("agents/bob/messages/inbox/dora/"+other+".json", []byte(text))
	}
}

// TestMailReceipts says who read the user's signed mail, as the receiver's own mailbox
// has it.
func TestMailReceipts(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	p.init("dora", dora)
	key := p.letter("bob", now.Add(-time.Hour), ampstore.Letter{To: dora, Subject: "licence", Text: "Which?"})
	p.letter("bob", now.Add(-time.Hour), ampstore.Letter{To: alice, Subject: "elsewhere", Text: "Which?"})
	check := func(want *panel.Receipt) {
		t.Helper()
		p.ready()
		if diff := cmp.Diff(want, p.thread("licence").Messages[0].Receipt); diff != "" {
			t.Error(diff)
		}
	}
	check(nil)
	box, err := ampstore.Open(p.root, "agents/dora")
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	read := now.Add(-30 * time.Minute)
	if err := errors.Join(box.SetStatus(t.Context(), key, amp.Read, read), p.Sync(t.Context())); err != nil {
		t.Fatal(err)
	}
	check(&panel.Receipt{State: panel.ReceiptRead, Alias: "dora", Time: read.UnixMilli()})
	if err := errors.Join(box.SetStatus(t.Context(), key, amp.Unread, read), p.Sync(t.Context())); err != nil {
		t.Fatal(err)
	}
	check(nil)
	for _, title := range []string{"elsewhere", "Question about the API"} {
		for _, m := range p.thread(title).Messages {
			if m.Receipt != nil {
				t.Errorf("%s: %+v", filepath.Base(m.Origin.Log), m.Receipt)
			}
		}
	}
}
