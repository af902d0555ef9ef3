package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/mention"
)

// TestWindow: a store that is too large for one call is read in parts, the newest
// first, each once, also when a log grows in between.
func TestWindow(t *testing.T) {
	path := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d"} {
		r := samp.Record{TS: int64(100 * i), From: name, To: "x", Thread: "x", Body: "x"}
		r.ID = samp.ID(&r, samp.V1)
		data := r.Append(nil)
		if name == "b" {
			data = slices.Concat([]byte("no record\n"), data)
		}
		if err := os.WriteFile(filepath.Join(path, samp.LogName(name)), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var got []string
	at := &MentionCursor{}
	for at != nil {
		logs, _, err := d.Logs()
		if err != nil {
			t.Fatal(err)
		}
		parts, rest, err := d.window(t.Context(), logs, *at, logs[0].Info.Size()+10)
		if err != nil || len(parts) == 0 {
			t.Fatal(len(parts), err)
		}
		for _, s := range parts {
			got = append(got, fmt.Sprintf("%s:%d", logs[s.log].Stem, s.from))
		}
		f, err := os.OpenFile(filepath.Join(path, samp.LogName("c")), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("x\n"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		at = rest
	}
	if want := []string{"d:0", "c:0", "b:0", "a:0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	if parts, rest, err := d.window(t.Context(), logs, MentionCursor{}, 1<<20); len(parts) != 4 || rest != nil || err != nil {
		t.Errorf("a small store: %d parts, %v, %v", len(parts), rest, err)
	}
}

// TestUnreadLogIsNamed: a log that is gone has no mentions, and one that cannot be
// read is an error: silence would say that nobody mentions the word.
func TestUnreadLogIsNamed(t *testing.T) {
	path := t.TempDir()
	log := samp.LogName("a")
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	word, _ := mention.Of("word")
	s := mentionSearch{dir: d, word: word, limit: 1}
	logs, parts := []Log{{Name: log}}, []segment{{log: 0, from: 0, to: 10}}
	if err := s.run(t.Context(), logs, parts); err != nil {
		t.Errorf("a log that is gone: %v", err)
	}
	if err := os.Mkdir(filepath.Join(path, log), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.run(t.Context(), logs, parts); err == nil || !strings.Contains(err.Error(), log) {
		t.Errorf("a log that cannot be read: %v", err)
	}
}
