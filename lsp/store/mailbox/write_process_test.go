package mailbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// The environment that makes the test binary a writer.
const (
	envRoot  = "SIGNALBOX_TEST_MAILBOX_ROOT"
	envDeed  = "SIGNALBOX_TEST_MAILBOX_DEED"
	envAbout = "SIGNALBOX_TEST_MAILBOX_ABOUT"
	envDies  = "SIGNALBOX_TEST_MAILBOX_DIES"
)

// TestWriterProcess is no test of its own: it is what the processes of the others
// run. It waits for a line and then does one thing, in the midst of which it may
// kill itself.
func TestWriterProcess(t *testing.T) {
	root := os.Getenv(envRoot)
	if root == "" {
		return
	}
	d := &desk{t: t, root: root, now: time.UnixMilli(1_795_249_958_000)}
	steps, err := strconv.Atoi(os.Getenv(envDies))
	if err != nil {
		t.Fatal(err)
	}
	d.hook = func(string) error {
		if steps--; steps == 0 {
			killed()
		}
		return nil
	}
	// The test's own limit ends what hangs; a busy machine must not.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	fmt.Println("ready")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	if err := d.deed(ctx, os.Getenv(envDeed), os.Getenv(envAbout)); err != nil {
		fmt.Println("failed", err)
		return
	}
	fmt.Println("done")
}

// killed ends this process as kill -9 does: nothing that it meant to do is done.
func killed() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// deed does one thing. about is a message's key, or a stamp.
func (d *desk) deed(ctx context.Context, what, about string) error {
	opened := func(name string) *Box {
		b, err := Open(d.root, "agents/"+name)
		if err != nil {
			d.t.Fatal(err)
		}
		b.hook = d.hook
		return b
	}
	switch what {
	case "init":
		_, err := Init(ctx, InitConfig{Root: d.root, Name: "carol", Now: d.now, hook: d.hook})
		return err
	case "pin":
		p := PinsAt(d.file("../amp/keys.json"))
		p.file.Hook = d.hook
		_, err := p.Add(ctx, Pin{Address: "new@b.c", Key: testKey(9)})
		return err
	case "send":
		b := opened("alice")
		defer b.Close()
		return d.sendStamped(ctx, b, "bob", about, d.file("../a.txt"), d.file("../b.txt"))
	case "recover":
		b := opened("alice")
		defer b.Close()
		return b.Recover(ctx)
	case "many":
		from, to, _ := strings.Cut(about, ">")
		b := opened(from)
		defer b.Close()
		for range 5 {
			if err := d.sendStamped(ctx, b, to, NewStamp(d.now, 1).String(), d.file("../a.txt")); err != nil {
				return err
			}
		}
		return nil
	}
	b := opened("bob")
	defer b.Close()
	switch what {
	case "read", "archived":
		return b.SetStatus(ctx, about, what, d.now)
	case "purge":
		return b.PurgeAttachments(ctx, about)
	case "save":
		msg, err := b.message(strings.TrimPrefix(about, "agents/bob/"))
		if err != nil {
			return err
		}
		return b.SaveAttachment(ctx, &msg, msg.Payload.Attachments[0].ID, d.file("../saved/a.txt"))
	}
	return b.Delete(ctx, about)
}

// sendStamped sends what a stamp is for.
func (d *desk) sendStamped(ctx context.Context, b *Box, to, stamp string, files ...string) error {
	snap, err := Scan(ctx, d.root)
	if err != nil {
		return err
	}
	st, err := ParseStamp(stamp)
	if err != nil {
		return err
	}
	p, err := b.Prepare(ctx, snap, Letter{To: address(to), Subject: "s", Text: "x", Files: files}, st)
	if err != nil {
		return err
	}
	_, err = b.Send(ctx, p, d.now)
	return err
}

// writer starts a process that is ready.
func (d *desk) writer(dies int, what, about string) (cmd *exec.Cmd, in io.Writer, out *bufio.Reader) {
	d.t.Helper()
	cmd = exec.CommandContext(d.t.Context(), os.Args[0], "-test.run=^TestWriterProcess$")
	cmd.Env = append(os.Environ(), envRoot+"="+d.root, envDeed+"="+what, envAbout+"="+about, envDies+"="+strconv.Itoa(dies), "GOMAXPROCS=1")
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		in, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	out = bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		d.t.Fatalf("%q %v", line, err)
	}
	return cmd, in, out
}

