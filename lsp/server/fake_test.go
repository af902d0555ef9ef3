package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// fakePanel answers from nothing, the same each time. It knows the requests that the
// transcripts make; testdata/real.txtar makes others to the real panels.
type fakePanel struct {
	unknown
	check.NoStores
	setup   Setup
	resolve func(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error) // nil: the names it knows

	mu         sync.Mutex
	sent       []panel.SendParams // guarded by mu
	configured []string           // guarded by mu
	closed     bool               // guarded by mu
	shown      []string           // texts after their names; guarded by mu
	history    []agn.Message      // of the task that is known; guarded by mu
}

// unknown panics at the requests that a fakePanel does not know.
type unknown struct{ Panel }

func (f *fakePanel) open(_ context.Context, s Setup) (Panel, error) {
	f.setup = s
	return f, nil
}

// change reports that n threads changed.
func (f *fakePanel) change(n int) {
	c := panel.Change{Revision: int64(n), Kinds: []string{"messages"}, Unread: n}
	for i := range n {
		c.Refs = append(c.Refs, ref(fmt.Sprint("t", i)))
	}
	f.setup.Changed(c)
}

func ref(id string) panel.Ref { return panel.Ref{Protocol: "samp", Store: "s1", ID: id} }

const (
	knownID     = "0123456789abcdef"
	knownThread = "2026-04-25-alice-fix-the-login-bug"
)

func (f *fakePanel) thread() panel.ThreadItem {
	return panel.ThreadItem{
		Ref: ref("t1"), Protocol: "samp", Title: knownThread, Participants: []string{"alice", "me"}, LastFrom: "alice", LastTo: "me",
		FirstTime: 1777000000000, LastTime: 1777000600000, Count: 2, Unread: 1, NeedsReply: true, Mine: true,
		Preview: "login <fails> for *everybody*", Marks: []string{},
	}
}

func (f *fakePanel) Status(context.Context) (panel.Status, error) {
	return panel.Status{
		Version: "1.2.3", Alias: "me", AliasOrigin: "folder name", AliasValid: true, Profile: "v1", ProfileOrigin: "default",
		Directories:  []panel.Directory{{Path: "/m", Origin: "AGENT_MESSAGE_DIR", OK: true, Exists: true, Writable: true, Store: "s1", Logs: 2, Messages: 9}},
		Limits:       panel.Limits{BodyChars: 10000, PageMax: panel.MaxPage, RefsMax: panel.MaxRefs, FrameBytes: codec.MaxFrame},
		LinkPatterns: []panel.LinkPattern{{Kind: "message", Pattern: `\b[0-9a-f]{16}\b`, Flags: "g"}},
		Unread:       1, NeedsReply: 1, Projects: []panel.Project{}, SSOTs: []panel.SSOT{}, MailRoots: []panel.MailRoot{{
			Path: "/a", Origin: "AMP_DIR", Store: "a1", Exists: true, Watching: "notify", Messages: 2,
			Boxes: []panel.MailBox{{Name: "me", Address: "me@acme.example", Own: true, Signs: true, Fingerprint: "SHA256:k", Messages: 1, Unread: 1}},
		}},
		Warnings: []panel.Warning{{Rule: "R3", Message: "1 line is no record"}},
	}, nil
}

func (f *fakePanel) Diff(_ context.Context, p panel.DiffParams) (panel.Diff, error) {
	if p.Ref.ID != "m1" || p.Tool != 0 {
		return panel.Diff{}, &panel.Error{Kind: panel.NotFound, Message: "tool call: not found"}
	}
	return panel.Diff{Path: "src/a.go", Old: "a\n", New: "b\n"}, nil
}

func (f *fakePanel) FileEdits(_ context.Context, p panel.EditsParams) (panel.Edits, error) {
	ref := panel.Ref{Protocol: "atsf", Store: "w1", ID: "m1"}
	return panel.Edits{Edits: []panel.Edit{{Line: 1, Lines: 2, Thread: ref, Message: ref, Title: filepath.Base(p.Path), By: "Claude", Time: 1000}}}, nil
}

func (f *fakePanel) Asset(_ context.Context, p panel.AssetParams) (panel.Asset, error) {
	if p.Asset != "sha256-0123456789abcdef.png" {
		return panel.Asset{}, &panel.Error{Kind: panel.Malformed, Message: "asset: not a name", Detail: "L4"}
	}
	return panel.Asset{Asset: p.Asset, MimeType: "image/png", Base64: "iVBORw=="}, nil
}

