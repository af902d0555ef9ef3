package index_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// modelSeeds is the number of random runs, and modelSteps the number of steps in each.
const (
	modelSeeds = 24
	modelSteps = 40
)

// TestLiveModel makes random changes to a directory, as writers, sync tools, editors and
// forgers make them. After each step it compares the live index with an index that was just
// opened over the same files, and with a plain pass over them.
func TestLiveModel(t *testing.T) {
	seeds := uint64(modelSeeds)
	if testing.Short() {
		seeds /= 4 // the next test is for what happens at once
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := newModel(t, seed)
			for step := range modelSteps {
				did := m.step()
				m.trace = append(m.trace, did)
				m.check()
				if t.Failed() {
					t.Fatalf("after step %d:\n%s", step, strings.Join(m.trace, "\n"))
				}
			}
		})
	}
}

// TestLiveModelConcurrent does the same while the index follows and others
// read it, and compares when all is quiet.
func TestLiveModelConcurrent(t *testing.T) {
	for seed := range uint64(modelSeeds / 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := newModel(t, seed+1000)
			m.unseen = true
			ctx, cancel := context.WithCancel(t.Context())
			var readers sync.WaitGroup
			for r := range 2 {
				readers.Go(func() {
					for i := 0; ctx.Err() == nil; i++ {
						_ = m.live.Sync(ctx)
						list, _ := m.live.List(index.Listing{Limit: 100})
						m.live.Ends(list)
						for i := range list {
							_, _ = m.live.Page(list[i].Name, nil, nil, 5)
						}
						if r == 0 && len(list) > 0 {
							_ = m.live.SetRead(nil, []string{list[i%len(list)].Name}, i%3 > 0)
						}
						m.live.Suspicious(10)
						m.live.Newest("", 1<<40)
					}
				})
			}
			for range 10 * modelSteps {
				m.trace = append(m.trace, m.step())
			}
			cancel()
			readers.Wait()
			m.check()
			if t.Failed() {
				t.Log(strings.Join(m.trace, "\n"))
			}
		})
	}
}

// model is a directory at random.
type model struct {
	*testDir
	rnd   *rand.Rand
	state string
	trace []string
	// clock makes every write's time different, since the same size and time mean the same
	// content.
	clock time.Time
	pool  []string
	// unseen is set if several steps may happen between two looks. Then a change in the
	// middle of a file followed by an append looks like an append alone, unless everything is
	// read.
	unseen bool
}

func newModel(t testing.TB, seed uint64) *model {
	m := &model{testDir: newTestDir(t, "bob"), rnd: rand.New(rand.NewPCG(seed, 7)), clock: time.Unix(1_700_000_000, 0)}
	m.live.Close()
	m.state = t.TempDir()
	m.live = m.reopen()
	return m
}

// reopen follows the directory with the model's own state.
func (m *model) reopen() *index.Live {
	live := index.Open(index.Config{
		Path: m.dir, Me: "bob", StateDir: m.state, Profile: samp.V1,
		Poll: time.Hour, Logger: slog.New(slog.DiscardHandler),
	})
	m.t.Cleanup(live.Close)
	return live
}

var modelLogs = []string{
	"log-alice.jsonl", "log-carol.jsonl", "log-bob.jsonl", "log-mallory.jsonl",
	"log-alice.sync-conflict-1.jsonl", "log-alice-replica.jsonl", "log-alice (conflicted copy).jsonl", "log-carol.x.jsonl",
}

