package door_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// questionFixture holds the records of one thread, bob's.
func questionFixture(t *testing.T, records ...samp.Record) *testDoor {
	logs := make(map[string][]samp.Record)
	for _, r := range records {
		logs[samp.LogName(r.From)] = append(logs[samp.LogName(r.From)], r)
	}
	return newTestDoor(t, panel.Settings{Alias: "bob"}, logs)
}

const which = "Which?\n\n- [ ] MIT\n- [ ] Apache 2.0"

// TestAsked says of each question in a thread what became of it, whatever part of the
// thread is on the page.
func TestAsked(t *testing.T) {
	for _, c := range []struct {
		name    string
		records []samp.Record
		want    []string // for each message: what became of it, its options, its answer
	}{
		{"asked", []samp.Record{rec(1000, "alice", "bob", "q", which)}, []string{"open [MIT Apache 2.0]"}},
		{"asked in words", []samp.Record{rec(1000, "alice", "bob", "q", "Which?")}, []string{"open"}},
		{"no question", []samp.Record{rec(1000, "alice", "bob", "q", "Done.")}, []string{""}},
		{"two questions", []samp.Record{rec(1000, "alice", "bob", "q", which), rec(1001, "carol", "bob", "q", which)}, []string{"overtaken", "open [MIT Apache 2.0]"}},
		{"more from the asker", []samp.Record{rec(1000, "alice", "bob", "q", which), rec(1001, "alice", "bob", "q", "I took MIT.")}, []string{"overtaken", ""}},
		{"chosen", []samp.Record{rec(1000, "alice", "bob", "q", which), rec(1001, "bob", "alice", "q", "MIT\n")}, []string{"answered: MIT", ""}},
		{"answered in words", []samp.Record{rec(1000, "alice", "bob", "q", which), rec(1001, "bob", "alice", "q", "\nNone of\u202e them.\nAsk again.")}, []string{"answered: None of⟨U+202E⟩ them.", ""}},
		{"asked again", []samp.Record{rec(1000, "alice", "bob", "q", which), rec(1001, "bob", "alice", "q", "why?"), rec(1002, "alice", "bob", "q", which)}, []string{"answered: why?", "answered: Which?", "open [MIT Apache 2.0]"}},
		{"asked of another", []samp.Record{rec(1000, "alice", "carol", "q", which)}, []string{""}},
		{"asked by the user", []samp.Record{rec(1000, "bob", "alice", "q", which)}, []string{"open"}},
		{"answered to the user", []samp.Record{rec(1000, "bob", "alice", "q", which), rec(1001, "alice", "bob", "q", "MIT")}, []string{"answered: MIT", ""}},
		{"answered by another", []samp.Record{rec(1000, "bob", "alice", "q", which), rec(1001, "carol", "bob", "q", "MIT")}, []string{"overtaken", ""}},
		{"answered by a word to another", []samp.Record{rec(1000, "alice", "bob", "q", which), rec(1001, "bob", "carol", "q", "Yes, go ahead.")}, []string{"overtaken", ""}},
		{"to oneself", []samp.Record{rec(1000, "bob", "bob", "q", which)}, []string{""}},
		{"options that hide text", []samp.Record{rec(1000, "alice", "bob", "q", "Which?\n- [ ] yes\u202e\n- [ ] no")}, []string{"open"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := questionFixture(t, c.records...)
			thread := d.inbox(panel.InboxFilter{}).Threads[0].Ref
			if diff := cmp.Diff(c.want, asked(d.thread(panel.ThreadParams{Ref: thread}).Messages)); diff != "" {
				t.Error(diff)
			}
			var single []string
			for q := (panel.ThreadParams{Ref: thread, Limit: 1}); ; {
				page := d.thread(q)
				single = append(asked(page.Messages), single...)
				if q.Before = page.Before; q.Before == "" {
					break
				}
			}
			if diff := cmp.Diff(c.want, single); diff != "" {
				t.Errorf("on pages of one message: %s", diff)
			}
		})
	}
}

// TestAskedOnFullPage looks past the end of a page that large messages filled.
func TestAskedOnFullPage(t *testing.T) {
	var records []samp.Record
	for i := range int64(40) {
		records = append(records, rec(1000+i, "alice", "bob", "q", strings.Repeat("word ", 12_000)+"?"))
	}
	d := questionFixture(t, records...)
	first := mail.MessageRef(mail.SAMP, d.inbox(panel.InboxFilter{}).Threads[0].Ref.Store, "alice", samp.ID(&records[0], samp.V1))
	page := d.thread(panel.ThreadParams{Ref: first, Side: panel.SideAfter, Limit: panel.MaxPage})
	if n := len(page.Messages); page.After == "" || n == 0 || page.Messages[n-1].Asked != panel.AskedOvertaken {
		t.Errorf("%d messages on the page, and %v", n, asked(page.Messages))
	}
}

