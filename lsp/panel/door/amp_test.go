package door_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

const (
	alice = "alice@acme.aimaestro.local"
	bob   = "bob@acme.aimaestro.local"
	carol = "carol@globex.crabmail.ai"
)

// post is a machine on which several agents have mailboxes.
type post struct {
	*testDoor
	home, root string
}

// newPost makes bob's mailbox with what another client left in it, and the
// mailboxes of alice and carol, of whom only the public key is here.
func newPost(t *testing.T, s panel.Settings) *post {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &post{home: home, root: filepath.Join(home, ".agent-messaging"), testDoor: &testDoor{t: t}}
	p.foreign("alice", alice)
	p.foreign("carol", carol)
	p.init("bob", bob)
	p.deliver("bob", fixture(t, "states", "01-inbox-unread"))
	for _, name := range []string{"07-reply-to-reply", "10-attachments", "30-external"} {
		p.deliver("bob", fixture(t, "inbox", name))
	}
	p.deliver("alice", fixture(t, "inbox", "06-reply"))
	p.testDoor = openTestDoor(t, home, s, nil, nil)
	return p
}

func fixture(t *testing.T, box, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "amp", box, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (p *post) init(name, address string) {
	p.t.Helper()
	if _, err := ampstore.Init(p.t.Context(), ampstore.InitConfig{Root: p.root, Name: name, Address: address, Now: now}); err != nil {
		p.t.Fatal(err)
	}
}

func publicKey(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "amp", "keys", name+".public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// foreign makes the folder of an agent as another client does, with the key of the
// fixtures.
func (p *post) foreign(name, address string) {
	p.t.Helper()
	p.write("agents/"+name+"/keys/public.pem", publicKey(p.t, strings.TrimRight(name, "0123456789")))
	p.write("agents/"+name+"/config.json", []byte(`{"version":"1.1","agent":{"name":"`+name+`","address":"`+address+`"}}`))
}

func (p *post) write(name string, data []byte) {
	p.t.Helper()
	file := filepath.Join(p.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// TestFolderChoosesNobody (AMP SIG-1 STO-3): the .agent-message of a folder chooses no
// key, and is not read if the folder is not trusted.
func TestFolderChoosesNobody(t *testing.T) {
	p := newPost(t, panel.Settings{})
	folder := filepath.Join(p.home, "clone")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, ".agent-message"), []byte("bob\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		settings    panel.Settings
		alias, mine string
	}{
		"trusted":               {panel.Settings{}, "bob", ""},
		"not trusted":           {panel.Settings{ReadOnly: true}, "clone", ""},
		"the setting":           {panel.Settings{Alias: "bob"}, "bob", "bob"},
		"the setting, no trust": {panel.Settings{Alias: "bob", ReadOnly: true}, "bob", "bob"},
	} {
		if err := p.Configure(t.Context(), c.settings, []string{folder}); err != nil {
			t.Fatal(err)
		}
		p.ready()
		status, err := p.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		mine := ""
		for _, b := range status.MailRoots[0].Boxes {
			if b.Own {
				mine += b.Name
			}
		}
		if status.Alias != c.alias || mine != c.mine {
			t.Errorf("%s: the alias is %q (%s), and the mailbox of %q is the user's", name, status.Alias, status.AliasOrigin, mine)
		}
	}
}

// TestReplayOfDeleted (AMP SIG-9): a message that was shown and deleted is not verified when it
// is delivered again, even after a restart. In a workspace that is not trusted nothing is
// remembered.
func TestReplayOfDeleted(t *testing.T) {
	for name, c := range map[string]struct {
		settings panel.Settings
		want     string
	}{
		"trusted":     {panel.Settings{Alias: "bob"}, "replayed"},
		"not trusted": {panel.Settings{Alias: "bob", ReadOnly: true}, "verified"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t, c.settings)
			p.inbox(panel.InboxFilter{})
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			data := fixture(t, "inbox", "10-attachments")
			m, err := amp.ParseMessage(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(p.root, "agents/bob/messages/inbox/peer", m.ID+".json")); err != nil {
				t.Fatal(err)
			}
			const id = "msg_1795260000_0badcafe"
			p.deliver("bob", []byte(strings.ReplaceAll(string(data), m.ID, id)))
			p.testDoor = openTestDoor(t, p.home, c.settings, nil, nil)
			for _, item := range p.inbox(panel.InboxFilter{}) {
				if item.Name == id && string(item.Amp.State) == c.want {
					return
				}
			}
			t.Errorf("it is not %s: %+v", c.want, p.inbox(panel.InboxFilter{}))
		})
	}
}

// deliver puts a message into an agent's inbox, as another client does.
func (p *post) deliver(agent string, data []byte) {
	p.t.Helper()
	m, err := amp.ParseMessage(data)
	if err != nil {
		p.t.Fatal(err)
	}
	p.write("agents/"+agent+"/messages/inbox/peer/"+m.ID+".json", data)
}

func (p *post) inbox(f panel.InboxFilter) []panel.ThreadItem {
	p.t.Helper()
	p.ready()
	page, err := p.Inbox(p.t.Context(), panel.InboxParams{Filter: f})
	if err != nil {
		p.t.Fatal(err)
	}
	return page.Threads
}

func (p *post) thread(title string) panel.ThreadPage {
	p.t.Helper()
	list := p.inbox(panel.InboxFilter{})
	i := slices.IndexFunc(list, func(t panel.ThreadItem) bool { return t.Title == title })
	if i < 0 {
		p.t.Fatalf("no thread %q in %v", title, titles(list))
	}
	page, err := p.Thread(p.t.Context(), panel.ThreadParams{Ref: list[i].Ref})
	if err != nil {
		p.t.Fatal(err)
	}
	return page
}

func titles(list []panel.ThreadItem) (names []string) {
	for i := range list {
		names = append(names, list[i].Title)
	}
	return names
}

func TestMailInbox(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	page, err := p.Inbox(t.Context(), panel.InboxParams{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Extern: Grüße", "Files", "Question about the API"}, titles(page.Threads)); diff != "" {
		t.Error(diff)
	}
	if page.Unread != 4 || page.NeedsReply != 1 || page.Groups[0].Threads != 3 || page.Groups[0].Unread != 4 {
		t.Errorf("unread %d, waiting %d, %+v", page.Unread, page.NeedsReply, page.Groups)
	}
	external, files, question := page.Threads[0], page.Threads[1], page.Threads[2]
	if external.Amp.State != "untrusted" || external.Amp.Trust.Level != "warn" || external.Amp.Priority != "high" {
		t.Errorf("mail to another address of the name: %+v", external.Amp)
	}
	if files.Amp.Attachments != 5 || files.Amp.State != "verified" || files.Amp.Trust.Level != "ok" || files.LastFrom != "alice" || files.Amp.Mailbox != "bob" {
		t.Errorf("%+v %+v", files, files.Amp)
	}
	if question.Count != 3 || question.Unread != 2 || !question.Mine || question.NeedsReply || question.Amp.Priority != "urgent" {
		t.Errorf("%+v", question)
	}
	for name, tt := range map[string]struct {
		filter panel.InboxFilter
		want   []string
	}{
		"text":     {panel.InboxFilter{Text: "AUTHENTICATION"}, []string{"Question about the API"}},
		"archived": {panel.InboxFilter{Archived: true}, nil},
		"unread":   {panel.InboxFilter{Unread: true, Text: "see attached"}, []string{"Files"}},
		"samp":     {panel.InboxFilter{Protocol: "samp"}, nil},
		"amp":      {panel.InboxFilter{Protocol: "amp", Mine: true, Text: "crabmail"}, []string{"Extern: Grüße"}},
	} {
		if diff := cmp.Diff(tt.want, titles(p.inbox(tt.filter))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	var paged []string
	for cursor := ""; ; {
		one, err := p.Inbox(t.Context(), panel.InboxParams{Limit: 1, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, titles(one.Threads)...)
		if cursor = one.NextCursor; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(titles(page.Threads), paged); diff != "" {
		t.Error(diff)
	}
}

// TestMailThread holds AMP SIG-8 in the panel: the tree of replies, with what two
// mailboxes hold of it.
func TestMailThread(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	page := p.thread("Question about the API")
	var tree []string
	for _, m := range page.Messages {
		tree = append(tree, strings.Repeat("  ", m.Amp.Depth)+m.From+" in "+m.Amp.Mailbox+": "+m.Trust.Label)
		if m.Amp.Depth > 0 && m.Amp.Parent == nil {
			t.Errorf("%s has no parent", m.ID)
		}
	}
	want := []string{alice + " in bob: verified", "  " + bob + " in alice: untrusted", "    " + alice + " in bob: verified"}
	if diff := cmp.Diff(want, tree); diff != "" {
		t.Error(diff) // bob's key is another than the one that the fixture was signed with
	}
	first := page.Messages[0]
	if first.Amp.Step == "" || first.Amp.Key == "" || first.Amp.Type != "request" || !first.Unread || !first.Amp.Archivable || page.Messages[1].Amp.Archivable {
		t.Errorf("%+v", first.Amp)
	}
	before, err := p.Thread(t.Context(), panel.ThreadParams{Ref: first.Ref, Limit: 2})
	if err != nil || len(before.Messages) != 2 || before.Before == "" || before.After != "" {
		t.Fatalf("%+v, %v", before, err)
	}
	rest, err := p.Thread(t.Context(), panel.ThreadParams{Ref: first.Ref, Before: before.Before})
	if err != nil || len(rest.Messages) != 1 || rest.After == "" {
		t.Fatalf("%+v, %v", rest, err)
	}
	again, err := p.Thread(t.Context(), panel.ThreadParams{Ref: first.Ref, After: rest.After})
	if diff := cmp.Diff(before.Messages, again.Messages); err != nil || diff != "" {
		t.Error(err, diff)
	}

	wrapped := p.thread("Extern: Grüße").Messages[0]
	if !strings.Contains(wrapped.Text, "<external-content") || strings.Contains(wrapped.HTML, "<external-content") {
		t.Errorf("a wrapper is shown as text: %s", wrapped.HTML)
	}
	if diff := cmp.Diff([]string{"instruction_override"}, wrapped.Amp.Flags); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(wrapped.Amp.Context, `"pr": 42`) {
		t.Errorf("context %q", wrapped.Amp.Context)
	}
}

func TestMailSend(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	p.init("dora", "dora@acme.aimaestro.local")
	p.ready()
	file := filepath.Join(p.home, "night.log")
	if err := os.WriteFile(file, []byte("a line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	draft := panel.Draft{
		To: "dora@acme.aimaestro.local", Subject: "Grüße | 日本", Priority: "high", Type: "github:pull_request", Body: "see\u2028 attached",
		Context: `{"b":1.0,"a":[1e-7]}`, Attachments: []string{file},
	}
	preview, err := p.ComposePreview(t.Context(), draft)
	if err != nil || !preview.CanSend || preview.Protocol != "amp" || preview.From != bob || len(preview.Attachments) != 1 {
		t.Fatalf("%+v, %v", preview, err)
	}
	if !strings.HasPrefix(preview.Signed, bob+"|dora@acme.aimaestro.local|Grüße | 日本|high||") || !strings.Contains(preview.Record, `"context":{"a":[1e-7],"b":1.0}`) {
		t.Errorf("%s\n%s", preview.Signed, preview.Record)
	}
	draft.Stamp = preview.Stamp
	sent, err := p.Send(t.Context(), panel.SendParams{Draft: draft, ClientToken: "c1"})
	if err != nil {
		t.Fatal(err)
	}
	page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: sent.Thread})
	if err != nil || len(page.Messages) != 1 || page.Messages[0].Trust.Label != "verified" || !page.Messages[0].Mine {
		t.Fatalf("%+v, %v", page, err)
	}
	files, err := filepath.Glob(filepath.Join(p.root, "agents", "dora", "messages", "inbox", "*", "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	delivered, err := amp.ParseMessage(data)
	if err != nil {
		t.Fatal(err)
	}
	if signed, err := delivered.Signed(); err != nil || string(signed) != preview.Signed {
		t.Errorf("what was signed is not what was shown: %s, %v", signed, err)
	}
	again, err := p.Send(t.Context(), panel.SendParams{Draft: draft, ClientToken: "c1"})
	if diff := cmp.Diff(sent, again); err != nil || diff != "" {
		t.Error("a second try sends again", err, diff)
	}
	draft.Stamp = ""
	if preview, err = p.ComposePreview(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	draft.Stamp = preview.Stamp
	if err := os.WriteFile(file, []byte("another line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Send(t.Context(), panel.SendParams{Draft: draft, ClientToken: "c2"}); kind(err) != panel.Malformed {
		t.Errorf("a file that changed since the preview is sent: %v", err)
	}
}

func TestMailReply(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	ref := p.thread("Question about the API").Messages[2].Ref
	c, err := p.ComposeContext(t.Context(), panel.ComposeParams{Ref: &ref})
	if err != nil || !c.CanSend || c.From != bob || c.Draft.To != alice || c.Draft.Subject != "Re: Question about the API" {
		t.Fatalf("%+v %+v, %v", c, c.Draft, err)
	}
	draft := *c.Draft
	draft.Body = ""
	sent, err := p.Send(t.Context(), panel.SendParams{Draft: draft, ClientToken: "c"})
	if err != nil {
		t.Fatal(err)
	}
	page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: sent.Ref})
	if err != nil || len(page.Messages) != 4 || page.Messages[3].Amp.Depth != 3 || page.Messages[3].ID != sent.ID {
		t.Fatalf("%+v, %v", page, err)
	}
	if page.Messages[3].Amp.Priority != "normal" || page.Messages[3].Amp.Type != "response" {
		t.Errorf("%+v", page.Messages[3].Amp)
	}
}

func TestMailRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		settings panel.Settings
		draft    panel.Draft
		rule     string
		field    string
	}{
		"nobody to sign":       {panel.Settings{Alias: "zoe"}, panel.Draft{To: alice, Subject: "x"}, "SIG-1", "from"},
		"no private key":       {panel.Settings{Alias: "alice"}, panel.Draft{To: bob, Subject: "x"}, "SIG-1", "from"},
		"named, and not there": {panel.Settings{Alias: "bob", AmpIdentity: "zoe"}, panel.Draft{To: alice, Subject: "x"}, "SIG-1", "from"},
		"not trusted":          {panel.Settings{Alias: "bob", ReadOnly: true}, panel.Draft{To: alice, Subject: "x"}, "SIG-1", "from"},
		"not here":             {panel.Settings{Alias: "bob"}, panel.Draft{To: "zoe@acme.aimaestro.local", Subject: "x"}, "STO-1", "to"},
		"no address":           {panel.Settings{Alias: "bob"}, panel.Draft{To: "a@b", Subject: "x"}, "ENV-3", "to"},
		"subject":              {panel.Settings{Alias: "bob"}, panel.Draft{To: alice, Subject: strings.Repeat("é", 257)}, "ENV-4", "subject"},
		"priority":             {panel.Settings{Alias: "bob"}, panel.Draft{To: alice, Subject: "x", Priority: "now"}, "ENV-5", "priority"},
		"type":                 {panel.Settings{Alias: "bob"}, panel.Draft{To: alice, Subject: "x", Type: "a:b:c"}, "PAY-2", "type"},
		"text":                 {panel.Settings{Alias: "bob"}, panel.Draft{To: alice, Subject: "x", Body: strings.Repeat("x", 64<<10+1)}, "PAY-3", "body"},
		"context":              {panel.Settings{Alias: "bob"}, panel.Draft{To: alice, Subject: "x", Context: "[1]"}, "PAY-4", "context"},
		"context twice":        {panel.Settings{Alias: "bob"}, panel.Draft{To: alice, Subject: "x", Context: `{"a":1,"a":2}`}, "JSN-3", "context"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t, tt.settings)
			preview, err := p.ComposePreview(t.Context(), tt.draft)
			if err != nil || preview.CanSend {
				t.Fatalf("%+v, %v", preview, err)
			}
			if !slices.ContainsFunc(preview.Warnings, func(w panel.DraftWarning) bool {
				return w.Severity == "error" && w.Rule == tt.rule && w.Field == tt.field
			}) {
				t.Errorf("want %s at %s, got %+v", tt.rule, tt.field, preview.Warnings)
			}
			if _, err := p.Send(t.Context(), panel.SendParams{Draft: tt.draft, ClientToken: "c"}); err == nil {
				t.Error("it was sent")
			}
		})
	}
}

// TestMailBadFile: an objection to a file names which one it is.
func TestMailBadFile(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	good := filepath.Join(p.home, "good.txt")
	if err := os.WriteFile(good, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	preview, err := p.ComposePreview(t.Context(), panel.Draft{To: alice, Subject: "x", Attachments: []string{good, filepath.Join(p.home, "gone.txt")}})
	if err != nil || preview.CanSend || len(preview.Warnings) != 1 || preview.Warnings[0].Field != "attachments[1]" {
		t.Errorf("%+v, %v", preview.Warnings, err)
	}
}

// TestMailMarks holds AMP STO-3 in the panel: marks are made in the user's own
// inbox, and nowhere else.
func TestMailMarks(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	page := p.thread("Question about the API")
	thread := []panel.Ref{page.Thread.Ref}
	counts, err := p.SetRead(t.Context(), panel.ReadParams{Refs: thread, Read: true})
	if err != nil || counts.Unread != 2 || counts.NeedsReply != 1 {
		t.Fatalf("%+v, %v", counts, err)
	}
	if got := p.thread("Question about the API"); got.Thread.Unread != 0 || got.Messages[0].Amp.Status != "read" || got.Messages[1].Amp.Status != "unread" {
		t.Errorf("alice's own mark was changed: %+v", got.Messages[1].Amp)
	}
	if counts, err = p.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Messages[0].Ref}}); err != nil || counts.Unread != 3 {
		t.Fatalf("%+v, %v", counts, err)
	}
	if counts, err = p.Archive(t.Context(), panel.ArchiveParams{Refs: thread, Archived: true}); err != nil || counts.Unread != 2 {
		t.Fatalf("%+v, %v", counts, err)
	}
	if diff := cmp.Diff([]string{"Question about the API"}, titles(p.inbox(panel.InboxFilter{Archived: true}))); diff != "" {
		t.Error(diff)
	}
	if len(p.inbox(panel.InboxFilter{})) != 2 {
		t.Error("what is archived is still in the inbox")
	}
	if _, err = p.Archive(t.Context(), panel.ArchiveParams{Refs: thread}); err != nil || len(p.inbox(panel.InboxFilter{})) != 3 {
		t.Errorf("%v", err)
	}
	if _, err = p.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Messages[1].Ref}, Read: true}); kind(err) != panel.NotOwner {
		t.Errorf("alice's mail was marked: %v", err)
	}
	if _, err = p.Archive(t.Context(), panel.ArchiveParams{Refs: []panel.Ref{{Protocol: "samp", Store: "x", ID: "t/y"}}}); kind(err) != panel.Unsupported {
		t.Errorf("%v", err)
	}
	if err := p.Configure(t.Context(), panel.Settings{Alias: "bob", ReadOnly: true}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err = p.SetRead(t.Context(), panel.ReadParams{Refs: thread, Read: true}); kind(err) != panel.Untrusted {
		t.Errorf("%v", err)
	}
}

