package source

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	rand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/core/session/sessiontest"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// opened opens panels on a home with a folder work in it, and a view of the same.
func opened(t testing.TB, home string) (*door.Panels, *view) {
	t.Helper()
	work := filepath.Join(home, "work")
	env := environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: work}
	var v panel.View
	p := door.Open(panel.Options{
		Env: env, Folders: []string{work}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Sources: []panel.NewSource{func(h panel.Host) panel.Source {
			s := New(h)
			return kept{s, &v}
		}},
		Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
	})
	t.Cleanup(func() { _ = p.Close() })
	if err := p.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Search(t.Context(), panel.SearchParams{Query: "x"}); err != nil {
		t.Fatal(err)
	}
	return p, v.(*view)
}

// kept is a source whose last view is kept.
type kept struct {
	panel.Source
	last *panel.View
}

func (k kept) View(ctx context.Context, away *panel.Shelf) panel.View {
	*k.last = k.Source.View(ctx, away)
	return *k.last
}

// one is a message that a search has to find, or with sure unset may find: notes are worded by
// the program, and not in the bytes.
type one struct {
	place panel.SearchPlace
	ref   panel.Ref
	sure  bool
}

// told is a message of a session, masked.
type told struct {
	conversation
	*session.Message
	texts, sure []string // of the message, and without notes
}

// everything reads all messages of all sessions and masks them.
func everything(t testing.TB, v *view) (list []told) {
	t.Helper()
	for _, it := range v.Snapshot.Items {
		data, err := os.ReadFile(it.File)
		if err != nil {
			t.Fatal(err)
		}
		log := sessiontest.Read(it.Format, it.Agent, data[:bytes.LastIndexByte(data, '\n')+1])
		for i := range log.Messages {
			m := &log.Messages[i]
			if m.Gap != "" {
				continue
			}
			m.Mask()
			one := told{conversation: conversation{v, it}, Message: m, texts: turns.Texts(&m.Message)}
			own := m.Message
			own.Content = slices.DeleteFunc(slices.Clone(m.Content), func(b atsf.Block) bool { return b.Type == session.TypeNote })
			one.sure = turns.Texts(&own)
			list = append(list, one)
		}
	}
	return list
}

// naive returns the messages that match, in order.
func naive(t testing.TB, all []told, text string) (list []one) {
	t.Helper()
	q := query.Parse(text, show.Calendar(time.Now()))
	if len(q.Problems) > 0 {
		t.Fatal(text, q.Problems)
	}
	for _, m := range all {
		names := append(m.Names(), m.conversation.Title())
		by := m.Speaker(&m.Message.Message)
		if m.From != "" {
			by = []string{m.From}
		}
		at := m.it.Updated
		if m.Time.OK {
			at = min(at, m.Time.Millis)
		}
		if !q.Client(m.Clients()...) || !q.In(append(m.Places(), names...)...) || !q.Thread(names...) || !q.By(by...) ||
			!q.Time(cmp.Or(m.Time.Millis, m.it.Updated)) || !q.Calls(turns.Calls(&m.Message.Message, m.it.Folder)) {
			continue
		}
		if names = append(names, by[0]); q.Text(append(slices.Clone(names), m.texts...)...) {
			place := panel.SearchPlace{Time: at, Key: m.it.Name + "/" + m.it.Format.Client, Offset: m.Offset, Part: m.Part}
			list = append(list, one{place, m.Line(sessionstore.Cursor(m.Message)), q.Text(append(names, m.sure...)...)})
		}
	}
	slices.SortFunc(list, func(a, b one) int { return a.place.Compare(&b.place) })
	return list
}

// searched returns the hits of all pages.
func searched(t testing.TB, p *door.Panels, text string, limit int) (hits []panel.SearchHit) {
	t.Helper()
	for q := (panel.SearchParams{Query: text, Limit: limit}); ; {
		page, err := p.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		hits = append(hits, page.Hits...)
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			return hits
		}
	}
}

// FuzzSearch holds that a search finds what it finds who reads everything, masks it and
// looks, in the same order and once, on pages of any length, in made-up sessions of all four
// programs; that no hit shows what is masked, and that nobody finds it.
func FuzzSearch(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(seed)
	}
	f.Fuzz(search)
}

func queries() []string {
	return []string{
		"café", "Zu\u0308rich", "quetzal", "kelvin", "\U0001f389", `"red fox"`, "fox red", "quetzal plain red", `"the quetzal"`, "hi there", `"say "`, "nowhere", "path",
		secretKey[:20], secretKey, "token", "was", "tool:bash", "tool:execute plain", "tool:edit", "-tool:execute plain", "file:a.go", `file:"src/b.go"`, "file:src/ red", "file:café",
		"tool:Edit file:b.go", "-file:a.go tool:edit", "client:codex red", "client:claude tool:Bash", "-client:gemini red", "from:user red", "-from:user red", "in:main red", "in:work fox -plain",
		"in:nowhere red", "src", "command", "after:2020-01-01 red", "before:2020-01-01 red", "protocol:session party",
	}
}

func search(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 11))
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, client := range []string{"claude", "codex", "gemini", "copilot", []string{"claude", "codex", "gemini", "copilot"}[rng.IntN(4)]} {
		w := &writer{client: client, work: work, number: i + 1, at: begun.Add(time.Duration(rng.IntN(600)) * time.Second)}
		madeUp(rng, w)
		w.save(t, home, rng.IntN(2)*rng.IntN(60))
	}
	p, v := opened(t, home)
	if len(v.Snapshot.Items) != 5 {
		t.Fatal(len(v.Snapshot.Items), v.Snapshot.Problems)
	}
	all := everything(t, v)
	list := queries()
	for range 12 {
		text := list[rng.IntN(len(list))]
		compare(t, text, naive(t, all, text), searched(t, p, text, 1+rng.IntN(20)))
	}
	if hits := searched(t, p, secretKey, 20); len(hits) > 0 {
		t.Errorf("what is masked is found: %+v", hits[0])
	}
}

func compare(t *testing.T, text string, want []one, hits []panel.SearchHit) {
	t.Helper()
	var got, must []string
	may := make(map[string]bool)
	for _, o := range want {
		if may[fmt.Sprint(o.ref)] = !o.sure; o.sure {
			must = append(must, fmt.Sprint(o.ref))
		}
	}
	for _, h := range hits {
		if strings.Contains(h.Before+h.Snippet+h.After+h.Title, secretKey[:12]) {
			t.Errorf("%s: a hit shows what is masked: %+v", text, h)
		}
		if ref := fmt.Sprint(h.Message); !may[ref] {
			got = append(got, ref)
		}
	}
	if !slices.Equal(got, must) {
		t.Errorf("%s finds\n%s\nand not\n%s", text, strings.Join(got, "\n"), strings.Join(must, "\n"))
	}
}
