package session

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/session"
)

// TestScope finds the sessions of the opened repository, and no others.
func TestScope(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(b *fixture)
		open string // p, if it is empty
		want []string
	}{
		{
			name: "the main checkout, a worktree and a subfolder",
			make: func(b *fixture) {
				b.repo("p", "one")
				b.mkdir("p", "sub")
				b.write(meta(1, b.path("p"))+says(0, "main"), rollout(1))
				b.write(meta(2, b.path("one"))+says(0, "tree"), rollout(2))
				b.write(meta(3, b.path("p", "sub"))+says(0, "sub"), rollout(3))
			},
			want: []string{"one: tree", "p: main", "p: sub"},
		},
		{
			name: "a worktree is opened",
			make: func(b *fixture) {
				b.repo("p", "one", "two")
				b.write(meta(1, b.path("p"))+says(0, "main"), rollout(1))
				b.write(meta(2, b.path("two"))+says(0, "two"), rollout(2))
			},
			open: "one",
			want: []string{"p: main", "two: two"},
		},
		{
			name: "a worktree inside of the main checkout",
			make: func(b *fixture) {
				b.repo("p")
				b.git("p", "worktree", "add", "-q", "-b", "in", b.path("p", "trees", "in"))
				b.write(meta(1, b.path("p", "trees", "in"))+says(0, "in"), rollout(1))
				b.write(meta(2, b.path("p", "trees"))+says(0, "trees"), rollout(2))
			},
			want: []string{"p/trees/in: in", "p: trees"},
		},
		{
			name: "folders of other repositories",
			make: func(b *fixture) {
				b.repo("p")
				b.repo("pp")
				b.write(meta(1, b.path("pp"))+says(0, "other"), rollout(1))
				b.write(meta(2, b.dir)+says(0, "above"), rollout(2))
				b.write(meta(3, "p")+says(0, "relative"), rollout(3))
			},
		},
		{
			name: "a removed worktree that git still lists",
			make: func(b *fixture) {
				b.repo("p", "one")
				b.write(meta(1, b.path("one"))+says(0, "tree"), rollout(1))
				b.ok(os.RemoveAll(b.path("one")))
			},
			want: []string{"one: tree (gone)"},
		},
		{
			name: "a removed subfolder",
			make: func(b *fixture) {
				b.repo("p")
				b.write(meta(1, b.path("p", "was"))+says(0, "was"), rollout(1))
			},
			want: []string{"p: was"},
		},
		{
			name: "the workspace is opened through a link",
			make: func(b *fixture) {
				b.repo("p")
				b.ok(os.Symlink(b.path("p"), b.path("link")))
				b.write(meta(1, b.path("p"))+says(0, "main"), rollout(1))
			},
			open: "link",
			want: []string{"p: main"},
		},
		{
			name: "the session names its folder through a link",
			make: func(b *fixture) {
				b.repo("p")
				b.ok(os.Symlink(b.path("p"), b.path("link")))
				b.write(meta(1, b.path("link"))+says(0, "link"), rollout(1))
			},
			want: []string{"p: link"},
		},
		{
			name: "the session names a removed subfolder through a link",
			make: func(b *fixture) {
				b.repo("p")
				b.ok(os.Symlink(b.path("p"), b.path("link")))
				b.write(meta(1, b.path("link", "was", "sub"))+says(0, "link"), rollout(1))
			},
			want: []string{"p: link"},
		},
		{
			name: "a folder without git",
			make: func(b *fixture) { b.write(meta(1, b.path("p"))+says(0, "plain"), rollout(1)) },
			want: []string{"p: plain"},
		},
		{
			name: "began elsewhere and was resumed here",
			make: func(b *fixture) {
				b.repo("p")
				b.mkdir("q")
				b.write(meta(1, b.path("q"))+says(0, "short")+turn(2, b.path("p"))+says(2, "on"), rollout(1))
				b.write(meta(2, b.path("q"))+says(0, "long")+says(2, strings.Repeat("x", 300_000))+turn(3, b.path("p"))+says(4, "on"), rollout(2))
			},
			want: []string{"p: long", "p: short"},
		},
		{
			name: "began here and was resumed elsewhere",
			make: func(b *fixture) {
				b.repo("p", "one")
				b.mkdir("q")
				b.write(meta(1, b.path("p"))+says(0, "left")+turn(2, b.path("q"))+says(2, "on"), rollout(1))
				b.write(meta(2, b.path("p"))+says(0, "moved")+says(2, strings.Repeat("x", 300_000))+turn(3, b.path("one"))+says(4, "on"), rollout(2))
			},
			want: []string{"one: moved", "p: left"},
		},
		{
			name: "a folder that JSON escapes",
			make: func(b *fixture) {
				b.repo("p é\"")
				b.write(strings.ReplaceAll(meta(1, b.path("p é\""))+says(0, "odd"), "é", `\u00e9`), rollout(1))
			},
			open: "p é\"",
			want: []string{"p é\": odd"},
		},
		{
			name: "Gemini names the folder beside its chats",
			make: func(b *fixture) {
				b.repo("p")
				head := `{"sessionId":"` + id(7) + `","startTime":"` + at(0) + `","lastUpdated":"` + at(0) + `","kind":"main"}` + "\n"
				said := `{"id":"m1","timestamp":"` + at(1) + `","type":"user","content":[{"text":"hello"}]}` + "\n"
				b.write(head+said, "home/.gemini/tmp/p/chats/session-2026-02-01T09-00-00000007.jsonl")
				b.write(b.path("p")+"\n", "home/.gemini/tmp/p/.project_root")
				b.write(head+said, "home/.gemini/tmp/q/chats/session-2026-02-01T09-00-00000008.jsonl")
				b.write(b.path("q")+"\n", "home/.gemini/tmp/q/.project_root")
			},
			want: []string{"p: hello"},
		},
		{
			name: "CODEX_HOME names another place of Codex's",
			make: func(b *fixture) {
				b.repo("p")
				b.env["CODEX_HOME"] = "~/elsewhere"
				b.write(meta(1, b.path("p"))+says(0, "home"), rollout(1))
				b.write(meta(2, b.path("p"))+says(0, "elsewhere"), "home/elsewhere/sessions/2026/02/01/"+rolloutName(2)+".jsonl")
			},
			want: []string{"p: elsewhere", "p: home"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			c.make(b)
			open := c.open
			if open == "" {
				open = "p"
			}
			s := b.scan(open)
			if d := cmp.Diff(c.want, b.listed(s)); d != "" || len(s.Problems) > 0 || !s.Ready {
				t.Errorf("-want +got\n%s%v", d, s.Problems)
			}
		})
	}
}

