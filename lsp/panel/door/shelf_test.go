package door_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	rand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// clocked is a testDoor whose clock is set by the test, and that is left and opened
// again.
type clocked struct {
	*testDoor
	home string
	at   *atomic.Int64 // Unix milliseconds
	// around is put around each source that is opened, unless it is nil.
	around func(panel.Source) panel.Source
}

// openOffice opens the panels over what there is already below home.
func openOffice(t *testing.T, home string, folders ...string) *clocked {
	t.Helper()
	o := &clocked{home: home, at: &atomic.Int64{}}
	o.at.Store(now.UnixMilli())
	o.testDoor = &testDoor{t: t, dir: filepath.Join(home, "mail"), env: map[string]string{
		"XDG_STATE_HOME": filepath.Join(home, "state"), "AGENT_MESSAGE_DIR": filepath.Join(home, "mail"),
	}}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	o.reopen(panel.Settings{Alias: "bob"}, folders...)
	return o
}

func (o *clocked) reopen(s panel.Settings, folders ...string) {
	o.t.Helper()
	if o.Panels != nil {
		_ = o.Close()
	}
	all := sources.All()
	if o.around != nil {
		for i, open := range all {
			all[i] = func(h panel.Host) panel.Source { return o.around(open(h)) }
		}
	}
	p := door.Open(panel.Options{
		Sources:  all,
		Env:      environ.Env{Getenv: func(k string) string { return o.env[k] }, Home: o.home, Work: o.home},
		Settings: s, Folders: folders, Version: "test", Now: func() time.Time { return time.UnixMilli(o.at.Load()) },
		Log: slog.New(slog.DiscardHandler), Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	o.Panels = p
	o.t.Cleanup(func() { _ = p.Close() })
	o.ready()
}

// write appends to the log of whoever sent it.
func (o *clocked) write(r samp.Record) {
	o.t.Helper()
	f, err := os.OpenFile(filepath.Join(o.dir, samp.LogName(r.From)), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(r.Append(nil))
		_ = f.Close()
	}
	if err != nil {
		o.t.Fatal(err)
	}
	o.ready()
}

func (o *clocked) archive(archived bool, refs ...panel.Ref) panel.Counts {
	o.t.Helper()
	return o.shelve(panel.ShelveParams{Refs: refs, Archived: &archived})
}

func (o *clocked) snooze(until int64, refs ...panel.Ref) panel.Counts {
	o.t.Helper()
	return o.shelve(panel.ShelveParams{Refs: refs, SnoozeUntil: &until})
}

func (o *clocked) shelve(q panel.ShelveParams) panel.Counts {
	o.t.Helper()
	counts, err := o.Shelve(o.t.Context(), q)
	if err != nil {
		o.t.Fatal(err)
	}
	return counts
}

// shows holds what a filter gives, with its marks, and that all counts agree.
func (o *clocked) shows(what string, f panel.InboxFilter, want ...string) {
	o.t.Helper()
	page := o.inbox(f)
	got := []string{}
	for _, it := range page.Threads {
		s := it.Name
		if it.Archived {
			s += " archived"
		}
		if it.Snoozed != 0 {
			s += " snoozed"
		}
		if it.Returned {
			s += " returned"
		}
		got = append(got, s)
	}
	if diff := gocmp.Diff(append([]string{}, want...), got); diff != "" {
		o.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// counts checks the counts: waiting threads are those that came back, since the mail is
// old and asks nothing.
func (o *clocked) counts(what string, unread, waiting, threads int) {
	o.t.Helper()
	page := o.inbox(panel.InboxFilter{})
	status, err := o.Status(o.t.Context())
	if err != nil {
		o.t.Fatal(err)
	}
	got := []int{page.Unread, page.NeedsReply, page.Groups[0].Threads, page.Groups[0].Unread, status.Unread, status.NeedsReply}
	if want := []int{unread, waiting, threads, unread, unread, waiting}; !slices.Equal(got, want) {
		o.t.Errorf("%s: counts %v, want %v", what, got, want)
	}
}

func threadIn(o *clocked, title string) panel.Ref {
	o.t.Helper()
	for _, it := range o.inbox(panel.InboxFilter{Everywhere: true}).Threads {
		if it.Name == title {
			return it.Ref
		}
	}
	o.t.Fatalf("no thread %q", title)
	return panel.Ref{}
}

func smallOffice(t *testing.T) *clocked {
	t.Helper()
	o := openOffice(t, t.TempDir())
	for i, r := range []samp.Record{
		rec(1000, "alice", "bob", "release", "# Is the **changelog** ready?\n\nMore."),
		rec(1001, "alice", "bob", "login", "Fix the login bug"),
		rec(1002, "alice", "carol", "other", "\n\n> Not for bob"),
	} {
		r.TS += int64(i)
		o.write(rec(r.TS, r.From, r.To, r.Thread, r.Body))
	}
	return o
}

func TestArchiveMail(t *testing.T) {
	o := smallOffice(t)
	o.counts("at first", 2, 0, 3)
	release, other := threadIn(o, "release"), threadIn(o, "other")
	if left := o.archive(true, release, other); left.Unread != 1 || left.NeedsReply != 0 {
		t.Error(left)
	}
	for _, when := range []string{"archived", "restarted"} {
		o.shows(when, panel.InboxFilter{}, "login")
		o.shows(when+", the archive", panel.InboxFilter{Archived: true}, "other archived", "release archived")
		o.shows(when+", unread in the archive", panel.InboxFilter{Archived: true, Unread: true}, "release archived")
		o.shows(when+", everywhere", panel.InboxFilter{Everywhere: true}, "other archived", "login", "release archived")
		o.counts(when, 1, 0, 1)
		if page := o.thread(panel.ThreadParams{Ref: release}); !page.Thread.Archived || page.Thread.Title != "Is the changelog ready?" {
			t.Errorf("%+v", page.Thread)
		}
		o.reopen(panel.Settings{Alias: "bob"})
	}
	o.write(rec(2000, "bob", "alice", "release", "on it"))
	o.shows("an answer of mine", panel.InboxFilter{}, "login")
	o.write(rec(500, "alice", "bob", "release", "late, and for bob"))
	o.shows("mail for me, whatever its time", panel.InboxFilter{}, "release", "login")
	o.counts("it came back", 3, 0, 2)
	if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{release}, Read: true}); err != nil {
		t.Fatal(err)
	}
	o.shows("it stays when it was read", panel.InboxFilter{}, "release", "login")
	o.archive(false, other)
	o.shows("taken back", panel.InboxFilter{}, "release", "other", "login")
	o.reopen(panel.Settings{Alias: "carol"})
	o.archive(true, other)
	o.reopen(panel.Settings{Alias: "bob"})
	o.shows("another alias has another archive", panel.InboxFilter{}, "release", "other", "login")
}

// overtaken is a source of which another request asks for a later moment, before a request
// with the context of [later] has counted.
type overtaken struct{ panel.Source }

type later struct{}

func (s overtaken) View(ctx context.Context, away *panel.Shelf) panel.View {
	v := s.Source.View(ctx, away)
	if by, ok := ctx.Value(later{}).(time.Duration); ok {
		then := *away
		then.Now += by.Milliseconds()
		s.Source.View(ctx, &then)
	}
	return v
}

// TestArchiveOvertaken: what was put away is taken from counts of the same moment, also
// where two requests disagree about when.
func TestArchiveOvertaken(t *testing.T) {
	o := openOffice(t, t.TempDir())
	o.around = func(s panel.Source) panel.Source { return overtaken{s} }
	o.reopen(panel.Settings{Alias: "bob"})
	day := now.Add(-24 * time.Hour).Unix()
	o.write(rec(day, "alice", "bob", "release", "The changelog is ready."))
	o.write(rec(day, "alice", "bob", "login", "The login moved."))
	o.counts("at first", 2, 2, 2)
	o.archive(true, threadIn(o, "release"))
	for range 2 {
		o.counts("archived", 1, 1, 1)
		page, err := o.Inbox(context.WithValue(t.Context(), later{}, panel.NeedsReplyFor), panel.InboxParams{})
		if err != nil || page.Unread != 1 || page.NeedsReply < 0 {
			t.Errorf("overtaken: %d unread, %d need a reply, %v", page.Unread, page.NeedsReply, err)
		}
	}
}

// TestArchiveCountsNobody holds that new mail brings an archived thread back also if other
// messages went meanwhile, so that the thread is no longer than it was.
func TestArchiveCountsNobody(t *testing.T) {
	o := smallOffice(t)
	for i := range 6 {
		o.write(rec(1100+int64(i), "mallory", "bob", "release", fmt.Sprint("padding ", i)))
	}
	release := threadIn(o, "release")
	o.archive(true, release)
	if err := os.Remove(filepath.Join(o.dir, samp.LogName("mallory"))); err != nil {
		t.Fatal(err)
	}
	o.ready()
	o.shows("its padding is gone", panel.InboxFilter{}, "other", "login")
	o.reopen(panel.Settings{Alias: "bob"})
	o.shows("restarted", panel.InboxFilter{}, "other", "login")
	o.write(rec(900, "alice", "bob", "release", "production is down, what shall I do?"))
	o.shows("alice wrote", panel.InboxFilter{}, "other", "login", "release")
	o.counts("alice wrote", 3, 0, 3)
}

func TestSnoozeMail(t *testing.T) {
	o := smallOffice(t)
	release, other := threadIn(o, "release"), threadIn(o, "other")
	until := now.Add(time.Hour).UnixMilli()
	o.snooze(until, release, other)
	o.reopen(panel.Settings{Alias: "bob"})
	o.shows("snoozed", panel.InboxFilter{}, "login")
	o.shows("the snoozed", panel.InboxFilter{Snoozed: true}, "other snoozed", "release snoozed")
	o.shows("all that is away", panel.InboxFilter{Snoozed: true, Archived: true}, "other snoozed", "release snoozed")
	o.counts("snoozed", 1, 0, 1)
	o.at.Store(until)
	o.shows("back", panel.InboxFilter{}, "other returned", "login", "release returned")
	o.shows("unread", panel.InboxFilter{Unread: true}, "other returned", "login", "release returned")
	o.counts("back", 2, 2, 3)
	if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{release, other}, Read: true}); err != nil {
		t.Fatal(err)
	}
	o.shows("looked at", panel.InboxFilter{}, "other", "login", "release")
	o.counts("looked at", 1, 0, 3)
	o.snooze(o.at.Load()+1000, other, threadIn(o, "login"))
	o.write(rec(3000, "alice", "bob", "login", "It is urgent now"))
	o.shows("new mail", panel.InboxFilter{}, "login", "release")
	o.snooze(0, other)
	o.shows("taken back", panel.InboxFilter{}, "login", "other", "release")
	o.archive(true, other)
	o.snooze(o.at.Load()+1000, other)
	o.shows("one or the other", panel.InboxFilter{Archived: true})
}