// scene is a desk on which each deed can be done, and what the deeds are about.
type scene struct {
	*desk
	about map[string]string
}

func newScene(t *testing.T) *scene {
	s := &scene{desk: newDesk(t)}
	s.put("../a.txt", strings.Repeat("a", 100_000))
	s.put("../b.txt", "b")
	got := s.send("alice", letter("x", s.file("../a.txt"), s.file("../b.txt")))
	if err := os.Mkdir(s.file("../saved"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.about = map[string]string{"send": NewStamp(s.now, 2).String()}
	for _, what := range []string{"read", "archived", "delete", "purge", "save"} {
		s.about[what] = got.InboxKey
	}
	if _, err := openPins(t, s.file("../amp/keys.json")).Add(t.Context(), Pin{Address: "a@b.c", Key: testKey(1)}); err != nil {
		t.Fatal(err)
	}
	return s
}

// copy gives the same scene elsewhere.
func (s *scene) copy() *scene {
	s.t.Helper()
	c := &scene{desk: &desk{t: s.t, root: filepath.Join(s.t.TempDir(), "x", "root"), now: s.now}, about: s.about}
	if err := errors.Join(os.MkdirAll(filepath.Dir(c.root), 0o700), os.CopyFS(filepath.Dir(c.root), os.DirFS(filepath.Dir(s.root)))); err != nil {
		s.t.Fatal(err)
	}
	return c
}

// done reports whether a deed is done, as whoever reads the files sees it, and holds
// that it is done wholly or not at all. before is what was there. In the end
// everything has come to rest.
func (s *scene) done(when, what string, before map[string]string, end bool) bool {
	s.t.Helper()
	now := s.seen()
	if what == "pin" || what == "save" {
		if diff := cmp.Diff(before, now); diff != "" {
			s.t.Errorf("%s: %s", when, diff)
		}
		file := s.file("../saved/a.txt")
		if what == "pin" {
			file = s.file("../amp/keys.json")
			p := PinsAt(file)
			if err := p.Err(); err != nil {
				s.t.Errorf("%s: %v", when, err)
				return false
			}
			return len(p.List()) == 2
		}
		data, err := os.ReadFile(file)
		if err == nil && string(data) != strings.Repeat("a", 100_000) {
			s.t.Errorf("%s: half of it was saved", when)
		}
		return err == nil
	}
	snap := s.snap()
	if len(snap.Problems) > 0 && (what != "init" || end) {
		s.t.Errorf("%s: %v", when, snap.Problems)
	}
	changed := map[string]bool{}
	for name, text := range now {
		if before[name] != text {
			changed[name] = true
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			changed[name] = true
		}
	}
	switch what {
	case "init":
		done := s.identified("carol")
		maps.DeleteFunc(changed, func(name string, _ bool) bool { return strings.HasPrefix(name, "agents/carol/") })
		s.only(when, changed)
		return done
	case "send":
		return s.sent(when, changed, end)
	case "read", "archived":
		key := s.about[what]
		done := changed[key]
		if done && s.message(key).Local.Status != what {
			s.t.Errorf("%s: it is %s", when, s.message(key).Local.Status)
		}
		delete(changed, key)
		s.only(when, changed)
		return done
	}
	return s.removed(when, what, before, changed, end)
}

func (s *scene) only(when string, changed map[string]bool) {
	s.t.Helper()
	for name := range changed {
		s.t.Errorf("%s: %s was changed", when, name)
	}
}

// sent holds that a message is where it belongs with all it has, or nowhere.
func (s *scene) sent(when string, changed map[string]bool, end bool) bool {
	s.t.Helper()
	st, err := ParseStamp(s.about["send"])
	if err != nil {
		s.t.Fatal(err)
	}
	inbox := "agents/bob/messages/inbox/alice_default_aimaestro_local/" + st.ID() + ".json"
	sent := "agents/alice/messages/sent/bob_default_aimaestro_local/" + st.ID() + ".json"
	done := changed[inbox]
	if changed[sent] && !done || end && changed[sent] != done {
		s.t.Errorf("%s: in the inbox: %v, in sent: %v", when, done, changed[sent])
	}
	for _, who := range []string{"alice", "bob"} {
		for i, name := range []string{"a.txt", "b.txt"} {
			file := "agents/" + who + "/attachments/" + st.attachments[i] + "/" + name
			if end && changed[file] != done || done && !changed[file] {
				s.t.Errorf("%s: %s: %v, and sent: %v", when, file, changed[file], done)
			}
			if done && s.has(file) != s.has("../"+name) {
				s.t.Errorf("%s: %s is not whole", when, file)
			}
			delete(changed, file)
		}
	}
	for _, key := range []string{inbox, sent} {
		if changed[key] && len(s.message(key).Faults) > 0 {
			s.t.Errorf("%s: %s: %v", when, key, s.message(key).Faults)
		}
		delete(changed, key)
	}
	s.only(when, changed)
	return done
}

// removed holds that a message, or what is attached to it, is gone or there.
func (s *scene) removed(when, what string, before map[string]string, changed map[string]bool, end bool) bool {
	s.t.Helper()
	key := s.about[what]
	msg, err := amp.ParseMessage([]byte(before[key]))
	if err != nil {
		s.t.Fatal(err)
	}
	done, files := changed[key], 0
	for _, a := range msg.Payload.Attachments {
		file := "agents/bob/attachments/" + a.ID + "/" + a.Filename
		if changed[file] {
			files++
		}
		delete(changed, file)
	}
	if what == "purge" {
		done = files == 2
	} else {
		if !done && files > 0 || end && done && files != 2 {
			s.t.Errorf("%s: gone: %v, and %d of its files", when, done, files)
		}
		delete(changed, key)
	}
	s.only(when, changed)
	return done
}

// deeds are all that is written.
var deeds = []string{"init", "send", "read", "archived", "delete", "purge", "pin", "save"}

// TestKilledAtEachStep kills a writer at each step of each kind of write. What can
// be seen then is whole, the next writer is not held up and ends what was begun,
// and to do it again does it once: AMP STO-1 STO-2 STO-3 ATT-20 ATT-21.
func TestKilledAtEachStep(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	first := newScene(t)
	for _, what := range deeds {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			for dies := 1; ; dies++ {
				s := first.copy()
				s.t = t
				if !s.killedAt(what, dies) {
					if t.Logf("killed at %d steps", dies-1); dies < 5 {
						t.Error("hardly killed at all")
					}
					return
				}
			}
		})
	}
}