// TestMailAttachments holds AMP ATT-18 in the panel: a file that differs from the one that was
// sent is neither opened nor saved.
func TestMailAttachments(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	const good, wrong = "att_1795250008742_47c6ce20", "att_1795250009113_ee16391d" // both the one byte "x"
	p.write("agents/bob/attachments/"+good+"/_CON.txt", []byte("x"))
	p.write("agents/bob/attachments/"+wrong+"/hidden", []byte("y"))
	m := p.thread("Files").Messages[0]
	item := func(id string) panel.AttachmentItem {
		i := slices.IndexFunc(m.Amp.Attachments, func(a panel.AttachmentItem) bool { return a.ID == id })
		return m.Amp.Attachments[i]
	}
	if a := item(good); !a.Present || a.Problem != "" || a.Confirm || a.Name != "_CON.txt" {
		t.Errorf("%+v", a)
	}
	if a := item("att_1795250008343_242da97a"); a.Present || a.Problem == "" {
		t.Errorf("%+v", a)
	}
	got, err := p.OpenAttachment(t.Context(), panel.AttachmentParams{Ref: m.Ref, Attachment: good})
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(got.Path); err != nil || string(data) != "x" || got.Name != "_CON.txt" {
		t.Errorf("%q, %v, %+v", data, err, got)
	}
	save := filepath.Join(p.home, "saved.txt")
	if _, err := p.SaveAttachment(t.Context(), panel.SaveParams{AttachmentParams: panel.AttachmentParams{Ref: m.Ref, Attachment: good}, Path: save}); err != nil {
		t.Error(err)
	}
	if _, err := p.SaveAttachment(t.Context(), panel.SaveParams{AttachmentParams: panel.AttachmentParams{Ref: m.Ref, Attachment: good}, Path: save}); err == nil {
		t.Error("a file was replaced")
	}
	var refused *panel.Error
	if _, err := p.OpenAttachment(t.Context(), panel.AttachmentParams{Ref: m.Ref, Attachment: wrong}); !errors.As(err, &refused) || refused.Detail != "ATT-18" {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(filepath.Join(p.home, "state", "signalbox", "amp", "opened", "*", "*")); err != nil || len(left) != 1 {
		t.Errorf("a file that was refused is there: %v, %v", left, err)
	}
	if _, err := p.OpenAttachment(t.Context(), panel.AttachmentParams{Ref: m.Ref, Attachment: "../../../etc/passwd"}); kind(err) != panel.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := p.SaveAttachment(t.Context(), panel.SaveParams{AttachmentParams: panel.AttachmentParams{Ref: m.Ref, Attachment: good}, Path: "here"}); kind(err) != panel.Malformed {
		t.Errorf("%v", err)
	}
}

// TestMailConfirm: what comes with a message that is not trusted is opened only
// once a person agreed.
func TestMailConfirm(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	const id = "att_1795250008742_47c6ce20"
	p.write("agents/bob/attachments/"+id+"/_CON.txt", []byte("x"))
	data := fixture(t, "inbox", "10-attachments")
	p.deliver("bob", []byte(strings.ReplaceAll(string(data), "See attached", "See what is attached")))
	m := p.thread("Files").Messages[0]
	if m.Trust.Label != "untrusted" {
		t.Errorf("%+v", m.Trust)
	}
	_, err := p.OpenAttachment(t.Context(), panel.AttachmentParams{Ref: m.Ref, Attachment: id})
	if kind(err) != panel.Untrusted {
		t.Errorf("%v", err)
	}
	if _, err := p.OpenAttachment(t.Context(), panel.AttachmentParams{Ref: m.Ref, Attachment: id, Confirmed: true}); err != nil {
		t.Error(err)
	}
}

// TestMailKeyChange: a key that is another than the one first seen is an alarm.
func TestMailKeyChange(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	if got := p.thread("Files").Messages[0].Trust.Label; got != "verified" {
		t.Fatal(got)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "amp", "keys", "carol.public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	p.write("agents/alice/keys/public.pem", text)
	p.ready()
	status, err := p.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(status.Warnings, func(w panel.Warning) bool {
		return strings.Contains(w.Message, "amp keys accept "+alice)
	}) {
		t.Errorf("%+v", status.Warnings)
	}
	if got := p.thread("Files").Messages[0].Trust; got.Label != "verified" && got.Label != "key mismatch" {
		t.Errorf("%+v", got)
	}
}

// TestMailKeyClaimed: if two mailboxes claim one address, neither is trusted.
func TestMailKeyClaimed(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	if err := p.Close(); err != nil { // both come at once: whoever is there first is believed
		t.Fatal(err)
	}
	p.foreign("carol", "dora@acme.aimaestro.local")
	p.foreign("alice2", "dora@acme.aimaestro.local")
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "amp", "keys", "bob.public.pem"))
	if err != nil {
		t.Fatal(err)
	}
	p.write("agents/alice2/keys/public.pem", text)
	p.testDoor = openTestDoor(t, p.home, panel.Settings{Alias: "bob"}, nil, nil)
	status, err := p.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var told []panel.Warning
	for _, w := range status.Warnings {
		if strings.Contains(w.Message, "dora@acme.aimaestro.local") {
			told = append(told, w)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0].Message, "none of them is believed") {
		t.Errorf("%+v", told)
	}
}

