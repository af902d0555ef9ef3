package query_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/query"
)

// calendar is one in which it is the 12th of March 2026, two hours east.
func calendar() query.Calendar {
	zone := time.FixedZone("east", 2*3600)
	return query.Calendar{
		Begin: func(y, m, d int) int64 { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, zone).UnixMilli() },
		Year:  2026, Month: 3, Day: 12, Now: time.Date(2026, 3, 12, 15, 0, 0, 0, zone).UnixMilli(),
	}
}

func ms(t *testing.T, s string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        bool
	}{
		{"red build", "The BUILD is red", true},
		{"red build", "The build is green", false},
		{`"build is"`, "The build  is red", true},
		{`"is build"`, "The build is red", false},
		{"-red", "The build is green", true},
		{"-red", "The build is red", false},
		{`-"is red" build`, "The build is red", false},
		{`build-"is red"`, `a build-"is it`, false},
		{"http://host:8080", "see HTTP://host:8080/x", true},
		{"12:30", "at 12:30", true},
		{`"from:bob"`, "grep from:bob", true},
		{`"one""two"`, "one two", true},
		{`un"finished`, `an un"finished one`, true},
		{`"never closed `, "is never closed", true},
		{"", "anything", true},
	} {
		t.Run(c.query+" in "+c.text, func(t *testing.T) {
			q := query.Parse(c.query, calendar())
			if got := q.Text(c.text, "alice", "thread-1"); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
	q := query.Parse("alice red", calendar())
	if !q.Text("the build is red", "alice") || q.Text("the build is red", "bob") {
		t.Error("each word may be in another text of the message")
	}
}

func TestNames(t *testing.T) {
	q := query.Parse(`from:ali -to:"bob" THREAD:red in:feature protocol:SAMP`, calendar())
	if len(q.Problems) > 0 {
		t.Fatal(q.Problems)
	}
	for name, ok := range map[string]bool{
		"from":           q.From("Alice") && !q.From("bob"),
		"to, whole name": q.To("bobby") && !q.To("BOB"),
		"thread":         q.Thread("x", "is-red") && !q.Thread("x", "y"),
		"in":             q.In("Feature/one") && !q.In("main"),
		"protocol":       q.Protocol("samp") && !q.Protocol("amp"),
		"no word":        q.Text(""),
	} {
		if !ok {
			t.Error(name)
		}
	}
}

// TestCalls checks that one call must match all terms about tools and files, and the traces
// that a log must show of it.
func TestCalls(t *testing.T) {
	list := []query.Call{
		{Tools: []string{"Edit", "edit"}, Files: []string{"src/a.go"}, Paths: []string{"/home/dev/shop/src/a.go"}},
		{Tools: []string{"mcp__github__create_issue", "other"}},
		{Tools: []string{"Read", "read"}, Files: []string{"docs/b.md"}, Paths: []string{"/home/dev/shop/docs/b.md"}},
	}
	for _, c := range []struct {
		query string
		want  bool
		trace string
	}{
		{"tool:EDIT", true, "[]"},
		{`tool:"Edi"`, false, "[]"},
		{"tool:github__create", true, "[create]"},
		{"tool:hub_ -tool:bash", true, "[hub]"},
		{"tool:edit file:a.go", true, "[a.go]"},
		{"tool:edit file:b.md", false, "[b.md]"},
		{"-tool:edit", false, "[]"},
		{"tool:read -file:a.go", false, "[]"},
		{"tool:read -file:c.go", true, "[]"},
		{`file:src\a.go`, true, "[a.go]"},
		{"file:docs/", true, "[docs]"},
		{`file:"a.go"`, false, "[a.go]"},
		{`file:"src/a.go"`, true, "[a.go]"},
		{"file:shop", false, "[shop]"},
		{"file:/home/dev/shop/src/a.go", true, "[a.go]"},
		{"file:/home/dev/shop", true, "[]"},
		{"file:/b.md", true, "[b.md]"},
		{"file:C:/b.md", false, "[b.md]"},
	} {
		q := query.Parse(c.query, calendar())
		trace := []string{}
		for _, n := range q.Traces("/home/dev/shop") {
			for _, s := range []string{"create", "hub", "a.go", "b.md", "docs", "shop"} {
				if n.Is(s) {
					trace = append(trace, s)
				}
			}
		}
		if got := q.Calls(list); got != c.want || fmt.Sprint(trace) != c.trace || len(q.Problems) > 0 {
			t.Errorf("%s: %v, %v, %v", c.query, got, trace, q.Problems)
		}
	}
	for text, mail := range map[string]bool{"red": true, "client:codex": false, "tool:x": false, "file:x": false, "-tool:x -client:y -file:z": true} {
		if q := query.Parse(text, calendar()); q.Mail() != mail {
			t.Error(text, !mail)
		}
	}
	if q := query.Parse("in:mail", calendar()); !q.In("Mail") || q.In("the mail parser") {
		t.Error("in:mail is not the mail alone")
	}
}

func TestState(t *testing.T) {
	all := query.State{Unread: true, Mine: true}
	for _, c := range []struct {
		query string
		state query.State
		want  bool
	}{
		{"is:unread", all, true},
		{"is:unread", query.State{Read: true}, false},
		{"is:read", query.State{Read: true}, true},
		{"-is:mine", all, false},
		{"-is:mine", query.State{}, true},
		{"x", query.State{Suspicious: true}, false},
		{"-is:suspicious", query.State{Suspicious: true}, false},
		{"-is:suspicious", query.State{}, true},
		{"is:suspicious", query.State{Suspicious: true}, true},
		{"is:suspicious", all, false},
	} {
		q := query.Parse(c.query, calendar())
		if got := q.State(c.state); got != c.want {
			t.Errorf("%s %+v: %v", c.query, c.state, got)
		}
	}
	if q := query.Parse("is:unread is:suspicious", calendar()); !q.Suspicious() {
		t.Error("is:suspicious was not seen")
	}
}

func TestTime(t *testing.T) {
	last, first, next := ms(t, "2026-10-31T23:59:59.999+02:00"), ms(t, "2026-11-01T00:00:00+02:00"), ms(t, "2026-11-02T00:00:00+02:00")
	for _, c := range []struct {
		query string
		want  string // whether last, first and next fit
	}{
		{"before:2026-11-01", "true false false"},
		{"on:2026-11-01", "false true false"},
		{"after:2026-11-01", "false false true"},
		{"-on:2026-11-01", "true false true"},
		{"-before:2026-11-01 -after:2026-11-01", "false true false"},
	} {
		q := query.Parse(c.query, calendar())
		if got := fmt.Sprint(q.Time(last), q.Time(first), q.Time(next)); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
	}
	q := query.Parse("on:today", calendar())
	if begin, end := q.Span(); begin != ms(t, "2026-03-12T00:00:00+02:00") || end != ms(t, "2026-03-13T00:00:00+02:00") {
		t.Error("today is", begin, end)
	}
	q = query.Parse("after:yesterday", calendar())
	if begin, end := q.Span(); begin != ms(t, "2026-03-12T00:00:00+02:00") || end != math.MaxInt64 {
		t.Error("after yesterday is", begin, end)
	}
}

// TestAgo checks which times a span of time matches, and the bounds of the search.
func TestAgo(t *testing.T) {
	now := calendar().Now
	for _, c := range []struct {
		query string
		ago   time.Duration
		want  string // whether a message a millisecond older, at that time and now fits
	}{
		{"before:2h", 2 * time.Hour, "true false false"},
		{"after:2h", 2 * time.Hour, "false true true"},
		{"-before:2h", 2 * time.Hour, "false true true"},
		{"-after:2h", 2 * time.Hour, "true false false"},
		{"after:30m", 30 * time.Minute, "false true true"},
		{"after:3D", 72 * time.Hour, "false true true"},
		{"after:1w", 7 * 24 * time.Hour, "false true true"},
	} {
		q := query.Parse(c.query, calendar())
		at := now - c.ago.Milliseconds()
		if got := fmt.Sprint(q.Time(at-1), q.Time(at), q.Time(now)); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
		begin, end := q.Span()
		if older, newer := begin > at-1, end <= now; older != (c.want == "false true true") || newer != (c.want == "true false false") {
			t.Errorf("%s: its span is %d to %d, and that time is %d", c.query, begin, end, at)
		}
	}
}

// TestProblems checks where a fault is shown, and that the other terms count.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		query, at, says string
		terms           int
	}{
		{"red from:", "from:", "needs a name", 1},
		{"red -to: x", "-to:", "needs a name", 2},
		{`thread:"" x`, `thread:""`, "needs a name", 1},
		{"is:", "is:", "unread, read, mine, suspicious", 0},
		{"x is:unre", "unre", "is one of unread", 1},
		{"protocol:smtp", "smtp", "is one of samp", 0},
		{"before:", "before:", "needs a day", 0},
		{"ü on:2026-1", "2026-1", "on: needs a day, such as", 1},
		{"on:2026-02-30", "2026-02-30", "no such day", 0},
		{"on:2026-0x-30", "2026-0x-30", "on: needs a day", 0},
		{"on:3d", "3d", "on: needs a day, such as 2026-11-01, today or yesterday", 0},
		{"after:3y", "3y", "how long ago", 0},
		{"after:d", "d", "how long ago", 0},
		{"after:9999999d", "9999999d", "how long ago", 0},
		{"after:-3d", "-3d", "how long ago", 0},
		{`red "blue`, `"`, "no closing", 2},
		{`""`, `""`, "phrase is empty", 0},
		{"red -", "-", "a minus needs a word", 1},
		{strings.Repeat("x ", query.MaxTerms) + "over and out", "over", "at most 32 terms", query.MaxTerms},
	} {
		t.Run(c.query, func(t *testing.T) {
			q := query.Parse(c.query, calendar())
			if len(q.Problems) != 1 || len(q.Terms) != c.terms {
				t.Fatalf("%d terms and the problems %+v", len(q.Terms), q.Problems)
			}
			p := q.Problems[0]
			if got := c.query[p.Offset : p.Offset+p.Length]; got != c.at || !strings.Contains(p.Message, c.says) {
				t.Errorf("%q: %s", got, p.Message)
			}
		})
	}
	if q := query.Parse("  \t ", calendar()); !q.Empty() || len(q.Problems) > 0 {
		t.Errorf("%+v", q)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`red -"blue" from:a`, `on:2026-02-30`, `is:"`, "-", "\xff:\"", `in:"a" after:today`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := query.Parse(text, calendar())
		if len(q.Terms) > query.MaxTerms {
			t.Fatal(len(q.Terms), "terms")
		}
		for _, p := range q.Problems {
			if p.Offset < 0 || p.Length < 1 || p.Offset+p.Length > len(text) || p.Message == "" {
				t.Fatalf("%+v in %q", p, text)
			}
		}
		begin, end := q.Span()
		if q.Time(end) && q.Has(query.Before) && end != math.MaxInt64 || begin > math.MinInt64 && q.Time(begin-1) {
			t.Fatalf("a time outside of %d to %d fits %q", begin, end, text)
		}
		if !q.Text(text) && len(q.Words()) == 0 && !strings.Contains(text, "-") {
			t.Fatalf("%q wants no word", text)
		}
	})
}
