package door_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

const (
	letterID   = "msg_1795249958451_30328b7b"
	dispatchID = "task_dispatch-T-2026-044-1772116327001"
)

// office is a user who has mail of all formats.
type office struct {
	*testDoor
	home    string
	records []samp.Record
}

func newOffice(t *testing.T) *office {
	t.Helper()
	c := newCheckout(t)
	records := []samp.Record{
		rec(1000, "alice", "bob", "release 1.4", "𝄞 Is it ready? See "+chainTask+" and "+letterID),
		rec(2000, "alice", "bob", "release 1.4", "About "+mainThread+" on feature/audio"),
	}
	records = append(records, rec(3000, "bob", "alice", "login", "𝄞 as "+records[0].ID+" says, [thread:release 1.4] and "+dispatchID))
	c.append(mainThread, `{"id":"6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49","role":"user","timestamp":"2026-02-20T10:00:00.000Z","content":[{"type":"text","text":"é see `+records[0].ID+` of [thread:release 1.4]"}]}`)
	b := &board{home: c.home, ssot: filepath.Join(c.main, ".ssot"), testDoor: &testDoor{t: t}}
	for _, m := range chain(t) {
		b.put(m)
	}
	p := &post{home: c.home, root: filepath.Join(c.home, ".agent-messaging"), testDoor: &testDoor{t: t}}
	p.foreign("alice", alice)
	p.init("bob", bob)
	p.deliver("bob", fixture(t, "states", "01-inbox-unread"))
	p.deliver("bob", fixture(t, "inbox", "07-reply-to-reply"))
	o := &office{home: c.home, records: records}
	o.testDoor = openTestDoor(t, c.home, panel.Settings{Alias: "bob"}, []string{c.main}, map[string][]samp.Record{
		"log-alice.jsonl": records[:2], "log-bob.jsonl": records[2:],
	})
	return o
}

// at returns the file and line of a place, and the text there by UTF-16.
func (o *office) at(p *panel.Place) (where, text string) {
	o.t.Helper()
	data, err := os.ReadFile(p.Path)
	if err != nil {
		o.t.Fatal(err)
	}
	line := strings.Split(string(data), "\n")[p.Line]
	units := utf16.Encode([]rune(line))
	rel, err := filepath.Rel(o.home, p.Path)
	if err != nil {
		o.t.Fatal(err)
	}
	if got, bytes := string(utf16.Decode(units[p.Start.UTF16:p.End.UTF16])), line[p.Start.UTF8:p.End.UTF8]; got != bytes || string([]rune(line)[p.Start.UTF32:p.End.UTF32]) != bytes {
		o.t.Errorf("%s: the encodings give %q and %q", rel, got, bytes)
	}
	return filepath.ToSlash(rel), line[p.Start.UTF8:p.End.UTF8]
}

func (o *office) locate(token string) panel.ResolvedLink {
	o.t.Helper()
	list, err := o.Locate(o.t.Context(), []string{token})
	if err != nil || len(list) != 1 {
		o.t.Fatal(list, err)
	}
	return list[0]
}