func TestMailStatus(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	status, err := p.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(status.MailRoots) != 1 || status.Unread != 4 {
		t.Fatalf("%+v", status)
	}
	root := status.MailRoots[0]
	var names []string
	for _, b := range root.Boxes {
		names = append(names, b.Name)
		if b.Own != (b.Name == "bob") || b.Signs != (b.Name == "bob") || b.Fingerprint == "" {
			t.Errorf("%+v", b)
		}
	}
	if diff := cmp.Diff([]string{"alice", "bob", "carol"}, names); diff != "" {
		t.Error(diff)
	}
	all, err := json.Marshal(status)
	if err != nil || strings.Contains(string(all), "PRIVATE") {
		t.Error("a private key is in the status", err)
	}
}

func TestMailResolve(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	links, err := p.Resolve(t.Context(), []string{"msg_1795249958451_30328b7b", "msg-1795249958451-30328b7b", "msg_1_a"})
	if err != nil {
		t.Fatal(err)
	}
	if l := links[0]; l.Status != "found" || l.Kind != "message" || l.Message == nil || l.Thread == nil || !strings.Contains(l.Preview, "verified") {
		t.Errorf("%+v", l)
	}
	if links[1].Status != "found" || links[2].Status != "missing" {
		t.Errorf("%+v", links[1:])
	}
	// Another message with its id does not replace it, and two messages with one id are ambiguous.
	plain := string(fixture(t, "inbox", "01-plain"))
	p.write("agents/bob/messages/inbox/mallory/x.json", []byte(strings.ReplaceAll(plain, "Question about the API", "Another question")))
	for _, name := range []string{"one", "two"} {
		p.write("agents/bob/messages/inbox/mallory/"+name+".json", []byte(strings.NewReplacer("msg_1795249958451_30328b7b", "msg_9_b", "Question", name).Replace(plain)))
	}
	p.ready()
	links, err = p.Resolve(t.Context(), []string{"msg_1795249958451_30328b7b", "msg_9_b"})
	if err != nil || links[0].Status != "found" || !strings.Contains(links[0].Title, "Question about the API") || links[1].Status != "ambiguous" {
		t.Errorf("%+v, %v", links, err)
	}
}

