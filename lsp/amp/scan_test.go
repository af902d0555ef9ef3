package amp

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

const (
	aliceBox = "agents/alice"
	bobBox   = "agents/bob"
	aliceIn  = aliceBox + "/messages/inbox/bob_acme_aimaestro_local/"
	aliceOut = aliceBox + "/messages/sent/bob_acme_aimaestro_local/"
	bobIn    = bobBox + "/messages/inbox/alice_acme_aimaestro_local/"
	bobOut   = bobBox + "/messages/sent/alice_acme_aimaestro_local/"

	aliceLine = "box agents/alice alice 0/0 alice@acme.aimaestro.local"
	bobLine   = "box agents/bob bob 0/0 bob@acme.aimaestro.local"
)

// twoAgents makes the mailboxes of alice and bob.
func twoAgents(t testing.TB) *readFixture {
	t.Helper()
	b := newReadFixture(t)
	b.agent("alice", "alice@acme.aimaestro.local")
	b.agent("bob", "bob@acme.aimaestro.local")
	return b
}

// TestScanFixtures reads the mail that an existing client left (AMP STO-1 STO-2 STO-3 STO-4
// STO-5 ENV-1 ENV-11 SIG-8).
func TestScanFixtures(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"1.json", fixture(t, "states/01-inbox-read.json"))
	b.Put(aliceOut+"1.json", fixture(t, "sent/01-plain.json"))
	b.Put(aliceIn+"2.json", fixture(t, "inbox/06-reply.json"))
	b.Put(bobOut+"2.json", fixture(t, "sent/06-reply.json"))
	b.Put(bobIn+"3.json", fixture(t, "inbox/07-reply-to-reply.json"))
	b.Put(aliceOut+"3.json", fixture(t, "sent/07-reply-to-reply.json"))
	b.Put(bobBox+"/messages/inbox/carol_globex_crabmail_ai/4.json", fixture(t, "inbox/30-external.json"))
	b.Put("agents/carol/messages/sent/bob_acme_crabmail_ai/4.json", fixture(t, "sent/30-external.json"))
	s := b.scan()
	b.holds(s,
		"box agents/alice alice 1/1 alice@acme.aimaestro.local",
		"box agents/bob bob 2/3 bob@acme.aimaestro.local",
		"box agents/carol carol 0/0",
		"thread msg_1795250121379_d75194af",
		" agents/bob/messages/inbox/carol_globex_crabmail_ai/4.json =agents/carol/messages/sent/bob_acme_crabmail_ai/4.json",
		"thread msg_1795249958451_30328b7b",
		" "+bobIn+"1.json ="+aliceOut+"1.json",
		"  "+aliceIn+"2.json ="+bobOut+"2.json",
		"   "+bobIn+"3.json ="+aliceOut+"3.json",
	)
	if s.Messages != 8 || !s.Exists || !s.Ready || s.Err != nil || s.ID != tree.ID(b.Root) {
		t.Errorf("%+v", s)
	}
	data := fixture(t, "inbox/06-reply.json")
	info, err := os.Stat(b.Path(aliceIn + "2.json"))
	if err != nil {
		t.Fatal(err)
	}
	th, at := s.Message(aliceIn + "2.json")
	want := &Message{
		Key: aliceIn + "2.json", Mailbox: s.Mailbox("alice"), Box: Inbox, File: strings.TrimPrefix(aliceIn, aliceBox+"/") + "2.json",
		ID: "msg_1795249999395_8e954fc9", From: "bob@acme.aimaestro.local", To: "alice@acme.aimaestro.local",
		Subject: "Re: Question about the API", Priority: amp.Normal, Type: "response", InReplyTo: "msg_1795249958451_30328b7b",
		Time: 1795249999000, Received: 1795249999000, Expires: 1795854799000, Status: amp.Unread,
		SignatureID: "aDlZzZUyu7qrUQYx6xRKyg9KaR46FalnD3taOhcWrMIFhxJ9nvm042e/n8Dj25A2KWmaCrSVzLJVKLBE3sRGCw==",
		Want:        mail.Nothing, Excerpt: "Yes — I'll review it this afternoon. 👍", Size: int64(len(data)), Modified: info.ModTime().UnixMilli(),
	}
	if diff := cmp.Diff(want, th.Messages[at].Message, cmp.Comparer(func(a, b amp.Key) bool { return a.Fingerprint() == b.Fingerprint() }), cmpopts.IgnoreUnexported(Message{})); diff != "" {
		t.Error(diff)
	}
	if th.First != 1795249958000 || th.Last <= th.First {
		t.Errorf("the thread is from %d to %d", th.First, th.Last)
	}
	msg, err := s.Read(th.Messages[at].Message)
	if err != nil || msg.Payload.Text != want.Excerpt {
		t.Errorf("%q, %v", msg.Payload.Text, err)
	}
	for name, found := range map[string]*Mailbox{"ALICE": s.Mailbox("alice"), "alice@ACME.aimaestro.local": s.Mailbox("alice"), "nobody": nil, "": nil, "nobody@acme.aimaestro.local": nil} {
		if got := s.Mailbox(name); got != found {
			t.Errorf("%q is %v", name, got)
		}
	}
	if a := s.Mailbox("alice"); a == nil || a.Key.Fingerprint() == "" || a.Signs || s.Owner(a.Addresses[0]) != a {
		t.Errorf("alice is %+v", a)
	}
}

