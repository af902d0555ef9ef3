package receipt_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/receipt"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// TestOf finds out what became of a message by the receiver's watermark, the answers, and the
// hooks' reports about the agents that read under the name.
func TestOf(t *testing.T) {
	sent := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	message := samp.Found{Record: samp.Record{TS: sent.Unix(), From: "dev", To: "coder", Thread: "t"}, Key: "0123456789abcdef"}
	told := []string{"dev:0123456789abcdef"}
	read := samp.Watermark{TS: sent.Unix() + 1}
	agent := func(state activity.State, told ...string) activity.Session {
		return activity.Session{Client: "claude", ID: "s", Alias: "coder", State: state, Notified: told}
	}
	also := agent(activity.Idle, told...)
	also.Alias, also.Also = "shop-coder", "coder"
	other := agent(activity.Ended)
	other.Mail = "/elsewhere"
	reviewer := agent(activity.Idle, told...)
	reviewer.Alias = "reviewer"
	for _, c := range []struct {
		name     string
		sessions []activity.Session
		mark     *samp.Watermark
		log      bool
		person   string
		answered int64
		after    time.Duration
		want     string
	}{
		{name: "it waits", log: true, want: "not read yet"},
		{name: "of an agent at work", sessions: []activity.Session{agent(activity.Working)}, want: "not read yet"},
		{name: "told", sessions: []activity.Session{agent(activity.Working, told...)}, want: "coder was told of it"},
		{name: "told, and it sits idle for hours", sessions: []activity.Session{agent(activity.Idle, told...)}, after: 3 * time.Hour, want: "coder was told of it"},
		{name: "told under its other name", sessions: []activity.Session{also}, want: "coder was told of it"},
		{name: "another agent was told", sessions: []activity.Session{reviewer}, log: true, want: "not read yet"},
		{name: "told, and ended", sessions: []activity.Session{agent(activity.Ended, told...)}, log: true, want: "nobody reads this: coder has ended"},
		{name: "ended", sessions: []activity.Session{agent(activity.Ended)}, want: "nobody reads this: coder has ended"},
		{name: "one of two ended", sessions: []activity.Session{agent(activity.Ended, told...), agent(activity.Idle)}, want: "not read yet"},
		{name: "one of that name, with other mail, ended", sessions: []activity.Session{other}, log: true, want: "not read yet"},
		{name: "read", mark: &read, want: "read by coder"},
		{name: "read, then ended", sessions: []activity.Session{agent(activity.Ended)}, mark: &read, want: "read by coder"},
		{name: "answered", mark: &read, answered: sent.Add(time.Minute).UnixMilli(), want: "answered by coder 12:01"},
		{name: "answered without a mark", answered: sent.Add(time.Minute).UnixMilli(), want: "answered by coder 12:01"},
		{name: "nobody ever", want: "nobody reads this: there has never been a coder"},
		{name: "nobody ever, for hours", after: 2 * time.Hour, want: "nobody reads this: there has never been a coder"},
		{name: "the person, who never wrote", person: "coder", want: "not read yet"},
		{name: "for less than an hour", log: true, after: 59 * time.Minute, want: "not read yet"},
		{name: "for an hour", log: true, after: time.Hour, want: "nobody reads this: it waits since 12:00"},
		{name: "for an hour, of an agent at work", sessions: []activity.Session{agent(activity.Working)}, after: time.Hour, want: "nobody reads this: it waits since 12:00"},
		{name: "before a clock that was set back", log: true, after: -3 * time.Hour, want: "not read yet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if c.mark != nil {
				write(t, filepath.Join(dir, samp.WatermarkName("coder")), string(c.mark.Append(nil)))
			}
			if c.log {
				write(t, filepath.Join(dir, samp.LogName("coder")), "")
			}
			marks, err := sampstore.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer marks.Close()
			track := receipt.Tracker{
				Reach: agents.NewReaching(c.sessions, 0, dir, func() []who.Known { return nil }), Marks: marks, Person: c.person, Now: sent.Add(c.after),
			}
			if c.mark != nil {
				track.Now = sent.Add(time.Minute)
			}
			r := track.Of(&message, c.answered)
			if got := r.Words(func(ms int64) string { return time.UnixMilli(ms).UTC().Format("15:04") }); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestExpected: mail to the name of an existing work tree waits for an agent that begins to work
// in it.
func TestExpected(t *testing.T) {
	dir := t.TempDir()
	marks, err := sampstore.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer marks.Close()
	trees := func() []who.Known { return []who.Known{{Name: "reviewer", Tree: "/reviewer"}} }
	track := receipt.Tracker{Reach: agents.NewReaching(nil, 0, dir, trees), Marks: marks, Now: time.Unix(1000, 0)}
	for to, want := range map[string]string{"reviewer": "not read yet", "nobody": "nobody reads this: there has never been a nobody"} {
		r := track.Of(&samp.Found{Record: samp.Record{TS: 1000, From: "dev", To: to}, Key: "0123456789abcdef"}, 0)
		if got := r.Words(nil); got != want {
			t.Errorf("%s: %s", to, got)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