// record returns a line, mostly a good one, from so few values that records repeat.
func (m *model) record(name string) string {
	if len(m.pool) > 0 && m.rnd.IntN(3) == 0 {
		return m.pool[m.rnd.IntN(len(m.pool))]
	}
	from := []string{"alice", "alice", "carol", "bob"}[m.rnd.IntN(4)]
	if m.rnd.IntN(2) == 0 {
		from, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, "log-"), ".jsonl"), ".")
	}
	to := []string{"bob", "bob", "carol", "alice"}[m.rnd.IntN(4)]
	r := samp.Record{TS: int64(m.rnd.IntN(12)), From: from, To: to, Thread: fmt.Sprint("t", m.rnd.IntN(4)), Body: fmt.Sprint("body ", m.rnd.IntN(6)) + []string{"", "?"}[m.rnd.IntN(2)]}
	r.ID = samp.ID(&r, []samp.Profile{samp.V1, samp.V1Compact}[m.rnd.IntN(2)])
	switch m.rnd.IntN(12) {
	case 0:
		r.ID = ""
	case 1:
		r.ID = "odd:\n\\" + fmt.Sprint(m.rnd.IntN(3))
	case 2:
		r.ID = fmt.Sprintf("%016x", m.rnd.IntN(3))
	case 3:
		return []string{"\n", "{}\n", "not json\n", "  \t\n", "\xff\xfe\n", `{"id":1}` + "\n"}[m.rnd.IntN(6)]
	}
	line := string(r.Append(nil))
	m.pool = append(m.pool, line)
	return line
}

func (m *model) lines(name string) string {
	var b strings.Builder
	for range m.rnd.IntN(4) + 1 {
		b.WriteString(m.record(name))
	}
	return b.String()
}

// step makes one change to one log and returns its name.
func (m *model) step() string {
	name := modelLogs[m.rnd.IntN(len(modelLogs))]
	path := filepath.Join(m.dir, name)
	old, err := os.ReadFile(path)
	exists := err == nil
	what := m.rnd.IntN(16)
	switch {
	case what < 6 || !exists:
		text := m.lines(name)
		m.append(name, text)
		m.touch(path)
		return fmt.Sprintf("append to %s: %q", name, text)
	case what == 6:
		text := m.record(name)
		text = text[:m.rnd.IntN(len(text)+1)]
		m.append(name, text)
		m.touch(path)
		return fmt.Sprintf("append a part to %s: %q", name, text)
	case what == 7:
		text := strings.TrimSuffix(m.record(name), "\n")
		m.append(name, text)
		m.touch(path)
		return fmt.Sprintf("append without a line end to %s: %q", name, text)
	case what == 8:
		n := m.rnd.IntN(len(old) + 1)
		m.must(os.Truncate(path, int64(n)))
		m.touch(path)
		return fmt.Sprintf("truncate %s to %d", name, n)
	case what == 9:
		text := m.lines(name) + string(old)
		m.replace(path, text)
		return fmt.Sprintf("replace %s by one that begins with more, %q", name, text)
	case what == 10:
		text := []byte(strings.ReplaceAll(string(old), "body ", "BODY "))
		if m.unseen {
			m.replace(path, string(text))
			return "replace " + name + " by one of the same size"
		}
		m.write(name, string(text))
		m.touch(path)
		return "rewrite " + name + " in place, same size"
	case what == 11:
		m.must(os.Remove(path))
		return "remove " + name
	case what == 12:
		m.must(os.Remove(path))
		text := m.lines(name)
		m.write(name, text)
		m.touch(path)
		return fmt.Sprintf("make %s anew: %q", name, text)
	case what == 13:
		m.compact(name)
		return "compact " + name
	case what == 14:
		other := modelLogs[m.rnd.IntN(len(modelLogs))]
		m.append(other, string(old))
		m.touch(filepath.Join(m.dir, other))
		return "copy " + name + " onto the end of " + other
	}
	return m.mark()
}

// mark marks a message or two as another process does.
func (m *model) mark() string {
	d, err := sampstore.Open(m.dir)
	m.must(err)
	defer d.Close()
	state, err := sampstore.OpenReadState(m.state, d, "bob")
	m.must(err)
	mail, err := d.Select(m.t.Context(), samp.V1, func(f *samp.Found) bool { return f.To == "bob" })
	m.must(err)
	if len(mail.Messages) == 0 {
		return "mark nothing"
	}
	k := sampstore.KeyOf(&mail.Messages[m.rnd.IntN(len(mail.Messages))])
	read := m.rnd.IntN(3) > 0
	_, err = state.Mark([]sampstore.Key{k}, read)
	m.must(err)
	return fmt.Sprintf("mark %q read: %t", k, read)
}