// TestLayouts (AMP STO-1): the spec's own layout, which is the root itself, the layout of
// existing clients, and messages directly in a box.
func TestLayouts(t *testing.T) {
	m := func(n int64) []byte { return note{id: id(n), at: n, text: "x"}.bytes() }
	config := []byte(`{"agent":{"name":"eve","address":"eve@a.b.c"}}`)
	for name, c := range map[string]struct {
		fill func(b *readFixture)
		want []string
	}{
		"nothing":         {func(b *readFixture) { b.Mkdir(".") }, nil},
		"of the text":     {func(b *readFixture) { b.Put("messages/inbox/alice/"+id(1)+".json", m(1)) }, []string{"box . mail 1/1", "thread " + id(1), " messages/inbox/alice/" + id(1) + ".json"}},
		"flat":            {func(b *readFixture) { b.Put("messages/inbox/"+id(1)+".json", m(1)) }, []string{"box . mail 1/1", "thread " + id(1), " messages/inbox/" + id(1) + ".json"}},
		"deeper":          {func(b *readFixture) { b.Put("messages/sent/a/b/x.json", m(1)) }, []string{"box . mail 0/0", "thread " + id(1), " messages/sent/a/b/x.json"}},
		"with a config":   {func(b *readFixture) { b.Put("config.json", config) }, []string{"box . eve 0/0 eve@a.b.c"}},
		"both":            {func(b *readFixture) { b.Put("config.json", config); b.Put("agents/x/messages/inbox/m.json", m(1)) }, []string{"box . eve 0/0 eve@a.b.c", "box agents/x x 1/1", "thread " + id(1), " agents/x/messages/inbox/m.json"}},
		"an empty agent":  {func(b *readFixture) { b.Mkdir("agents/x") }, []string{"box agents/x x 0/0"}},
		"an index beside": {func(b *readFixture) { b.Put("agents/.index.json", m(1)); b.Put("agents/notes.json", m(1)) }, nil},
		"registrations": {func(b *readFixture) {
			b.Put("agents/x/config.json", config)
			b.Put("agents/x/registrations/b.json", []byte(`{"address":"eve@z.b.c","apiKey":"k"}`))
			b.Put("agents/x/registrations/a.json", []byte(`{"address":"EVE@a.b.c","apiKey":"k"}`))
			b.Put("agents/x/registrations/deep/c.json", []byte(`{"address":"no@z.b.c"}`))
		}, []string{"box agents/x eve 0/0 eve@a.b.c eve@z.b.c"}},
		"other files": {func(b *readFixture) {
			for _, at := range []string{"x.txt", "x", ".x.json", ".tmp/x.json", "x.json.tmp", "x.JSON"} {
				b.Put("agents/x/messages/inbox/"+at, m(1))
			}
			for _, at := range []string{"messages/x.json", "messages/drafts/x.json", "attachments/att_1_a/x.json", ".signalbox/x.json", "keys/x.json", "agents/y/messages/inbox/x.json", "inbox/x.json"} {
				b.Put("agents/x/"+at, m(1))
			}
			b.Put("x.json", m(1))
		}, []string{"box agents/x x 0/0"}},
		"two of one address": {func(b *readFixture) {
			b.agent("x", "eve@a.b.c")
			b.agent("y", "Eve@a.b.c")
		}, []string{"box agents/x x 0/0 eve@a.b.c", "box agents/y y 0/0 Eve@a.b.c", "problem agents/x/config.json STO-1"}},
		"bad files": {func(b *readFixture) {
			b.Put("agents/x/config.json", []byte(`{"agent":{"address":"nobody"}}`))
			b.Put("agents/x/keys/public.pem", []byte("-----BEGIN PRIVATE KEY-----\nSECRET\n"))
			b.Put("agents/x/registrations/a.json", []byte(`{`))
			b.Put("agents/y/config.json", make([]byte, maxConfig+1))
		}, []string{
			"box agents/x x 0/0", "box agents/y y 0/0",
			"problem agents/x/config.json ENV-3", "problem agents/x/keys/public.pem SIG-6", "problem agents/x/registrations/a.json ENV-3", "problem agents/y/config.json",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newReadFixture(t)
			c.fill(b)
			s := b.scan()
			b.holds(s, c.want...)
			for _, p := range s.Problems {
				if strings.Contains(p.Reason, "SECRET") || p.Reason == "" || p.Advice == "" {
					t.Errorf("%+v", p)
				}
			}
			for _, m := range s.Mailboxes {
				for _, a := range m.Addresses {
					if got := s.Owner(a); (got == m) != (name != "two of one address") {
						t.Errorf("the owner of %s is %v", a, got)
					}
				}
			}
		})
	}
}

