package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
)

// fixtures returns the transcripts of real runs, with an item for each session in them.
func fixtures(t *testing.T) (list []*Item) {
	t.Helper()
	for _, f := range Formats() {
		dir := filepath.Join("..", "..", "core", "session", f.Client, "testdata")
		found := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
				return err
			}
			found++
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			abs, err := filepath.Abs(path)
			for _, agent := range append(sessiontest.Read(f, "", data).Agents, "") {
				list = append(list, &Item{Format: f, Name: filepath.Base(path), File: abs, Agent: agent, Size: int64(len(data))})
			}
			return err
		})
		if err != nil || found == 0 {
			t.Fatalf("%d transcripts of %s: %v", found, f.Client, err)
		}
	}
	return list
}

// one returns a snapshot of one item.
func one(it *Item) *Snapshot { return &Snapshot{Items: []*Item{it}, keys: map[Key]*Item{it.Key(): it}} }

// told returns what messages say, one text each.
func told(list []session.Message) (texts []string) {
	for i := range list {
		texts = append(texts, sessiontest.Text(&session.Log{Messages: list[i : i+1]}))
	}
	return texts
}

// TestTranscriptPages goes through every transcript in pages, both ways, and finds what
// there is when it is read at once.
func TestTranscriptPages(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, it := range fixtures(t) {
		t.Run(it.Format.Client+" "+it.Name+it.Agent, func(t *testing.T) {
			data, err := os.ReadFile(it.File)
			if err != nil {
				t.Fatal(err)
			}
			list := sessiontest.Read(it.Format, it.Agent, data).Messages
			for i := 1; i < len(list); i++ {
				if before(list[i-1:i], place{list[i].Offset, list[i].Part}) != 1 {
					t.Errorf("the message at %s does not follow that at %s", Cursor(&list[i]), Cursor(&list[i-1]))
				}
			}
			want := told(list)
			for _, limit := range []int{1, 2, 3, 5, 8, 1000} {
				pages(t, one(it), it.Key(), limit, want)
			}
		})
	}
}

// pages compares a session, a page at a time, with what it should say.
func pages(t *testing.T, s *Snapshot, k Key, limit int, want []string) {
	t.Helper()
	var back []string
	for q := (Query{Limit: limit}); ; {
		p := read1(t, s, k, q)
		back = append(told(p.Messages), back...)
		if p.Before == "" {
			break
		}
		q = Query{Before: p.Before, Limit: limit}
	}
	if d := cmp.Diff(want, back); d != "" {
		t.Errorf("back, %d at a time: -want +got\n%s", limit, d)
	}
	var on []string
	for q := (Query{At: "0", Limit: limit}); ; {
		p := read1(t, s, k, q)
		on = append(on, told(p.Messages)...)
		if p.After == "" {
			break
		}
		q = Query{After: p.After, Limit: limit}
	}
	if d := cmp.Diff(want, on); d != "" {
		t.Errorf("on, %d at a time: -want +got\n%s", limit, d)
	}
}

// read1 reads a page, and checks that it is short and moves.
func read1(t *testing.T, s *Snapshot, k Key, q Query) *Page {
	t.Helper()
	p, err := s.Page(t.Context(), k, q)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	if p.Before != "" && p.Before == q.Before || p.After != "" && p.After == q.After {
		t.Fatalf("%+v leads to itself", q)
	}
	if p.Torn {
		t.Errorf("%+v: torn", q)
	}
	return p
}

// TestLongPages goes through a transcript of many windows.
func TestLongPages(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	b := newFixture(t)
	var s strings.Builder
	s.WriteString(meta(1, b.path("p")))
	for i := range 60 {
		size := []int{3, 9000, 70, 40_000, 5, 300_000, 1_200_000, 20}[i%8]
		s.WriteString(says(2*i, fmt.Sprintf("word %d %s", i, strings.Repeat("x", size))))
		if i%7 == 0 {
			name := fmt.Sprintf("call_%d", i)
			s.WriteString(call(2*i+1, name) + entry(2*i+1, "event_msg", object{"type": "token_count"}) + output(2*i+1, name, strings.Repeat("y", size)))
		}
	}
	b.write(s.String(), rollout(1))
	want := told(sessiontest.Read(Formats()[1], "", []byte(s.String())).Messages)
	snap := b.scan("p")
	if f := snap.Items[0].Format.Client; f != "codex" || len(want) < 60 {
		t.Fatalf("%s: %d messages", f, len(want))
	}
	for _, limit := range []int{1, 7, 1000} {
		pages(t, snap, key(1), limit, want)
	}
}