func (f *fakePanel) Search(_ context.Context, p panel.SearchParams) (panel.SearchPage, error) {
	page := panel.SearchPage{Hits: []panel.SearchHit{}, Problems: []panel.SearchProblem{}, Complete: true, Revision: 4}
	if p.Query == "from:" {
		page.Problems = append(page.Problems, panel.SearchProblem{Length: 5, Message: "from: needs a name, or a part of one"})
		return page, nil
	}
	ref := panel.Ref{Protocol: "samp", Store: "s", ID: "m/alice/0123456789abcdef"}
	page.Hits = append(page.Hits, panel.SearchHit{
		Message: ref, Thread: panel.Ref{Protocol: "samp", Store: "s", ID: "t/plan"}, Protocol: "samp", Group: "mail", Title: "plan",
		From: "alice", To: "dev", Time: 1_700_000_000_000, Snippet: "the *plan* is red", Marks: [][2]int{{14, 3}}, Unread: true,
		Trust: panel.Trust{Level: "warn", Label: "may be forged"},
	})
	if p.Cursor == "" {
		page.NextCursor, page.Complete = "more", false
	}
	return page, nil
}

// StreamSearch sends every hit early. The search for "slow" goes on until it is cancelled.
func (f *fakePanel) StreamSearch(ctx context.Context, p panel.SearchParams, found func(panel.SearchPart)) (panel.SearchPage, error) {
	page, err := f.Search(ctx, p)
	found(panel.SearchPart{Hits: page.Hits})
	page.Hits = page.Hits[:0]
	if p.Query == "slow" {
		<-ctx.Done()
		found(panel.SearchPart{Hits: page.Hits})
		err = ctx.Err()
	}
	return page, err
}

func (f *fakePanel) Inbox(_ context.Context, p panel.InboxParams) (panel.InboxPage, error) {
	page := panel.InboxPage{Threads: []panel.ThreadItem{}, Groups: []panel.Group{}, Unread: 1, NeedsReply: 1, Revision: 4, Warnings: []panel.Warning{}}
	switch {
	case p.Cursor == "old":
		return page, &panel.Error{Kind: panel.Malformed, Message: "cursor is from another version", Detail: "cursor"}
	case strings.Contains(f.thread().Preview, p.Filter.Text):
		page.Threads = append(page.Threads, f.thread())
		if p.Filter.Protocol == "amp" {
			page.Threads = []panel.ThreadItem{letterThread()}
		}
	}
	return page, nil
}

func (f *fakePanel) Sessions(_ context.Context, p panel.SessionsParams) (panel.SessionsPage, error) {
	page := panel.SessionsPage{Threads: []panel.ThreadItem{}, Groups: []panel.Group{}}
	if strings.Contains(f.thread().Preview, p.Text) {
		page.Threads, page.More = append(page.Threads, f.thread()), p.Limit == 1
	}
	return page, nil
}

func (f *fakePanel) InboxLists(ctx context.Context, p panel.InboxListsParams) (panel.InboxLists, error) {
	lists := panel.InboxLists{Pages: []panel.InboxPage{}}
	for range p.Lists {
		page, err := f.Inbox(ctx, panel.InboxParams{Filter: p.Filter, Sort: p.Sort})
		if err != nil {
			return lists, err
		}
		lists.Pages = append(lists.Pages, page)
	}
	return lists, nil
}

func (f *fakePanel) Thread(_ context.Context, p panel.ThreadParams) (panel.ThreadPage, error) {
	if p.Ref.Protocol == "amp" {
		return letterPage(), nil
	}
	switch p.Ref.ID {
	case "t1", "m1":
	case "gone":
		return panel.ThreadPage{}, &panel.Error{Kind: panel.StoreUnavailable, Message: "the directory cannot be read", Detail: "/m", Retryable: true}
	case "broken":
		return panel.ThreadPage{}, errors.New("something\x1b[31m else")
	case "panics":
		panic("a bug")
	case "large":
		return panel.ThreadPage{Thread: panel.ThreadItem{Title: strings.Repeat("x", codec.MaxFrame)}}, nil
	default:
		return panel.ThreadPage{}, &panel.Error{Kind: panel.NotFound, Message: "no such thread"}
	}
	return panel.ThreadPage{
		Thread: f.thread(),
		Messages: []panel.MessageItem{{
			Ref: ref("m1"), ID: knownID, From: "alice", To: "me", Time: 1777000600000, Unread: true, HTML: "<p>login fails</p>",
			Text: "login fails\n\n[run](command:evil) <script>", Chars: 40, IDForm: "spaced",
			Trust: panel.Trust{Level: "ok", Label: "unsigned, id matches", Detail: "SAMP messages are not signed."},
			Marks: []string{"late"}, Origin: panel.Origin{Log: "log-alice.jsonl", Line: 3},
		}},
		Before: "b1", Related: []panel.ThreadLink{}, Warnings: []panel.Warning{}, Revision: 4,
	}, nil
}