// TestKilledWhileRecovering kills who recovers too, at each step, before and after
// the message was delivered: AMP STO-1.
func TestKilledWhileRecovering(t *testing.T) {
	first := newScene(t)
	for _, sending := range []int{20, 36, 40} {
		t.Run(strconv.Itoa(sending), func(t *testing.T) {
			t.Parallel()
			for dies := 1; ; dies++ {
				s := first.copy()
				s.t = t
				before := s.seen()
				if line := s.run(sending, "send"); line != "" {
					t.Fatalf("it was not killed: %q", line)
				}
				was := s.done("killed", "send", before, false)
				line := s.run(dies, "recover")
				when := fmt.Sprintf("killed at steps %d and %d", sending, dies)
				if is := s.done(when, "send", before, false); is != was {
					t.Errorf("%s: sent: %v, and then %v", when, was, is)
				}
				s.settled(when, "send", before)
				if line != "" {
					if t.Logf("killed at %d steps, sent: %v", dies-1, was); dies < 4 {
						t.Error("hardly killed at all")
					}
					return
				}
			}
		})
	}
}

// run has a process do a deed and gives what it said in the end.
func (s *scene) run(dies int, what string) string {
	s.t.Helper()
	cmd, in, out := s.writer(dies, what, s.about[what])
	_, _ = io.WriteString(in, "\n")
	line, _ := out.ReadString('\n')
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); line != "" && (line != "done\n" || err != nil) {
		s.t.Errorf("%s: %q %v", what, line, err)
	}
	return line
}

