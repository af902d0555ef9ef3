package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// fixture is a client of a server with the real panels over a real directory, in
// real time: it waits for messages, never for a while.
type fixture struct {
	t      *testing.T
	dir    string
	conn   net.Conn
	got    chan string
	panels *door.Panels // once initialized
	next   int
}

const fixtureTime = 1777000000 // seconds

func newFixture(t *testing.T) *fixture {
	t.Helper()
	home := t.TempDir()
	ours, theirs := net.Pipe()
	d := &fixture{t: t, dir: filepath.Join(home, "mail"), conn: ours, got: make(chan string, 1000)}
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"AGENT_MESSAGE_DIR": d.dir, "XDG_STATE_HOME": filepath.Join(home, "state")}
	log := slog.New(slog.DiscardHandler)
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), theirs, Options{
			Open: func(_ context.Context, s Setup) (Panel, error) {
				d.panels = door.Open(panel.Options{
					Sources:  sources.All(),
					Env:      environ.Env{Getenv: func(k string) string { return env[k] }, Home: home, Work: home},
					Settings: s.Settings, Folders: s.Folders, Version: s.Version, FrameBytes: s.FrameBytes,
					Now: func() time.Time { return time.Unix(fixtureTime+100, 0) }, Log: log,
					Changed: s.Changed, StatusChanged: s.StatusChanged,
				})
				return d.panels, nil
			},
			Log: log, Version: "test", Check: check.Check, Alive: Alive, Token: func() string { return "token" },
		})
	}()
	go d.listen()
	t.Cleanup(func() {
		_ = ours.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return d
}

func (d *fixture) listen() {
	defer close(d.got)
	in := bufio.NewReader(d.conn)
	for {
		content, err := readFrame(in)
		if err != nil {
			return
		}
		d.got <- string(content)
	}
}

// write appends a message to its sender's log, as another program does.
func (d *fixture) write(ts int64, from, to, thread, body string) samp.Record {
	d.t.Helper()
	r, err := samp.Build(from, to, thread, body, ts, samp.V1)
	if err != nil {
		d.t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(d.dir, samp.LogName(from)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	_, err = f.Write(r.Append(nil))
	if err := f.Close(); err != nil {
		d.t.Fatal(err)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// send sends one message whose jsonrpc member is left out.
func (d *fixture) send(content string) {
	d.t.Helper()
	if _, err := io.WriteString(d.conn, framed(`{"jsonrpc":"2.0",`+content[1:])); err != nil {
		d.t.Fatal(err)
	}
}

// await gives the next message that ok accepts, dropping those before it.
func (d *fixture) await(ok func(content string) bool) string {
	d.t.Helper()
	late := time.After(30 * time.Second)
	for {
		select {
		case content, open := <-d.got:
			if !open {
				d.t.Fatal("the server hung up")
			}
			if ok(content) {
				return content
			}
		case <-late:
			d.t.Fatal("the server does not answer")
		}
	}
}

// ask sends a request and gives the whole answer.
func (d *fixture) ask(method, params string) string {
	d.t.Helper()
	d.next++
	d.send(fmt.Sprintf(`{"id":%d,"method":%q,"params":%s}`, d.next, method, params))
	return d.await(func(c string) bool {
		return strings.Contains(c, fmt.Sprintf(`"id":%d,"result"`, d.next)) || strings.Contains(c, fmt.Sprintf(`"id":%d,"error"`, d.next))
	})
}

// into decodes an answer's result.
func into[R any](t *testing.T, answer string) R {
	t.Helper()
	var r struct {
		Result R
		Error  *codec.Error
	}
	if err := json.Unmarshal([]byte(answer), &r); err != nil || r.Error != nil {
		t.Fatalf("answer %s: %v", answer, err)
	}
	return r.Result
}

func (d *fixture) begin() {
	d.t.Helper()
	d.ask("initialize", `{"capabilities":{"experimental":{"signalbox":{"min":1,"max":1}}},"initializationOptions":{"alias":"me"}}`)
	d.send(`{"method":"initialized","params":{}}`)
	if err := d.panels.Sync(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

// chance finds what differs from run to run: a cursor holds the store's name,
// how many revisions there were depends on how often the disk was looked at, and
// how changes are noticed on the system.
var chance = regexp.MustCompile(`("nextCursor":|"revision":|"watching":)("[^"]*"|[0-9]+)`)

// TestRealTranscript is TestTranscripts over the real panels and a real
// directory, whose path and name are written as $DIR and $STORE.
func TestRealTranscript(t *testing.T) {
	const file = "testdata/real.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := newFixture(t)
	d.write(fixtureTime, "alice", "me", "2026-04-24-alice-fix-the-login-bug", "Fix the **login** bug\n\n<script>alert(1)</script> [x](command:y) \u202egnp")
	d.write(fixtureTime+10, "bob", "alice", "release", "not for me")
	d.write(fixtureTime+20, "bob", "me", "release", "Is the changelog ready?")
	err = activity.At(filepath.Join(d.dir, "..", "state", "signalbox")).Change(t.Context(), "claude", "s1", func(s *activity.Session) bool {
		s.Alias, s.Folder, s.Worktree, s.Branch = "coder", "/shop/src", "/shop", "main"
		s.Become(activity.Waiting, "Bash <script> \u202egnp", fixtureTime*1000)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	d.begin()
	status := into[panel.Status](t, d.ask("signalbox/status", `{}`))
	folder := status.Projects[0]
	hide := strings.NewReplacer(d.dir, "$DIR", status.Directories[0].Store, "$STORE",
		`"`+folder.Path+`"`, `"$FOLDER"`, `"`+folder.Worktrees[0].Title+`"`, `"$NAME"`, folder.Worktrees[0].ID, "$ID")
	show := strings.NewReplacer("$DIR", d.dir, "$STORE", status.Directories[0].Store)

	want := string(archive.Files[0].Data)
	var out strings.Builder
	for line := range strings.Lines(want) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "<-") {
			continue
		}
		out.WriteString(line + "\n")
		call, ok := strings.CutPrefix(line, "-> ")
		if !ok {
			continue
		}
		var c struct {
			ID     int
			Method string
			Params json.RawMessage
		}
		if err := json.Unmarshal([]byte(call), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		d.next = c.ID - 1
		answer := d.ask(c.Method, show.Replace(string(c.Params)))
		answer = chance.ReplaceAllString(hide.Replace(answer), `${1}"$$"`)
		out.WriteString("<- " + strings.Replace(answer, `"jsonrpc":"2.0",`, "", 1) + "\n")
	}
	if *update {
		archive.Files[0].Data = []byte(out.String())
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestMailArrives is the main job, as the editor does it: another program
// writes, the server says so, the thread is read and answered, and the log
// holds the record.
func TestMailArrives(t *testing.T) {
	d := newFixture(t)
	d.begin()
	r := d.write(fixtureTime, "alice", "me", "release", "Is the changelog ready?")
	d.await(func(c string) bool {
		return strings.Contains(c, `"signalbox/didChange"`) && strings.Contains(c, `"unread":1`)
	})
	page := into[panel.InboxPage](t, d.ask("signalbox/inbox/list", `{"filter":{"unread":true}}`))
	if len(page.Threads) != 1 || page.Threads[0].Name != "release" {
		t.Fatalf("inbox: %+v", page)
	}
	ref, err := codec.Marshal(page.Threads[0].Ref)
	if err != nil {
		t.Fatal(err)
	}
	d.send(`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a.go","version":1,"text":"// see ` + r.ID + `"}}}`)
	over := into[hover](t, d.ask("textDocument/hover", `{"textDocument":{"uri":"file:///a.go"},"position":{"line":0,"character":10}}`))
	if !strings.Contains(over.Contents.Value, "changelog") || over.Range.Start.Character != 7 || over.Range.End.Character != 23 {
		t.Errorf("hover: %+v", over)
	}
	compose := into[panel.ComposeContext](t, d.ask("signalbox/compose/context", `{"ref":`+string(ref)+`}`))
	draft := *compose.Draft
	draft.Body = "Yes, it is."
	params, err := codec.Marshal(panel.SendParams{Draft: draft, ClientToken: "one"})
	if err != nil {
		t.Fatal(err)
	}
	sent := into[panel.Sent](t, d.ask("signalbox/message/send", string(params)))
	again := into[panel.Sent](t, d.ask("signalbox/message/send", string(params)))
	if diff := cmp.Diff(sent, again); diff != "" {
		t.Errorf("the same token was sent again: %s", diff)
	}
	log, err := os.ReadFile(filepath.Join(d.dir, "log-me.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := samp.Build("me", "alice", "release", "Yes, it is.", fixtureTime+100, samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want.Append(nil)), string(log)); diff != "" || sent.ID != want.ID {
		t.Errorf("id %s; log (-want +got)\n%s", sent.ID, diff)
	}
	counts := into[panel.Counts](t, d.ask("signalbox/read/set", `{"refs":[`+string(ref)+`],"read":true}`))
	if counts.Unread != 0 {
		t.Errorf("counts: %+v", counts)
	}
}

// TestAnnouncedOnce: an appended record is one change with its counts and no status,
// and so is a mark. Who fetched at the revision of a change's answer has seen it.
func TestAnnouncedOnce(t *testing.T) {
	d := newFixture(t)
	d.begin()
	d.write(fixtureTime, "alice", "me", "release", "Is the changelog ready?")
	d.await(func(c string) bool { return strings.Contains(c, `"unread":1`) })
	d.quiet() // the directory is new, so the first record is more than a message
	d.write(fixtureTime+1, "alice", "me", "release", "And the notes?")
	type message struct {
		Method string
		Params panel.Change
		Result *panel.Marked
	}
	read := func(content string) (m message) {
		if err := json.Unmarshal([]byte(content), &m); err != nil {
			t.Fatalf("%s: %v", content, err)
		}
		return m
	}
	heard := d.quiet()
	if len(heard) != 1 {
		t.Fatalf("one record: %d notifications: %q", len(heard), heard)
	}
	got := read(heard[0])
	if got.Method != "signalbox/didChange" || got.Params.Unread != 2 || len(got.Params.Refs) != 1 {
		t.Errorf("one record: %+v", got)
	}
	page := into[panel.InboxPage](t, d.ask("signalbox/inbox/list", `{}`))
	if page.Revision < got.Params.Revision || page.Unread != got.Params.Unread {
		t.Errorf("the page is of revision %d with %d unread, the change was %+v", page.Revision, page.Unread, got.Params)
	}
	d.next++
	d.send(fmt.Sprintf(`{"id":%d,"method":"signalbox/read/all","params":{}}`, d.next))
	var marked panel.Marked
	changes := 0
	for _, c := range d.quiet() {
		m := read(c)
		if m.Result != nil {
			marked = *m.Result
			continue
		}
		got = m
		changes++
	}
	if changes != 1 || got.Params.Unread != 0 || marked.Threads != 1 || marked.Revision < got.Params.Revision {
		t.Errorf("%d changes after a mark, the last %+v; the answer was %+v", changes, got.Params, marked)
	}
}

// quiet returns what comes until nothing came for a while.
func (d *fixture) quiet() (heard []string) {
	for {
		select {
		case c := <-d.got:
			heard = append(heard, c)
		case <-time.After(700 * time.Millisecond):
			return heard
		}
	}
}
