package sourcetest

import (
	"reflect"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// questions checks that the threads that ask are counted and listed in every order, that their
// pages agree, and that a thread which was put away asks nothing.
func questions(d *fixture) {
	var asking []panel.ThreadItem
	for _, it := range d.all(panel.InboxParams{}) {
		if it.Question != nil {
			asking = append(asking, it)
		}
	}
	if len(asking) != d.c.Asks {
		d.Errorf("%d threads ask, and %d were written", len(asking), d.c.Asks)
	}
	d.asks(len(asking))
	d.needReply()
	for i := range asking {
		it := &asking[i]
		page := d.thread(panel.ThreadParams{Ref: it.Ref, Limit: panel.MaxPage})
		if !reflect.DeepEqual(page.Thread.Question, it.Question) {
			d.Errorf("%s asks %+v, and its page %+v", it.Title, it.Question, page.Thread.Question)
		}
		for _, m := range page.Messages {
			if open := m.Asked == panel.AskedOpen; open != (m.Ref == it.Question.Message) || open && !slices.Equal(m.Options, it.Question.Options) {
				d.Errorf("%s asks %+v, and %v is %q", it.Title, it.Question, m.Ref, m.Asked)
			}
		}
		for _, away := range []bool{true, false} {
			if _, err := d.Shelve(d.Context(), panel.ShelveParams{Refs: []panel.Ref{it.Ref}, Archived: &away}); err != nil {
				d.Fatal(err)
			}
			left := len(asking)
			if away {
				left--
			}
			d.asks(left)
			d.needReply()
			if page := d.thread(panel.ThreadParams{Ref: it.Ref}); (page.Thread.Question == nil) != away {
				d.Errorf("%s, put away %v: %+v", it.Title, away, page.Thread.Question)
			}
		}
	}
}

// asks checks how many threads ask, in every order and count.
func (d *fixture) asks(want int) {
	d.Helper()
	for _, order := range panel.Sorts {
		for _, f := range []panel.InboxFilter{{Asks: true}, {Asks: true, Everywhere: true}} {
			list := d.all(panel.InboxParams{Filter: f, Sort: order, Limit: 1})
			if len(list) != want || slices.ContainsFunc(list, func(t panel.ThreadItem) bool { return t.Question == nil }) {
				d.Errorf("%s: %d threads ask, and %d are listed: %+v", order, want, len(list), list)
			}
		}
	}
	if counts, err := d.SetRead(d.Context(), panel.ReadParams{Read: true}); err != nil || counts.Asks != want {
		d.Errorf("%d threads ask, and %d are counted, %v", want, counts.Asks, err)
	}
}

// needReply checks that every list and count has the same threads that need a reply.
func (d *fixture) needReply() {
	d.Helper()
	want := 0
	for _, it := range d.all(panel.InboxParams{}) {
		if it.NeedsReply {
			want++
		}
	}
	for _, order := range panel.Sorts {
		list := d.all(panel.InboxParams{Filter: panel.InboxFilter{NeedsReply: true, Everywhere: true}, Sort: order, Limit: 1})
		if len(list) != want || slices.ContainsFunc(list, func(t panel.ThreadItem) bool { return !t.NeedsReply }) {
			d.Errorf("%s: %d threads need a reply, and %d are listed: %+v", order, want, len(list), list)
		}
	}
	if counts, err := d.SetRead(d.Context(), panel.ReadParams{Read: true}); err != nil || counts.NeedsReply != want {
		d.Errorf("%d threads need a reply, and %d are counted, %v", want, counts.NeedsReply, err)
	}
}
