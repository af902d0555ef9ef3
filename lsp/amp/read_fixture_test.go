package amp

import (
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// readFixture is a root. Paths are relative to it, with "/".
type readFixture struct {
	*disktest.Dir
	t testing.TB
}

func newReadFixture(t testing.TB) *readFixture {
	t.Helper()
	return &readFixture{disktest.New(t, "mail"), t}
}

// agent makes a mailbox as existing clients do, with one of the fixtures' keys if
// there is one of that name.
func (b *readFixture) agent(name, address string) {
	b.t.Helper()
	b.Put("agents/"+name+"/config.json", configOf(name, address))
	if pem, err := os.ReadFile(filepath.Join(fixturesDir, "keys", name+".public.pem")); err == nil {
		b.Put("agents/"+name+"/keys/public.pem", pem)
	}
}

// configOf makes a config.json as existing clients do.
func configOf(name, address string) []byte {
	return fmt.Appendf(nil, `{"version":"1.1","agent":{"name":%q,"tenant":"acme","address":%q,"fingerprint":"SHA256:x","createdAt":"2026-11-21T08:00:00Z"},"provider":{"domain":"aimaestro.local"}}`, name, address)
}

func (b *readFixture) scan() *Snapshot {
	b.t.Helper()
	s, err := Scan(b.t.Context(), b.Root)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

var fixturesDir = filepath.Join("..", "..", "testdata", "amp")

// fixture reads a file of testdata/amp.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(fixturesDir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// note is a message to be written.
type note struct {
	id, from, to, subject, reply, text string
	// at is in seconds after day.
	at int64
	// signature is base64 of what need not fit; empty, it is one of the id and text.
	signature, received, status string
	unsigned                    bool
}

// day is when the messages of tests are written, in Unix seconds.
const day = int64(1795249958)

// id makes a message id.
func id(n int64) string { return fmt.Sprintf("msg_%d_%08x", day+n, n) }

func (n note) bytes() []byte {
	from, to := n.from, n.to
	if from == "" {
		from = "alice@acme.aimaestro.local"
	}
	if to == "" {
		to = "bob@acme.aimaestro.local"
	}
	subject := n.subject
	if subject == "" {
		subject = "S"
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"envelope":{"version":"amp/0.1","id":%q,"from":%q,"to":%q,"subject":%q,"timestamp":%q,"thread_id":%q`,
		n.id, from, to, subject, amp.FormatTime((day+n.at)*1000), n.id)
	if n.reply != "" {
		fmt.Fprintf(&b, `,"in_reply_to":%q`, n.reply)
	}
	if signature := n.signature; !n.unsigned {
		if signature == "" {
			sum := sha512.Sum512([]byte(n.id + n.text))
			signature = base64.StdEncoding.EncodeToString(sum[:])
		}
		fmt.Fprintf(&b, `,"signature":%q`, signature)
	}
	fmt.Fprintf(&b, `},"payload":{"type":"request","message":%q}`, n.text)
	if n.received != "" || n.status != "" {
		status := n.status
		if status == "" {
			status = amp.Unread
		}
		fmt.Fprintf(&b, `,"local":{"status":%q`, status)
		if n.received != "" {
			fmt.Fprintf(&b, `,"received_at":%q`, n.received)
		}
		b.WriteByte('}')
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// brief returns a snapshot in short, to be compared.
func brief(s *Snapshot) []string {
	var out []string
	for _, m := range s.Mailboxes {
		line := fmt.Sprintf("box %s %s %d/%d", m.Dir, m.Name, m.Unread, m.Messages)
		for _, a := range m.Addresses {
			line += " " + a.String()
		}
		out = append(out, line)
	}
	for _, t := range s.Threads {
		out = append(out, "thread "+t.ID)
		for _, p := range t.Messages {
			line := strings.Repeat(" ", p.Depth+1) + p.Key
			if p.Err != nil {
				line += " unreadable"
			}
			if p.Faults > 0 {
				line += fmt.Sprintf(" faults=%d", p.Faults)
			}
			if p.Missing {
				line += " missing"
			}
			for _, c := range p.Copies {
				line += " =" + c.Key
			}
			out = append(out, line)
		}
	}
	return append(out, problems(s)...)
}

// problems returns the problems in short.
func problems(s *Snapshot) (out []string) {
	for _, p := range s.Problems {
		out = append(out, strings.TrimSpace(fmt.Sprintf("problem %s %s", p.Path, p.Rule)))
	}
	return out
}

func (b *readFixture) holds(s *Snapshot, want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, brief(s), cmpopts.EquateEmpty()); diff != "" {
		b.t.Error(diff)
	}
}

// same compares two snapshots of one root in everything but how they came about.
func same(a, b *Snapshot) string {
	return cmp.Diff(a, b, cmpopts.IgnoreUnexported(Snapshot{}), cmpopts.IgnoreFields(Snapshot{}, "Watching"),
		cmp.Comparer(tree.SameError), cmp.Comparer(func(a, b amp.Key) bool { return a.Fingerprint() == b.Fingerprint() }),
		cmpopts.EquateEmpty(), cmp.AllowUnexported(Message{}))
}

// forge makes an agent and puts a message from somebody else into its sent box, signed with the
// agent's own key.
func (b *readFixture) forge(agent, from, to, file, id string) {
	b.t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	b.agent(agent, agent+"@acme.aimaestro.local")
	b.Put("agents/"+agent+"/keys/public.pem", amp.NewKey([32]byte(public)).PEM())
	letter, err := amp.Compose(amp.Draft{
		ID: id, IdempotencyKey: amp.NewIdempotencyKey([16]byte{1}), From: from, To: to, Subject: "URGENT", Type: "request", Text: "wire the money",
		Millis: 1577836800000,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	data, err := letter.Finish(ed25519.Sign(private, letter.Signed()))
	if err != nil {
		b.t.Fatal(err)
	}
	b.Put("agents/"+agent+"/messages/sent/"+file, data)
}
