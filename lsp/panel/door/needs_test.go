package door_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// sessions returns the folder in which hooks record what agents do.
func (d *testDoor) sessions() activity.Folder {
	return activity.At(filepath.Join(d.env["XDG_STATE_HOME"], "signalbox"))
}

// session records a session as a hook does. Its id is the alias.
func (d *testDoor) session(alias string, state activity.State, waitsFor, folder string, ago time.Duration) {
	d.t.Helper()
	err := d.sessions().Change(d.t.Context(), "claude", alias, func(s *activity.Session) bool {
		s.Alias, s.Folder = alias, folder
		s.Become(state, waitsFor, now.Add(-ago).UnixMilli())
		return true
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *testDoor) needs(limit int) panel.NeedsPage {
	d.t.Helper()
	d.ready()
	page, err := d.Needs(d.t.Context(), panel.NeedsParams{Limit: limit})
	if err != nil {
		d.t.Fatal(err)
	}
	return page
}

// await waits until the panels show something that they find out in the background.
func (d *testDoor) await(what string, ok func() bool) {
	d.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			d.t.Fatalf("waited in vain: %s", what)
		}
	}
}

// needNames returns all items in their order, in a few words. Unanswered items come last.
func needNames(page *panel.NeedsPage) (list []string) {
	for _, it := range slices.Concat(page.Items, page.Unanswered) {
		name := string(it.Kind) + " "
		switch {
		case it.Question != nil:
			name += it.Question.From + ": " + it.Question.Text + fmt.Sprint(it.Question.Options)
		case it.Reply != nil:
			name += it.Reply.LastFrom + ": " + it.Reply.Preview
		case it.Agent != nil:
			name += strings.TrimSpace(it.Agent.Alias + " " + string(it.Agent.State) + " " + it.Agent.For)
			if it.Agent.Unread > 0 {
				name += fmt.Sprint(", ", it.Agent.Unread, " unread")
			}
		case it.Escalation != nil:
			name += it.Escalation.Title
		case it.Overdue != nil:
			name += it.Overdue.Who
		}
		if it.Urgent {
			name = "! " + name
		}
		list = append(list, name)
	}
	return list
}

