package index

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// closedIndex returns an index that no longer follows its logs.
func closedIndex(t *testing.T, logs map[string]string) *Live {
	t.Helper()
	dir := t.TempDir()
	for name, text := range logs {
		if err := os.WriteFile(filepath.Join(dir, samp.LogName(name)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := Open(Config{Path: dir, Me: "x", StateDir: t.TempDir(), Poll: time.Hour, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(l.Close)
	if err := l.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.follower.Close()
	return l
}

func recordLine(ts int64, from, body string) string {
	r := samp.Record{TS: ts, From: from, To: "x", Thread: "x", Body: body}
	r.ID = samp.ID(&r, samp.V1)
	return string(r.Append(nil))
}

// TestMentionsInParts reads a store that is too large for one call in parts, the newest
// first, and finds each mention once.
func TestMentionsInParts(t *testing.T) {
	logs, want := map[string]string{}, []string{}
	long := strings.Repeat("y ", firstSlice/4)
	for i, name := range []string{"a", "b", "c", "d"} {
		logs[name] = recordLine(int64(100*i), name, long+"about word") + recordLine(int64(100*i+1), name, long)
		want = append([]string{name}, want...)
	}
	l := closedIndex(t, logs)
	word, _ := mention.Of("word")
	var got []string
	calls := 0
	for at := (&MentionCursor{}); at != nil; calls++ {
		found, next, err := l.mentions(t.Context(), word, *at, 10, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			got = append(got, m.From)
		}
		at = next
	}
	if !slices.Equal(got, want) || calls < 2 {
		t.Errorf("%q in %d calls, want %q", got, calls, want)
	}
}

// TestUnreadLogIsNamed holds that a removed log has no mentions, and a log that cannot be
// read is an error.
func TestUnreadLogIsNamed(t *testing.T) {
	l := closedIndex(t, map[string]string{"a": recordLine(1, "a", "about word")})
	word, _ := mention.Of("word")
	log := filepath.Join(l.dir.Path(), samp.LogName("a"))
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if _, err := l.newSeeker(&query.Query{}, word, 1).run(t.Context(), nil, MentionBytes); err != nil {
		t.Errorf("a log that is gone: %v", err)
	}
	if err := os.Mkdir(log, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := l.newSeeker(&query.Query{}, word, 1).run(t.Context(), nil, MentionBytes); err == nil || !strings.Contains(err.Error(), samp.LogName("a")) {
		t.Errorf("a log that cannot be read: %v", err)
	}
}