func TestShelveAgents(t *testing.T) {
	c := newCheckout(t)
	o := openOffice(t, c.home, c.main)
	var list []panel.ThreadItem
	for _, it := range o.inbox(panel.InboxFilter{Protocol: "atsf"}).Threads {
		if !slices.Contains(it.Marks, "gone") {
			list = append(list, it)
		}
	}
	one, two := list[0], list[1]
	group := func(f panel.InboxFilter, id string) int {
		for _, g := range o.inbox(f).Groups {
			if g.ID == id {
				return g.Threads
			}
		}
		return -1
	}
	all := group(panel.InboxFilter{}, one.Group)
	o.archive(true, one.Ref)
	until := now.Add(time.Hour).UnixMilli()
	o.snooze(until, two.Ref)
	for _, it := range o.inbox(panel.InboxFilter{}).Threads {
		if it.Ref == one.Ref || it.Ref == two.Ref {
			t.Errorf("%s is still there", it.Name)
		}
	}
	if got := group(panel.InboxFilter{Archived: true}, one.Group); got != 1 {
		t.Errorf("%d archived in the group", got)
	}
	if got := group(panel.InboxFilter{Everywhere: true}, one.Group); got != all {
		t.Errorf("%d in the group, want %d", got, all)
	}
	if page := o.thread(panel.ThreadParams{Ref: two.Ref}); page.Thread.Snoozed != until {
		t.Errorf("%+v", page.Thread)
	}
	o.at.Store(until)
	got := o.inbox(panel.InboxFilter{Unread: true})
	if len(got.Threads) != 1 || got.Threads[0].Ref != two.Ref || !got.Threads[0].Returned || got.NeedsReply != 1 {
		t.Errorf("%+v", got)
	}
	if counts, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{two.Ref}, Read: true}); err != nil || counts.NeedsReply != 0 {
		t.Error(counts, err)
	}
	if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{two.Ref}}); kind(err) != panel.Unsupported {
		t.Error(err)
	}
}

