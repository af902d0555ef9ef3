package atsf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// TestAppend writes one line for a message and brings thread.json up to date:
// ATSF M1 M2 T4 Z5 Z7.
func TestAppend(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	call := words("", atsf.RoleAgent, "on it", 20)
	call.Tools = []atsf.ToolCall{{ID: "1", Name: "bash", Status: "completed", Duration: -1}, {ID: "2", Name: "bash", Status: "pending", Duration: -1}}
	var want []byte
	for i, m := range []atsf.Message{
		words("m-1", atsf.RoleSystem, "be brief", 5),
		words("m-2", atsf.RoleUser, "fix it\n\u2028please", 10),
		call,
	} {
		if i == 2 {
			m.ID = "m-3"
		}
		if err := d.Append(t.Context(), name, m); err != nil {
			t.Fatal(err)
		}
		line, err := atsf.BuildMessage(m)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, line...)
	}
	if got := b.read("p", name, atsf.MessagesName); got != string(want) {
		t.Errorf("M1: %s", got)
	}
	th := b.right("p", name)
	if th.Stats != (atsf.Stats{Messages: 3, User: 1, Agent: 1, ToolCalls: 2}) || th.Updated.Millis != begun+20_000 {
		t.Errorf("T4: %+v %v", th.Stats, th.Updated)
	}
	if diff := cmp.Diff([]string{atsf.MessagesName, atsf.ThreadName}, b.standing("p", name)); diff != "" {
		t.Errorf("M4: left behind: %s", diff)
	}
}

// TestAppendFills gives a message the id and the time that it lacks; the time is
// never before the last message's, so that a clock that was set back, or another
// writer in between, leaves the log in order: ATSF M1 M2.
func TestAppendFills(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	future := time.Now().Add(time.Hour).UnixMilli()
	for _, m := range []atsf.Message{words("", atsf.RoleUser, "a", -1), {ID: "z", Role: atsf.RoleUser, Time: atsf.At(future)}, words("", atsf.RoleUser, "b", -1)} {
		if err := d.Append(t.Context(), name, m); err != nil {
			t.Fatal(err)
		}
	}
	l := atsf.ReadLog([]byte(b.read("p", name, atsf.MessagesName)), 0)
	if len(l.Entries) != 3 {
		t.Fatal(len(l.Entries))
	}
	for i, e := range l.Entries {
		if len(e.Message.Faults)+len(e.Message.Notes) > 0 {
			t.Errorf("M1: %+v", e.Message.Findings)
		}
		if id := e.Message.ID; i != 1 && len(id) != 36 {
			t.Errorf("M2: %q", id)
		}
	}
	if first, last := l.Entries[0].Message.Time.Millis, l.Entries[2].Message.Time.Millis; first >= future || last != future {
		t.Errorf("M1: %d %d, want %d", first, last, future)
	}
}

// TestAppendForeign appends to what other applications wrote and keeps every
// byte of it: ATSF X4 M5 T4 B2.
func TestAppendForeign(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	d := b.open("p")
	for _, name := range []string{"unknown-fields", "unknown-block", "asset-escape", "partial-last"} {
		t.Run(name, func(t *testing.T) {
			before, meta := b.read("p", name, atsf.MessagesName), b.read("p", name, atsf.ThreadName)
			m := words("new", atsf.RoleUser, "hello", 1)
			if err := d.Append(t.Context(), name, m); err != nil {
				t.Fatal(err)
			}
			line, err := atsf.BuildMessage(m)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(before, "\n") {
				before += "\n"
			}
			after := b.read("p", name, atsf.MessagesName)
			if after != before+string(line) {
				t.Errorf("X4: %s", after)
			}
			b.right("p", name)
			tally, _ := atsf.Count([]byte(after))
			want, err := atsf.Repair([]byte(meta), tally)
			if err != nil || b.read("p", name, atsf.ThreadName) != string(want) {
				t.Errorf("X4: %s, %v", b.read("p", name, atsf.ThreadName), err)
			}
		})
	}
}

