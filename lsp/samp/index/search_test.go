package index_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// term is a part of a query with the simplest way to match it.
type term struct {
	text string
	fits func(m *index.Message) bool
}

// folded is a text in which case and kinds of white space make no difference.
func folded(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			if !space {
				b.WriteByte(' ')
			}
			space = true
			continue
		}
		space = false
		least := r
		for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
		b.WriteRune(least)
	}
	return b.String()
}

func holds(text, part string) bool { return strings.Contains(folded(text), folded(part)) }

func wordTerm(w string) term {
	quoted := w
	if strings.ContainsAny(w, " ") {
		quoted = `"` + w + `"`
	}
	return term{quoted, func(m *index.Message) bool {
		return holds(m.Body, w) || holds(m.From, w) || holds(m.Thread, w)
	}}
}

func terms(me string) []term {
	list := []term{
		{"from:ALI", func(m *index.Message) bool { return holds(m.From, "ali") }},
		{`from:"bob"`, func(m *index.Message) bool { return folded(m.From) == "BOB" }},
		{"to:" + me, func(m *index.Message) bool { return holds(m.To, me) }},
		{"thread:red", func(m *index.Message) bool { return holds(m.Thread, "red") }},
		{"in:RED", func(m *index.Message) bool { return holds(m.Thread, "red") }},
		{`in:"thread one"`, func(m *index.Message) bool { return folded(m.Thread) == folded("thread one") }},
		{"in:mail", func(*index.Message) bool { return true }},
		{"in:tasks", func(*index.Message) bool { return false }},
		{"is:unread", func(m *index.Message) bool { return m.Unread }},
		{"is:read", func(m *index.Message) bool { return !m.Unread && m.To == me && !m.Suspicious }},
		{"is:mine", func(m *index.Message) bool { return !m.Suspicious && (m.To == me || m.From == me) }},
		{"before:1970-01-12", func(m *index.Message) bool { return m.TS < 11*86400 }},
		{"after:1970-01-12", func(m *index.Message) bool { return m.TS >= 12*86400 }},
		{"on:1970-01-12", func(m *index.Message) bool { return m.TS >= 11*86400 && m.TS < 12*86400 }},
	}
	for _, w := range []string{"red", "RE", "build", "s", "k", "ss", "grün", "会议", "a/b", "/", `\`, `\u`, "one two", "ΟΔΟΣ", "zzzz", "…", "x", "\U0001F600", "ǆ"} {
		list = append(list, wordTerm(w))
	}
	return list
}

// asked returns a query of up to three terms, some of them excluded, and the messages that fit.
func asked(rng *rand.Rand, list []term, from []index.Message) (text string, want []index.Message) {
	var fits []func(*index.Message) bool
	for range 1 + rng.IntN(3) {
		c := list[rng.IntN(len(list))]
		if rng.IntN(4) == 0 {
			text += "-"
			fits = append(fits, func(m *index.Message) bool { return !c.fits(m) })
		} else {
			fits = append(fits, c.fits)
		}
		text += c.text + " "
	}
	for i := range from {
		if !slices.ContainsFunc(fits, func(f func(*index.Message) bool) bool { return !f(&from[i]) }) {
			want = append(want, from[i])
		}
	}
	return text, want
}

// scribe writes random records in all ways that JSON has.
type scribe struct{ *rand.Rand }

func (s scribe) pick(list ...string) string { return list[s.IntN(len(list))] }

func (s scribe) body() string {
	var b strings.Builder
	for range 1 + s.IntN(12) {
		b.WriteString(s.pick("red", "Red", "build", "GRÜN", "会议在", "a/b", `\`, `"`, "one\ntwo", "mi\u017fs", "\u212a", "οδος", "…", "\U0001F600", "Ǆ", "\x00", `\u0072`, "X"))
		b.WriteString(s.pick(" ", " ", "", "\t", "\u2028"))
	}
	if s.IntN(150) == 0 {
		b.WriteString(strings.Repeat("long ", 60_000) + s.pick("zzzz", "red"))
	}
	return b.String()
}

func (s scribe) ts() int64 {
	switch s.IntN(20) {
	case 0:
		return -5 + int64(s.IntN(9))
	case 1:
		return 1<<62 + int64(s.IntN(3))
	case 2, 3, 4, 5:
		return 1_000_000
	}
	return 900_000 + int64(s.IntN(300_000))
}

func (s scribe) line(from, me string) []byte {
	r := samp.Record{TS: s.ts(), From: from, To: s.pick(me, "bob", "alice"), Thread: s.pick("is-red", "Thread One", "x", "οδος-1"), Body: s.body()}
	r.ID = samp.ID(&r, samp.V1)
	out := r.Append(nil)
	switch s.IntN(4) {
	case 0:
		out = numbered(out)
	case 1:
		out = bytes.ReplaceAll(out, []byte("/"), []byte(`\/`))
	case 2:
		out = append(append([]byte{}, out[:len(out)-2]...), []byte(", \"extra\": \"zzzz\"}\r\n")...)
	}
	if s.IntN(15) == 0 {
		out = append(out, "not a record with red\n\n"...)
	}
	return out
}