// TestTranscriptPage reads single pages of odd transcripts.
func TestTranscriptPage(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	mega := strings.Repeat("z", 1<<20)
	huge := `{"timestamp":"` + strings.Repeat("x", maxWindow) + `"}` + "\n"
	for _, c := range []struct {
		name, body string
		q          Query
		want       []string
	}{
		{"nothing is said", "", Query{}, nil},
		{"the newest", chat(3), Query{Limit: 2}, []string{"word 1", "word 2"}},
		{"from the first byte", chat(3), Query{At: "0", Limit: 2}, []string{"word 0", "word 1"}},
		{"before the first byte", chat(3), Query{Before: "0"}, nil},
		{"more than there are", chat(3), Query{Limit: 1 << 40}, []string{"word 0", "word 1", "word 2"}},
		{"a number below 0", chat(3), Query{Limit: -1}, []string{"word 0", "word 1", "word 2"}},
		{"a torn end", chat(2) + says(2, "torn")[:50], Query{}, []string{"word 0", "word 1"}},
		{"garbage", says(0, "a") + "\x00\xff{\n" + says(2, "b"), Query{}, []string{"a", "the line is not valid UTF-8", "b"}},
		{"CR LF", strings.ReplaceAll(chat(2), "\n", "\r\n"), Query{}, []string{"word 0", "word 1"}},
		{"a call that ends 1 MB later", call(1, "c") + says(2, mega[:2]+mega) + output(3, "c", "out"), Query{At: "call", Limit: 1}, []string{"c=completed"}},
		{"a call whose end is 1 MB long", call(1, "c") + says(2, "next") + output(3, "c", mega), Query{At: "call", Limit: 1}, []string{"c=completed"}},
		{"a call that is still open", call(1, "c"), Query{}, []string{"c=running"}},
		{"a line longer than all windows, from before it", says(0, "a") + huge + says(2, "b"), Query{At: "0"}, []string{"a", tooLong, "b"}},
		{"a line longer than all windows, from after it", says(0, "a") + huge + says(2, "b"), Query{Limit: 2}, []string{"b"}},
		{"a torn line longer than all windows", says(0, "a") + huge[:len(huge)-1], Query{}, []string{"a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			head := meta(1, b.path("p"))
			b.write(head+c.body, rollout(1))
			if c.q.At == "call" {
				c.q.At = fmt.Sprint(len(head))
			}
			page, err := b.scan("p").Page(t.Context(), key(1), c.q)
			b.ok(err)
			if d := cmp.Diff(c.want, texts(page)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if page.Torn != !strings.HasSuffix(head+c.body, "\n") {
				t.Errorf("torn: %v", page.Torn)
			}
		})
	}
}

// TestPastLongLines goes on and back over lines that are too long to be read.
func TestPastLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	b := newFixture(t)
	huge := `{"timestamp":"` + strings.Repeat("x", maxWindow) + `"}` + "\n"
	b.write(meta(1, b.path("p"))+says(0, "a")+huge+huge+says(2, "b"), rollout(1))
	s, q := b.scan("p"), Query{Limit: 1}
	var back []string
	for more := true; more; more = q.Before != "" {
		p := read1(t, s, key(1), q)
		back = append(texts(p), back...)
		q.Before = p.Before
	}
	if d := cmp.Diff([]string{"a", tooLong, tooLong, "b"}, back); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	q = Query{At: "0", Limit: 1}
	var on []string
	for more := true; more; more = q.After != "" {
		p := read1(t, s, key(1), q)
		on = append(on, texts(p)...)
		q = Query{After: p.After, Limit: 1}
	}
	if d := cmp.Diff(back, on); d != "" {
		t.Errorf("-back +on\n%s", d)
	}
}

