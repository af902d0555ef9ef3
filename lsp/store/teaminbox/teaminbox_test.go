package teaminbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
	"github.com/signalbox-dev/signalbox/lsp/store/session"
)

const sessionID = "a72d3c14-ff46-448b-bab5-4f10ff3e3e3e"

// config is config.json of a lead, this process, with a teammate.
var config = fmt.Sprintf(`{"leadSessionId":%q,"leadProcess":{"pid":%d},"members":[
{"name":"team-lead","backendType":"in-process"},{"name":"alice","backendType":"in-process"}]}`, sessionID, os.Getpid())

// waiting is an inbox in which a teammate's message waits.
const waiting = `[
  {
    "from": "alice",
    "text": "1 < 2 \ud83d",
    "summary": "counted",
    "timestamp": "2026-11-23T04:40:31.805Z",
    "color": "blue",
    "msgV": 1,
    "msg_id": "08b81f37-493e-49d5-801d-5e1a06f3ffd9",
    "type": "message",
    "read": false
  }
]`

// desk is a machine on which a session of Claude Code leads a team.
type desk struct {
	t    *testing.T
	home string
	env  environ.Env
	now  time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, home: t.TempDir(), now: time.UnixMilli(1_795_408_824_165)}
	vars := map[string]string{"SIGNALBOX_STATE_DIR": d.path("state"), "SIGNALBOX_CONFIG_DIR": d.path("config")}
	d.env = environ.Env{Getenv: func(k string) string { return vars[k] }, Home: d.home, Work: d.home}
	d.write("config/config.json", `{"teamInbox":true}`)
	d.write(team0+"config.json", config)
	d.session(func(s *session.Session) {})
	return d
}

const (
	team0 = ".claude/teams/session-a72d3c14/"
	ours  = team0 + "inboxes/" + inbox
)

func (d *desk) path(name string) string { return filepath.Join(d.home, filepath.FromSlash(name)) }

