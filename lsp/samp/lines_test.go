package samp

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// linesMatch compares the Lines of a directory with its Inbox: the messages, their order, and
// the problems.
func linesMatch(t *testing.T, d *Dir, p samp.Profile) *Lines {
	t.Helper()
	want, err := d.Inbox(t.Context(), "me", p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Lines(t.Context(), "me", p, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(got.Close)
	if got.Len() != len(want.Messages) {
		t.Fatalf("%d messages, want %d", got.Len(), len(want.Messages))
	}
	full := new(rowCache)
	full.used.Store(maxRowBytes - 1) // room for one part
	worker := func() Row { return rowOf }
	for _, cache := range []*rowCache{new(rowCache), full} { // all rows are cached, or only some
		l, err := d.lines(t.Context(), p, &Lines{me: "me", seed: maphash.MakeSeed(), rows: cache, worker: worker})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(l.Close)
		rowsMatch(t, l, want.Messages)
		allMatch(t, l, want.Messages)
		besides := want
		besides.Messages = nil
		if diff := cmp.Diff(besides, l.Mail, cmp.AllowUnexported(Mail{})); diff != "" {
			t.Errorf("besides, with rows (-want +got):\n%s", diff)
		}
		for i := range l.locations {
			if s := &l.locations[i]; s.hasRow() && s.provenance() == samp.Foreign {
				t.Errorf("a row is kept of what may be forged: %+v", s)
			}
		}
	}
	allMatch(t, got, want.Messages)
	want.Messages = nil
	if diff := cmp.Diff(want, got.Mail, cmp.AllowUnexported(Mail{})); diff != "" {
		t.Errorf("besides (-want +got):\n%s", diff)
	}
	return got
}

func rowOf(rows []byte, m *samp.Found) []byte {
	return fmt.Appendf(rows, "%q %d %q %q %q %d %v\n", m.From, m.TS, m.Thread, m.Key, m.Body, m.Offset, m.Provenance())
}

// rowsMatch compares the rows and senders of Lines with messages.
func rowsMatch(t *testing.T, l *Lines, want []samp.Found) {
	t.Helper()
	var got, rows []byte
	senders := map[string]struct{}{}
	for part, err := range l.Rows(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, part...)
	}
	for i := range want {
		rows = rowOf(rows, &want[i])
		senders[want[i].From] = struct{}{}
	}
	if diff := cmp.Diff(string(rows), string(got)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(senders, l.Senders()); diff != "" {
		t.Errorf("senders (-want +got):\n%s", diff)
	}
}

// TestLinesRewrittenMeanwhile rewrites a log while it is read: the contents of two messages of
// one second are read again, and by then other messages are in their place.
func TestLinesRewrittenMeanwhile(t *testing.T) {
	log := lineOf("a", "me", "one", 1) + lineOf("a", "me", "two", 1)
	d := storeOf(t, map[string]string{"log-a.jsonl": log})
	worker := func() Row {
		return func(rows []byte, _ *samp.Found) []byte {
			path := filepath.Join(d.path, "log-a.jsonl")
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(log, `"a"`, `"b"`)), 0o600); err != nil {
				t.Error(err)
			}
			return rows
		}
	}
	if l, err := d.Lines(t.Context(), "me", samp.V1, worker); !errors.Is(err, errRewritten) {
		t.Errorf("%v, %v, want that it was rewritten", l, err)
	}
}

// allMatch compares the messages of Lines with others.
func allMatch(t *testing.T, l *Lines, want []samp.Found) {
	t.Helper()
	i := 0
	for m, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if *m != want[i] {
			t.Fatalf("message %d (-want +got):\n%s", i, cmp.Diff(want[i], *m))
		}
		i++
	}
	if i != l.Len() || i != len(want) {
		t.Errorf("%d of %d messages came, want %d", i, l.Len(), len(want))
	}
}

// TestLinesAsInbox makes random directories from few words and few seconds, so that ids and
// contents occur several times. Some lines are forged.
func TestLinesAsInbox(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 7))
		pick := func(words ...string) string { return words[rng.IntN(len(words))] }
		files := map[string]string{}
		for range 1 + rng.IntN(4) {
			stem := pick("a", "b", "a.sync-conflict-1", "c", "not an alias")
			var log strings.Builder
			for range rng.IntN(40) {
				r := samp.Record{
					TS: int64(rng.IntN(8)), From: pick("a", "a", "b", "c", "not an alias"), To: pick("me", "me", "you"),
					Thread: pick("t", "u"), Body: pick("one", "two", "", "e\u0301", "\u00e9", "\ud7ff"),
				}
				switch rng.IntN(4) {
				case 0:
					r.ID = pick("0123456789abcdef", "odd", "")
				case 1:
					r.ID = samp.ID(&r, samp.V1Compact)
				default:
					r.ID = samp.ID(&r, samp.V1)
				}
				line := string(r.Append(nil))
				switch rng.IntN(12) {
				case 0:
					line = pick("\n", "not json\n", `{"ts":1}`+"\n", "{\"to\":\"me\"\n", "[]\n")
				case 1:
					line = `{"ts":3,"from":"a","to":"me","thread":"t","body":"` + pick(`\ud800`, `\udc00`, `\u00e9`, `\n`) + `","id":"` + pick("x", "y") + "\"}\n"
				case 2:
					line = strings.TrimSuffix(line, "\n") + pick(" \t", "\r") + "\n"
				}
				log.WriteString(line)
			}
			text := log.String()
			if rng.IntN(3) == 0 {
				text = strings.TrimSuffix(text, "\n")
			}
			files[samp.LogName(stem)] = text
		}
		linesMatch(t, storeOf(t, files), samp.Profile(rng.IntN(2)))
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, files)
		}
	}
}