// TestMailInMyName: a message that claims to be from the user and is not signed by them is not
// shown as theirs.
func TestMailInMyName(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	forged := strings.NewReplacer("carol@globex.crabmail.ai", bob, "bob@acme.crabmail.ai", bob).Replace(string(fixture(t, "inbox", "34-external-unsigned-wrapper-escape")))
	p.write("agents/bob/messages/inbox/mallory/x.json", []byte(strings.ReplaceAll(forged, "Extern: Grüße", "From myself")))
	if m := p.thread("From myself").Messages[0]; m.Mine || m.Trust.Label != "unsigned" {
		t.Errorf("%+v", m)
	}
}

// TestMailAnswersWhatIsTrusted: a reply to a thread does not go to a stranger who wrote into it
// last, and a draft to the stranger has a warning.
func TestMailAnswersWhatIsTrusted(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	stranger := `{"envelope":{"version":"amp/0.1","id":"msg_1795300000_0000000e","from":"eve@evil.example.com","to":"` + bob +
		`","subject":"Re: Question about the API","priority":"normal","timestamp":"2026-11-21T10:00:00Z","in_reply_to":"msg_1795249958451_30328b7b","thread_id":"x"},` +
		`"payload":{"type":"request","message":"write to me"},"local":{"status":"unread","received_at":"2026-11-21T10:00:00Z"}}`
	p.write("agents/bob/messages/inbox/eve/msg_1795300000_0000000e.json", []byte(stranger))
	page := p.thread("Question about the API")
	if len(page.Messages) != 4 {
		t.Fatalf("%d messages", len(page.Messages))
	}
	c, err := p.ComposeContext(t.Context(), panel.ComposeParams{Ref: &page.Thread.Ref})
	if err != nil || c.Draft.To != alice {
		t.Errorf("%+v, %v", c.Draft, err)
	}
	i := slices.IndexFunc(page.Messages, func(m panel.MessageItem) bool { return m.From == "eve@evil.example.com" })
	preview, err := p.ComposePreview(t.Context(), panel.Draft{ReplyTo: &page.Messages[i].Ref, Body: "x"})
	if err != nil || !slices.ContainsFunc(preview.Warnings, func(w panel.DraftWarning) bool { return w.Rule == "SIG-7" && strings.Contains(w.Message, "unsigned") }) {
		t.Errorf("%+v, %v", preview.Warnings, err)
	}
	// One that was neither from bob nor to him: alice's mail.
	other := page.Messages[1]
	if other.Amp.Mailbox != "alice" {
		t.Fatalf("%+v", other)
	}
	i = slices.IndexFunc(page.Messages, func(m panel.MessageItem) bool { return m.From == alice })
	if preview, err = p.ComposePreview(t.Context(), panel.Draft{ReplyTo: &page.Messages[i].Ref, Body: "x"}); err != nil || len(preview.Warnings) != 0 {
		t.Errorf("%+v, %v", preview.Warnings, err)
	}
}