// TestAppendRefused adds nothing to what must not be written to, nor what breaks
// a rule: ATSF V1 V2 M2 L1 L3.
func TestAppendRefused(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	d := b.open("p")
	ok := words("", atsf.RoleUser, "x", 1)
	b.thread("p", "no-version", 0, said("m-1", "x"))
	b.write(strings.Replace(b.read("p", "no-version", atsf.ThreadName), `"1.1"`, `"x"`, 1), "p", atsf.DirName, atsf.ThreadsName, "no-version", atsf.ThreadName)
	b.thread("p", "good", 0, said("m-1", "x"))
	b.mkdir("p", atsf.DirName, atsf.ThreadsName, "empty")
	b.write("", "outside")
	b.thread("p", "linked", 0)
	b.thread("p", "folder", 0)
	for _, name := range []string{"linked", "folder"} {
		if err := os.Remove(b.threadPath("p", name, atsf.MessagesName)); err != nil {
			t.Fatal(err)
		}
	}
	b.mkdir("p", atsf.DirName, atsf.ThreadsName, "folder", atsf.MessagesName)
	for name, to := range map[string]string{b.threadPath("p", "linked", atsf.MessagesName): b.path("outside"), b.threadPath("p", "link"): b.threadPath("p", "good")} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, thread string
		m            atsf.Message
		rule         string
		is           error
	}{
		{"V2/major 2", "major-2", ok, "V2", nil},
		{"V1/no version", "no-version", ok, "V1", nil},
		{"L1/not there", "nothing", ok, "", ErrNotFound},
		{"L1/no thread", "empty", ok, "", ErrNotFound},
		{"L1/linked log", "linked", ok, "", nil},
		{"L1/log is a directory", "folder", ok, "", nil},
		{"L1/linked thread", "link", ok, "", nil},
		{"L3/a path", "../threads/good", ok, "", ErrNotFound},
		{"M2/role", "good", words("", "robot", "x", 1), "M2", nil},
		{"M2/id", "good", words("m-1", atsf.RoleUser, "x", 1), "", ErrExists},
		{"M1/too long", "good", words("", atsf.RoleUser, strings.Repeat("x", MaxLine), 1), "M1", nil},
		{"L4/a path", "good", atsf.Message{Role: atsf.RoleUser, Content: []atsf.Block{{Type: atsf.TypeImage, AssetRef: "../x.png", MimeType: "image/png"}}}, "L4", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log, meta string
			if c.thread != "folder" {
				log, meta = b.read("p", c.thread, atsf.MessagesName), b.read("p", c.thread, atsf.ThreadName)
			}
			err := d.Append(t.Context(), c.thread, c.m)
			if _, stale := errors.AsType[*StaleError](err); err == nil || stale || broken(err) != c.rule || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v", err)
			}
			if c.thread != "folder" && (b.read("p", c.thread, atsf.MessagesName) != log || b.read("p", c.thread, atsf.ThreadName) != meta) {
				t.Error("something was written")
			}
			if got, err := os.Stat(b.threadPath("p", c.thread, LockName)); err == nil {
				t.Errorf("M4: %s was left", got.Name())
			}
		})
	}
}

// TestAppendStale keeps a message whose thread.json is broken, says so, and
// leaves what cannot be read as it is: ATSF T6 X4.
func TestAppendStale(t *testing.T) {
	b := newReadFixture(t)
	d := b.made("p")
	for name, meta := range map[string]string{"broken": `{"specVersion":"1.1","threadId":`, "missing": "", "latin": "{\"specVersion\":\"1.1\",\"title\":\"caf\xe9\"}"} {
		t.Run(name, func(t *testing.T) {
			b.thread("p", name, 0, said("m-1", "x"))
			b.write(meta, "p", atsf.DirName, atsf.ThreadsName, name, atsf.ThreadName)
			if meta == "" {
				if err := os.Remove(b.threadPath("p", name, atsf.ThreadName)); err != nil {
					t.Fatal(err)
				}
			}
			err := d.Append(t.Context(), name, words("m-2", atsf.RoleUser, "kept", 1))
			stale, ok := errors.AsType[*StaleError](err)
			if !ok || stale.Thread != name {
				t.Fatalf("%v", err)
			}
			if got := b.read("p", name, atsf.ThreadName); got != meta {
				t.Errorf("%q was written", got)
			}
			if got := b.read("p", name, atsf.MessagesName); strings.Count(got, "\n") != 2 || !strings.Contains(got, "kept") {
				t.Errorf("%s", got)
			}
			// Once it can be read again it is made right.
			b.write(b.meta(name, "Again", 0), "p", atsf.DirName, atsf.ThreadsName, name, atsf.ThreadName)
			if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "more", 2)); err != nil {
				t.Fatal(err)
			}
			if th := b.right("p", name); th.Stats.User != 3 {
				t.Errorf("T4: %+v", th.Stats)
			}
		})
	}
}