// TestFacts lists a session from the head and the tail of its file.
func TestFacts(t *testing.T) {
	long := strings.Repeat("x", 400_000)
	ended := entry(9, "event_msg", object{"type": "task_complete", "turn_id": "t", "last_agent_message": "done"})
	for _, c := range []struct {
		name, body string
		want       session.Facts // Title, Last, State
	}{
		{"nothing but the head", "", session.Facts{}},
		{"a short one", says(0, "first") + says(1, "answer"), session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"the state stands at the end", says(0, "first") + says(1, long) + says(3, "answer") + ended, session.Facts{Prompt: "first", Last: "done", State: session.Idle}},
		{"the last line is longer than what is read at first", says(0, "first") + says(1, "short") + says(3, "end "+long), session.Facts{Prompt: "first", Last: "end", State: session.Working}},
		{"the first prompt is longer than the head", says(0, "first\n"+long) + says(2, long) + says(3, "answer"), session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"the first prompt is longer than all that is read", says(0, "first\n"+strings.Repeat("x", 6<<20)) + says(2, "second") + says(3, "answer"), session.Facts{Prompt: "second", Last: "answer", State: session.Working}},
		{"the last line is longer than all that is read", says(0, "first") + says(1, "answer") + says(3, strings.Repeat("x", 6<<20)), session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"the last line begins in the head", says(0, "first") + says(1, "end "+long), session.Facts{Prompt: "first", Last: "end", State: session.Working}},
		{"the only line is torn", says(0, long)[:300_000], session.Facts{}},
		{"a last line that is torn", says(0, "first") + says(1, "answer") + says(3, "torn")[:40], session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"a last line that is torn in a long file", says(0, "first") + says(1, long) + says(3, "answer") + says(5, "torn")[:40], session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"a last line without its end", says(0, "first") + says(1, "answer") + strings.TrimSuffix(says(3, "whole"), "\n"), session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"a mark before UTF-8", "\ufeff" + says(0, "first") + says(1, "answer"), session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
		{"garbage between", "\x00\xff{\n[]\n\n" + says(0, "first") + "{}\n" + says(1, "answer"), session.Facts{Prompt: "first", Last: "answer", State: session.Working}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			b.write(meta(1, b.path("p"))+c.body, rollout(1))
			s := b.scan("p")
			if len(s.Items) != 1 || s.Items[0].Err != nil {
				t.Fatalf("%+v", s.Items)
			}
			it := s.Items[0]
			if got := (session.Facts{Prompt: it.Prompt, Last: it.Last, State: it.State}); got.Prompt != c.want.Prompt || strings.TrimRight(got.Last, "x… ") != c.want.Last || got.State != c.want.State {
				t.Errorf("%q %q %q", got.Prompt, got.Last, got.State)
			}
			if it.ID != id(1) || it.Name != id(1) || it.Updated == 0 || it.Size == 0 {
				t.Errorf("%+v", it)
			}
		})
	}
}