// TestNoRoot: a root that does not exist, and one that is not a folder.
func TestNoRoot(t *testing.T) {
	b := newReadFixture(t)
	if s := b.scan(); s.Exists || s.Err != nil || !s.Ready {
		t.Errorf("%+v", s)
	}
	if err := os.WriteFile(b.Root, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := b.scan(); !s.Exists || s.Err == nil {
		t.Errorf("%+v", s)
	}
}

// TestSigns: whether a mailbox can sign is known without reading its private key.
func TestSigns(t *testing.T) {
	for name, c := range map[string]struct {
		fill func(b *readFixture)
		want bool
	}{
		"no key":        {func(*readFixture) {}, false},
		"a file":        {func(b *readFixture) { b.Put(aliceBox+"/keys/private.pem", []byte("x")) }, true},
		"a folder":      {func(b *readFixture) { b.Mkdir(aliceBox + "/keys/private.pem") }, false},
		"a link":        {func(b *readFixture) { b.Link("../config.json", aliceBox+"/keys/private.pem") }, false},
		"one too large": {func(b *readFixture) { b.Put(aliceBox+"/keys/private.pem", make([]byte, 1<<20)) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := twoAgents(t)
			c.fill(b)
			s, opened := b.scanOpening()
			if got := s.Mailbox("alice").Signs; got != c.want {
				t.Errorf("it is %v", got)
			}
			if slices.Contains(opened, "private.pem") || !slices.Contains(opened, "config.json") {
				t.Errorf("opened were %q", opened)
			}
		})
	}
}

// TestUnreadableMessages (AMP PAY-8 ENV-1 STO-3): a message that cannot be read is listed with
// the reason, and one that breaks a rule with its faults. None of them counts as unread, since
// nobody could mark it.
func TestUnreadableMessages(t *testing.T) {
	sound := note{id: id(1), text: "x"}.bytes()
	long := func(n int) []byte { return append(slices.Clip(sound), strings.Repeat(" ", n-len(sound))...) }
	for name, c := range map[string]struct {
		data           []byte
		rule           string // of Err
		faults, unread int
		id             string
	}{
		"sound":            {sound, "", 0, 1, id(1)},
		"empty":            {nil, "JSN-0", 0, 0, id(7)},
		"half":             {sound[:len(sound)/2], "JSN-0", 0, 0, id(7)},
		"not JSON":         {[]byte("hello"), "JSN-0", 0, 0, id(7)},
		"a list":           {[]byte("[]"), "JSN-0", 0, 0, id(7)},
		"another version":  {[]byte(strings.Replace(string(sound), "amp/0.1", "amp/0.2", 1)), "", 1, 1, id(1)},
		"AMP/1.0":          {[]byte(strings.Replace(string(sound), "amp/0.1", "AMP/1.0", 1)), "", 1, 1, id(1)},
		"no envelope":      {[]byte("{}"), "", 2, 1, ""},
		"long as may be":   {long(amp.MaxStored - 1), "PAY-8", 0, 0, id(7)},
		"too long":         {long(amp.MaxStored + 1), "PAY-8", 0, 0, id(7)},
		"a path for an id": {[]byte(strings.ReplaceAll(string(sound), id(1), "../../x")), "", 2, 1, "../../x"},
	} {
		t.Run(name, func(t *testing.T) {
			b := twoAgents(t)
			b.Put(bobIn+id(7)+".json", c.data)
			s := b.scan()
			if len(s.Threads) != 1 || len(s.Problems) != 0 || s.Messages != 1 {
				t.Fatal(brief(s))
			}
			m := s.Threads[0].Messages[0]
			rule := ""
			if f, ok := m.Err.(*canon.Fault); ok { //nolint:errorlint // it is not wrapped
				rule = f.Rule
			}
			if rule != c.rule || m.Faults != c.faults || m.Mailbox.Unread != c.unread || m.Mailbox.Messages != 1 || m.ID != c.id {
				t.Errorf("%+v, unread %d", m.Message, m.Mailbox.Unread)
			}
			if t2, at := s.Message(m.Key); t2 != s.Threads[0] || at != 0 {
				t.Error("it is not found by its key")
			}
			if th := s.Thread(s.Threads[0].ID); th != s.Threads[0] {
				t.Error("its thread is not found by its id")
			}
			if _, err := s.Read(m.Message); (err == nil) != (c.rule == "") {
				t.Errorf("read again: %v", err)
			}
		})
	}
}

// TestTooLong (AMP PAY-8): a message that is too long is refused without reading
// it.
func TestTooLong(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+"x.json", nil)
	if err := os.Truncate(b.Path(bobIn+"x.json"), 1<<40); err != nil {
		t.Fatal(err)
	}
	s, opened := b.scanReading(4 << 20)
	if m := s.Threads[0].Messages[0]; m.Err == nil || !strings.Contains(m.Err.Error(), "1099511627776") {
		t.Errorf("%v; opened %q", m.Err, opened)
	}
	if _, err := s.Read(s.Threads[0].Messages[0].Message); err == nil {
		t.Error("it was read")
	}
}

