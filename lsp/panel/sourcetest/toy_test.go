package sourcetest_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/sourcetest"
	"github.com/signalbox-dev/signalbox/lsp/sources"
)

// The toy is a read-only format that no other file knows. A thread is a file NAME.toy,
// and each of its lines is a message: "seconds sender text". It shows what a new format
// needs.

const toyProtocol mail.Protocol = "toy"

type toySource struct {
	host panel.Host
	mu   sync.Mutex
	dir  string
	now  []toyThread
}

type toyThread struct {
	name, dir string
	messages  []toyMessage
}

type toyMessage struct {
	millis     int64
	from, text string
}

func newToy(host panel.Host) panel.Source { return &toySource{host: host} }

func (*toySource) Format() panel.Format {
	return panel.Format{Protocol: toyProtocol, Thread: "a toy thread"}
}

func (s *toySource) Configure(in panel.Setup) { s.set(in.Folders[0], nil) }
func (s *toySource) Close()                   { s.set("", nil) }

func (s *toySource) set(dir string, now []toyThread) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dir, s.now = dir, now
}

func (s *toySource) held() (string, []toyThread) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dir, s.now
}

func (s *toySource) Sync(context.Context) error {
	dir, old := s.held()
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.toy"))
	if err != nil {
		return err
	}
	var now []toyThread
	change := panel.SourceChange{Kinds: []string{"messages"}}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		th := toyThread{name: strings.TrimSuffix(filepath.Base(file), ".toy"), dir: dir}
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			m := toyMessage{}
			if _, err := fmt.Sscanf(lines.Text(), "%d %s", &m.millis, &m.from); err == nil {
				m.millis *= 1000
				_, m.text, _ = strings.Cut(lines.Text(), m.from+" ")
				th.messages = append(th.messages, m)
			}
		}
		if len(th.messages) == 0 {
			continue
		}
		now = append(now, th)
		if !slices.ContainsFunc(old, func(o toyThread) bool { return o.name == th.name && len(o.messages) == len(th.messages) }) {
			change.Threads = append(change.Threads, th.ref())
		}
	}
	slices.SortFunc(now, func(a, b toyThread) int { x, y := a.head(), b.head(); return x.Newest(&y) })
	s.set(dir, now)
	if len(change.Threads) > 0 {
		s.host.Changed(change)
	}
	return nil
}

func (t *toyThread) ref() panel.Ref { return mail.ThreadRef(toyProtocol, "toy", t.name) }

func (t *toyThread) line(i int) panel.Ref {
	return mail.MessageRef(toyProtocol, "toy", t.name, strconv.Itoa(i))
}

func (t *toyThread) last() *toyMessage { return &t.messages[len(t.messages)-1] }

func (t *toyThread) head() panel.Head {
	return panel.Head{At: panel.AtMillis(t.last().millis), Name: t.name, Store: "toy", From: t.last().from, Of: t}
}

func (s *toySource) View(_ context.Context, away *panel.Shelf) panel.View {
	_, now := s.held()
	return &toyView{now, away}
}

type toyView struct {
	threads []toyThread
	shelf   *panel.Shelf
}

func (v *toyView) away(t *toyThread) panel.Shelved {
	return v.shelf.Part(toyProtocol, "toy", "").At(t.name, nil, v.shelf.Now)
}

func (v *toyView) Groups(f *panel.InboxFilter) []panel.Group {
	var all panel.Tallies
	for i := range v.threads {
		all.Add(v.away(&v.threads[i]), panel.Tally{Threads: 1})
	}
	return []panel.Group{{ID: "toys", Kind: panel.GroupWorktree, Title: "Toys", Threads: all.Of(f).Threads}}
}

func (v *toyView) Counts() panel.Counts      { return panel.Counts{} }
func (v *toyView) Problems() []panel.Warning { return nil }
func (v *toyView) Status(*panel.Status)      {}

func (v *toyView) Heads(q *panel.HeadQuery) ([]panel.Head, bool) {
	list := panel.HeadList{Len: len(v.threads), Head: func(i int) panel.Head { return v.threads[i].head() }, Keyed: &panel.KeyedLists{}}
	return list.Page(q, func(h *panel.Head) (wanted, waits bool) {
		at := v.away(h.Of.(*toyThread)).State
		named := strings.Contains(strings.ToLower(h.Name), strings.ToLower(q.Filter.Text))
		return q.Filter.Shown(at) && named && (!q.Filter.NeedsReply || at == shelf.Due) && (q.Filter.Group == "" || q.Filter.Group == "toys"), at == shelf.Due
	})
}

func (v *toyView) Items(heads []panel.Head) (list []panel.ThreadItem) {
	for _, h := range heads {
		list = append(list, v.item(h.Of.(*toyThread)))
	}
	return list
}

func (v *toyView) item(t *toyThread) panel.ThreadItem {
	i := panel.ThreadItem{
		Ref: t.ref(), Protocol: string(toyProtocol), Title: show.Title(t.name), Name: show.LinkName(t.name), Participants: []string{}, Marks: []string{},
		LastFrom: show.Line(t.last().from), LastTime: show.Time(t.last().millis), FirstTime: show.Time(t.messages[0].millis), Count: len(t.messages), Group: "toys",
	}
	i.PutAway(v.away(t))
	return i
}

// find returns the thread of a ref and the index of the message that the ref names, or
// -1 for a thread's ref.
func (v *toyView) find(r panel.Ref) (*toyThread, int, error) {
	name, ok := r.Thread()
	at := -1
	if !ok {
		var line string
		name, line, _ = r.Message()
		at, _ = strconv.Atoi(line)
	}
	for i := range v.threads {
		if t := &v.threads[i]; t.name == name && r.Store == "toy" && at < len(t.messages) {
			return t, at, nil
		}
	}
	return nil, -1, &panel.Error{Kind: panel.NotFound, Message: "there is no such toy"}
}

