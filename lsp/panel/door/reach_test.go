package door_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestReach says in each list how an agent is reached, by what the server alone decides.
func TestReach(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "me"}, map[string][]samp.Record{
		"log-coder.jsonl": {rec(now.Unix()-100, "coder", "me", "licence", "Which licence?")},
	})
	ctx := t.Context()
	d.session("worker", activity.Working, "", "/elsewhere", time.Minute)
	d.session("gone", activity.Ended, "", "/elsewhere", time.Minute)
	d.session("coder", activity.Idle, "", "/elsewhere", time.Hour)
	d.session("other", activity.Idle, "", "/elsewhere", time.Hour)
	change := func(alias string, change func(*activity.Session)) {
		t.Helper()
		if err := d.sessions().Change(ctx, "claude", alias, func(s *activity.Session) bool { change(s); return true }); err != nil {
			t.Fatal(err)
		}
		d.ready()
	}
	change("coder", func(s *activity.Session) { s.Process = activity.Self() })
	change("other", func(s *activity.Session) { s.Mail = "/another/directory" })
	reached := func() (list []string) {
		t.Helper()
		page, err := d.Agents(ctx, panel.AgentsParams{All: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range page.Agents {
			list = append(list, a.Alias+" "+string(a.Reach))
		}
		slices.Sort(list)
		return list
	}
	offered := func() (list []string) {
		t.Helper()
		c, err := d.ComposeContext(ctx, panel.ComposeParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range c.Recipients {
			list = append(list, fmt.Sprintf("%s %s: %s", r.Alias, r.Reach, r.Doing))
		}
		done, err := d.Complete(ctx, panel.CompleteParams{Kind: panel.CompleteRecipient, Prefix: "o"})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range done.Items {
			list = append(list, "completes "+it.Text+": "+it.Detail)
		}
		return list
	}
	reply := func() panel.ComposeContext {
		t.Helper()
		list, err := d.Inbox(ctx, panel.InboxParams{})
		if err != nil || len(list.Threads) != 1 {
			t.Fatal(err, list.Threads)
		}
		c, err := d.ComposeContext(ctx, panel.ComposeParams{Ref: &list.Threads[0].Ref})
		if err != nil || c.Draft == nil {
			t.Fatal(err)
		}
		return c
	}
	want := func(what string, got []string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	want("no window", reached(), "coder wait", "gone continue", "other ", "worker send")
	want("no window", offered(),
		"coder wait: idle, until somebody goes on there", "worker send: working",
		"completes worker: working", "completes coder: idle, until somebody goes on there")
	if _, err := d.SetTerminals(ctx, panel.TerminalsParams{Shells: []int{os.Getpid()}}); err != nil {
		t.Fatal(err)
	}
	want("in the window", reached(), "coder type", "gone continue", "other ", "worker send")
	if c := reply(); c.Draft.To != "coder" || c.Reach != panel.ReachType {
		t.Errorf("%+v", c)
	}
	// Of two coders it is the one that reads the mail of here.
	d.session("twin", activity.Working, "", "/elsewhere", time.Minute)
	change("twin", func(s *activity.Session) { s.Alias, s.Mail = "coder", "/another/directory" })
	coder := reply().Agent
	if coder == nil || coder.Alias != "coder" || coder.State != panel.AgentIdle {
		t.Fatalf("the reply reaches %+v", coder)
	}
	needs, err := d.Needs(ctx, panel.NeedsParams{})
	if err != nil {
		t.Fatal(err)
	}
	asks := slices.IndexFunc(needs.Items, func(it panel.NeedItem) bool { return it.Question != nil })
	if asks < 0 || needs.Items[asks].From == nil || needs.Items[asks].From.Key != coder.Key {
		t.Errorf("the question is from another agent: %+v", needs.Items)
	}
	change("twin", func(s *activity.Session) { s.Alias = "twin" })
	change("coder", func(s *activity.Session) { s.Waiter = activity.Self() })
	want("with a waiter", reached(), "coder wake", "gone continue", "other ", "twin ", "worker send")
	if c := reply(); c.Reach != panel.ReachWake {
		t.Errorf("%+v", c)
	}
	change("coder", func(s *activity.Session) { s.State = activity.Ended })
	if c := reply(); c.Draft.To != "coder" || c.Reach != panel.ReachBegin || c.Agent != nil {
		t.Errorf("mail to one that has ended: %+v", c)
	}
	change("coder", func(s *activity.Session) { s.State = activity.Idle })
	for to, want := range map[string]panel.Reach{"coder": panel.ReachWake, "worker": panel.ReachSend, "gone": panel.ReachContinue, "nobody": ""} {
		sent, err := d.Send(ctx, panel.SendParams{Draft: panel.Draft{To: to, Body: "hello " + to}, ClientToken: to})
		if err != nil || sent.Reach != want {
			t.Errorf("%s: %+v, %v", to, sent, err)
		}
	}
}

// recorded is a session of Claude Code in the checkout, an hour old.
func (c *checkout) recorded(id string) {
	c.tb.Helper()
	at := now.Add(-time.Hour).Format(time.RFC3339Nano)
	line := fmt.Sprintf(`{"type":"user","uuid":"u1","sessionId":%q,"cwd":%q,"gitBranch":"main","version":"2.1.330","timestamp":%q,"message":{"role":"user","content":"Mend the login page."}}`, id, c.main, at) + "\n"
	line += fmt.Sprintf(`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"id":"m1","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"Done."}]}}`, id, c.main, at) + "\n"
	folder := c.home + "/.claude/projects/" + strings.NewReplacer("/", "-", ".", "-").Replace(c.main)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		c.tb.Fatal(err)
	}
	if err := os.WriteFile(folder+"/"+id+".jsonl", []byte(line), 0o600); err != nil {
		c.tb.Fatal(err)
	}
}

// TestNamedTrees: mail to the name of a work tree waits for whoever begins to work there, and all
// lists say so alike. Where the workspace is not trusted none of its files names anybody.
func TestNamedTrees(t *testing.T) {
	c := newCheckout(t)
	if err := os.WriteFile(c.worktree+"/.agent-message", []byte("sound\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, receipt, warning string
		settings               panel.Settings
		reach                  panel.Reach
		offered                []string
		folder, home           string
	}{
		{
			name: "trusted", settings: panel.Settings{Alias: "me"}, folder: c.main, home: c.home + "/a",
			receipt: "not read yet", reach: panel.ReachBegin, offered: []string{"shop begin", "sound begin"},
		},
		{
			name: "not trusted", settings: panel.Settings{Alias: "me", ReadOnly: true}, folder: c.main, home: c.home + "/b",
			receipt: "nobody reads this: there has never been a sound", warning: `nobody here has written or been written to as "shop" yet`, offered: []string{"sound "},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := testDoorIn(t, c.home)
			d.open(c.home, c.settings, []string{c.folder}, map[string][]samp.Record{"log-me.jsonl": {rec(now.Unix()-100, "me", "sound", "noise", "It hums.")}})
			d.ready()
			ref := d.inbox(panel.InboxFilter{Protocol: "samp"}).Threads[0].Ref
			m := d.thread(panel.ThreadParams{Ref: ref}).Messages[0]
			if got := m.Receipt.Words(func(int64) string { return "" }); got != c.receipt {
				t.Error(got)
			}
			draft, err := d.ComposeContext(t.Context(), panel.ComposeParams{Ref: &ref})
			if err != nil || draft.Draft.To != "sound" || draft.Reach != c.reach {
				t.Errorf("%+v, %v", draft, err)
			}
			var offered []string
			for _, r := range draft.Recipients {
				offered = append(offered, r.Alias+" "+string(r.Reach))
			}
			if slices.Sort(offered); !slices.Equal(offered, c.offered) {
				t.Error(offered)
			}
			preview, err := d.ComposePreview(t.Context(), panel.Draft{To: "shop", Body: "hello"})
			if err != nil {
				t.Fatal(err)
			}
			warning := ""
			for _, w := range preview.Warnings {
				if w.Field == "to" {
					warning = w.Message
				}
			}
			if warning != c.warning {
				t.Error(warning)
			}
		})
	}
}

// TestContinue: a session that has ended goes on by its program's own command, with a text as
// one word; one whose program has no hooks and is at work cannot be reached.
func TestContinue(t *testing.T) {
	const id = "0199aa00-1111-4222-8333-944455556666"
	c := newCheckout(t)
	d := testDoorIn(t, c.home)
	c.recorded(id)
	d.open(c.home, panel.Settings{Alias: "me"}, []string{c.main}, nil)
	thread := func() panel.ThreadItem {
		t.Helper()
		d.ready()
		page, err := d.Inbox(t.Context(), panel.InboxParams{})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(page.Threads, func(i panel.ThreadItem) bool { return i.Agent != nil && i.Agent.Session != nil })
		if at < 0 {
			t.Fatalf("no session: %+v", page.Threads)
		}
		return page.Threads[at]
	}
	it := thread()
	if it.Agent.Session.Reach != panel.ReachContinue {
		t.Errorf("%+v", it.Agent.Session)
	}
	got, err := d.Continue(t.Context(), panel.ContinueParams{Ref: it.Ref, Text: "Go on; `touch pwned`"})
	if err != nil || !got.Taken || got.Folder != c.main || !slices.Equal(got.Words, []string{"claude", "--resume", id, "Go on; `touch pwned`"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := d.Continue(t.Context(), panel.ContinueParams{Ref: it.Ref}); err != nil || got.Taken || !slices.Equal(got.Words, []string{"claude", "--resume", id}) {
		t.Errorf("%+v, %v", got, err)
	}
	// With hooks that tell that it goes on.
	if err := d.sessions().Change(t.Context(), "claude", id, func(s *activity.Session) bool {
		s.Alias, s.Folder, s.Worktree = "shop", c.main, c.main
		s.Become(activity.Working, "", now.UnixMilli())
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if it := thread(); it.Agent.Session.Reach != panel.ReachSend {
		t.Errorf("%+v", it.Agent.Session)
	}
	if got, err := d.Continue(t.Context(), panel.ContinueParams{Ref: it.Ref, Text: "Go on"}); err != nil || len(got.Words) > 0 {
		t.Errorf("a session under way: %+v, %v", got, err)
	}
	draft, err := d.ComposeContext(t.Context(), panel.ComposeParams{Ref: &it.Ref})
	if err != nil || draft.Reach != panel.ReachSend || draft.Draft.To != "shop" {
		t.Errorf("%+v, %v", draft, err)
	}
}