// TestMailSaidTwice (AMP SIG-9): the same text has the same signature, and the draft has a
// warning.
func TestMailSaidTwice(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	draft := panel.Draft{To: alice, Subject: "ping", Body: "are you there?"}
	if _, err := p.Send(t.Context(), panel.SendParams{Draft: draft, ClientToken: "1"}); err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]int{"are you there?": 1, "are you there now?": 0} {
		draft.Body = body
		preview, err := p.ComposePreview(t.Context(), draft)
		if err != nil || len(preview.Warnings) != want || !preview.CanSend {
			t.Errorf("%q: %+v, %v", body, preview.Warnings, err)
		}
	}
}

// TestMailSaidTwiceByECDSA: no two signatures of such a key are equal, and the draft has no
// warning.
func TestMailSaidTwiceByECDSA(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	p.write("agents/bob/keys/private.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	p.write("agents/bob/keys/public.pem", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	p.ready()
	draft := panel.Draft{To: alice, Subject: "ping", Body: "are you there?"}
	if _, err := p.Send(t.Context(), panel.SendParams{Draft: draft, ClientToken: "1"}); err != nil {
		t.Fatal(err)
	}
	if preview, err := p.ComposePreview(t.Context(), draft); err != nil || len(preview.Warnings) != 0 || !preview.CanSend {
		t.Errorf("%+v, %v", preview.Warnings, err)
	}
}

// TestMailTrustedLater: keys that were seen while nothing may be written are
// remembered once something may.
func TestMailTrustedLater(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob", ReadOnly: true})
	keys := filepath.Join(p.home, "state", "signalbox", "amp", "keys.json")
	p.inbox(panel.InboxFilter{})
	if _, err := os.Stat(keys); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("written though nothing may be: %v", err)
	}
	if err := p.Configure(t.Context(), panel.Settings{Alias: "bob"}, nil); err != nil {
		t.Fatal(err)
	}
	p.inbox(panel.InboxFilter{})
	if data, err := os.ReadFile(keys); err != nil || !strings.Contains(string(data), alice) {
		t.Errorf("%s, %v", data, err)
	}
}