func (m *model) compact(name string) {
	d, err := sampstore.Open(m.dir)
	m.must(err)
	defer d.Close()
	logs, _, err := d.Logs()
	m.must(err)
	for _, log := range logs {
		if log.Name == name {
			_, err := d.Compact(m.t.Context(), log, samp.V1)
			m.must(err)
		}
	}
}

func (m *model) replace(path, text string) {
	m.must(os.WriteFile(path+".tmp", []byte(text), 0o600))
	m.touch(path + ".tmp")
	m.must(os.Rename(path+".tmp", path))
}

func (m *model) touch(path string) {
	m.clock = m.clock.Add(time.Second)
	m.must(os.Chtimes(path, m.clock, m.clock))
}

func (m *model) must(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// shown is everything that an index returns, in a form that can be compared.
type shown struct {
	Threads    []string
	Unread     int
	Waiting    int
	Asking     int
	NeedReply  int
	Messages   []string
	Suspicious []string
	Parties    []index.Party
	Malformed  int
	Newest     []string
}

func describe(m *index.Message) string {
	return fmt.Sprintf("%d %s→%s %s %q %q %s:%d unread=%t %v", m.TS, m.From, m.To, m.Thread, m.Key, m.Body, m.File, m.Line, m.Unread, m.Err)
}

// look reads all that an index shows.
func look(live *index.Live) shown {
	stats := live.Stats()
	s := shown{Unread: stats.Unread, Waiting: stats.Waiting, Asking: stats.Asking, NeedReply: stats.NeedReply, Malformed: stats.Malformed, Parties: live.Parties(100)}
	asking, needReply, unasked := []string{}, []string{}, []string{}
	list, _ := live.List(index.Listing{Limit: 1000})
	for _, th := range list {
		s.Threads = append(s.Threads, fmt.Sprintf("%s %d–%d %d/%d %v mine=%t copied=%t %s→%s mail=%d",
			th.Name, th.First, th.Last, th.Unread, th.Count, th.Participants, th.Mine, th.Copied, th.From, th.To, len(live.Mail(th.Name))))
		page, err := live.Page(th.Name, nil, nil, 100000)
		if err != nil || page.Older || page.Newer {
			s.Messages = append(s.Messages, fmt.Sprint(th.Name, err, page.Older, page.Newer))
		}
		for i := range page.Messages {
			s.Messages = append(s.Messages, describe(&page.Messages[i]))
		}
		asks := func(m index.Message) bool { return m.To == "bob" && m.From != "bob" && strings.HasSuffix(m.Body, "?") }
		m := page.Newest
		late := m.To == "bob" && m.From != "bob" && !m.Unread &&
			slices.ContainsFunc(page.Messages, func(m index.Message) bool { return m.Unread && asks(m) })
		if late != (page.Question != nil && page.Question.Unread && describe(page.Question) != describe(&m)) {
			s.Threads = append(s.Threads, fmt.Sprint(th.Name, " asks late: ", late))
		}
		if asks(m) || late {
			asking = append(asking, th.Name)
		}
		if th.NeedsReply {
			needReply = append(needReply, th.Name)
		}
		if th.NeedsReply && !asks(m) && !late {
			unasked = append(unasked, th.Name)
		}
		if m := page.Newest; th.NeedsReply != (m.To == "bob" && m.From != "bob") {
			s.Threads = append(s.Threads, fmt.Sprint(th.Name, " needs a reply: ", th.NeedsReply))
		}
	}
	if list, _ := live.List(index.Listing{Limit: 1000, Filter: index.Filter{Asks: true}}); !slices.Equal(asking, names(list)) || len(asking) != s.Asking {
		s.Threads = append(s.Threads, fmt.Sprint(asking, " ask, and not ", names(list)))
	}
	if list, _ := live.List(index.Listing{Limit: 1000, Filter: index.Filter{NeedsReply: true}}); !slices.Equal(needReply, names(list)) || len(needReply) != s.NeedReply {
		s.Threads = append(s.Threads, fmt.Sprint(needReply, " need a reply, and not ", names(list)))
	}
	if list, _ := live.List(index.Listing{Limit: 1000, Filter: index.Filter{NeedsReply: true, Unasked: true}}); !slices.Equal(unasked, names(list)) || len(unasked) != s.NeedReply-s.Asking {
		s.Threads = append(s.Threads, fmt.Sprint(unasked, " need a reply and ask nothing, and not ", names(list)))
	}
	for _, sort := range sorts[1:] {
		whole, _ := live.List(index.Listing{Sort: sort, Limit: 1000})
		s.Threads = append(s.Threads, fmt.Sprint(sort, names(whole)))
		if want := listed(sort, list); !slices.Equal(want, names(whole)) {
			s.Threads = append(s.Threads, fmt.Sprint("is not sorted, want ", want))
		}
	}
	for _, m := range live.Suspicious(1000) {
		m.Line, m.File, m.Key = 0, "", "" // it does not matter which of two copies is shown
		s.Suspicious = append(s.Suspicious, describe(&m))
	}
	slices.Sort(s.Suspicious)
	newest, tied := live.Newest("", 1<<40)
	if newest != nil {
		tied = append(tied, *newest)
	}
	for i := range tied {
		s.Newest = append(s.Newest, describe(&tied[i]))
	}
	return s
}

// lookups lists what an index finds for every id that it shows.
func lookups(live *index.Live) []string {
	var list []string
	threads, _ := live.List(index.Listing{Limit: 1000})
	for _, th := range threads {
		page, _ := live.Page(th.Name, nil, nil, 100000)
		for i := range page.Messages {
			m := &page.Messages[i]
			for _, f := range live.Find(m.Key) {
				list = append(list, "find "+describe(&f))
			}
			got, err := live.Get(sampstore.KeyOf(&m.Found))
			list = append(list, fmt.Sprint("get ", describe(&got), err, live.HasOriginal(&m.Record)))
		}
	}
	slices.Sort(list)
	return list
}

// check compares the live index with a new one and with the plain pass.
func (m *model) check() {
	m.t.Helper()
	m.sync()
	fresh := m.reopen()
	defer fresh.Close()
	if err := fresh.Sync(m.t.Context()); err != nil {
		m.t.Fatal(err)
	}
	want, got := look(fresh), look(m.live)
	if diff := cmp.Diff(want, got); diff != "" {
		m.t.Errorf("live index (-new +live):\n%s", diff)
	}
	if diff := cmp.Diff(lookups(fresh), lookups(m.live)); diff != "" {
		m.t.Errorf("look-ups (-new +live):\n%s", diff)
	}
	if diff := cmp.Diff(m.plain(), bare(m.live)); diff != "" {
		m.t.Errorf("live index (-plain pass +live):\n%s", diff)
	}
}

// plain lists all mail that the command line's pass over the files shows.
func (m *model) plain() []string {
	d, err := sampstore.Open(m.dir)
	m.must(err)
	defer d.Close()
	mail, err := d.Select(m.t.Context(), samp.V1, func(*samp.Found) bool { return true })
	m.must(err)
	var list []string
	for i := range mail.Messages {
		f := &mail.Messages[i]
		list = append(list, fmt.Sprintf("%s %d %s→%s %q %q %s", f.Thread, f.TS, f.From, f.To, f.Key, f.Body, f.Stem))
	}
	for i := range mail.Suspicious {
		f := &mail.Suspicious[i]
		list = append(list, fmt.Sprintf("suspicious %d %s→%s %q", f.TS, f.From, f.To, f.Body))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// bare lists the same of a live index.
func bare(live *index.Live) []string {
	var list []string
	threads, _ := live.List(index.Listing{Limit: 1000})
	for _, th := range threads {
		page, err := live.Page(th.Name, nil, nil, 100000)
		if err != nil {
			list = append(list, err.Error())
		}
		for i := range page.Messages {
			f := &page.Messages[i]
			list = append(list, fmt.Sprintf("%s %d %s→%s %q %q %s", f.Thread, f.TS, f.From, f.To, f.Key, f.Body, f.Stem))
		}
	}
	for _, f := range live.Suspicious(1000) {
		list = append(list, fmt.Sprintf("suspicious %d %s→%s %q", f.TS, f.From, f.To, f.Body))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