func TestLocate(t *testing.T) {
	o := newOffice(t)
	first := o.records[0].ID
	for _, c := range []struct {
		token, kind, file, text string
		line                    int
		can                     []string
	}{
		{first, "message", "mail/log-alice.jsonl", first, 0, []string{"reply", "markRead"}},
		{o.records[1].ID, "message", "mail/log-alice.jsonl", o.records[1].ID, 1, []string{"reply", "markRead"}},
		{"release 1.4", "thread", "mail/log-alice.jsonl", "release 1.4", 0, []string{"reply", "markRead"}},
		{"signalbox://thread/release%201.4", "thread", "mail/log-alice.jsonl", "release 1.4", 0, []string{"reply", "markRead"}},
		{"signalbox://message/" + first, "message", "mail/log-alice.jsonl", first, 0, []string{"reply", "markRead"}},
		{chainTask, "thread", "shop/.ssot/messages/T-2026-044/" + dispatchID + ".json", dispatchID, 1, nil},
		{dispatchID, "message", "shop/.ssot/messages/T-2026-044/" + dispatchID + ".json", dispatchID, 1, []string{}},
		{chainAlarm, "message", "shop/.ssot/messages/T-2026-044/" + chainAlarm + ".json", chainAlarm, 1, []string{"respond"}},
		{mainThread, "thread", "shop/.agent/threads/" + mainThread + "/thread.json", mainThread, 2, nil},
		{"6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49", "message", "shop/.agent/threads/" + mainThread + "/messages.jsonl", "6f1c1f6e-9a3b-4c0e-8a55-0d6d1c2b3a49", -1, nil},
		{letterID, "message", "", letterID, -1, []string{"reply", "markRead"}},
		{"feature/audio", "branch", "trees/audio/.agent/threads/" + forkThread + "/thread.json", forkThread, 2, nil},
	} {
		t.Run(c.token, func(t *testing.T) {
			l := o.locate(c.token)
			if l.Status != "found" || string(l.Kind) != c.kind || len(l.Places) == 0 || l.Title == "" {
				t.Fatalf("%+v", l)
			}
			if diff := cmp.Diff(c.can, l.Can); diff != "" {
				t.Error(diff)
			}
			file, text := o.at(&l.Places[0])
			if c.file != "" && file != c.file || text != c.text || c.line >= 0 && l.Places[0].Line != c.line {
				t.Errorf("%s:%d: %q", file, l.Places[0].Line, text)
			}
			if l.Kind == "branch" {
				return
			}
			// Its address leads back to it.
			back := o.locate(l.Link)
			if l.Link == "" || back.Status != "found" || *back.Thread != *l.Thread || back.Kind != l.Kind {
				t.Errorf("%q leads to %+v", l.Link, back)
			}
			// Hovers and definitions agree.
			links, err := o.Resolve(t.Context(), []string{c.token})
			if err != nil || links[0].Status != "found" || string(links[0].Kind) != c.kind || *links[0].Thread != *l.Thread {
				t.Errorf("%+v, %v", links, err)
			}
		})
	}
	for _, token := range []string{
		"", "main", "0123456789abcdef", "signalbox://message/release%201.4", "signalbox://thread/", "../../etc/passwd", "audio", "T-2026-999", "msg_1_a",
		"00000000-0000-4000-8000-000000000000", strings.Repeat("x", 5000), "log-alice.jsonl", "\xff",
	} {
		if l := o.locate(token); l.Status != "missing" || len(l.Places) != 0 {
			t.Errorf("%.50q leads to %+v", token, l)
		}
	}
}

