package door_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/renderer/html"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// testDoor is a user with a message directory.
type testDoor struct {
	decides func() error // as panel.Options has it
	reader  panel.Reader // as panel.Options has it
	t       *testing.T
	dir     string
	env     map[string]string
	// person is the user's alias in their configuration.
	person string
	// browser is [panel.Options.Browser].
	browser bool
	*door.Panels
}

func newTestDoor(t *testing.T, s panel.Settings, logs map[string][]samp.Record) *testDoor {
	t.Helper()
	return openTestDoor(t, t.TempDir(), s, nil, logs)
}

// openTestDoor opens the panels with a message directory below home, in a workspace
// of some folders.
func openTestDoor(t *testing.T, home string, s panel.Settings, folders []string, logs map[string][]samp.Record) *testDoor {
	t.Helper()
	d := testDoorIn(t, home)
	d.open(home, s, folders, logs)
	return d
}

// newTestDoorAs is a testDoor of a person, where SIGNALBOX_AS may be set.
func newTestDoorAs(t *testing.T, person, variable string) *testDoor {
	t.Helper()
	home := t.TempDir()
	d := testDoorIn(t, home)
	d.person, d.env["SIGNALBOX_AS"] = person, variable
	d.open(home, panel.Settings{}, nil, nil)
	return d
}

func testDoorIn(t *testing.T, home string) *testDoor {
	dir := filepath.Join(home, "mail")
	return &testDoor{t: t, dir: dir, env: map[string]string{"XDG_STATE_HOME": filepath.Join(home, "state"), "AGENT_MESSAGE_DIR": dir}}
}

func (d *testDoor) open(home string, s panel.Settings, folders []string, logs map[string][]samp.Record) {
	t := d.t
	t.Helper()
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, records := range logs {
		var data []byte
		for i := range records {
			data = records[i].Append(data)
		}
		if err := os.WriteFile(filepath.Join(d.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.Panels = door.Open(panel.Options{
		Sources:  sources.All(),
		Env:      environ.Env{Getenv: func(k string) string { return d.env[k] }, Home: home, Work: home},
		Settings: s, Folders: folders, Version: "test", Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {}, Person: func() string { return d.person }, Decides: d.decides, Reader: d.reader, Browser: d.browser,
	})
	t.Cleanup(func() { _ = d.Close() })
	d.ready()
}

// ready waits until the directory was read.
func (d *testDoor) ready() {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	if err := d.Sync(ctx); err != nil {
		d.t.Fatal(err)
	}
}

func rec(ts int64, from, to, thread, body string) samp.Record {
	r, err := samp.Build(from, to, thread, body, ts, samp.V1)
	if err != nil {
		panic(err)
	}
	return r
}

func sample() map[string][]samp.Record {
	return map[string][]samp.Record{
		"log-alice.jsonl": {
			rec(1000, "alice", "bob", "release", "Is the **changelog** ready?"),
			rec(3000, "alice", "bob", "login", "Fix the login bug"),
		},
		"log-carol.jsonl": {
			rec(2000, "carol", "alice", "release", "not for bob"),
			rec(2500, "mallory", "bob", "release", "I claim to be somebody else"),
		},
	}
}

func TestInboxAndThread(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	ctx := t.Context()
	page, err := d.Inbox(ctx, panel.InboxParams{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Threads) != 1 || page.Threads[0].Name != "login" || page.NextCursor == "" || page.Unread != 2 || page.Suspicious != 1 {
		t.Fatalf("%+v", page)
	}
	page, err = d.Inbox(ctx, panel.InboxParams{Cursor: page.NextCursor})
	if err != nil || len(page.Threads) != 1 || page.Threads[0].Name != "release" || page.NextCursor != "" {
		t.Fatalf("%+v, %v", page, err)
	}
	thread, err := d.Thread(ctx, panel.ThreadParams{Ref: page.Threads[0].Ref})
	if err != nil {
		t.Fatal(err)
	}
	first := thread.Messages[0]
	if len(thread.Messages) != 2 || !strings.Contains(first.HTML, "<strong>changelog</strong>") || first.Trust.Level != "ok" || first.IDForm != "spaced" {
		t.Errorf("%+v", first)
	}
	if diff := cmp.Diff(panel.Origin{Log: "log-alice.jsonl", Line: 1}, first.Origin); diff != "" {
		t.Error(diff)
	}
	suspects, err := d.Inbox(ctx, panel.InboxParams{Filter: panel.InboxFilter{Suspicious: true}})
	if err != nil || len(suspects.Threads) != 1 {
		t.Fatalf("%+v, %v", suspects, err)
	}
	forged, err := d.Thread(ctx, panel.ThreadParams{Ref: suspects.Threads[0].Ref})
	if err != nil || forged.Messages[0].Trust.Level != "warn" {
		t.Errorf("%+v, %v", forged, err)
	}
}

func TestReadCounts(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	page, err := d.Inbox(t.Context(), panel.InboxParams{})
	if err != nil {
		t.Fatal(err)
	}
	counts, err := d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Threads[0].Ref}, Read: true})
	if err != nil || counts.Unread != 1 || counts.NeedsReply != 0 {
		t.Fatalf("%+v, %v", counts, err)
	}
	if _, err := os.Stat(filepath.Join(d.dir, ".seen-bob")); !errors.Is(err, os.ErrNotExist) {
		t.Error("opening a thread moved the watermark")
	}
	move := true
	counts, err = d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Threads[1].Ref}, Read: true, UpdateWatermark: &move})
	if err != nil || counts.Unread != 0 {
		t.Fatalf("%+v, %v", counts, err)
	}
	mark, err := os.ReadFile(filepath.Join(d.dir, ".seen-bob"))
	id := rec(3000, "alice", "bob", "login", "Fix the login bug").ID
	if want := `{"ts": 3000, "ids": ["` + id + `", "alice:` + id + `"]}`; err != nil || string(mark) != want {
		t.Errorf("watermark %s, want %s (%v)", mark, want, err)
	}
	counts, err = d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Threads[0].Ref}, Read: false})
	if err != nil || counts.Unread != 1 {
		t.Errorf("%+v, %v", counts, err)
	}
}