func (v *toyView) Thread(_ context.Context, q panel.ThreadParams) (panel.Page, error) {
	t, _, err := v.find(q.Ref)
	if err != nil {
		return panel.Page{}, err
	}
	limit, from, to := panel.PageSize(q.Limit), 0, len(t.messages)
	cursor, err := strconv.Atoi(q.Before + q.After)
	switch {
	case q.Before+q.After == "":
		from = max(0, to-limit)
	case err != nil, cursor < 0, cursor >= len(t.messages):
		return panel.Page{}, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave"}
	case q.Before != "":
		from, to = max(0, cursor-limit), cursor
	default:
		from, to = cursor+1, min(to, cursor+1+limit)
	}
	page := panel.Page{ThreadPage: panel.ThreadPage{Thread: v.item(t), Messages: []panel.MessageItem{}, Warnings: []panel.Warning{}}, Names: []string{t.name}}
	for i := from; i < to; i++ {
		m := &t.messages[i]
		page.Messages = append(page.Messages, panel.MessageItem{
			Ref: t.line(i), From: show.Line(m.from), Time: show.Time(m.millis), HTML: show.HTML(m.text), Text: render.Text(m.text), Marks: []string{},
		})
	}
	if from > 0 {
		page.Before = strconv.Itoa(from)
	}
	if to < len(t.messages) {
		page.After = strconv.Itoa(to - 1)
	}
	return page, nil
}

func (v *toyView) Cursor(r panel.Ref) (string, bool) {
	_, line, ok := r.Message()
	return line, ok
}

func (v *toyView) Name(r panel.Ref) (string, error) {
	t, _, err := v.find(r)
	if err != nil {
		return "", err
	}
	return t.name, nil
}

func (v *toyView) ShelfKey(r panel.Ref) (shelf.Key, shelf.Mail, error) {
	t, _, err := v.find(r)
	if err != nil {
		return shelf.Key{}, nil, err
	}
	return shelf.Key{Ref: t.ref()}, nil, nil
}

func (v *toyView) Find(_ context.Context, by panel.Lookup, token string) *panel.Target {
	t, _, err := v.find(mail.ThreadRef(toyProtocol, "toy", token))
	if by != panel.ByName || err != nil {
		return nil
	}
	ref := t.ref()
	return &panel.Target{
		Status: panel.LinkFound, Kind: panel.LinkThread, Thread: &ref, Title: show.Title(t.name), Time: 1, Names: []string{t.name},
		Preview: func(int) string { return "**Toy** " + markup.Code(show.Short(t.name)) },
		Places:  func() []panel.Place { return []panel.Place{{Path: place.Join(t.dir, t.name+".toy")}} },
	}
}

func (v *toyView) Knows(ctx context.Context, token string) bool {
	return v.Find(ctx, panel.ByName, token) != nil
}

func (v *toyView) Complete(_ context.Context, c *panel.Completing) {
	for i := range v.threads {
		if t := &v.threads[i]; c.Kind == panel.CompleteThread {
			c.Add(panel.Completion{Text: t.name, Kind: panel.CompletionThread, Protocol: string(toyProtocol), Time: show.Time(t.last().millis)})
		}
	}
}

func (v *toyView) Searches(q *query.Query, limit int) []panel.Search {
	if !q.In("toys") {
		return nil
	}
	return []panel.Search{{Name: "toy", Find: func(_ context.Context, after *panel.SearchPlace) (found panel.Matches, err error) {
		for i := range v.threads {
			t := &v.threads[i]
			for j := range t.messages {
				m := &t.messages[j]
				at := panel.SearchPlace{Time: m.millis, Key: t.name, Offset: int64(j)}
				if after != nil && at.Compare(after) <= 0 || !q.Text(m.text) {
					continue
				}
				found.Hits = append(found.Hits, panel.Match{Time: m.millis, Place: at, Show: func() panel.SearchHit {
					h := panel.SearchHit{Message: t.line(j), Thread: t.ref(), Protocol: string(toyProtocol), Title: show.Title(t.name), Time: m.millis}
					h.Before, h.Snippet, h.After, h.Marks = show.Snippet(q.Words(), m.text)
					return h
				}})
			}
		}
		slices.SortFunc(found.Hits, func(a, b panel.Match) int { return a.Place.Compare(&b.Place) })
		if len(found.Hits) > limit {
			found.Hits, found.More = found.Hits[:limit], true
			found.Next, found.Until = found.Hits[limit-1].Place, found.Hits[limit-1].Time
		}
		return found, nil
	}}}
}

func toyCase() sourcetest.Case {
	write := func(t *testing.T, home, name, text string) {
		f, err := os.OpenFile(filepath.Join(home, name+".toy"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	return sourcetest.Case{
		New: newToy, Beside: sources.All(), Word: "ball",
		Fill: func(t *testing.T, home string) {
			for i := range 9 {
				write(t, home, []string{"bricks", "trains", "puzzle"}[i%3], fmt.Sprintf("%d %s the ball %d\n", 1_700_000_000+100*i, []string{"ann", "bob"}[i%2], i))
			}
			write(t, home, "strange", "1600000000 <b>\u202emallory "+sourcetest.Hostile+"\n")
		},
		Setting: func(home string) (panel.Settings, []string) { return panel.Settings{}, []string{home} },
		Grow:    func(t *testing.T, home string) { write(t, home, "bricks", "1800000000 ann more\n") },
	}
}

// TestToy checks that a new format needs only one package: it passes the suite beside
// all others, and no other package knows it.
func TestToy(t *testing.T) { sourcetest.Run(t, toyCase()) }