func TestTextLinks(t *testing.T) {
	o := newOffice(t)
	text := "é " + o.records[0].ID + " 0123456789abcdef [thread:release 1.4] feature/audio src/audio/x.go main\n" +
		"(" + chainTask + "), " + dispatchID + ": `" + mainThread + "` " + letterID + " <signalbox://thread/release%201.4> signalbox://thread/gone T-2026-999"
	links, err := o.Links(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range links {
		got = append(got, text[l.Start:l.End])
	}
	want := []string{o.records[0].ID, "release 1.4", "feature/audio", chainTask, dispatchID, mainThread, letterID, "signalbox://thread/release%201.4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	large, err := o.Links(t.Context(), strings.Repeat(o.records[0].ID+" ", 1<<17))
	if err != nil || len(large) != 2000 {
		t.Errorf("%d links of a large text, %v", len(large), err)
	}
}

// mentions gives the places of what mentions a token, read in pages.
func (o *office) mentions(token string, limit int) (list []string) {
	o.t.Helper()
	q := panel.ReferenceParams{Token: token, Limit: limit}
	for pages := 0; ; pages++ {
		page, err := o.References(o.t.Context(), q)
		if err != nil || pages > 30 {
			o.t.Fatal(pages, err)
		}
		for i := range page.References {
			r := &page.References[i]
			file, text := o.at(&r.Place)
			list = append(list, filepath.Base(file)+": "+text)
			if r.From == "" || r.Title == "" || r.Time == 0 || r.Thread.ID == "" || r.Message.ID == "" {
				o.t.Errorf("%+v", r)
			}
		}
		if q.Cursor = page.NextCursor; page.Complete {
			return list
		}
	}
}

func TestReferences(t *testing.T) {
	o := newOffice(t)
	first := o.records[0].ID
	for token, want := range map[string][]string{
		first:                          {"log-bob.jsonl: " + first, "messages.jsonl: " + first},
		"release 1.4":                  {"log-bob.jsonl: release 1.4", "messages.jsonl: release 1.4"},
		mainThread:                     {"log-alice.jsonl: " + mainThread},
		"signalbox://message/" + first: {"log-bob.jsonl: " + first, "messages.jsonl: " + first},
		"feature/audio":                {"log-alice.jsonl: feature/audio"},
		"nothing at all":               nil,
	} {
		for _, limit := range []int{1, 200} {
			if diff := cmp.Diff(want, o.mentions(token, limit)); diff != "" {
				t.Errorf("%q by %d: %s", token, limit, diff)
			}
		}
	}
	// Task messages refer to each other by their members, and replies to what they
	// answer.
	got := o.mentions(dispatchID, 1)
	if !slices.Contains(got, "log-bob.jsonl: "+dispatchID) || len(got) < 3 {
		t.Errorf("the dispatch is mentioned by %q", got)
	}
	if all := o.mentions(dispatchID, 200); !slices.Equal(all, got) {
		t.Errorf("%q by pages, %q at once", got, all)
	}
	if got := o.mentions(chainTask, 200); len(got) < 2 || got[0] != "log-alice.jsonl: "+chainTask {
		t.Errorf("the task is mentioned by %q", got)
	}
	if got := o.mentions(letterID, 200); len(got) == 0 || got[len(got)-1] != "log-alice.jsonl: "+letterID {
		t.Errorf("the letter is mentioned by %q", got)
	}
	for _, q := range []panel.ReferenceParams{{}, {Token: "x", Cursor: "?"}, {Token: "x", Cursor: "eyJwIjo5OX0"}, {Token: strings.Repeat("x", 600)}} {
		if _, err := o.References(t.Context(), q); !isKind(err, panel.Malformed) {
			t.Errorf("%.60q, %q: %v", q.Token, q.Cursor, err)
		}
	}
}

func TestComplete(t *testing.T) {
	o := newOffice(t)
	for _, c := range []struct {
		kind, prefix string
		want         []string
	}{
		{"recipient", "ali", []string{"alice", alice}},
		{"recipient", "exec", []string{"executor"}},
		{"thread", "elease 1.4", []string{"login", "release 1.4"}}, // of a name and a title
		{"thread", "IS IT READY?", []string{"release 1.4"}},
		{"thread", chainTask, []string{chainTask, "login", "release 1.4"}},
		{"thread", mainThread[:8], []string{mainThread}},
		{"id", "T-2026-", []string{chainTask}},
		{"id", letterID[:9], nil},
		{"id", o.records[0].ID[:6], []string{o.records[0].ID}},
		{"id", mainThread[:6], []string{mainThread}},
		{"id", "012", nil},
		{"id", "", nil},
	} {
		got, err := o.Complete(t.Context(), panel.CompleteParams{Kind: panel.CompleteKind(c.kind), Prefix: c.prefix})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, it := range got.Items {
			texts = append(texts, it.Text)
		}
		slices.Sort(texts)
		if c.want == nil && c.prefix != "012" && c.prefix != "" {
			if !slices.Contains(texts, letterID) {
				t.Errorf("%s %q: %q", c.kind, c.prefix, texts)
			}
			continue
		}
		if diff := cmp.Diff(c.want, texts); diff != "" {
			t.Errorf("%s %q: %s", c.kind, c.prefix, diff)
		}
	}
	few, err := o.Complete(t.Context(), panel.CompleteParams{Kind: "thread", Limit: 1})
	if err != nil || len(few.Items) != 1 || !few.Incomplete {
		t.Errorf("%+v, %v", few, err)
	}
	if _, err := o.Complete(t.Context(), panel.CompleteParams{Kind: "word"}); !isKind(err, panel.Malformed) {
		t.Errorf("%v", err)
	}
}

// TestSpellings: composed characters find decomposed ones, and the other way round, wherever a
// person types them.
func TestSpellings(t *testing.T) {
	composed, decomposed := "Café Zürich", "Cafe\u0301 Zu\u0308rich"
	for _, c := range []struct{ stored, typed string }{{composed, decomposed}, {decomposed, composed}} {
		d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{"log-alice.jsonl": {
			rec(1, "alice", "bob", c.stored, "Das "+c.stored), rec(2, "alice", "bob", "other", "see [thread:"+c.stored+"]"),
		}})
		found, err := d.Search(t.Context(), panel.SearchParams{Query: c.typed})
		if err != nil || len(found.Hits) != 2 || len(found.Hits[0].Marks) == 0 {
			t.Errorf("search: %+v, %v", found, err)
		}
		inbox, err := d.Inbox(t.Context(), panel.InboxParams{Filter: panel.InboxFilter{Text: c.typed}})
		if err != nil || len(inbox.Threads) == 0 {
			t.Errorf("inbox: %+v, %v", inbox, err)
		}
		words, err := d.Complete(t.Context(), panel.CompleteParams{Kind: "thread", Prefix: strings.Fields(c.typed)[0]})
		if err != nil || len(words.Items) == 0 || !strings.Contains(words.Items[0].Text+words.Items[len(words.Items)-1].Text, c.stored) {
			t.Errorf("completion: %+v, %v", words, err)
		}
		if list, err := d.Symbols(t.Context(), c.typed, 0); err != nil || len(list) == 0 {
			t.Errorf("symbols: %+v, %v", list, err)
		}
		refs, err := d.References(t.Context(), panel.ReferenceParams{Token: c.typed})
		if err != nil || len(refs.References) != 2 {
			t.Errorf("references: %+v, %v", refs, err)
		}
		links, err := d.Resolve(t.Context(), []string{c.typed})
		if err != nil || len(links) != 1 || links[0].Status != panel.LinkFound {
			t.Errorf("names: %+v, %v", links, err)
		}
	}
}

// TestCompleteHidden: a name that cannot be seen as it is is not put into a text.
func TestCompleteHidden(t *testing.T) {
	d := newTestDoor(t, panel.Settings{Alias: "bob"}, map[string][]samp.Record{"log-alice.jsonl": {
		rec(1, "alice", "bob", "a\u202eb", "x"), rec(2, "alice", "bob", "seen", "x"),
	}})
	got, err := d.Complete(t.Context(), panel.CompleteParams{Kind: "thread"})
	if err != nil || len(got.Items) != 1 || got.Items[0].Text != "seen" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSymbols(t *testing.T) {
	o := newOffice(t)
	for query, want := range map[string]mail.Protocol{"release": mail.SAMP, "1.4 REL": mail.SAMP, chainTask: mail.AGN, "question api": mail.AMP, "feature/audio": mail.ATSF} {
		list, err := o.Symbols(t.Context(), query, 0)
		if err != nil || len(list) == 0 || list[0].Protocol != want || list[0].Name == "" || list[0].Detail == "" {
			t.Errorf("%q: %+v, %v", query, list, err)
			continue
		}
		if _, err := os.Stat(list[0].Place.Path); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
	all, err := o.Symbols(t.Context(), "", 0)
	if err != nil || len(all) < 6 || !slices.IsSortedFunc(all, func(a, b panel.Symbol) int { return int(b.Time/1000 - a.Time/1000) }) {
		t.Errorf("%d symbols, %v", len(all), err)
	}
	if some, err := o.Symbols(t.Context(), "", 2); err != nil || len(some) != 2 {
		t.Errorf("%d symbols, %v", len(some), err)
	}
	if none, err := o.Symbols(t.Context(), "no such thread", 0); err != nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}

func TestOutline(t *testing.T) {
	o := newOffice(t)
	dispatch, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "agn", "amp-chain", "01-task_dispatch.json"))
	if err != nil {
		t.Fatal(err)
	}
	r := rec(1000, "alice", "bob", "x", "first\nsecond")
	for _, c := range []struct {
		name string
		doc  check.Document
		want []string
	}{
		{"a log", check.Document{File: "/m/log-alice.jsonl", Text: string(r.Append(nil)) + "no record\n\n"}, []string{"alice → bob: first second"}},
		{"an agent's messages", check.Document{File: "/x/messages.jsonl", Text: `{"id":"1","role":"agent","timestamp":"2026-02-20T10:00:00.000Z","content":[{"type":"text","text":"Done."}]}` + "\n{\n"}, []string{"agent: Done."}},
		{"a task message", check.Document{File: "/x/m.json", Text: string(dispatch)}, []string{"coordinator → executor: dispatch: 3 subtasks, 5 criteria on feature/T-2026-044-session-timer, risk medium"}},
		{"a signed message", check.Document{File: "/x/m.json", Text: string(fixture(t, "states", "01-inbox-unread"))}, nil},
		{"other JSON", check.Document{File: "/x/package.json", Text: `{"name":"x"}`}, nil},
		{"broken JSON", check.Document{File: "/x/package.json", Text: `{"protocol_version":`}, nil},
		{"source code", check.Document{File: "/x/a.go", Text: "## x\n"}, nil},
	} {
		var got []string
		for _, m := range o.Outline(c.doc) {
			got = append(got, m.Name)
			if m.Start < 0 || m.End > len(c.doc.Text) || m.Start >= m.End {
				t.Errorf("%s: %+v", c.name, m)
			}
		}
		if c.name == "a task message" || c.name == "a signed message" {
			if len(got) != 1 || !strings.Contains(got[0], " → ") {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	many := strings.Repeat(string(r.Append(nil)), 6000)
	if got := o.Outline(check.Document{File: "log-alice.jsonl", Text: many}); len(got) != 5000 {
		t.Errorf("%d messages of a long log", len(got))
	}
}

// TestBranchHover: a branch is shown with its threads, a common word is not.
func TestBranchHover(t *testing.T) {
	o := newOffice(t)
	links, err := o.Resolve(t.Context(), []string{"feature/audio", "main", "audio"})
	if err != nil {
		t.Fatal(err)
	}
	if l := links[0]; l.Status != "found" || l.Kind != "branch" || !strings.Contains(l.Preview, "feature/audio") || l.Thread == nil {
		t.Errorf("%+v", l)
	}
	if links[1].Status != "missing" || links[2].Status != "missing" {
		t.Errorf("%+v", links[1:])
	}
	if _, err := o.Locate(t.Context(), make([]string, panel.MaxRefs+1)); !isKind(err, panel.TooLarge) {
		t.Error(err)
	}
	var e *panel.Error
	if _, err := o.Complete(t.Context(), panel.CompleteParams{}); !errors.As(err, &e) || e.Detail != "kind" {
		t.Error(err)
	}
}
