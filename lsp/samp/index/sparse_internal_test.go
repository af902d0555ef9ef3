package index

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestSparseLog indexes and searches a log around a line that is not a record and longer
// than any memory, without reading that line into memory (rules R3 and R4).
func TestSparseLog(t *testing.T) {
	const hole, most = 128 << 20, 16 << 20
	one, two := recordLine(1, "a", "word one"), recordLine(2, "a", "word two")
	for _, c := range []struct {
		name, before, after string
		// lines are all that have an end.
		lines, records int
	}{
		{"nothing but a hole", "", "", 0, 0},
		{"between two records", one, "\n" + two, 3, 2},
		{"in a record", one + `{"id": "`, `", "ts": 1}` + "\n" + two, 3, 2},
		{"behind the last record", one + two, "", 2, 2},
	} {
		t.Run("R3/"+c.name, func(t *testing.T) {
			l := closedIndex(t, map[string]string{"a": c.before})
			log := filepath.Join(l.cfg.Path, samp.LogName("a"))
			f, err := os.OpenFile(log, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt([]byte(c.after), int64(len(c.before))+hole)
			}
			if err == nil {
				err = f.Truncate(int64(len(c.before)+len(c.after)) + hole)
			}
			if err == nil {
				err = f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			l.refresh(t.Context(), nil)
			s := l.logs[samp.LogName("a")]
			if got := l.idx.entries.n; got != c.records || s.lines != c.lines || s.malformed != c.lines-c.records {
				t.Errorf("%d records, %d lines, %d malformed", got, s.lines, s.malformed)
			}
			word, _ := mention.Of("word")
			if found, _, err := l.Mentions(t.Context(), word, MentionCursor{}, 10); err != nil || len(found) != c.records {
				t.Errorf("mentions: %d, %v", len(found), err)
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > most {
				t.Errorf("took %d MB", got>>20)
			}
		})
	}
}