func TestSendOnceForEachToken(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	release := rec(1000, "alice", "bob", "release", "Is the **changelog** ready?")
	links, err := d.Resolve(t.Context(), []string{release.ID})
	if err != nil || links[0].Status != "found" {
		t.Fatalf("%+v, %v", links, err)
	}
	send := panel.SendParams{Draft: panel.Draft{Body: "[thread:x] Yes.", ReplyTo: links[0].Message}, ClientToken: "one"}
	first, err := d.Send(t.Context(), send)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Send(t.Context(), send)
	if err != nil || again != first {
		t.Errorf("%+v, then %+v, %v", first, again, err)
	}
	log, err := os.ReadFile(filepath.Join(d.dir, "log-bob.jsonl"))
	want := rec(now.Unix(), "bob", "alice", "release", "[thread:x] Yes.")
	if err != nil || string(log) != string(want.Append(nil)) {
		t.Errorf("T3: log holds %s, want %s (%v)", log, want.Append(nil), err)
	}
	if first.ThreadName != "release" || first.ID != want.ID {
		t.Errorf("%+v", first)
	}
}

func TestReadOnly(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob", ReadOnly: true}, sample())
	c, err := d.ComposeContext(t.Context(), panel.ComposeParams{})
	if err != nil || c.CanSend || c.Reason == "" {
		t.Errorf("%+v, %v", c, err)
	}
	_, sent := d.Send(t.Context(), panel.SendParams{Draft: panel.Draft{To: "alice", Body: "x"}, ClientToken: "t"})
	page, err := d.Inbox(t.Context(), panel.InboxParams{})
	if err != nil {
		t.Fatal(err)
	}
	_, marked := d.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{page.Threads[0].Ref}, Read: true})
	for _, err := range []error{sent, marked} {
		if e, ok := errors.AsType[*panel.Error](err); !ok || e.Kind != panel.Untrusted {
			t.Errorf("%v", err)
		}
	}
}

