package door_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// state says where each thread is, what is unread in it and whether it needs a reply.
func (p *post) state() (list []panel.ThreadItem) {
	for _, it := range p.inbox(panel.InboxFilter{Everywhere: true}) {
		list = append(list, panel.ThreadItem{
			Title: it.Title, Unread: it.Unread, NeedsReply: it.NeedsReply, NoReply: it.NoReply, Archived: it.Archived, Snoozed: it.Snoozed,
		})
	}
	return list
}

// TestUndo takes back what the user did last, exactly: threads are as unread and as far
// away as they were, in each format.
func TestUndo(t *testing.T) {
	yes, no, never, later := true, false, int64(0), now.UnixMilli()+100_000
	for name, c := range map[string]struct {
		before, do *panel.ShelveParams
	}{
		"archive":                    {nil, &panel.ShelveParams{Archived: &yes}},
		"archive one without a need": {&panel.ShelveParams{NoReply: &yes}, &panel.ShelveParams{Archived: &yes}},
		"take out of the archive":    {&panel.ShelveParams{Archived: &yes}, &panel.ShelveParams{Archived: &no}},
		"snooze":                     {nil, &panel.ShelveParams{SnoozeUntil: &later}},
		"snooze one without a need":  {&panel.ShelveParams{NoReply: &yes}, &panel.ShelveParams{SnoozeUntil: &later}},
		"end a snooze":               {&panel.ShelveParams{SnoozeUntil: &later}, &panel.ShelveParams{SnoozeUntil: &never}},
		"no reply needed":            {nil, &panel.ShelveParams{NoReply: &yes}},
		"mark all":                   {nil, nil},
		"mark all of the archive":    {&panel.ShelveParams{Archived: &yes}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPost(t, panel.Settings{Alias: "bob"})
			var refs []panel.Ref
			for _, it := range p.inbox(panel.InboxFilter{}) {
				refs = append(refs, it.Ref)
			}
			shelve := func(q panel.ShelveParams) panel.Counts {
				q.Refs = refs
				left, err := p.Shelve(t.Context(), q)
				if err != nil || left.Undo == 0 {
					t.Fatal(left, err)
				}
				return left
			}
			if c.before != nil {
				shelve(*c.before)
			}
			before := p.state()
			var left panel.Counts
			if c.do != nil {
				left = shelve(*c.do)
			} else {
				marked, err := p.MarkMatching(t.Context(), panel.MarkParams{Filter: panel.InboxFilter{Everywhere: true}})
				if err != nil {
					t.Fatal(err)
				}
				left = marked.Counts
			}
			if gocmp.Diff(before, p.state()) == "" && left.Undo != 0 {
				t.Error("nothing changed")
			}
			if left.Undo == 0 {
				return // nothing was unread
			}
			counts, err := p.Undo(t.Context(), panel.UndoParams{Undo: left.Undo})
			if diff := gocmp.Diff(before, p.state()); diff != "" || err != nil {
				t.Errorf("%v (-before +after)\n%s", err, diff)
			}
			if page, err := p.Inbox(t.Context(), panel.InboxParams{}); err != nil || counts.Unread != page.Unread || counts.NeedsReply != page.NeedsReply {
				t.Errorf("%+v, %v", counts, err)
			}
			if _, err := p.Undo(t.Context(), panel.UndoParams{Undo: left.Undo}); !isKind(err, panel.NotFound) {
				t.Errorf("undone twice: %v", err)
			}
		})
	}
}

// TestUndoMail marks only what was unread as unread again, and nothing but the last
// change can be undone.
func TestUndoMail(t *testing.T) {
	o := openOffice(t, t.TempDir())
	o.write(rec(1000, "alice", "bob", "one", "Read."))
	one := threadIn(o, "one")
	if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{one}, Read: true}); err != nil {
		t.Fatal(err)
	}
	o.write(rec(1001, "alice", "bob", "one", "Not read."))
	o.write(rec(1002, "alice", "bob", "two", "Not read."))
	marked, err := o.MarkMatching(t.Context(), panel.MarkParams{})
	if err != nil || marked.Unread != 0 {
		t.Fatal(marked, err)
	}
	if counts, err := o.Undo(t.Context(), panel.UndoParams{Undo: marked.Undo}); err != nil || counts.Unread != 2 {
		t.Errorf("%+v, %v", counts, err)
	}
	archived := true
	first, err := o.Shelve(t.Context(), panel.ShelveParams{Refs: []panel.Ref{one}, Archived: &archived})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Shelve(t.Context(), panel.ShelveParams{Refs: []panel.Ref{threadIn(o, "two")}, Archived: &archived}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Undo(t.Context(), panel.UndoParams{Undo: first.Undo}); !isKind(err, panel.NotFound) {
		t.Errorf("something else was done since: %v", err)
	}
	o.shows("both are away", panel.InboxFilter{})
}