// TestStrange lists what is beside things that are no transcripts.
func TestStrange(t *testing.T) {
	b := newFixture(t)
	b.write(meta(1, b.path("p"))+says(0, "good"), rollout(1))
	b.mkdir(rollout(2))
	b.write("\x00\x01 garbage", rollout(3))
	b.write("", rollout(4))
	b.write(meta(5, b.path("p"))+says(0, "closed"), rollout(5))
	b.ok(os.Chmod(b.path(rollout(5)), 0))
	b.ok(os.Symlink(b.path(rollout(1)), b.path(rollout(6))))
	b.write(meta(7, b.path("p")), "home/.codex/sessions/2026/02/01/notes.jsonl")
	b.write(`{"cwd":"`+b.path("p")+`"}`+"\n[1]\n", rollout(8))
	b.write(meta(9, b.path("p"))+says(0, strings.Repeat("t", 5000)), rollout(9))
	b.fifo(rollout(10))
	s := b.scan("p")
	want := []string{"p: ", "p: good", "p: " + strings.Repeat("t", 199) + "…"}
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		want = []string{"p: ", "p: closed", "p: good", "p: " + strings.Repeat("t", 199) + "…"}
	}
	got := b.listed(s)
	for i := range got {
		if strings.HasPrefix(got[i], "p: ttt") {
			got[i] = want[len(want)-1]
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestNames gives two sessions with one name two addresses.
func TestNames(t *testing.T) {
	b := newFixture(t)
	b.write(meta(1, b.path("p"))+says(0, "a"), rollout(1))
	b.write(meta(1, b.path("p"))+says(0, "b"), strings.Replace(rollout(1), "02/01", "02/02", 1))
	s := b.scan("p")
	if len(s.Items) != 2 || s.Items[0].Key() == s.Items[1].Key() {
		t.Fatalf("%+v", s.Items)
	}
	for _, it := range s.Items {
		p, err := s.Page(t.Context(), it.Key(), Query{})
		if err != nil || texts(p)[0] != it.Prompt {
			t.Errorf("%v %v", p, err)
		}
	}
	if n := len(s.ByID(id(1))); n != 2 {
		t.Errorf("%d have the id", n)
	}
}

// TestLimits says which limit was met, and keeps to it.
func TestLimits(t *testing.T) {
	was := limits
	t.Cleanup(func() { limits = was })
	limits.Files = 3
	b := newFixture(t)
	for n := range 5 {
		b.write(meta(n, b.path("p"))+says(0, "x"), rollout(n))
	}
	s := b.scan("p")
	if len(s.Items) != 3 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "Codex") {
		t.Errorf("%d sessions, %v", len(s.Items), s.Problems)
	}
}