func (f *fakePanel) Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error) {
	if f.resolve != nil {
		return f.resolve(ctx, tokens)
	}
	links := []panel.ResolvedLink{}
	for _, t := range tokens {
		l := panel.ResolvedLink{Token: t, Status: "missing"}
		thread, message := ref("t1"), ref("m1")
		switch t {
		case knownID:
			l = panel.ResolvedLink{Token: t, Status: "found", Kind: "message", Thread: &thread, Message: &message, Preview: "**alice**: login fails"}
		case knownThread, "login":
			l = panel.ResolvedLink{Token: t, Status: "found", Kind: "thread", Title: knownThread, Thread: &thread, Preview: "thread " + t}
		case "both":
			l.Status = "ambiguous"
		}
		links = append(links, l)
	}
	return links, nil
}

func (f *fakePanel) ComposeContext(_ context.Context, p panel.ComposeParams) (panel.ComposeContext, error) {
	c := panel.ComposeContext{
		From: "me", CanSend: true, Recipients: []panel.Recipient{{Alias: "alice", LastTime: 1777000600000}},
		Threads: []panel.ThreadName{{Name: knownThread, Title: knownThread, Ref: ref("t1")}},
	}
	if p.Ref != nil && p.Ref.ID != "mute" {
		c.Draft = &panel.Draft{To: "alice", Thread: knownThread, ReplyTo: p.Ref}
	}
	return c, nil
}

func (f *fakePanel) ComposePreview(_ context.Context, d panel.Draft) (panel.ComposePreview, error) {
	p := panel.ComposePreview{
		Record: fmt.Sprintf(`{"to":%q}`, d.To), ID: knownID, Thread: knownThread, To: d.To, From: "me", Log: "log-me.jsonl",
		Profile: "v1", CanSend: true, Warnings: []panel.DraftWarning{},
	}
	if d.Body == "" {
		p.CanSend = false
		p.Warnings = append(p.Warnings, panel.DraftWarning{Severity: "error", Rule: "R4", Field: "body", Message: "the body is empty"})
	}
	return p, nil
}

func (f *fakePanel) Send(_ context.Context, p panel.SendParams) (panel.Sent, error) {
	if p.Draft.To == "nobody!" {
		return panel.Sent{}, &panel.Error{Kind: panel.Malformed, Message: "recipient is no alias", Detail: "L2"}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, p)
	return panel.Sent{Ref: ref("m2"), Thread: ref("t1"), ID: "fedcba9876543210", ThreadName: knownThread}, nil
}

func (f *fakePanel) SetRead(_ context.Context, p panel.ReadParams) (panel.Counts, error) {
	if p.Read {
		return panel.Counts{}, nil
	}
	return panel.Counts{Unread: len(p.Refs), NeedsReply: 1}, nil
}

func (f *fakePanel) MarkMatching(_ context.Context, p panel.MarkParams) (panel.Marked, error) {
	if p.Filter.Protocol == "amp" {
		return panel.Marked{Counts: panel.Counts{Unread: 1, NeedsReply: 1}}, nil
	}
	return panel.Marked{Threads: 2500}, nil
}

func (f *fakePanel) ReplyTarget(_ context.Context, from string) (panel.Ref, error) {
	if from == "" || from == "alice" {
		return ref("m1"), nil
	}
	return panel.Ref{}, &panel.Error{Kind: panel.NotFound, Message: "no message from " + from}
}

func (f *fakePanel) TaskMessages(string, *agn.Message) []agn.Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.history
}

// learn makes the messages known that came before the fixture's review request.
func (f *fakePanel) learn(t *testing.T) {
	var list []agn.Message
	for _, name := range []string{"01-task_dispatch.json", "02-task_result.json"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "agn", "amp-chain", name))
		if err != nil {
			t.Fatal(err)
		}
		m, err := agn.ParseMessage(data)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	f.mu.Lock()
	f.history = list
	f.mu.Unlock()
	f.setup.Changed(panel.Change{Revision: 1, Kinds: []string{"tasks"}, Refs: []panel.Ref{}})
}

func (f *fakePanel) Configure(_ context.Context, s panel.Settings, folders []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.configured = append(f.configured, fmt.Sprint(s.Alias, folders))
	return nil
}

func (f *fakePanel) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}