// TestCursor refuses what no page gave.
func TestCursor(t *testing.T) {
	b := newFixture(t)
	b.write(meta(1, b.path("p"))+chat(3), rollout(1))
	s := b.scan("p")
	for _, c := range []struct {
		cursor string
		want   error
	}{
		{"x", ErrCursor},
		{"-1", ErrCursor},
		{"+1", ErrCursor},
		{"01", ErrCursor},
		{"1e3", ErrCursor},
		{"0.0", ErrCursor},
		{"0.-1", ErrCursor},
		{"0.x", ErrCursor},
		{"1.1", ErrRewritten},
		{strings.Repeat("9", 30), ErrCursor},
		{"1", ErrRewritten},
		{"9223372036854775807", ErrRewritten},
		{"1000000", ErrRewritten},
	} {
		for _, q := range []Query{{Before: c.cursor}, {After: c.cursor}, {At: c.cursor}} {
			if _, err := s.Page(t.Context(), key(1), q); !errors.Is(err, c.want) {
				t.Errorf("%+v: %v, not %v", q, err, c.want)
			}
		}
		if _, err := s.Message(t.Context(), key(1), c.cursor); !errors.Is(err, c.want) {
			t.Errorf("message %s: %v, not %v", c.cursor, err, c.want)
		}
	}
	if _, err := s.Page(t.Context(), key(2), Query{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("another session: %v", err)
	}
	if _, err := s.Message(t.Context(), key(1), "0"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a line that says nothing: %v", err)
	}
}

// TestTranscriptSearch finds words wherever they stand to the edges of what is read at once.
func TestTranscriptSearch(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const word = "needle"
	fill := func(n int) string { return says(100, strings.Repeat("h", n-len(says(100, "")))) }
	for _, c := range []struct {
		name string
		body func(head int) string
		want int // messages with the word
	}{
		{"nowhere", func(int) string { return chat(20) }, 0},
		{"in the first and the last line", func(int) string { return says(0, word) + chat(20) + says(3, word) }, 2},
		{"in a torn line", func(int) string { return says(0, word) + says(1, word)[:150] }, 1},
		{"across the edge of a window", func(head int) string {
			return fill(searchWindow-head-100) + says(0, word) + says(1, "after") + says(2, word)
		}, 2},
		{"a window's last line", func(head int) string {
			n := searchWindow - head - len(says(0, word))
			return fill(n) + says(0, word) + says(1, "after")
		}, 1},
		{"a window's first line", func(head int) string { return fill(searchWindow-head) + says(0, word) }, 1},
		{"the end of a call of the window before", func(head int) string {
			return fill(searchWindow-head-len(call(1, "c"))) + call(1, "c") + output(2, "c", word)
		}, 1},
		{"a long end of a call of the window before", func(head int) string {
			return fill(searchWindow-head-len(call(1, "c"))) + call(1, "c") + output(2, "c", strings.Repeat("y", 300_000)+word)
		}, 1},
		{"a line of 1 MB", func(int) string { return says(0, strings.Repeat("h", 1<<20)+word) }, 1},
		{"after lines longer than a window", func(int) string { return says(0, word) + fill(searchWindow+9) + fill(maxSearched+9) + says(2, word) }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			head := meta(1, b.path("p"))
			b.write(head+c.body(len(head)), rollout(1))
			s := b.scan("p")
			for _, budget := range []int64{1, 1 << 40} {
				if got := search(t, s, word, budget); got != c.want {
					t.Errorf("%d messages with budget %d, not %d", got, budget, c.want)
				}
			}
		})
	}
}

// search counts the messages with a word. Each must be what its cursor
// leads to.
func search(t *testing.T, s *Snapshot, word string, budget int64) (n int) {
	t.Helper()
	seen := make(map[string]bool)
	for at := int64(0); at >= 0; {
		next, read, err := s.Search(t.Context(), s.Items[0], at, budget, []needle.Needle{needle.New(word)}, func(m *session.Message) bool {
			text := sessiontest.Text(&session.Log{Messages: []session.Message{*m}})
			if !strings.Contains(text, word) {
				return true
			}
			if !seen[Cursor(m)] {
				n++
			}
			seen[Cursor(m)] = true
			if got, err := s.Message(t.Context(), key(1), Cursor(m)); err != nil || told([]session.Message{*got})[0] != text {
				t.Errorf("the message at %d is another when it is read: %v", m.Offset, err)
			}
			return true
		})
		if err != nil || next >= 0 && (next <= at || read == 0) {
			t.Fatalf("from %d to %d: %v", at, next, err)
		}
		at = next
	}
	return n
}