// TestAppendRaw keeps every member of a message that is there, and moves inline
// data to assets: ATSF X4 B3 M2.
func TestAppendRaw(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	object := `{ "id" : "m-1", "role":"user","timestamp":"2026-02-20T09:00:01+01:00", "x": {"a": 1.0},
 "content":[ {"type":"text","text":"a  b","y":null},{"type":"image","mimeType":"image/gif","data":"R0lGODlhAQABAAAAACw="},{"type":"hologram"} ] }`
	if err := d.AppendRaw(t.Context(), name, []byte(object)); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"m-1","role":"user","timestamp":"2026-02-20T09:00:01+01:00","x":{"a":1.0},` +
		`"content":[{"type":"text","text":"a  b","y":null},{"type":"image","mimeType":"image/gif","assetRef":"REF"},{"type":"hologram"}]}` + "\n"
	refs := b.standing("p", name, atsf.AssetsName)
	if len(refs) != 1 {
		t.Fatalf("B3: %q", refs)
	}
	if got := b.read("p", name, atsf.MessagesName); got != strings.Replace(want, "REF", refs[0], 1) {
		t.Errorf("X4: %s", got)
	}
	if a, err := d.Asset(name, refs[0]); err != nil || a.Mime != "image/gif" {
		t.Errorf("B3: %v", err)
	}
	b.right("p", name)
	for rule, object := range map[string]string{
		"M1": `[]`, "M2": `{"id":"x","role":"user","content":[]}`, "B3": `{"id":"x","role":"user","timestamp":"2026-02-20T09:00:01Z","content":[{"type":"image","mimeType":"image/png","data":"?"}]}`,
		"L4":  `{"id":"x","role":"user","timestamp":"2026-02-20T09:00:01Z","content":[{"type":"image","mimeType":"image/png","assetRef":"../x.png"}]}`,
		"TC1": `{"id":"x","role":"user","timestamp":"2026-02-20T09:00:01Z","content":[],"toolCalls":[{}]}`,
	} {
		if err := d.AppendRaw(t.Context(), name, []byte(object)); broken(err) != rule {
			t.Errorf("%s: %v", rule, err)
		}
	}
	if err := d.AppendRaw(t.Context(), name, []byte(object)); !errors.Is(err, ErrExists) {
		t.Errorf("M2: %v", err)
	}
}

// TestAppendCounts has right stats whatever other programs did to the log and to
// thread.json between two appends: ATSF T4 Z5 Z6.
func TestAppendCounts(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	add := func() {
		t.Helper()
		if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "x", 1)); err != nil {
			t.Fatal(err)
		}
		b.right("p", name)
	}
	add()
	edit := func(change func(log string) string) {
		t.Helper()
		b.write(change(b.read("p", name, atsf.MessagesName)), "p", atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName)
		add()
	}
	// A line is written again with the length it had: nothing but its bytes tells.
	edit(func(log string) string { return strings.Replace(log, `"role":"user"`, `"role":"robo"`, 1) })
	// Calls come and go, lines move and vanish.
	edit(func(log string) string {
		return strings.Replace(log, `"content"`, `"toolCalls":[{},{}],"content"`, 1)
	})
	edit(func(log string) string { return log + said("s", "x") + "\n\nnot a message\n" + `{"role":"agent"` })
	edit(func(log string) string { return log[strings.Index(log, "\n")+1:] })
	edit(func(string) string { return said("only", "x") + "\n" })
	// Another tool's idea of the figures, the number of messages being right.
	if err := os.WriteFile(b.threadPath("p", name, atsf.ThreadName), []byte(strings.Replace(b.read("p", name, atsf.ThreadName), `"userMessageCount": 2`, `"userMessageCount": 7`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	add()
	if th := b.right("p", name); th.Stats.User != 3 {
		t.Errorf("T4: %+v", th.Stats)
	}
}

// TestNoLog keeps the figures of a thread whose messages are elsewhere, as in a clone
// whose logs git ignores, and makes no log there; a check says it once, and a thread
// that never had a message is as good as before: ATSF T4 L1 Z7.
func TestNoLog(t *testing.T) {
	for what, empty := range map[string]bool{"not there": false, "empty": true} {
		t.Run(what, func(t *testing.T) {
			b := newReadFixture(t)
			d, name := b.begin("p")
			for _, role := range []string{atsf.RoleUser, atsf.RoleAgent} {
				if err := d.Append(t.Context(), name, words("", role, "x", 1)); err != nil {
					t.Fatal(err)
				}
			}
			log, meta := b.threadPath("p", name, atsf.MessagesName), b.read("p", name, atsf.ThreadName)
			if err := os.Remove(log); err != nil {
				t.Fatal(err)
			}
			if empty {
				b.log("p", name)
			}
			before := b.standing("p", name)
			for what, err := range map[string]error{
				"append": d.Append(t.Context(), name, words("", atsf.RoleUser, "x", 1)),
				"raw":    d.AppendRaw(t.Context(), name, []byte(said("m", "x"))),
			} {
				if !errors.Is(err, ErrNoLog) || !strings.Contains(err.Error(), atsf.MessagesName+" is "+map[bool]string{true: "empty", false: "not there"}[empty]+", and thread.json counts 2 messages") {
					t.Errorf("T4: %s: %v", what, err)
				}
			}
			if b.read("p", name, atsf.ThreadName) != meta || !slices.Equal(b.standing("p", name), before) {
				t.Errorf("T4: changed: %q", b.standing("p", name))
			}
			if got := b.findings("p", name); !slices.Equal(got, []string{"threads/" + name + "/messages.jsonl T4"}) {
				t.Errorf("T4: %q", got)
			}
			// One that was begun, and never written to, is no such thread.
			_, name = b.begin("p")
			if !empty {
				if err := os.Remove(b.threadPath("p", name, atsf.MessagesName)); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "x", 1)); err != nil {
				t.Error(err)
			}
			b.right("p", name)
		})
	}
}

// TestCountEndless holds no line in memory that is longer than any message, counts
// it as one that cannot be read, and goes on behind it: ATSF M1 M5 T4.
func TestCountEndless(t *testing.T) {
	const before, behind = "x\n", "\n"
	huge := int64(maxTallied + 3*jsonl.LargeChunk)
	message := said("m", "x") + "\n"
	long := blanks{before, huge, behind + message}
	var c counter
	if err := c.read(t.Context(), long, long.size()); err != nil {
		t.Fatal(err)
	}
	if c.Bad != 2 || c.Stats.Messages != 1 || c.end != long.size() {
		t.Errorf("M1: %+v to %d of %d", c.Tally, c.end, long.size())
	}
	torn := blanks{before, huge, ""}
	c = counter{}
	if err := c.read(t.Context(), torn, torn.size()); err != nil {
		t.Fatal(err)
	}
	if c.Bad != 1 || c.end != int64(len(before)) {
		t.Errorf("M5: %+v to %d", c.Tally, c.end)
	}
	// As Append ends the line and adds its own.
	if err := c.read(t.Context(), long, long.size()); err != nil || c.Bad != 2 || c.Stats.Messages != 1 {
		t.Errorf("T4: %+v %v", c.Tally, err)
	}
}

// blanks is a log that has many blanks between two texts.
type blanks struct {
	before string
	n      int64
	behind string
}

func (l blanks) size() int64 { return int64(len(l.before)) + l.n + int64(len(l.behind)) }

func (l blanks) ReadAt(p []byte, at int64) (int, error) {
	for i := range p {
		switch place := at + int64(i) - int64(len(l.before)); {
		case place < 0:
			p[i] = l.before[at+int64(i)]
		case place < l.n:
			p[i] = ' '
		case place-l.n < int64(len(l.behind)):
			p[i] = l.behind[place-l.n]
		default:
			return i, io.EOF
		}
	}
	return len(p), nil
}

// TestCountLong counts messages that are too long to be shown, and goes on from
// where it came to: ATSF T4.
func TestCountLong(t *testing.T) {
	var log strings.Builder
	for i := range 12 {
		log.WriteString(said(fmt.Sprint("m-", i), strings.Repeat("x", i*i*i*i*i*60)) + "\n")
	}
	log.WriteString("torn")
	data := log.String()
	var c counter
	for _, size := range []int{0, 1, len(data) / 2, len(data)} {
		if err := c.read(t.Context(), strings.NewReader(data[:size]), int64(size)); err != nil {
			t.Fatal(err)
		}
		if want, next := atsf.Count([]byte(data[:size])); c.Tally != want || c.end != int64(next) {
			t.Errorf("T4: of %d bytes %+v to %d, want %+v to %d", size, c.Tally, c.end, want, next)
		}
	}
	if c.Stats.Messages != 12 {
		t.Errorf("T4: %+v", c.Stats)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := new(counter).read(ctx, strings.NewReader(data), int64(len(data))); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// failingLog is a log on a disk that is full after some bytes, or that cannot
// be synced.
type failingLog struct {
	*os.File
	room  int
	sync  error
	after func()
}

var errFull = errors.New("no space left on device")

func (f *failingLog) Write(p []byte) (int, error) {
	n, err := f.File.Write(p[:min(f.room, len(p))])
	f.after()
	if err == nil && n < len(p) {
		err = errFull
	}
	return n, err
}

func (f *failingLog) Sync() error { return f.sync }

// TestAppendFull removes what a failed write left behind, and nothing else:
// ATSF M1 M4.
func TestAppendFull(t *testing.T) {
	for _, c := range []struct {
		name  string
		room  int
		sync  error
		other string
		want  string
	}{
		{"M4/no room at all", 0, nil, "", "{}\n"},
		{"M4/room for a part", 6, nil, "", "{}\n"},
		{"M4/a program without a lock wrote behind it", 6, nil, "other\n", "{}\nnew reother\n"},
		{"M4/not synced", 100, errFull, "", "{}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newReadFixture(t)
			b.write("{}\n", "log")
			file, err := os.OpenFile(b.path("log"), os.O_RDWR|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			f := &failingLog{file, c.room, c.sync, func() {
				if _, err := file.WriteString(c.other); err != nil {
					t.Error(err)
				}
			}}
			if err := appendLine(f, 3, []byte("new record\n")); !errors.Is(err, errFull) {
				t.Errorf("%v", err)
			}
			if got, err := os.ReadFile(b.path("log")); err != nil || string(got) != c.want {
				t.Errorf("log holds %q, want %q (%v)", got, c.want, err)
			}
		})
	}
}

// TestAppendReaders shows readers whole files and whole lines while several
// write: ATSF M4 M5 T6.
func TestAppendReaders(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const writers, each = 4, 40
	b := newReadFixture(t)
	d, name := b.begin("p")
	// Writers that never rest wait for each other longer than [filelock.Timeout] where
	// the machine is busy.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	done := make(chan struct{})
	var reading, writing sync.WaitGroup
	for range 2 {
		reading.Go(func() {
			seen := 0
			for {
				page, err := d.Page(ctx, name, Query{Limit: MaxLimit})
				if err != nil {
					t.Errorf("M5: %v", err)
					return
				}
				if len(page.Entries) < seen || page.Item.Fault != nil || len(page.Item.Thread.Faults) > 0 {
					t.Errorf("T6: %d entries after %d, %v %v", len(page.Entries), seen, page.Item.Fault, page.Item.Thread.Faults)
				}
				seen = len(page.Entries)
				for _, e := range page.Entries {
					if e.Fault != nil || len(e.Message.Faults) > 0 {
						t.Errorf("M5: %v %v", e.Fault, e.Message.Faults)
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for range writers {
		writing.Go(func() {
			for range each {
				if err := d.Append(ctx, name, words("", atsf.RoleUser, strings.Repeat("long ", 3000), -1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	if th := b.right("p", name); th.Stats.User != writers*each {
		t.Errorf("M4: %+v", th.Stats)
	}
}