// killedAt reports whether there is such a step.
func (s *scene) killedAt(what string, dies int) bool {
	s.t.Helper()
	before := s.seen()
	line := s.run(dies, what)
	when := fmt.Sprintf("%s, killed at step %d", what, dies)
	if done := s.done(when, what, before, false); line != "" && !done {
		s.t.Errorf("%s: acknowledged, and not done", when)
	}
	s.settled(when, what, before)
	return line == ""
}

// settled does a deed again, which ends what was begun.
func (s *scene) settled(when, what string, before map[string]string) {
	s.t.Helper()
	was := s.done(when, what, before, false)
	for _, name := range []string{"alice", "bob"} {
		s.recover(name)
	}
	if is := s.done(when+", recovered", what, before, what != "init"); was && !is {
		s.t.Errorf("%s: what was done is lost", when)
	}
	// A lock that nobody gives back would hold it up for ever.
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	err := s.deed(ctx, what, s.about[what])
	if there := errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist); err != nil && !there {
		s.t.Errorf("%s: again: %v", when, err)
	}
	if !s.done(when+", again", what, before, true) {
		s.t.Errorf("%s: again: it is not done: %v", when, err)
	}
	s.tidy(when)
}

// TestFullAtEachStep fails at each step of each kind of write, as a full disk does,
// and then at all that follow: AMP STO-1 STO-3 ATT-20.
func TestFullAtEachStep(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	first := newScene(t)
	for _, what := range deeds {
		for _, stays := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, for good: %v", what, stays), func(t *testing.T) {
				t.Parallel()
				for stop := 1; ; stop++ {
					s := first.copy()
					s.t = t
					if !s.fullAt(what, stop, stays) {
						if t.Logf("%d steps", stop-1); stop < 6 {
							t.Error("hardly any")
						}
						return
					}
				}
			})
		}
	}
}

// fullAt reports whether there is such a step.
func (s *scene) fullAt(what string, stop int, stays bool) bool {
	s.t.Helper()
	before := s.seen()
	n, at := 0, ""
	s.hook = func(step string) error {
		if n++; n == stop {
			at = step
		}
		if n == stop || stays && n > stop {
			return errFull
		}
		return nil
	}
	err := s.deed(s.t.Context(), what, s.about[what])
	s.hook = nil
	when := fmt.Sprintf("%s, full at step %d (%s)", what, stop, at)
	done := s.done(when, what, before, false)
	if at == "" {
		if err != nil || !done {
			s.t.Errorf("%s: %v", what, err)
		}
		return false
	}
	if err == nil && !done {
		s.t.Errorf("%s: acknowledged, and not done", when)
	}
	s.settled(when, what, before)
	return true
}

var errFull = errors.New("the disk is full")

// TestWriterProcesses has processes send to each other at once, and the same message
// several times: each arrives once.
func TestWriterProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	s := newScene(t)
	var ends []func()
	var starts []io.Writer
	for _, about := range []string{"alice>bob", "alice>bob", "bob>alice", "bob>bob", s.about["send"], s.about["send"]} {
		what := "many"
		if about == s.about["send"] {
			what = "send"
		}
		cmd, in, out := s.writer(0, what, about)
		starts = append(starts, in)
		ends = append(ends, func() {
			line, _ := out.ReadString('\n')
			_, _ = io.Copy(io.Discard, out)
			if err := cmd.Wait(); err != nil || line != "done\n" {
				t.Errorf("%s: %q %v", what, line, err)
			}
		})
	}
	for _, in := range starts {
		_, _ = io.WriteString(in, "\n")
	}
	for _, end := range ends {
		end()
	}
	snap := s.snap()
	bob, alice := snap.Mailbox("bob"), snap.Mailbox("alice")
	if bob.Messages != 1+10+5+1 || alice.Messages != 5 || len(snap.Problems) > 0 {
		t.Errorf("%d and %d messages; %v", bob.Messages, alice.Messages, snap.Problems)
	}
	s.tidy("in the end")
}