// manyLines makes a directory of more than one segment and many blocks, with some long lines.
func manyLines(t *testing.T) *Dir {
	t.Helper()
	files := map[string]string{}
	for _, from := range []string{"a", "b"} {
		var log strings.Builder
		for i := range 3000 {
			body := strconv.Itoa(i)
			if i%500 == 0 {
				body += strings.Repeat("x", 2*blockBytes)
			}
			log.WriteString(lineOf(from, []string{"me", "you"}[i%2], body, int64(i/3)))
		}
		files[samp.LogName(from)] = log.String()
	}
	return storeOf(t, files)
}

func TestLinesOfMany(t *testing.T) {
	defer goleak.VerifyNone(t)
	d := manyLines(t)
	l := linesMatch(t, d, samp.V1)
	var lines, verbatim strings.Builder
	mail, err := d.Inbox(t.Context(), "me", samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verbatim(&verbatim, mail.Messages); err != nil {
		t.Fatal(err)
	}
	if err := l.Verbatim(&lines); err != nil || lines.String() != verbatim.String() {
		t.Errorf("verbatim: %d bytes, want %d; %v", lines.Len(), verbatim.Len(), err)
	}

	for range l.All(t.Context()) {
		break
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	seen := 0
	for _, err := range l.All(ctx) {
		if err != nil {
			if ctx.Err() == nil {
				t.Error(err)
			}
			break
		}
		if seen++; seen == 10 {
			cancel()
		}
	}
	if seen == l.Len() {
		t.Error("all came after the context ended")
	}

	l.Newest(3)
	var newest []string
	for m, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		newest = append(newest, m.Body)
		if len(newest) == 2 {
			break
		}
	}
	if diff := cmp.Diff(bodies(mail.Messages[len(mail.Messages)-3:][:2]), newest); diff != "" {
		t.Errorf("the newest (-want +got):\n%s", diff)
	}
	if l.Newest(0); l.Len() != 0 {
		t.Errorf("%d messages of none", l.Len())
	}
}

// TestLinesRewritten: if another message is now in a message's place, it is not shown, and
// neither is any message after it.
func TestLinesRewritten(t *testing.T) {
	defer goleak.VerifyNone(t)
	first, second, third := lineOf("a", "me", "one", 1), lineOf("a", "me", "two", 2), lineOf("a", "me", "tre", 3)
	for name, after := range map[string]string{
		"another message": first + third + third,
		"no record":       first + strings.Repeat("x", len(second)-1) + "\n" + third,
		"shorter":         first,
	} {
		l, file := linesOf(t, first+second+third)
		if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := shown(t, l)
		if err == nil || !strings.Contains(err.Error(), "log-a.jsonl") || !strings.Contains(err.Error(), "rewritten") {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff([]string{"one"}, got); diff != "" {
			t.Errorf("%s, before the error (-want +got):\n%s", name, diff)
		}
	}
}

// TestRowsCached: cached rows are shown even if the log has changed. A row that is too long for a
// part is made again, and so is one that was not cached.
func TestRowsCached(t *testing.T) {
	var log strings.Builder
	for i := range int64(2 * lineread.ChunkSize / 400) {
		fmt.Fprintf(&log, `{"id":%q,"ts":%d,"from":"a","to":"me","thread":"","body":"%d\ud800"}`+"\n", fmt.Sprintf("%0300d", i), i, i)
	}
	d := storeOf(t, map[string]string{"log-a.jsonl": log.String(), "log-b.jsonl": lineOf("b", "me", strings.Repeat("x", partSize), 1)})
	l, err := d.Lines(t.Context(), "me", samp.V1, func() Row { return rowOf })
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var want []samp.Found
	for m, err := range l.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, CloneFound(m))
	}
	if err := os.WriteFile(filepath.Join(d.Path(), "log-a.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	rowsMatch(t, l, want)
	if n := len(l.rows.parts); n < 2 {
		t.Errorf("%d parts", n)
	}
}

// linesOf returns the Lines of one log, and the log's path.
func linesOf(t *testing.T, log string) (*Lines, string) {
	t.Helper()
	d := storeOf(t, map[string]string{"log-a.jsonl": log})
	l, err := d.lines(t.Context(), samp.V1, &Lines{me: "me", seed: maphash.MakeSeed()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l, filepath.Join(d.Path(), "log-a.jsonl")
}

// shown returns the bodies of the messages, and the error that must end them.
func shown(t *testing.T, l *Lines) (got []string, failed error) {
	t.Helper()
	for m, err := range l.All(t.Context()) {
		if failed != nil {
			t.Error("something came after the error")
		}
		if failed = err; err == nil {
			got = append(got, m.Body)
		}
	}
	return got, failed
}

// FuzzLines compares the Lines of three logs, one of them a copy of the first, with Inbox.
func FuzzLines(f *testing.F) {
	one, two := lineOf("a", "me", "one", 1), lineOf("b", "me", "two", 1)
	f.Add([]byte(one+two), []byte(two+one), []byte(one))
	f.Add([]byte("\n"+one+one), []byte(two[:len(two)-1]), []byte(`{"ts":1,"from":"a","to":"me","thread":"t","body":"\ud800","id":"x"}`))
	f.Add([]byte(`{"id":"x","ts":2,"from":"a","to":"me","thread":"t","body":"1"}`+"\n"+one), []byte("{\"to\":\"me\"}\n"), []byte{})
	f.Fuzz(func(t *testing.T, a, b, copied []byte) {
		d := storeOf(t, map[string]string{
			"log-a.jsonl": string(a), "log-b.jsonl": string(b), "log-a.sync-conflict-1.jsonl": string(copied),
		})
		linesMatch(t, d, samp.V1)
	})
}