// numbered escapes every third character in the strings of a JSON text by its number.
func numbered(line []byte) []byte {
	var v map[string]any
	if json.Unmarshal(line, &v) != nil {
		return line
	}
	var b bytes.Buffer
	for i, c := range string(line) {
		if c > 0x7f {
			for _, u := range utf16Of(c) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
			continue
		}
		if i > bytes.Index(line, []byte(`"body"`))+9 && unicode.IsLetter(c) && i%3 == 0 && line[i-1] != '\\' && !bytes.Contains(line[max(0, i-5):i], []byte(`\u`)) {
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteRune(c)
	}
	out := append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
	if _, err := samp.Parse(out); err != nil {
		return line
	}
	return out
}

func utf16Of(r rune) []uint16 {
	if r < 0x10000 {
		return []uint16{uint16(r)}
	}
	r -= 0x10000
	return []uint16{uint16(0xd800 + r>>10), uint16(0xdc00 + r&0x3ff)}
}

// all returns every message of the store, decoded, the newest first.
func (b *testDir) all(suspicious bool) []index.Message {
	b.t.Helper()
	var list []index.Message
	if suspicious {
		list = b.live.Suspicious(1 << 20)
	} else {
		threads, _ := b.live.List(index.Listing{Limit: 1 << 20})
		for _, t := range threads {
			page, err := b.live.Page(t.Name, nil, nil, 1<<20)
			if err != nil {
				b.t.Fatal(err)
			}
			list = append(list, page.Messages...)
		}
	}
	slices.SortFunc(list, func(a, b index.Message) int {
		return cmp.Or(cmp.Compare(b.TS, a.TS), strings.Compare(b.File, a.File), cmp.Compare(b.Offset, a.Offset))
	})
	return list
}

func places(list []index.Message) (out []string) {
	for _, m := range list {
		out = append(out, fmt.Sprint(m.TS, " ", m.File, ":", m.Offset))
	}
	return out
}

// search returns all pages of a search.
func (b *testDir) search(text string, limit int, budget int64) []index.Message {
	b.t.Helper()
	q := query.Parse(text, local())
	if len(q.Problems) > 0 {
		b.t.Fatalf("%s: %+v", text, q.Problems)
	}
	var list []index.Message
	var after *index.SearchPlace
	for pages := 0; ; pages++ {
		page, err := b.live.Search(b.t.Context(), &q, after, limit, budget)
		if err != nil {
			b.t.Fatal(err)
		}
		if len(page.Messages) > limit || len(page.Places) != len(page.Messages) {
			b.t.Fatalf("%d messages and %d places on a page of %d", len(page.Messages), len(page.Places), limit)
		}
		list = append(list, page.Messages...)
		if !page.More {
			return list
		}
		if len(page.Messages) < limit && !page.Bounded {
			b.t.Fatalf("%s: a page of %d ended early, and does not say why", text, len(page.Messages))
		}
		if pages > 10_000 {
			b.t.Fatalf("%s: the search does not end", text)
		}
		after = &page.Next
	}
}

// TestSearchModel compares a search with the simplest way: decode all, match all.
func TestSearchModel(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := scribe{rand.New(rand.NewPCG(seed, 7))}
			const me = "me"
			b := newTestDir(t, me)
			logs := map[string][]byte{}
			for range 1 + s.IntN(400) {
				from := s.pick("alice", "bob", "alistair", me)
				log := from
				if s.IntN(12) == 0 {
					log = s.pick("mallory", "bob") // a copy, or forged
				}
				line := s.line(from, me)
				logs[log] = append(logs[log], line...)
				if s.IntN(15) == 0 {
					logs[from] = append(logs[from], line...)
				}
			}
			for log, data := range logs {
				if err := os.WriteFile(filepath.Join(b.dir, samp.LogName(log)), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			b.sync()
			everything, forged := b.all(false), b.all(true)
			var read []sampstore.Key
			for i := range everything {
				if s.IntN(2) == 0 {
					read = append(read, sampstore.KeyOf(&everything[i].Found))
				}
			}
			if err := b.live.SetRead(read, nil, true); err != nil {
				t.Fatal(err)
			}
			everything = b.all(false)
			list := terms(me)
			for range 40 {
				text, from := "", everything
				if s.IntN(8) == 0 {
					text, from = "is:suspicious ", forged
				}
				terms, want := asked(s.Rand, list, from)
				text += terms
				limit, budget := 5+s.IntN(60), int64(1)<<s.IntN(30)
				got := b.search(text, limit, budget)
				if diff := gocmp.Diff(places(want), places(got)); diff != "" {
					t.Fatalf("%q, pages of %d, budget %d (-want +got):\n%s", text, limit, budget, diff)
				}
			}
		})
	}
}