// TestLongTexts: the index holds the beginning of a text, in whole characters.
func TestLongTexts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("a", 400), strings.Repeat("a", 400)},
		{strings.Repeat("a", 401), strings.Repeat("a", 400)},
		{strings.Repeat("a", 399) + "é", strings.Repeat("a", 399)},
		{strings.Repeat("€", 200), strings.Repeat("€", 133)},
	} {
		b := twoAgents(t)
		b.Put(bobIn+"x.json", note{id: id(1), text: c.text, subject: c.text + strings.Repeat(c.text, 10)}.bytes())
		if m := b.scan().ByID(id(1))[0]; m.Excerpt != c.want || len(m.Subject) > maxField || !strings.HasPrefix(m.Subject, c.want) {
			t.Errorf("%d bytes of %d, and %d of the subject", len(m.Excerpt), len(c.text), len(m.Subject))
		}
	}
}

// TestNames: names are data. No name is followed, and all are listed unchanged.
func TestNames(t *testing.T) {
	b := twoAgents(t)
	names := []string{"a\nb", "\u202egnp.exe", "con", "nul.json", "a b", "ä", "-rf", "$(x)", "\x1b[31m", strings.Repeat("x", 200)}
	for i, name := range names {
		b.Put(bobBox+"/messages/inbox/"+name+"/"+name+".json", note{id: id(int64(i)), text: "x"}.bytes())
	}
	s := b.scan()
	if s.Messages != len(names) || len(s.Problems) != 0 {
		t.Fatal(brief(s))
	}
	for i, name := range names {
		m := s.ByID(id(int64(i)))
		if len(m) != 1 || m[0].Key != bobBox+"/messages/inbox/"+name+"/"+name+".json" {
			t.Errorf("%q is %v", name, m)
			continue
		}
		if _, err := s.Read(m[0]); err != nil {
			t.Error(err)
		}
	}
}