func asked(list []panel.MessageItem) (out []string) {
	for i := range list {
		m := &list[i]
		text := string(m.Asked)
		if m.Options != nil {
			text += fmt.Sprint(" ", m.Options)
		}
		if m.Answer != "" {
			text += ": " + m.Answer
		}
		out = append(out, text)
	}
	return out
}

// TestQuestions lists the threads that ask the user, however the thread was read or put
// away.
func TestQuestions(t *testing.T) {
	long := ""
	for range 50 {
		long += "some words "
	}
	ask := func(thread, text string) samp.Record { return rec(1000, "alice", "bob", thread, text) }
	for _, c := range []struct {
		name    string
		records []samp.Record
		want    *panel.ThreadQuestion // without its message
	}{
		{"options", []samp.Record{ask("q", which)}, &panel.ThreadQuestion{Text: "Which?", Options: []string{"MIT", "Apache 2.0"}}},
		{"words", []samp.Record{ask("q", "It is red.\nRevert it?\n")}, &panel.ThreadQuestion{Text: "It is red. Revert it?"}},
		{"urgent", []samp.Record{ask("q", "urgent: Revert it?")}, &panel.ThreadQuestion{Text: "urgent: Revert it?", Urgent: true}},
		{"long", []samp.Record{ask("q", long+"\nRevert it?")}, &panel.ThreadQuestion{Text: "Revert it?"}},
		{"hostile", []samp.Record{ask("q", "Revert\u202e it\x1b[31m?")}, &panel.ThreadQuestion{Text: "Revert⟨U+202E⟩ it⟨U+001B⟩[31m?"}},
		{"no question", []samp.Record{ask("q", "Done.")}, nil},
		{"to another", []samp.Record{rec(1000, "alice", "carol", "q", which)}, nil},
		{"to oneself", []samp.Record{rec(1000, "bob", "bob", "q", which)}, nil},
		{"answered", []samp.Record{ask("q", which), rec(1001, "bob", "alice", "q", "MIT")}, nil},
		{"overtaken", []samp.Record{ask("q", which), rec(1001, "carol", "dave", "q", "no")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := questionFixture(t, c.records...)
			it := d.inbox(panel.InboxFilter{}).Threads[0]
			want := c.want
			if want != nil {
				want.From, want.Time = "alice", 1000_000
				want.Message = mail.MessageRef(mail.SAMP, it.Ref.Store, "alice", samp.ID(&c.records[0], samp.V1))
			}
			if diff := cmp.Diff(want, it.Question); diff != "" {
				t.Errorf("in the list: %s", diff)
			}
			if diff := cmp.Diff(want, d.thread(panel.ThreadParams{Ref: it.Ref}).Thread.Question); diff != "" {
				t.Errorf("in the page: %s", diff)
			}
			n := 0
			if want != nil {
				n = 1
			}
			if asking := d.inbox(panel.InboxFilter{Asks: true}).Threads; len(asking) != n {
				t.Errorf("%d threads ask: %+v", len(asking), asking)
			}
		})
	}
}

// TestForgedQuestion checks that a record which may be forged neither asks nor answers.
func TestForgedQuestion(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{
		"log-alice.jsonl":   {rec(1000, "alice", "bob", "one", "Now?"), rec(1000, "alice", "bob", "two", "Done.")},
		"log-mallory.jsonl": {rec(1001, "bob", "alice", "one", "Yes"), rec(1001, "alice", "bob", "two", "And now?")},
	})
	if list := d.inbox(panel.InboxFilter{Asks: true}).Threads; len(list) != 1 || list[0].Name != "one" {
		t.Errorf("%+v", list)
	}
	for _, it := range d.inbox(panel.InboxFilter{Suspicious: true}).Threads {
		if page := d.thread(panel.ThreadParams{Ref: it.Ref}); it.Question != nil || page.Messages[0].Asked != "" {
			t.Errorf("%+v", page)
		}
	}
}