// TestSearchOneSecond holds that many messages of one second are divided as well: the work of
// a search is bounded whatever times a stranger writes.
func TestSearchOneSecond(t *testing.T) {
	b := newTestDir(t, "me")
	var data []byte
	for i := range 20_000 {
		data = append(data, line(1_000_000, "alice", "me", "t", fmt.Sprint(strings.Repeat("words ", 40), i))...)
	}
	b.write(samp.LogName("alice"), string(data))
	b.sync()
	q := query.Parse("absent", local())
	page, err := b.live.Search(t.Context(), &q, nil, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !page.Bounded || !page.More || page.Read > 3<<20 {
		t.Errorf("the first part read %d bytes, bounded: %v", page.Read, page.Bounded)
	}
	if got := b.search("absent", 10, 1); len(got) > 0 {
		t.Errorf("found %d", len(got))
	}
	if got := b.search("words", 7_000, 1<<20); len(got) != 20_000 {
		t.Errorf("found %d of 20000", len(got))
	}
}

// TestSearchGrown holds that the work of a search is bounded even in a log that has grown since
// it was opened.
func TestSearchGrown(t *testing.T) {
	b := newTestDir(t, "me")
	b.write(samp.LogName("alice"), line(1, "alice", "me", "t", "first"))
	b.sync()
	var more []byte
	for i := range 20_000 {
		more = append(more, line(int64(1_000+i), "alice", "me", "t", fmt.Sprint(strings.Repeat("words ", 40), i))...)
	}
	b.append(samp.LogName("alice"), string(more))
	b.sync()
	q := query.Parse("absent", local())
	page, err := b.live.Search(t.Context(), &q, nil, 10, 2<<20)
	if err != nil || !page.Bounded || page.Read > 4<<20 {
		t.Errorf("it read %d of %d bytes, bounded: %v, %v", page.Read, len(more), page.Bounded, err)
	}
}

// TestSearchLearns searches for words whose letters do not show which word is rarest, in more
// mail than the filter needs to learn it.
func TestSearchLearns(t *testing.T) {
	b := newTestDir(t, "me")
	var data []byte
	for i := range 20_000 {
		body := fmt.Sprint("the build is green, ", i)
		switch {
		case i%9_000 == 10: // among the first that are read, and among the last
			body = "the build is  ON fire"
		case i%2 == 0 && i > 10_000:
			body = fmt.Sprint("a fire, ", i)
		case i%1_000 == 1:
			body = fmt.Sprint("fire in the build of ", i)
		}
		data = append(data, line(int64(1_000_000+i), "alice", "me", fmt.Sprint("t", i%50), body)...)
	}
	b.write(samp.LogName("alice"), string(data))
	b.sync()
	all := b.all(false)
	for _, words := range [][]string{{"the build is on fire"}, {"build", "fire"}, {"fire", "build", "is"}, {"green", "a", "1"}, {"fire", "green"}} {
		var want []index.Message
		var text []string
		for _, w := range words {
			text = append(text, wordTerm(w).text)
		}
		for i := range all {
			if !slices.ContainsFunc(words, func(w string) bool { return !wordTerm(w).fits(&all[i]) }) {
				want = append(want, all[i])
			}
		}
		got := b.search(strings.Join(text, " "), 1_000, index.SearchBudget)
		if diff := gocmp.Diff(places(want), places(got)); diff != "" {
			t.Errorf("%q (-want +got):\n%.2000s", text, diff)
		}
	}
}

// TestSearchWhileWritten holds that what is appended between two pages shifts
// neither.
func TestSearchWhileWritten(t *testing.T) {
	b := newTestDir(t, "me")
	for i := range 30 {
		b.append(samp.LogName("alice"), line(int64(1000+i), "alice", "me", "t", fmt.Sprint("word ", i)))
	}
	b.sync()
	q := query.Parse("word", local())
	first, err := b.live.Search(t.Context(), &q, nil, 10, index.SearchBudget)
	if err != nil || len(first.Messages) != 10 {
		t.Fatal(err, len(first.Messages))
	}
	b.write(samp.LogName("aaron"), line(2000, "aaron", "me", "t", "word, and new"))
	b.sync()
	second, err := b.live.Search(t.Context(), &q, &first.Next, 10, index.SearchBudget)
	if err != nil || len(second.Messages) != 10 || second.Messages[0].TS != 1019 {
		t.Fatal(err, places(second.Messages))
	}
}

func TestSearchCancelled(t *testing.T) {
	b := newTestDir(t, "me")
	b.write(samp.LogName("alice"), line(1000, "alice", "me", "t", "word"))
	b.sync()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := query.Parse("word", local())
	if _, err := b.live.Search(ctx, &q, nil, 10, index.SearchBudget); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestSearchNoDirectory holds that a search without a directory finds nothing and returns no
// error.
func TestSearchNoDirectory(t *testing.T) {
	b := newTestDir(t, "me")
	if err := os.Remove(b.dir); err != nil {
		t.Fatal(err)
	}
	b.sync()
	q := query.Parse("word", local())
	page, err := b.live.Search(t.Context(), &q, nil, 10, index.SearchBudget)
	if err != nil || page.More || len(page.Messages) > 0 {
		t.Errorf("%+v, %v", page, err)
	}
}
