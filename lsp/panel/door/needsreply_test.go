package door_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestNeedsReply tells which threads need a reply by their last word, whether it was read
// or not.
func TestNeedsReply(t *testing.T) {
	day := int64(24 * 3600)
	for name, c := range map[string]struct {
		thread []samp.Record // times are seconds before now
		want   bool
	}{
		"to the user":                     {[]samp.Record{rec(60, "alice", "bob", "t", "Fix it.")}, true},
		"to somebody else":                {[]samp.Record{rec(60, "alice", "carol", "t", "Fix it?")}, false},
		"from the user":                   {[]samp.Record{rec(60, "bob", "alice", "t", "Fix it?")}, false},
		"to oneself":                      {[]samp.Record{rec(60, "bob", "bob", "t", "Buy milk?")}, false},
		"answered":                        {[]samp.Record{rec(60, "alice", "bob", "t", "Fix it?"), rec(30, "bob", "alice", "t", "Done.")}, false},
		"answered, and somebody wrote on": {[]samp.Record{rec(60, "bob", "alice", "t", "Done."), rec(30, "alice", "bob", "t", "It fails.")}, true},
		"answered with thanks":            {[]samp.Record{rec(60, "bob", "alice", "t", "Done."), rec(30, "alice", "bob", "t", "Thanks, I use 8443.")}, false},
		"somebody else has the word":      {[]samp.Record{rec(60, "alice", "bob", "t", "Fix it?"), rec(30, "alice", "carol", "t", "Or you.")}, false},
		"thirteen days old":               {[]samp.Record{rec(13*day, "alice", "bob", "t", "Fix it.")}, true},
		"fifteen days old":                {[]samp.Record{rec(15*day, "alice", "bob", "t", "Fix it.")}, false},
		"an old question":                 {[]samp.Record{rec(300*day, "alice", "bob", "t", "Shall I fix it?")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, t.TempDir())
			for _, r := range c.thread {
				r.TS = now.Unix() - r.TS
				o.write(r)
			}
			ref := threadIn(o, "t")
			for _, when := range []string{"unread", "read"} {
				o.needReply(when, map[bool][]string{true: {"t"}}[c.want]...)
				if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{ref}, Read: true}); err != nil {
					t.Fatal(err)
				}
			}
			o.archive(true, ref)
			o.needReply("archived")
		})
	}
}

// TestLateQuestion needs the user for an unread question that came, with an older time, after
// the last message of its thread was read.
func TestLateQuestion(t *testing.T) {
	at := now.Unix()
	for name, c := range map[string]struct {
		before, late []samp.Record
		want         string // the question, "" if nothing asks
		reply        bool
	}{
		"a question":             {[]samp.Record{rec(at-10, "alice", "bob", "t", "done")}, []samp.Record{rec(at-60, "alice", "bob", "t", "May I drop it?")}, "alice: May I drop it?", true},
		"from somebody else":     {[]samp.Record{rec(at-10, "alice", "bob", "t", "done")}, []samp.Record{rec(at-60, "carol", "bob", "t", "Merge?")}, "carol: Merge?", true},
		"an old one":             {[]samp.Record{rec(at-300*24*3600, "alice", "bob", "t", "Deployed.")}, []samp.Record{rec(at-301*24*3600, "alice", "bob", "t", "Deploy?")}, "alice: Deploy?", true},
		"the newest of two":      {[]samp.Record{rec(at-10, "alice", "bob", "t", "done")}, []samp.Record{rec(at-60, "alice", "bob", "t", "One?"), rec(at-50, "alice", "bob", "t", "Two?")}, "alice: Two?", true},
		"and words after it":     {[]samp.Record{rec(at-10, "alice", "bob", "t", "done")}, []samp.Record{rec(at-60, "alice", "bob", "t", "One?"), rec(at-50, "alice", "bob", "t", "FYI: it is red.")}, "alice: One?", true},
		"no question":            {[]samp.Record{rec(at-10, "alice", "bob", "t", "done")}, []samp.Record{rec(at-60, "alice", "bob", "t", "FYI: it is red.")}, "", false},
		"to somebody else":       {[]samp.Record{rec(at-10, "alice", "bob", "t", "done")}, []samp.Record{rec(at-60, "alice", "carol", "t", "Merge?")}, "", false},
		"the user has the word":  {[]samp.Record{rec(at-10, "bob", "alice", "t", "done")}, []samp.Record{rec(at-60, "alice", "bob", "t", "Merge?")}, "", false},
		"others have the word":   {[]samp.Record{rec(at-10, "alice", "carol", "t", "done")}, []samp.Record{rec(at-60, "alice", "bob", "t", "Merge?")}, "", false},
		"newer than what is new": {[]samp.Record{rec(at-60, "alice", "bob", "t", "done")}, []samp.Record{rec(at-10, "alice", "bob", "t", "Merge?")}, "alice: Merge?", true},
	} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, t.TempDir())
			for _, r := range c.before {
				o.write(r)
			}
			ref := threadIn(o, "t")
			mark := func() {
				t.Helper()
				if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{ref}, Read: true}); err != nil {
					t.Fatal(err)
				}
			}
			mark()
			for _, r := range c.late {
				o.write(r)
			}
			for _, when := range []string{"came", "restarted"} {
				o.needReply(when, map[bool][]string{true: {"t"}}[c.reply]...)
				page, err := o.Needs(t.Context(), panel.NeedsParams{})
				got := ""
				if len(page.Items) > 0 && page.Items[0].Question != nil {
					q := page.Items[0].Question
					got = q.From + ": " + q.Text
				}
				if err != nil || got != c.want {
					t.Errorf("%s: %q, %v", when, got, err)
				}
				open := 0
				for _, m := range o.thread(panel.ThreadParams{Ref: ref}).Messages {
					if m.Asked == panel.AskedOpen && !m.Mine {
						open++
					}
				}
				if want := map[bool]int{true: 1}[c.want != ""]; open != want {
					t.Errorf("%s: the thread shows %d open questions", when, open)
				}
				o.reopen(panel.Settings{Alias: "bob"})
			}
			if mark(); name != "newer than what is new" {
				o.needReply("read")
			}
		})
	}
}