func TestShelveSignedMail(t *testing.T) {
	p := newPost(t, panel.Settings{AmpIdentity: "bob"})
	_ = p.Close()
	o := openOffice(t, p.home)
	o.reopen(panel.Settings{Alias: "bob", AmpIdentity: "bob"})
	list := o.inbox(panel.InboxFilter{}).Threads
	first := list[0]
	before := o.inbox(panel.InboxFilter{})
	o.archive(true, first.Ref)
	if got := o.inbox(panel.InboxFilter{Archived: true}).Threads; len(got) != 1 || !got[0].Archived || !got[0].Amp.Archived {
		t.Errorf("%+v", got)
	}
	// Snoozed out of the archive: it is one or the other.
	until := now.Add(time.Hour).UnixMilli()
	o.snooze(until, first.Ref)
	if got := o.inbox(panel.InboxFilter{Snoozed: true}).Threads; len(got) != 1 || got[0].Amp.Archived || got[0].Snoozed != until {
		t.Errorf("%+v", got)
	}
	if got := o.inbox(panel.InboxFilter{}); len(got.Threads) != len(list)-1 || got.Unread != before.Unread-first.Unread {
		t.Errorf("%d threads, %d unread", len(got.Threads), got.Unread)
	}
	o.at.Store(until)
	if got := o.inbox(panel.InboxFilter{}).Threads[0]; !got.Returned || !got.NeedsReply {
		t.Errorf("%+v", got)
	}
	// Carol has no mail here: all of it is in the mailboxes of others.
	o.reopen(panel.Settings{Alias: "carol", AmpIdentity: "carol"})
	if first = o.inbox(panel.InboxFilter{}).Threads[0]; first.Amp.Archivable {
		t.Fatal("it is in her inbox")
	}
	o.archive(true, first.Ref)
	if got := o.inbox(panel.InboxFilter{Archived: true}).Threads; len(got) != 1 || got[0].Amp.Archived || !got[0].Archived {
		t.Errorf("%+v", got)
	}
}

