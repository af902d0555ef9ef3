package door_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestEndedWhileItWaited lists an agent that ended while it waited, by its session's end or with
// its process, with what it waited for, until it goes on.
func TestEndedWhileItWaited(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "me"}, nil)
	d.session("left", activity.Waiting, "permission: make deploy", "/w", 2*time.Hour)
	d.session("left", activity.Ended, "", "/w", time.Hour)
	d.session("killed", activity.Waiting, "permission: make test", "/w", 3*time.Hour)
	err := d.sessions().Change(t.Context(), "claude", "killed", func(s *activity.Session) bool {
		s.Process = activity.Process{PID: 1 << 22, Start: "never"}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	d.session("done", activity.Idle, "", "/w", time.Hour)
	d.session("done", activity.Ended, "", "/w", time.Hour)
	listed := func(want ...string) {
		t.Helper()
		var page panel.NeedsPage
		d.await(fmt.Sprint(want), func() bool {
			page = d.needs(0)
			return cmp.Equal(append([]string(nil), want...), needNames(&page))
		})
		if page.Blocked != len(want) {
			t.Errorf("%d are blocked", page.Blocked)
		}
	}
	listed("agent killed ended permission: make test", "agent left ended permission: make deploy")
	d.session("left", activity.Working, "", "/w", 0)
	listed("agent killed ended permission: make test")
}

// TestPutAwayAgent snoozes and archives the thread of an agent that waits: its row goes until
// then, and what it waits for later is listed.
func TestPutAwayAgent(t *testing.T) {
	w := newWaiting(t)
	listed := func(when string, want int) {
		t.Helper()
		page := w.needs(0)
		if page.Total != want || len(page.Items) != want {
			t.Errorf("%s: %d of %d: %q", when, len(page.Items), page.Total, needNames(&page))
		}
	}
	listed("it waits", 1)
	until := w.at.Load() + time.Hour.Milliseconds()
	shelve := func(q panel.ShelveParams) {
		t.Helper()
		q.Refs = []panel.Ref{w.thread}
		if _, err := w.Shelve(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	shelve(panel.ShelveParams{SnoozeUntil: &until})
	listed("snoozed", 0)
	w.at.Add(time.Hour.Milliseconds() + 1)
	listed("back", 1)
	yes := true
	shelve(panel.ShelveParams{Archived: &yes})
	listed("archived", 0)
	w.at.Add(1000)
	w.ask("make other")
	w.await("a later request", func() bool { return w.needs(0).Total == 1 })
}

// waiting is a user of whose agents one waits, with its own thread.
type waiting struct {
	*clocked
	thread panel.Ref
}

func newWaiting(t *testing.T) *waiting {
	t.Helper()
	c := newCheckout(t)
	c.recorded(waitingID)
	w := &waiting{clocked: openOffice(t, c.home, c.main)}
	for _, it := range w.inbox(panel.InboxFilter{Everywhere: true}).Threads {
		if it.Agent != nil && it.Agent.Session != nil {
			w.thread = it.Ref
		}
	}
	w.ask("make test")
	w.await("the request", func() bool { return w.needs(0).Total == 1 })
	return w
}

const waitingID = "5e551015-0000-4000-8000-000000000001"

func (w *waiting) ask(command string) {
	w.t.Helper()
	_, err := ask.At(w.env["XDG_STATE_HOME"]+"/signalbox").Put(w.t.Context(), ask.Request{
		Client: "claude", Session: waitingID, Kind: ask.Permission, Tool: "Bash", Since: w.at.Load(),
		Input: json.RawMessage(fmt.Sprintf(`{"command":%q}`, command)),
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
