package door_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestNeedsAgree changes stores of all formats, and what the user and the agents did, at random.
// The counts are always those of the rows, and a shorter page is the beginning of a longer one.
func TestNeedsAgree(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			w := newNeedy(t, rand.New(rand.NewPCG(seed, 38)))
			w.agree("at first")
			for range 40 {
				what := w.change()
				w.ready()
				if err := w.CountUnread(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.agree(what)
			}
		})
	}
}

// needy is a user with stores of all formats.
type needy struct {
	*clocked
	*rand.Rand
	post  *post
	board *board
	n     int // of messages
}

func newNeedy(t *testing.T, r *rand.Rand) *needy {
	t.Helper()
	c := newCheckout(t)
	c.append(mainThread, `{"id":"s1","role":"agent","timestamp":"2026-11-21T11:00:00.000Z","content":[],"toolCalls":[{"toolCallId":"t1","name":"Bash","title":"npm test","status":"pending"}]}`)
	w := &needy{Rand: r}
	w.post = &post{home: c.home, root: filepath.Join(c.home, ".agent-messaging"), testDoor: &testDoor{t: t}}
	w.post.init("bob", bob)
	w.post.init("dora", dora)
	w.board = &board{home: c.home, ssot: filepath.Join(c.home, ".ssot"), millis: now.Add(-time.Hour).UnixMilli(), testDoor: &testDoor{t: t}}
	w.board.put(chain(t)[0])
	w.clocked = openOffice(t, c.home, c.main)
	w.post.testDoor = w.testDoor
	return w
}

// one returns one of several.
func one[T any](w *needy, list ...T) T { return list[w.IntN(len(list))] }

// change does something, and says what.
func (w *needy) change() string {
	w.t.Helper()
	w.n++
	ago := time.Duration(w.IntN(15*24*60)) * time.Minute
	text := one(w, "Which licence?", "Urgent: may I?", "It is red.", "Thanks.", "Please look at it.", which)
	alias := one(w, "a", "b", "c")
	switch one(w, "mail", "mail", "signed", "signed", "escalation", "session", "session", "request", "shelve", "shelve", "shelve", "read", "time") {
	case "mail":
		from := one(w, "ann", "bob", "carl")
		to := map[string]string{"bob": alias}[from]
		if to == "" {
			to = "bob"
		}
		w.write(rec(now.Add(-ago).Unix(), from, to, fmt.Sprint("t", w.IntN(12)), fmt.Sprint(text, "\n\n", w.n)))
		return "mail"
	case "signed":
		w.post.letter("dora", now.Add(-ago).Add(time.Duration(w.n)*time.Second), ampstore.Letter{
			To: bob, Subject: fmt.Sprint("s", w.n), Text: text, Priority: one(w, amp.Urgent, "normal"), Type: one(w, "request", "response", "status"),
		})
		return "signed mail"
	case "escalation":
		w.board.escalate("T-2026-044", one(w, agn.Critical, agn.Warning, agn.Info), "help")
		return "an escalation"
	case "session":
		w.session(alias, one(w, activity.Waiting, activity.Idle, activity.Working, activity.Ended), "Bash", w.home, ago%(20*time.Hour))
		return "a session"
	case "request":
		r := ask.Request{Kind: ask.Permission, Tool: "Bash", Input: json.RawMessage(fmt.Sprintf(`{"command":"echo %d"}`, w.n))}
		if w.IntN(2) == 0 {
			r.Kind, r.Questions = ask.Question, []ask.Asked{{Text: "Which?", Options: []ask.Option{{Label: "MIT"}}}}
		}
		w.asks(alias, r)
		return "a request"
	case "shelve":
		return w.shelve()
	case "read":
		w.all(true)
		return "all is read"
	}
	w.at.Add(int64(w.IntN(int(2 * time.Hour / time.Millisecond))))
	return "time goes by"
}

// shelve puts a thread away or takes it back.
func (w *needy) shelve() string {
	w.t.Helper()
	list := w.inbox(panel.InboxFilter{Everywhere: true}).Threads
	if len(list) == 0 {
		return "nothing"
	}
	yes, until := w.IntN(3) > 0, w.at.Load()+int64(time.Hour/time.Millisecond)
	q := panel.ShelveParams{Refs: []panel.Ref{one(w, list...).Ref}}
	switch w.IntN(3) {
	case 0:
		q.Archived = &yes
	case 1:
		q.SnoozeUntil = &until
	default:
		q.NoReply = &yes
	}
	if _, err := w.Shelve(w.t.Context(), q); err != nil {
		w.t.Fatal(err)
	}
	return fmt.Sprintf("shelved: %+v", q)
}

// all marks all mail as read.
func (w *needy) all(read bool) {
	w.t.Helper()
	var refs []panel.Ref
	for _, it := range w.inbox(panel.InboxFilter{Unread: true}).Threads {
		if it.Unread > 0 {
			refs = append(refs, it.Ref)
		}
	}
	if _, err := w.SetRead(w.t.Context(), panel.ReadParams{Refs: refs, Read: read}); err != nil {
		w.t.Fatal(err)
	}
}

// agree checks the rows, their order and every count. What agents do is followed in the
// background, so that a list may be older than the next: only a fault that stays is one.
func (w *needy) agree(what string) {
	w.t.Helper()
	faults := w.faults()
	for deadline := time.Now().Add(5 * time.Second); len(faults) > 0 && time.Now().Before(deadline); {
		faults = w.faults()
	}
	for _, f := range faults {
		w.t.Errorf("%s: %s", what, f)
	}
}

func (w *needy) faults() (list []string) {
	fault := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	whole := w.needs(panel.MaxNeeds)
	if whole.Items == nil || whole.Unanswered == nil {
		fault("there is no list")
	}
	counts := make(map[panel.NeedSection]int)
	for i, it := range whole.Items {
		counts[it.Section]++
		if i > 0 && whole.Items[i-1].Section == it.Section && whole.Items[i-1].Time > it.Time {
			fault("row %d has waited longer than the one before it", i)
		}
	}
	for i, it := range whole.Unanswered {
		counts[it.Section]++
		if i > 0 && whole.Unanswered[i-1].Time < it.Time {
			fault("unanswered row %d is newer than the one before it", i)
		}
	}
	want := map[panel.NeedSection]int{panel.SectionBlocked: whole.Blocked, panel.SectionQuestions: whole.Questions, panel.SectionUnanswered: whole.UnansweredTotal}
	for section, n := range want {
		if counts[section] != n {
			fault("%d %s are counted, and %d listed: %q", n, section, counts[section], needNames(&whole))
		}
	}
	status, err := w.Status(w.t.Context())
	if err != nil || status.Needs != whole.Total || whole.Total != len(whole.Items) {
		fault("%d of %d, and the status says %d, %v", len(whole.Items), whole.Total, status.Needs, err)
	}
	for _, limit := range []int{1, 3, 8} {
		part := w.needs(limit)
		cut := whole
		cut.Items, cut.Unanswered = whole.Items[:min(limit, len(whole.Items))], whole.Unanswered[:min(limit, len(whole.Unanswered))]
		if diff := cmp.Diff(needNames(&cut), needNames(&part)); diff != "" || part.Total != whole.Total || part.UnansweredTotal != whole.UnansweredTotal {
			fault("at most %d: %s", limit, diff)
		}
	}
	return list
}