// TestNoReplyNeeded dismisses a thread until somebody writes to the user again.
func TestNoReplyNeeded(t *testing.T) {
	o := openOffice(t, t.TempDir())
	at := now.Unix()
	o.write(rec(at-60, "alice", "bob", "one", "Fix it?"))
	o.write(rec(at-50, "alice", "bob", "two", "Fix that."))
	one, two := threadIn(o, "one"), threadIn(o, "two")
	o.noReply(true, one, two)
	for _, when := range []string{"dismissed", "restarted"} {
		o.needReply(when)
		o.shows(when+": they stay where they are", panel.InboxFilter{}, "two", "one")
		if it := o.thread(panel.ThreadParams{Ref: one}).Thread; !it.NoReply || it.NeedsReply || it.Question != nil || it.Unread != 1 {
			t.Errorf("%s: %+v", when, it)
		}
		o.reopen(panel.Settings{Alias: "bob"})
	}
	o.noReply(false, two)
	o.needReply("taken back", "two")
	o.noReply(true, two)
	o.write(rec(at-40, "bob", "alice", "two", "By the way"))
	o.needReply("the user wrote on")
	o.write(rec(at-30, "alice", "bob", "two", "And?"))
	o.needReply("a newer message", "two")
	o.archive(true, one)
	o.archive(false, one)
	o.needReply("archived and taken back", "two")
	o.snooze(now.UnixMilli()+1000, one)
	o.noReply(true, one)
	o.shows("a snoozed one stays away", panel.InboxFilter{}, "two")
	o.at.Add(2000)
	o.needReply("back from snooze, as asked for", "two", "one")
	o.noReply(true, one)
	o.needReply("dismissed again", "two")
	// What is no longer new needs no reply when its time is over, without a change on disk.
	o.at.Add((panel.NeedsReplyFor + time.Hour).Milliseconds())
	o.needReply("two weeks later", "two")
	yes, no := true, false
	if _, err := o.Shelve(t.Context(), panel.ShelveParams{Refs: []panel.Ref{one}, NoReply: &yes, Archived: &no}); err == nil {
		t.Error("two things at once")
	}
}

func (o *clocked) noReply(on bool, refs ...panel.Ref) {
	o.t.Helper()
	if _, err := o.Shelve(o.t.Context(), panel.ShelveParams{Refs: refs, NoReply: &on}); err != nil {
		o.t.Fatal(err)
	}
}

// needReply checks which threads need a reply, in lists of every order, and their number.
func (o *clocked) needReply(when string, want ...string) {
	o.t.Helper()
	for _, f := range []panel.InboxFilter{{NeedsReply: true}, {NeedsReply: true, Everywhere: true}, {}} {
		page, got := o.inbox(f), []string{}
		for _, it := range page.Threads {
			if it.NeedsReply {
				got = append(got, it.Name)
			} else if f.NeedsReply {
				got = append(got, it.Name+" without need")
			}
		}
		if diff := gocmp.Diff(append([]string{}, want...), got); diff != "" || page.NeedsReply != len(want) {
			o.t.Errorf("%s, %+v: %d need a reply (-want +got):\n%s", when, f, page.NeedsReply, diff)
		}
	}
}