func (d *desk) write(name, text string) {
	d.t.Helper()
	path := d.path(name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

// read returns a file's text, "" if there is none.
func (d *desk) read(name string) string {
	data, err := os.ReadFile(d.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Error(err)
	}
	return string(data)
}

// session records the session, idle, with what change makes of it.
func (d *desk) session(change func(s *session.Session)) {
	d.t.Helper()
	err := session.At(d.path("state")).Change(d.t.Context(), "claude", sessionID, func(s *session.Session) bool {
		s.Alias, s.Process = "coder", session.Process{PID: os.Getpid()}
		s.Become(session.Idle, "", d.now.UnixMilli())
		change(s)
		return true
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// sent tells of a message from dev to coder.
func (d *desk) sent() {
	Sent(d.t.Context(), d.env, d.now, &samp.Record{From: "dev", To: "coder", Body: "secret words"})
}

// left fails if something of ours is left in the inboxes.
func (d *desk) left() {
	d.t.Helper()
	for _, pattern := range []string{"*.lock", "*.tmp.*"} {
		if list, _ := filepath.Glob(filepath.Join(d.path(team0+"inboxes"), pattern)); list != nil {
			d.t.Errorf("left behind: %q", list)
		}
	}
}

func parsed(t *testing.T, text string) (list []entry) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return list
}

// TestSent adds one entry, and keeps what waits byte for byte.
func TestSent(t *testing.T) {
	for _, before := range []string{"", "[]", "[ ]\n", waiting} {
		d := newDesk(t)
		if before != "" {
			d.write(ours, before)
		}
		d.sent()
		after := d.read(ours)
		d.sent() // one of ours waits already
		if again := d.read(ours); again != after {
			t.Errorf("a second entry: %s", again)
		}
		list := parsed(t, after)
		e := list[len(list)-1]
		e.ID = ""
		want := entry{
			From: "signalbox", Text: "New mail from dev waits for you. The tool check_mail has it.", Summary: "new mail",
			Timestamp: "2026-11-23T04:40:24.165Z", Version: 1, Type: "message",
		}
		if e != want || len(list) != 1+strings.Count(before, "msg_id") {
			t.Errorf("%q: %+v", before, list)
		}
		if kept := strings.TrimRight(before, "] \n"); !strings.HasPrefix(after, kept) {
			t.Errorf("%q became %q", before, after)
		}
		if log := d.read("state/" + logName); log != "" {
			t.Error(log)
		}
		d.left()
	}
}

// TestLeftAlone writes nothing where nobody is to be woken, and says nothing of it.
func TestLeftAlone(t *testing.T) {
	for name, change := range map[string]func(d *desk){
		"not allowed":   func(d *desk) { d.write("config/config.json", `{}`) },
		"working":       func(d *desk) { d.session(func(s *session.Session) { s.State = session.Working }) },
		"waiting":       func(d *desk) { d.session(func(s *session.Session) { s.State = session.Waiting }) },
		"another alias": func(d *desk) { d.session(func(s *session.Session) { s.Alias = "reviewer" }) },
		"gone":          func(d *desk) { d.session(func(s *session.Session) { s.Process.Start = "never" }) },
		"no teammates": func(d *desk) {
			d.write(team0+"config.json", strings.Replace(config, `,{"name":"alice","backendType":"in-process"}`, "", 1))
		},
		"no team":        func(d *desk) { _ = os.RemoveAll(d.path(team0)) },
		"no Claude Code": func(d *desk) { _ = os.RemoveAll(d.path(".claude")) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			change(d)
			d.sent()
			if got := d.read(ours) + d.read("state/"+logName); got != "" {
				t.Error(got)
			}
		})
	}
}

// TestLooksDifferent gives up at the first thing that looks different: no byte changes,
// and the log says why.
func TestLooksDifferent(t *testing.T) {
	inboxIs := func(text string) func(*desk) { return func(d *desk) { d.write(ours, text) } }
	configIs := func(text string) func(*desk) { return func(d *desk) { d.write(team0+"config.json", text) } }
	link := func(name string) func(*desk) {
		return func(d *desk) {
			d.write(ours, waiting)
			path := d.path(name)
			if err := errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path)); err != nil {
				d.t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(d *desk)
		want   string
	}{
		{"garbage", inboxIs("x"), "inbox looks different"},
		{"empty", inboxIs(""), "inbox looks different"},
		{"cut", inboxIs(waiting[:100]), "inbox looks different"},
		{"no array", inboxIs(`{"a":1}`), "inbox looks different"},
		{"null", inboxIs("null"), "no list"},
		{"no message", inboxIs(`[1]`), "inbox looks different"},
		{"other version", inboxIs(strings.Replace(waiting, `"msgV": 1`, `"msgV": 2`, 1)), "no message of version 1"},
		{"other type", inboxIs(strings.Replace(waiting, `"type": "message"`, `"type": "event"`, 1)), "no message of version 1"},
		{"other member", inboxIs(strings.Replace(waiting, `"read"`, `"seen"`, 1)), "unknown field"},
		{"too long", inboxIs("[" + strings.Repeat(" ", maxFile) + "]"), "longer than"},
		{"inbox is a link", link(ours), "symbolic link"},
		{"inboxes are a link", link(team0 + "inboxes"), "symbolic link"},
		{"the team is a link", link(strings.TrimSuffix(team0, "/")), "symbolic link"},
		{"no team file", func(d *desk) { _ = os.Remove(d.path(team0 + "config.json")) }, "config.json"},
		{"garbled team", configIs("x"), "config.json looks different"},
		{"long team", configIs(config + strings.Repeat(" ", maxFile)), "longer than"},
		{"another lead", configIs(strings.Replace(config, sessionID, "b72d3c14", 1)), "not led by this session"},
		{"another process", configIs(strings.Replace(config, `"pid":`, `"pid":1`, 1)), "not led by this session"},
		{"no lead", configIs(strings.Replace(config, "team-lead", "bob", 1)), "not led by this session"},
		{"a teammate of our name", configIs(strings.Replace(config, "alice", "signalbox", 1)), "called signalbox"},
		{"an unknown process", func(d *desk) { d.session(func(s *session.Session) { s.Process = session.Process{} }) }, "not led by this session"},
		{"no configuration", func(d *desk) { d.write("config/config.json", "x") }, "configuration"},
		{"lock held", func(d *desk) { d.write(ours+".lock/x", "") }, "lock of the inbox is held"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			c.change(d)
			before := d.read(ours)
			d.sent()
			if after := d.read(ours); after != before {
				t.Errorf("%q became %q", before, after)
			}
			if log := d.read("state/" + logName); !strings.Contains(log, c.want) {
				t.Errorf("the log says %q", log)
			}
			if c.name != "lock held" {
				d.left()
			}
		})
	}
}

// layer lets a test act just before a change.
type layer func(c *disk.Change)

func (l layer) Do(c *disk.Change, do func() error) error {
	l(c)
	return do()
}

// TestWrittenBetween loses nothing to a writer without the lock: one that comes before the
// file is replaced is seen, and ours gives up.
func TestWrittenBetween(t *testing.T) {
	for _, before := range []string{"", "[]"} {
		d := newDesk(t)
		d.write(team0+"inboxes/alice.json", "[]")
		if before != "" {
			d.write(ours, before)
		}
		on := disk.Disk{Layer: layer(func(c *disk.Change) {
			if c.Op == disk.OpWrite {
				d.write(ours, waiting)
			}
		})}
		root, err := on.OpenRoot(d.path(team0 + "inboxes"))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := add(root, "dev", d.now); err == nil || !strings.Contains(err.Error(), "without its lock") {
			t.Error(err)
		}
		if got := d.read(ours); got != waiting {
			t.Errorf("it holds %q", got)
		}
		d.left()
	}
}

// TestMadeBetween: an inbox that the program makes meanwhile, empty, keeps nobody asleep.
func TestMadeBetween(t *testing.T) {
	for _, made := range []string{"", "[]"} {
		d := newDesk(t)
		d.write(team0+"inboxes/alice.json", "[]")
		on := disk.Disk{Layer: layer(func(c *disk.Change) {
			if c.Op == disk.OpWrite {
				d.write(ours, made)
			}
		})}
		root, err := on.OpenRoot(d.path(team0 + "inboxes"))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := add(root, "dev", d.now); err != nil {
			t.Error(err)
		}
		if list := parsed(t, d.read(ours)); len(list) != 1 || list[0].From != sender {
			t.Errorf("it holds %+v", list)
		}
		d.left()
	}
}

// TestRace: the program adds entries and takes them, under the lock, while mail is sent.
// Each entry of its own is taken once, and at least one of ours.
func TestRace(t *testing.T) {
	d := newDesk(t)
	d.write(ours, "[]")
	root, err := disk.OpenRoot(d.path(team0 + "inboxes"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	const entriesOfOthers = 40
	taken := make(map[string]int)
	// take is what the program does: it empties the inbox, or adds an entry.
	take := func(add string) {
		unlock, err := lock(t.Context(), root)
		for err != nil {
			unlock, err = lock(t.Context(), root)
		}
		defer unlock()
		now := []byte("[]")
		if add == "" {
			for _, e := range parsed(t, d.read(ours)) {
				taken[e.From+e.Text]++
			}
		} else {
			now = bytes.Replace([]byte(waiting), []byte("1 < 2"), []byte(add), 1)
			if list := strings.Trim(strings.TrimSpace(d.read(ours)), "[]"); strings.TrimSpace(list) != "" {
				now = []byte("[" + list + "," + string(bytes.TrimPrefix(now, []byte("["))))
			}
		}
		temp := d.path(ours) + ".tmp.12345678"
		if err := errors.Join(os.WriteFile(temp, now, 0o600), os.Rename(temp, d.path(ours))); err != nil {
			t.Error(err)
		}
	}
	var senders sync.WaitGroup
	for range 2 {
		senders.Go(func() {
			for range 20 {
				d.sent()
			}
		})
	}
	for i := range entriesOfOthers {
		take(fmt.Sprint("entry ", i))
		if i%3 == 0 {
			take("")
		}
	}
	senders.Wait()
	d.sent()
	take("")
	mine := 0
	for text, n := range taken {
		if strings.HasPrefix(text, sender) {
			mine += n
		} else if n != 1 {
			t.Errorf("%s was taken %d times", text, n)
		}
	}
	if len(taken) != entriesOfOthers+1 || mine == 0 {
		t.Errorf("%d entries and %d of ours were taken", len(taken), mine)
	}
	if log := d.read("state/" + logName); strings.Contains(log, "without its lock") || strings.Contains(log, "different") {
		t.Error(log)
	}
	d.left()
}