// TestNeeds lists what waits for the user: what is blocked, then questions, the longest waiting
// first, and unanswered mail, newest first.
func TestNeeds(t *testing.T) {
	at := now.Unix()
	b := newBoard(t, panel.Settings{Alias: "me"})
	b.mail("bob", rec(at-400, "bob", "me", "licence", "Which licence?\n\n- [ ] MIT\n- [ ] BSD"))
	b.mail("ann", rec(at-500, "ann", "me", "urgent", "Urgent: may I drop the table?"), rec(at-300, "ann", "me", "plain", "Fix the build."), rec(at-310, "ann", "me", "perhaps", "It is red."))
	b.mail("me", rec(at-250, "me", "idle", "todo", "Look at this."))
	b.session("waiter", activity.Waiting, "Bash <b>\u202e", "/elsewhere", time.Minute)
	b.session("idle", activity.Idle, "", b.opened(), time.Hour)
	b.session("content", activity.Idle, "", "/elsewhere", time.Hour)
	b.session("worker", activity.Working, "", "/elsewhere", time.Hour)
	b.session("gone", activity.Ended, "", "/elsewhere", time.Minute)
	b.millis -= int64(200 * time.Second / time.Millisecond)
	b.put(chain(t)[0])
	b.escalate("T-2026-044", agn.Warning, "a warning")
	b.escalate("T-2026-044", agn.Critical, "a critical one")
	b.escalate("T-2026-044", agn.Warning, "a later warning")
	b.ready()
	b.await("the mail of an idle agent", func() bool {
		page := b.needs(0)
		return strings.Contains(fmt.Sprint(needNames(&page)), "1 unread")
	})
	page := b.needs(0)
	var overdue []string
	for _, it := range page.Items {
		if it.Overdue != nil {
			overdue = append(overdue, "overdue "+it.Overdue.Who)
		}
	}
	want := append(overdue,
		"escalation a warning",
		"! escalation a critical one",
		"escalation a later warning",
		"! agent waiter waiting Bash <b>⟨U+202E⟩",
		"! question ann: Urgent: may I drop the table?[]",
		"question bob: Which licence?[MIT BSD]",
		"reply ann: Fix the build.",
		"reply ann: It is red.",
		"agent idle idle, 1 unread",
	)
	if diff := cmp.Diff(want, needNames(&page)); diff != "" {
		t.Error(diff)
	}
	if page.Blocked != len(overdue)+4 || page.Questions != 2 || page.UnansweredTotal != 3 || page.Total != len(page.Items) || len(page.Warnings) != 0 {
		t.Errorf("%d, %d, %d, %v", page.Blocked, page.Questions, page.UnansweredTotal, page.Warnings)
	}
	if part := b.needs(2); part.Total != page.Total || cmp.Diff(append(want[:2:2], "reply ann: Fix the build.", "reply ann: It is red."), needNames(&part)) != "" {
		t.Errorf("%+v", part)
	}

	// It has answered, read and been allowed: only what is left needs the user.
	b.mail("me", rec(at-10, "me", "bob", "licence", "MIT"))
	b.session("waiter", activity.Working, "", "/elsewhere", 0)
	b.session("idle", activity.Working, "", "/elsewhere", 0)
	if page = b.needs(0); page.Total != len(want)-5 || page.UnansweredTotal != 2 {
		t.Errorf("%q of %d", needNames(&page), page.Total)
	}

	// What was acknowledged still needs the user, and is not urgent.
	for _, it := range page.Items {
		if it.Escalation != nil && it.Urgent {
			if _, err := b.Ack(t.Context(), panel.AckParams{Ref: it.Escalation.Ref, ClientToken: "1"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.ready()
	if after := b.needs(0); after.Total != page.Total || !slices.Contains(needNames(&after), "escalation a critical one") {
		t.Errorf("%q of %d", needNames(&after), after.Total)
	}
}

// opened returns the folder that stands in for an opened one.
func (d *testDoor) opened() string { return filepath.Dir(d.dir) }

// mail appends records to a log.
func (d *testDoor) mail(from string, records ...samp.Record) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.dir, "log-"+from+".jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for i := range records {
		if _, err := f.Write(records[i].Append(nil)); err != nil {
			d.t.Fatal(err)
		}
	}
}

// TestIdleMail counts the mail of an idle agent in the background: when it comes, and
// when the agent reads it.
func TestIdleMail(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "me"}, map[string][]samp.Record{"log-me.jsonl": {
		rec(now.Unix()-9, "me", "coder", "a", "one"), rec(now.Unix()-8, "me", "coder", "a", "two"),
	}})
	d.session("coder", activity.Idle, "", filepath.Join(d.opened(), "src"), time.Hour)
	d.session("other", activity.Idle, "", "/r", time.Hour)
	d.ready()
	unread := func() int {
		page, err := d.Agents(t.Context(), panel.AgentsParams{})
		if err != nil || len(page.Agents) > 2 {
			t.Fatalf("%+v %v", page, err)
		}
		n := 0
		for _, a := range page.Agents {
			n += a.Unread
		}
		return n
	}
	d.await("two messages", func() bool { return unread() == 2 })
	if page := d.needs(0); page.Total != 0 || page.UnansweredTotal != 1 {
		t.Errorf("%+v", page)
	}
	if err := os.WriteFile(filepath.Join(d.dir, samp.WatermarkName("coder")), []byte(fmt.Sprintf(`{"ts": %d}`, now.Unix()-1)), 0o600); err != nil {
		t.Fatal(err)
	}
	d.mail("me", rec(now.Unix()-7, "me", "bob", "b", "for another"))
	d.await("none", func() bool { return unread() == 0 })
	if page := d.needs(0); page.UnansweredTotal != 0 {
		t.Errorf("%+v", page)
	}
}