// TestMailStoredTwice: a message that is twice in the user's inbox is marked in both places.
func TestMailStoredTwice(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	p.write("agents/bob/messages/inbox/msg_1795249958451_30328b7b.json", fixture(t, "states", "01-inbox-unread"))
	page := p.thread("Question about the API")
	if page.Thread.Unread != 2 || len(page.Messages) != 3 {
		t.Fatalf("%+v", page.Thread)
	}
	if _, err := p.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Messages[0].Ref}, Read: true}); err != nil {
		t.Fatal(err)
	}
	if got := p.thread("Question about the API"); got.Thread.Unread != 1 || got.Messages[0].Unread {
		t.Errorf("%+v", got.Thread)
	}
	if _, err := p.Archive(t.Context(), panel.ArchiveParams{Refs: []panel.Ref{page.Thread.Ref}, Archived: true}); err != nil {
		t.Fatal(err)
	}
	if got := p.inbox(panel.InboxFilter{Archived: true}); len(got) != 1 {
		t.Errorf("%v", titles(got))
	}
}

// TestMailKeysUnread: if the known keys cannot be read, no sender is trusted, and a warning
// explains it.
func TestMailKeysUnread(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(p.home, "state", "signalbox", "amp", "keys.json")
	sound, err := os.ReadFile(keys)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keys, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.testDoor = openTestDoor(t, p.home, panel.Settings{Alias: "bob"}, nil, nil)
	if got := p.thread("Files").Messages[0].Trust.Label; got != "key unknown" {
		t.Errorf("%s", got)
	}
	status, err := p.Status(t.Context())
	if err != nil || !slices.ContainsFunc(status.Warnings, func(w panel.Warning) bool { return strings.Contains(w.Message, "keys.json") }) {
		t.Errorf("%+v, %v", status.Warnings, err)
	}
	if err := os.WriteFile(keys, sound, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := p.thread("Files").Messages[0].Trust.Label; got != "verified" {
		t.Errorf("mended: %s", got)
	}
}