// TestHostileTrees: anything that is not a file or folder itself is a problem, is not opened,
// and delays nothing (AMP STO-1).
func TestHostileTrees(t *testing.T) {
	outside := func(b *readFixture) string {
		at := filepath.Join(filepath.Dir(b.Root), "outside")
		if err := os.MkdirAll(filepath.Join(at, "messages", "inbox"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"x.json", "messages/inbox/x.json"} {
			if err := os.WriteFile(filepath.Join(at, name), note{id: id(1), text: "secret"}.bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return at
	}
	for name, c := range map[string]struct {
		fill func(b *readFixture)
		want []string
	}{
		"a link to a message": {func(b *readFixture) { b.Link(outside(b)+"/x.json", bobIn+"x.json") }, []string{"problem " + bobIn + "x.json STO-1"}},
		"a link beside": {func(b *readFixture) {
			b.Link("../x.json", bobIn+"x.json")
			b.Put(bobBox+"/messages/inbox/x.json", []byte("{"))
		}, []string{"thread file", " " + bobBox + "/messages/inbox/x.json unreadable", "problem " + bobIn + "x.json STO-1"}},
		"a link to nowhere": {func(b *readFixture) { b.Link("nowhere", bobIn+"x.json") }, []string{"problem " + bobIn + "x.json STO-1"}},
		"a linked sender":   {func(b *readFixture) { b.Link(outside(b), strings.TrimSuffix(bobIn, "/")) }, []string{"problem " + strings.TrimSuffix(bobIn, "/") + " STO-1"}},
		"a linked inbox":    {func(b *readFixture) { b.Link(outside(b), bobBox+"/messages/inbox") }, []string{"problem " + bobBox + "/messages/inbox STO-1"}},
		"linked messages":   {func(b *readFixture) { b.Link(outside(b)+"/messages", bobBox+"/messages") }, []string{"problem " + bobBox + "/messages STO-1"}},
		"a linked mailbox":  {func(b *readFixture) { b.Link(outside(b), "agents/carol") }, []string{"problem agents/carol STO-1"}},
		"a linked config": {func(b *readFixture) {
			b.Remove(bobBox + "/config.json")
			b.Link(outside(b)+"/x.json", bobBox+"/config.json")
		}, []string{"problem " + bobBox + "/config.json STO-1"}},
		"a linked registration": {func(b *readFixture) { b.Link(outside(b)+"/x.json", bobBox+"/registrations/x.json") }, []string{"problem " + bobBox + "/registrations/x.json STO-1"}},
		"linked keys":           {func(b *readFixture) { b.Remove(bobBox + "/keys"); b.Link(outside(b), bobBox+"/keys") }, []string{"problem " + bobBox + "/keys STO-1"}},
		"a FIFO":                {func(b *readFixture) { b.Mkdir(bobIn); disktest.FIFO(b.t, b.Path(bobIn+"x.json")) }, []string{"problem " + bobIn + "x.json STO-1"}},
		"a FIFO for a key": {func(b *readFixture) {
			b.Remove(bobBox + "/keys/public.pem")
			disktest.FIFO(b.t, b.Path(bobBox+"/keys/public.pem"))
		}, []string{"problem " + bobBox + "/keys/public.pem STO-1"}},
		"a FIFO for a folder": {func(b *readFixture) {
			b.Mkdir(bobBox + "/messages")
			disktest.FIFO(b.t, b.Path(bobBox+"/messages/inbox"))
		}, []string{"problem " + bobBox + "/messages/inbox STO-1"}},
		"a file for a folder":         {func(b *readFixture) { b.Put(bobBox+"/messages/inbox", nil) }, []string{"problem " + bobBox + "/messages/inbox STO-1"}},
		"a folder for a config":       {func(b *readFixture) { b.Remove(bobBox + "/config.json"); b.Mkdir(bobBox + "/config.json") }, []string{"problem " + bobBox + "/config.json STO-1"}},
		"a folder called as messages": {func(b *readFixture) { b.Put(bobIn+"x.json/y.json", note{id: id(1), text: "x"}.bytes()) }, []string{"thread " + id(1), " " + bobIn + "x.json/y.json"}},
		"too deep":                    {func(b *readFixture) { b.Put(bobIn+strings.Repeat("d/", 40)+"x.json", []byte("{")) }, []string{"problem " + bobIn + "d/d/d/d STO-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(name, "FIFO") {
				return // there are none here
			}
			b := twoAgents(t)
			c.fill(b)
			s := b.scan()
			got := slices.DeleteFunc(brief(s), func(line string) bool { return strings.HasPrefix(line, "box ") })
			for i := range got {
				if strings.HasPrefix(got[i], "thread file") {
					got[i] = "thread file"
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(fmt.Sprintf("%+v", s), "secret") {
				t.Error("what lies outside was read")
			}
		})
	}
}

// TestReadBeneath: only files in the root are read by a key, whoever made the key.
func TestReadBeneath(t *testing.T) {
	b := twoAgents(t)
	data := note{id: id(1), text: "x"}.bytes()
	if err := os.WriteFile(filepath.Join(filepath.Dir(b.Root), "x.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	b.Put(bobIn+"x.json", data)
	b.Link("x.json", bobIn+"link.json")
	s := b.scan()
	for _, key := range []string{"", ".", "..", "../x.json", "agents/../../x.json", "/" + b.Path(bobIn+"x.json"), bobIn + "link.json", bobIn, bobIn + "y.json"} {
		if msg, err := s.Read(&Message{Key: key}); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("mailbox: read %q: ", key)) {
			t.Errorf("%q is %q, %v", key, msg.Raw, err)
		}
	}
	if msg, err := s.Read(&Message{Key: bobIn + "x.json"}); err != nil || msg.ID != id(1) {
		t.Errorf("%q, %v", msg.ID, err)
	}
}

// TestCrowd: ten thousand files in one folder.
func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	b := twoAgents(t)
	b.Mkdir(bobIn)
	for n := range int64(10_000) {
		if err := os.WriteFile(b.Path(bobIn+id(n)+".json"), note{id: id(n), at: n, text: "x"}.bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s := b.scan(); s.Messages != 10_000 || len(s.Threads) != 10_000 || s.Mailbox("bob").Unread != 10_000 || s.Threads[0].ID != id(9999) {
		t.Errorf("%d messages in %d threads", s.Messages, len(s.Threads))
	}
}

// TestBounds: what is beyond a bound is not read, and that is reported once.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		limits tree.Limits
		want   []string
	}{
		"files":   {tree.Limits{Depth: 8, Files: 6, Folders: 100, Entries: 100}, []string{"problem agents/bob/messages/inbox/alice_acme_aimaestro_local STO-1"}},
		"folders": {tree.Limits{Depth: 8, Files: 100, Folders: 8, Entries: 100}, []string{"problem agents/bob/messages/inbox/alice_acme_aimaestro_local STO-1"}},
		"entries": {tree.Limits{Depth: 8, Files: 100, Folders: 100, Entries: 3}, []string{"problem agents/bob/messages/inbox/alice_acme_aimaestro_local STO-1"}},
		"none":    {tree.Limits{Depth: 8, Files: 100, Folders: 100, Entries: 100}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := twoAgents(t)
			for n := range int64(5) {
				b.Put(bobIn+id(n)+".json", note{id: id(n), text: "x"}.bytes())
			}
			s := newState(Config{Path: b.Root})
			s.dir.Rules.Limits = c.limits
			if _, err := s.look(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			snap := s.snapshot()
			if diff := cmp.Diff(c.want, problems(snap)); diff != "" {
				t.Error(diff)
			}
			if len(snap.Mailboxes) != 2 || len(snap.Mailbox("bob").Addresses) != 1 || (snap.Messages == 5) != (name == "none") {
				t.Error(brief(snap))
			}
		})
	}
}

// TestUnreadable: a file that cannot be opened is listed, and read once it can be.
func TestUnreadable(t *testing.T) {
	b := twoAgents(t)
	b.Put(bobIn+id(1)+".json", note{id: id(1), text: "x"}.bytes())
	b.Backdate()
	denied := map[string]bool{id(1) + ".json": true, "keys": true}
	s := newState(Config{Path: b.Root})
	s.dir.Open = func(path string) (tree.Folder, error) {
		f, err := tree.Open(path)
		return &guard{Folder: f, denied: denied}, err
	}
	look := func(want ...string) {
		t.Helper()
		if _, err := s.look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		b.holds(s.snapshot(), want...)
	}
	look(aliceLine, "box agents/bob bob 0/1 bob@acme.aimaestro.local", "thread "+id(1), " "+bobIn+id(1)+".json unreadable", "problem agents/alice/keys STO-1", "problem agents/bob/keys STO-1")
	clear(denied)
	look(aliceLine, "box agents/bob bob 1/1 bob@acme.aimaestro.local", "thread "+id(1), " "+bobIn+id(1)+".json")
	if s.snapshot().Mailbox("bob").Key.Fingerprint() == "" {
		t.Error("the key was not read once it could be")
	}
}