// TestIdleMailOnce counts the mail of an alias at one of its idle sessions: at the one that
// became idle last.
func TestIdleMailOnce(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "me"}, map[string][]samp.Record{"log-me.jsonl": {rec(now.Unix()-9, "me", "coder", "a", "one")}})
	for id, ago := range map[string]time.Duration{"first": 3 * time.Hour, "second": time.Hour, "third": 2 * time.Hour} {
		err := d.sessions().Change(t.Context(), "claude", id, func(s *activity.Session) bool {
			s.Alias, s.Folder = "coder", d.opened()
			s.Become(activity.Idle, "", now.Add(-ago).UnixMilli())
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	d.ready()
	d.await("the mail", func() bool { page := d.needs(0); return page.UnansweredTotal > 0 })
	page := d.needs(0)
	if page.Total != 0 || page.UnansweredTotal != 1 || len(page.Unanswered) != 1 || page.Unanswered[0].Agent.Key != "claude-second" {
		t.Errorf("%+v", page)
	}
}

// TestIdleElsewhere counts no mail for a session of another repository, which has the name
// of an agent here.
func TestIdleElsewhere(t *testing.T) {
	c := newCheckout(t)
	mail := map[string][]samp.Record{"log-me.jsonl": {}}
	for _, alias := range []string{"main", "tree", "beside", "above", "nowhere"} {
		mail["log-me.jsonl"] = append(mail["log-me.jsonl"], rec(now.Unix()-9, "me", alias, alias, "look"))
	}
	d := c.open(t, mail)
	d.session("main", activity.Idle, "", filepath.Join(c.main, "src"), time.Hour)
	d.session("tree", activity.Idle, "", c.worktree+string(filepath.Separator), time.Hour)
	d.session("beside", activity.Idle, "", c.main+"-other", time.Hour)
	d.session("above", activity.Idle, "", c.home, time.Hour)
	d.session("nowhere", activity.Idle, "", "", time.Hour)
	d.ready()
	if err := d.CountUnread(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := d.needs(0)
	if diff := cmp.Diff([]string{"agent main idle, 1 unread", "agent nowhere idle, 1 unread", "agent tree idle, 1 unread"}, needNames(&page)); diff != "" || page.UnansweredTotal != 3 {
		t.Errorf("%d: %s", page.Total, diff)
	}
}

// TestManySessions holds the limits: files that are no sessions are warnings, but for what a
// power cut left, and of 2,000 sessions a page lists 200.
func TestManySessions(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "me"}, nil)
	d.session("one", activity.Idle, "", "/r", 0)
	folder := d.sessions().Path
	for name, data := range map[string][]byte{
		"a.json": []byte("{"), "b.json": bytes.Repeat([]byte("x"), 1000), "c.json": []byte(`{"client":"claude","session":"../x","state":"idle"}`), "d.json": nil,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "e.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	page := d.needs(0)
	if len(page.Warnings) != 4 || page.Total != 0 || !strings.Contains(page.Warnings[0].Message, "a.json") {
		t.Errorf("%+v", page)
	}
	for i := range 2100 {
		id := fmt.Sprintf("s%04d", i)
		text := fmt.Sprintf(`{"client":"claude","session":%q,"alias":"x","state":"waiting","since":%d,"heard":%d,"folder":%q}`, id, now.UnixMilli()-int64(i), now.UnixMilli(), strings.Repeat("ü", 4000))
		if err := os.WriteFile(filepath.Join(folder, "claude-"+id+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	page = d.needs(200)
	if len(page.Items) != 200 || page.Total != page.Blocked || page.Total < 1990 || page.Items[0].Agent.Key < "claude-s19" {
		t.Errorf("%d of %d, %s", len(page.Items), page.Total, page.Items[0].Agent.Key)
	}
	list, err := d.Agents(t.Context(), panel.AgentsParams{})
	if err != nil || len(list.Agents) != 200 || len(list.Warnings) != 5 {
		t.Errorf("%d, %v %v", len(list.Agents), list.Warnings, err)
	}
}