// TestQuestionsPutAway checks that a question stays when it was read, and goes while its
// thread is archived or snoozed.
func TestQuestionsPutAway(t *testing.T) {
	d := questionFixture(t, rec(1000, "alice", "bob", "one", "Now?"), rec(1001, "carol", "bob", "two", "Go on?"), rec(1002, "carol", "bob", "three", "Done."))
	count := func(want int, filters ...panel.InboxFilter) {
		t.Helper()
		for _, f := range append(filters, panel.InboxFilter{}) {
			f.Asks = true
			for _, order := range panel.Sorts {
				page, err := d.Inbox(t.Context(), panel.InboxParams{Filter: f, Sort: order})
				if err != nil || len(page.Threads) != want {
					t.Errorf("%+v %s: %d threads ask, want %d (%v)", f, order, len(page.Threads), want, err)
				}
			}
		}
	}
	all := d.inbox(panel.InboxFilter{}).Threads
	one := all[slices.IndexFunc(all, func(it panel.ThreadItem) bool { return it.Name == "one" })].Ref
	yes, no := true, false
	counts, err := d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{one}, Read: true})
	if err != nil || counts.Asks != 2 {
		t.Errorf("read: %+v, %v", counts, err)
	}
	count(2)
	later := now.UnixMilli() + 1000
	for _, put := range []panel.ShelveParams{{Archived: &yes}, {SnoozeUntil: &later}} {
		put.Refs = []panel.Ref{one}
		if counts, err = d.Shelve(t.Context(), put); err != nil || counts.Asks != 1 {
			t.Errorf("put away: %+v, %v", counts, err)
		}
		count(1, panel.InboxFilter{Everywhere: true})
		if list := d.inbox(panel.InboxFilter{Asks: true, Archived: true, Snoozed: true}).Threads; len(list) != 0 {
			t.Errorf("put away and asking: %+v", list)
		}
		if page := d.thread(panel.ThreadParams{Ref: one}); page.Thread.Question != nil || page.Messages[0].Asked != panel.AskedOpen {
			t.Errorf("%+v", page)
		}
	}
	if counts, err = d.Shelve(t.Context(), panel.ShelveParams{Refs: []panel.Ref{one}, Archived: &no}); err != nil || counts.Asks != 2 {
		t.Errorf("brought back: %+v, %v", counts, err)
	}
	count(2)
}

// TestReceipts shows under the user's own messages what became of them, and under no others.
func TestReceipts(t *testing.T) {
	d := questionFixture(t, rec(999, "alice", "bob", "q", "zero"), rec(1000, "bob", "alice", "q", "one"), rec(1001, "bob", "alice", "q", "two"), rec(1002, "bob", "alice", "q", "three"),
		rec(1003, "bob", "carol", "q", "four"), rec(1004, "bob", "bob", "q", "five"), rec(1005, "bob", "dave", "q", "six"), rec(1006, "dave", "bob", "q", "seven"))
	two := rec(1001, "bob", "alice", "q", "two")
	written := now.Add(-time.Minute)
	for name, mark := range map[string]samp.Watermark{"alice": {TS: 1001, IDs: []string{two.ID}}, "bob": {TS: 5000}} {
		file := filepath.Join(d.dir, samp.WatermarkName(name))
		if err := errors.Join(os.WriteFile(file, mark.Append(nil), 0o600), os.Chtimes(file, written, written)); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, m := range d.thread(panel.ThreadParams{Ref: d.inbox(panel.InboxFilter{}).Threads[0].Ref}).Messages {
		text := ""
		if m.Receipt != nil {
			text = m.Receipt.Words(func(ms int64) string { return fmt.Sprint(ms) })
		}
		got = append(got, text)
	}
	want := []string{
		"", "read by alice", "read by alice " + fmt.Sprint(written.UnixMilli()), "nobody reads this: it waits since 1002000", "nobody reads this: there has never been a carol",
		"", "answered by dave 1006000", "",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOldestFirst keeps the questions that have waited longest, on a page of any size and of
// more questions than any page has.
func TestOldestFirst(t *testing.T) {
	var records []samp.Record
	for i := range int64(panel.MaxNeeds + 20) {
		records = append(records, rec(2000+i, "alice", "bob", fmt.Sprint("t", i), "Which?"))
	}
	d := questionFixture(t, records...)
	for _, limit := range []int{5, panel.MaxNeeds} {
		page, err := d.Needs(t.Context(), panel.NeedsParams{Limit: limit})
		if err != nil || len(page.Items) != limit || page.Total != len(records) {
			t.Fatalf("%d of %d, %v", len(page.Items), page.Total, err)
		}
		for i, it := range page.Items {
			if it.Question.Thread.Name != fmt.Sprint("t", i) {
				t.Fatalf("%s is number %d", it.Question.Thread.Name, i)
			}
		}
	}
}