func TestPreviewObjects(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	for _, c := range []struct {
		name     string
		draft    panel.Draft
		can      bool
		rules    string
		severity string
	}{
		{"good", panel.Draft{To: "alice", Body: "hello"}, true, "", ""},
		{"L2/bad recipient", panel.Draft{To: "../x", Body: "hello"}, false, "L2", "error"},
		{"L2/unknown recipient", panel.Draft{To: "alise", Body: "hello"}, true, "L2", "warning"},
		{"R1/empty", panel.Draft{To: "alice", Body: " \n"}, false, "R1", "error"},
		{"R4/too long", panel.Draft{To: "alice", Body: strings.Repeat("é", samp.MaxBody+1)}, false, "R4", "error"},
		{"T1/prefix", panel.Draft{To: "alice", Body: "[thread:x] hello"}, true, "T1", "warning"},
		{"T3/prefix in a thread", panel.Draft{To: "alice", Thread: "t", Body: "[thread:x] hello"}, true, "T3", "warning"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := d.ComposePreview(t.Context(), c.draft)
			if err != nil {
				t.Fatal(err)
			}
			var rules, severity string
			for _, w := range got.Warnings {
				rules, severity = rules+w.Rule, string(w.Severity)
			}
			if got.CanSend != c.can || rules != c.rules || severity != c.severity {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestHostile shows nothing of a stranger's text as anything but text.
func TestHostile(t *testing.T) {
	body := "<script>alert(1)</script> ![x](https://evil.example/i.png) [run](command:evil) \u202egnp.exe $(trash)"
	thread := "t\u202e`<b>`[x](command:y)"
	// Longer than we would write, and no longer than others may.
	long := samp.Record{TS: 2, From: "alice", To: "bob", Thread: thread, Body: strings.Repeat("long ", 100_000)}
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{
		"log-alice.jsonl": {rec(1<<62, "alice", "bob", thread, body), long},
	})
	page, err := d.Inbox(t.Context(), panel.InboxParams{})
	if err != nil {
		t.Fatal(err)
	}
	th, err := d.Thread(t.Context(), panel.ThreadParams{Ref: page.Threads[0].Ref})
	if err != nil {
		t.Fatal(err)
	}
	links, err := d.Resolve(t.Context(), []string{thread, rec(1<<62, "alice", "bob", thread, body).ID})
	if err != nil {
		t.Fatal(err)
	}
	if long := th.Messages[0]; !long.Truncated || !strings.Contains(long.Text, "500000 characters") {
		t.Errorf("R5: a long body is cut without saying so: %.80q", long.Text)
	} else if len(long.Text) > 17<<10 || len(long.HTML) > 34<<10 {
		t.Errorf("of a long body %d bytes of text and %d of HTML are shown", len(long.Text), len(long.HTML))
	}
	shown := []string{page.Threads[0].Title, page.Threads[0].Preview, th.Messages[1].HTML, th.Messages[1].Text, links[0].Preview, links[1].Preview, links[1].Title}
	for i, s := range shown {
		if strings.ContainsRune(s, '\u202e') {
			t.Errorf("shown text %d holds a bidi control: %q", i, s)
		}
	}
	htmls := []string{th.Messages[1].HTML}
	for _, l := range links {
		if l.Status != "found" || len(l.Preview) > 4096 {
			t.Errorf("%+v", l)
		}
		htmls = append(htmls, render(t, l.Preview))
	}
	for _, shown := range htmls {
		for _, bad := range []string{"<script", "<img", "<b>", `href="command`, `href="http:`} {
			if strings.Contains(shown, bad) {
				t.Errorf("HTML holds %s: %s", bad, shown)
			}
		}
	}
}

// render shows Markdown as the most careless client would.
func render(t *testing.T, markdown string) string {
	t.Helper()
	var out strings.Builder
	if err := goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())).Convert([]byte(markdown), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
