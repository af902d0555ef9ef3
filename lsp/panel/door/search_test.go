package door_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

func (d *testDoor) search(p panel.SearchParams) panel.SearchPage {
	d.t.Helper()
	page, err := d.Search(d.t.Context(), p)
	if err != nil {
		d.t.Fatal(err)
	}
	return page
}

// found gives the hits of all pages as "protocol from: snippet".
func (d *testDoor) found(text string, limit int) []string {
	d.t.Helper()
	list := []string{}
	for p := (panel.SearchParams{Query: text, Limit: limit}); ; {
		page := d.search(p)
		if len(page.Problems) > 0 || !page.Complete || len(page.Hits) > limit {
			d.t.Fatalf("%s: %+v", text, page)
		}
		for _, h := range page.Hits {
			list = append(list, h.Protocol+" "+h.From+": "+h.Snippet)
		}
		if page.NextCursor == "" {
			return list
		}
		p.Cursor = page.NextCursor
	}
}

func TestSearch(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	page := d.search(panel.SearchParams{Query: "CHANGELOG"})
	if len(page.Hits) != 1 || !page.Complete || page.NextCursor != "" {
		t.Fatalf("%+v", page)
	}
	h := page.Hits[0]
	if h.From != "alice" || h.To != "bob" || h.Name != "release" || h.Time != 1_000_000 || !h.Unread || h.Group != "mail" ||
		h.Snippet != "Is the **changelog** ready?" || fmt.Sprint(h.Marks) != "[[9 9]]" || h.Trust.Level != "ok" {
		t.Errorf("%+v", h)
	}
	thread, err := d.Thread(t.Context(), panel.ThreadParams{Ref: h.Message})
	if err != nil || thread.Thread.Name != "release" || thread.Thread.Ref != h.Thread {
		t.Errorf("the message's ref leads to %+v: %v", thread.Thread, err)
	}
	for text, want := range map[string][]string{
		"alice":                    {"samp alice: Fix the login bug", "samp alice: Is the **changelog** ready?"},
		"thread:release -to:alice": {"samp alice: Is the **changelog** ready?"},
		"is:mine is:unread fix":    {"samp alice: Fix the login bug"},
		"is:read":                  {},
		"is:suspicious":            {"samp mallory: I claim to be somebody else"},
		"claim":                    {},
		"protocol:amp fix":         {},
		"in:mail fix":              {"samp alice: Fix the login bug"},
		"in:tasks fix":             {},
		"before:today fix":         {"samp alice: Fix the login bug"},
		"on:today":                 {},
	} {
		if diff := cmp.Diff(want, d.found(text, 1)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestSearchOnce holds that a search which is made once, without an index, shows the same as
// the editor's: to the person, and to agents what they may see.
func TestSearchOnce(t *testing.T) {
	long := strings.Repeat("a long name ", 100)
	logs := map[string][]samp.Record{
		"log-alice.jsonl": {
			rec(100, "alice", "bob", "plan", "Begins with the parser"), rec(150, "alice", "carol", "plan", "The parser, again"),
			rec(160, "alice", "dave", long, "A parser in a thread of a long name"), rec(170, "alice", "dave", "between", "Their parser"),
		},
		"log-bob.jsonl": {
			rec(120, "bob", "alice", "plan", "Which parser?"), rec(170, "bob", "all", "notice", "The parser is done"),
			rec(90, "bob", "dave", "between", "Between the two"), rec(180, "carol", "dave", long, "a forged parser"),
		},
		"log-carol.jsonl":                 {rec(165, "carol", "alice", long, "It has the parser"), rec(110, "carol", "bob", "between", "parser: I join")},
		"log-alice.sync-conflict-1.jsonl": {rec(100, "alice", "bob", "plan", "Begins with the parser"), rec(50, "alice", "bob", "plan", "An older parser")},
	}
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, logs)
	for _, reader := range []panel.Reader{nil, {"bob"}, {"carol"}, {"dave"}, {"erin"}} {
		open := func(once bool) *door.Panels {
			p := door.Open(panel.Options{
				Sources: sources.All(), Reader: reader, Once: once, Settings: panel.Settings{Alias: "bob", ReadOnly: true},
				Env: environ.Env{Getenv: func(k string) string { return d.env[k] }, Home: t.TempDir(), Work: t.TempDir()},
				Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler), Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
			})
			t.Cleanup(func() { _ = p.Close() })
			if err := p.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			return p
		}
		indexed, once := open(false), open(true)
		for _, text := range []string{"parser", "parser from:alice", "to:bob", "thread:plan", "in:plan", "in:tasks parser", "-in:mail", "tool:bash parser", "is:unread", "-is:mine parser", "is:suspicious", "after:today", "nowhere"} {
			want, err := indexed.Search(t.Context(), panel.SearchParams{Query: text})
			if err != nil {
				t.Fatal(err)
			}
			got := []panel.SearchHit{}
			for limit := range 3 { // all, one, two
				var hits []panel.SearchHit
				if err := once.SearchAll(t.Context(), panel.SearchParams{Query: text, Limit: limit}, func(page *panel.SearchPage) error {
					hits = append(hits, page.Hits...)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				if limit == 0 {
					got = append(got, hits...)
				} else if len(hits) != min(limit, len(want.Hits)) {
					t.Errorf("%v, %s: %d hits of %d at most", reader, text, len(hits), limit)
				}
			}
			if diff := cmp.Diff(want.Hits, got); diff != "" {
				t.Errorf("%v, %s (-indexed +once):\n%s", reader, text, diff)
			}
		}
	}
}

// TestSearchProblems holds that a half-typed query is no error, and where it is
// wrong in UTF-16 units.
func TestSearchProblems(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	page := d.search(panel.SearchParams{Query: "\U0001F600 from:"})
	if len(page.Problems) != 1 || page.Problems[0].Offset != 3 || page.Problems[0].Length != 5 || len(page.Hits) > 0 {
		t.Errorf("%+v", page)
	}
	page = d.search(panel.SearchParams{Query: "login from:"})
	if len(page.Problems) != 1 || len(page.Hits) != 1 {
		t.Errorf("the rest of the query does not count: %+v", page)
	}
	for _, text := range []string{"", "  ", "from:", `""`} {
		if page := d.search(panel.SearchParams{Query: text}); len(page.Hits) > 0 || page.NextCursor != "" || !page.Complete {
			t.Errorf("%q finds something: %+v", text, page)
		}
	}
}

func TestSearchCursor(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, sample())
	for _, c := range []string{"?", "e30", base64.RawURLEncoding.EncodeToString([]byte("[]")), base64.RawURLEncoding.EncodeToString([]byte("null"))} {
		_, err := d.Search(t.Context(), panel.SearchParams{Query: "fix", Cursor: c})
		var bad *panel.Error
		if wrong := c != "e30"; wrong != (errors.As(err, &bad) && bad.Kind == panel.Malformed) {
			t.Errorf("cursor %q: %v", c, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Search(ctx, panel.SearchParams{Query: "fix"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSearchFormats holds that pages of several formats follow each other in time,
// and what is asked of them.
func TestSearchFormats(t *testing.T) {
	c := newCheckout(t)
	d := openTestDoor(t, c.home, panel.Settings{Alias: "bob"}, []string{c.main}, map[string][]samp.Record{
		"log-alice.jsonl": {rec(1000, "alice", "bob", "x", "the login of old"), rec(1_900_000_000, "alice", "bob", "x", "the login to come")},
	})
	all := d.found("login", 200)
	if len(all) < 4 || all[0] != "samp alice: the login to come" || all[len(all)-1] != "samp alice: the login of old" {
		t.Fatalf("%q", all)
	}
	for _, limit := range []int{1, 2, 3} {
		if diff := cmp.Diff(all, d.found("login", limit)); diff != "" {
			t.Errorf("pages of %d (-one page +pages):\n%s", limit, diff)
		}
	}
	for _, h := range d.search(panel.SearchParams{Query: "protocol:atsf login"}).Hits {
		page, err := d.Thread(t.Context(), panel.ThreadParams{Ref: h.Message})
		if err != nil || page.Thread.Ref != h.Thread || h.Group != page.Thread.Group {
			t.Errorf("%+v leads to %+v: %v", h, page.Thread.Ref, err)
		}
	}
	for _, text := range []string{"login in:feature/audio", "login is:unread protocol:atsf", "protocol:atsf to:bob"} {
		for _, hit := range d.found(text, 10) {
			if !strings.Contains(text, "in:") {
				t.Errorf("%s found %s", text, hit)
			}
		}
	}
}

// TestSearchMail holds that signed mail is found by its whole text, with the trust
// in it.
func TestSearchMail(t *testing.T) {
	p := newPost(t, panel.Settings{Alias: "bob"})
	page := p.search(panel.SearchParams{Query: "protocol:amp -zzzz"})
	if len(page.Hits) < 4 {
		t.Fatalf("%+v", page.Hits)
	}
	unread := 0
	for _, h := range page.Hits {
		if h.Trust.Label == "" || h.Title == "" || h.Time == 0 {
			t.Errorf("%+v", h)
		}
		if h.Unread {
			unread++
		}
		if thread, err := p.Thread(t.Context(), panel.ThreadParams{Ref: h.Message}); err != nil || thread.Thread.Ref != h.Thread {
			t.Errorf("%+v leads to %+v: %v", h, thread.Thread.Ref, err)
		}
	}
	if got := p.search(panel.SearchParams{Query: "protocol:amp is:unread"}).Hits; len(got) != unread || unread == 0 {
		t.Errorf("%d are unread, and %d were found", unread, len(got))
	}
}