func TestShelveRefused(t *testing.T) {
	o := smallOffice(t)
	release := threadIn(o, "release")
	yes, zero, over, far := true, int64(0), now.UnixMilli(), int64(1)<<60
	refs := []panel.Ref{release}
	for name, c := range map[string]struct {
		q    panel.ShelveParams
		want panel.Kind
	}{
		"neither":           {panel.ShelveParams{Refs: refs}, panel.Malformed},
		"both":              {panel.ShelveParams{Refs: refs, Archived: &yes, SnoozeUntil: &zero}, panel.Malformed},
		"a time that is by": {panel.ShelveParams{Refs: refs, SnoozeUntil: &over}, panel.Malformed},
		"a time too far":    {panel.ShelveParams{Refs: refs, SnoozeUntil: &far}, panel.Malformed},
		"no such thread":    {panel.ShelveParams{Refs: []panel.Ref{{Protocol: mail.SAMP, Store: release.Store, ID: "t/none"}}, Archived: &yes}, panel.NotFound},
		"no such store":     {panel.ShelveParams{Refs: []panel.Ref{{Protocol: mail.SAMP, Store: "none", ID: "t/none"}}, Archived: &yes}, panel.NotFound},
		"a record's place":  {panel.ShelveParams{Refs: []panel.Ref{{Protocol: mail.SAMP, Store: release.Store, ID: "s/log-a.jsonl:1"}}, Archived: &yes}, panel.NotFound},
		"a task":            {panel.ShelveParams{Refs: []panel.Ref{{Protocol: mail.AGN, Store: "s", ID: "t/x"}}, Archived: &yes}, panel.Unsupported},
		"no such agent":     {panel.ShelveParams{Refs: []panel.Ref{{Protocol: mail.ATSF, Store: "s", ID: "t/x"}}, Archived: &yes}, panel.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := o.Shelve(t.Context(), c.q); kind(err) != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if _, err := o.Inbox(t.Context(), panel.InboxParams{Sort: "size"}); kind(err) != panel.Malformed {
		t.Error(err)
	}
	page, err := o.Inbox(t.Context(), panel.InboxParams{Sort: "oldest", Limit: 1})
	if err != nil || page.NextCursor == "" {
		t.Fatal(err)
	}
	if _, err := o.Inbox(t.Context(), panel.InboxParams{Cursor: page.NextCursor}); kind(err) != panel.Malformed {
		t.Error("a cursor of another order:", err)
	}
	o.reopen(panel.Settings{Alias: "bob", ReadOnly: true})
	if _, err := o.Shelve(t.Context(), panel.ShelveParams{Refs: refs, Archived: &yes}); kind(err) != panel.Untrusted {
		t.Error(err)
	}
}

// TestBrokenShelf: a warning names the broken file, nothing is lost, and mail can still be read.
func TestBrokenShelf(t *testing.T) {
	o := smallOffice(t)
	release := threadIn(o, "release")
	o.archive(true, release)
	file := filepath.Join(o.home, "state", "signalbox", "shelf.json")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	o.shows("what was known", panel.InboxFilter{}, "other", "login")
	o.reopen(panel.Settings{Alias: "bob"})
	o.shows("nothing is hidden", panel.InboxFilter{}, "other", "login", "release")
	page := o.inbox(panel.InboxFilter{})
	if i := slices.IndexFunc(page.Warnings, func(w panel.Warning) bool { return w.Rule == "shelf" }); i < 0 || !strings.Contains(page.Warnings[i].Message, "shelf.json") {
		t.Errorf("%+v", page.Warnings)
	}
	yes := true
	if _, err := o.Shelve(t.Context(), panel.ShelveParams{Refs: []panel.Ref{release}, Archived: &yes}); kind(err) != panel.StoreUnavailable {
		t.Error(err)
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	o.shows("repaired", panel.InboxFilter{}, "other", "login")
}

// TestOrders fetches lists of several formats page by page while mail comes in.
// Threads without new mail are in the pages in the same order as in the sorted list.
func TestOrders(t *testing.T) {
	place := func(it panel.ThreadItem) string {
		if it.Agent != nil {
			return it.Agent.Dir
		}
		return it.Name
	}
	newest := func(a, b panel.ThreadItem) int {
		return cmp.Or(cmp.Compare(b.LastTime, a.LastTime), cmp.Compare(place(b), place(a)), cmp.Compare(b.Ref.Store, a.Ref.Store))
	}
	waits := func(it panel.ThreadItem) int {
		if it.Unread > 0 || it.Returned {
			return 0
		}
		return 1
	}
	orders := map[panel.Sort]func(a, b panel.ThreadItem) int{
		panel.SortNewest: newest,
		panel.SortOldest: func(a, b panel.ThreadItem) int { return newest(b, a) },
		panel.SortUnread: func(a, b panel.ThreadItem) int { return cmp.Or(cmp.Compare(waits(a), waits(b)), newest(a, b)) },
		panel.SortSender: func(a, b panel.ThreadItem) int { return cmp.Or(cmp.Compare(a.LastFrom, b.LastFrom), newest(a, b)) },
	}
	c := newCheckout(t)
	o := openOffice(t, c.home, c.main)
	second := filepath.Join(c.home, "mail2")
	if err := os.Mkdir(second, 0o700); err != nil {
		t.Fatal(err)
	}
	delete(o.env, "AGENT_MESSAGE_DIR")
	o.reopen(panel.Settings{Alias: "bob", Directories: []string{o.dir, second}}, c.main)
	r := rand.New(rand.NewPCG(7, 7))
	// In the seconds of the agents' threads.
	at, dir, touched := time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).Unix(), o.dir, map[string]bool{}
	write := func() {
		o.dir = []string{dir, second}[r.IntN(2)]
		at += r.Int64N(2)
		thread := fmt.Sprint("t", r.IntN(12))
		touched[thread] = true
		o.write(rec(at, fmt.Sprint("a", r.IntN(3)), []string{"bob", "carol"}[r.IntN(2)], thread, fmt.Sprint("text ", r.Uint64())))
	}
	for range 40 {
		write()
	}
	o.snooze(now.UnixMilli()+10, threadIn(o, "t1"), o.inbox(panel.InboxFilter{Protocol: "atsf"}).Threads[0].Ref)
	o.at.Store(now.UnixMilli() + 20)
	for name, order := range orders {
		whole, err := o.Inbox(t.Context(), panel.InboxParams{Sort: name, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		want := slices.SortedFunc(slices.Values(whole.Threads), order)
		names := func(list []panel.ThreadItem) (out []string) {
			for _, it := range list {
				if !touched[it.Name] {
					out = append(out, it.Ref.Store+" "+place(it))
				}
			}
			return out
		}
		clear(touched)
		if diff := gocmp.Diff(names(want), names(whole.Threads)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", name, diff)
		}
		var got []panel.ThreadItem
		for q := (panel.InboxParams{Sort: name}); ; {
			q.Limit = 1 + r.IntN(4)
			page, err := o.Inbox(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Threads...)
			if q.Cursor = page.NextCursor; q.Cursor == "" {
				break
			}
			if r.IntN(3) == 0 {
				write()
			}
		}
		if diff := gocmp.Diff(names(want), names(got)); diff != "" {
			t.Errorf("%s in pages (-want +got):\n%s", name, diff)
		}
	}
}
