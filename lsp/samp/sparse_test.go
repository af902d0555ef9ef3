package samp

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

const (
	hole = 128 << 20
	// holeMost is how much memory a reader may ask for, all in all.
	holeMost = 16 << 20
)

// holed is a directory with one log, in which text, a hole and a text alternate. A
// hole takes no room on the disk.
func holed(t *testing.T, texts ...string) *Dir {
	t.Helper()
	d := storeOf(t, nil)
	f, err := os.Create(filepath.Join(d.Path(), "log-a.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	at := int64(0)
	for i, text := range texts {
		if i > 0 {
			at += hole
		}
		if _, err := f.WriteAt([]byte(text), at); err != nil {
			t.Fatal(err)
		}
		at += int64(len(text))
	}
	if err := f.Truncate(max(at, hole)); err != nil {
		t.Fatal(err)
	}
	return d
}

// allocated returns how many bytes were allocated during a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestSparseLog reads around lines that are no record and longer than any memory,
// and takes none for them (rules R3 and R4).
func TestSparseLog(t *testing.T) {
	one, two := lineOf("a", "me", "word one", 1), lineOf("a", "me", "word two", 2)
	for _, c := range []struct {
		name  string
		texts []string
		// lines counts the lines that have a line end.
		lines, records int
	}{
		{"nothing but a hole", []string{""}, 0, 0},
		{"between two records", []string{one, "\n" + two}, 3, 2},
		{"in a record", []string{one + `{"id": "`, `", "ts": 1}` + "\n" + two}, 3, 2},
		{"behind the last record", []string{one + two, ""}, 2, 2},
	} {
		t.Run("R3/"+c.name, func(t *testing.T) {
			d := holed(t, c.texts...)
			for name, read := range holeReaders(t, d, c.lines, c.records) {
				if got := allocated(read); got > holeMost {
					t.Errorf("%s took %d MB", name, got>>20)
				}
			}
		})
	}
}

// holeReaders returns all ways to read a log of one malformed line and some records.
func holeReaders(t *testing.T, d *Dir, lines, records int) map[string]func() {
	ctx := t.Context()
	check := func(name string, err error, got, malformed int) {
		t.Helper()
		if err != nil || got != records || malformed != 1 {
			t.Errorf("%s: %d records and %d malformed lines, %v", name, got, malformed, err)
		}
	}
	return map[string]func(){
		"Inbox": func() {
			m, err := d.Inbox(ctx, "me", samp.V1)
			check("Inbox", err, len(m.Messages), m.Malformed)
		},
		"Lines": func() {
			l, err := d.Lines(ctx, "me", samp.V1, nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer l.Close()
			check("Lines", nil, l.Len(), l.Malformed)
		},
		"Select": func() {
			m, err := d.Select(ctx, samp.V1, func(*samp.Found) bool { return true })
			check("Select", err, len(m.Messages), m.Malformed)
		},
		"Profile": func() {
			if form, err := d.Form(ctx); err != nil || form.Found != (records > 0) {
				t.Errorf("Profile: %v, %v", form.Found, err)
			}
		},
		"Examine": func() {
			last := Problem{}
			r, err := d.Examine(ctx, func(p Problem) {
				if p.Rule == "R3" {
					last = p
				}
			})
			check("Examine", err, r.Records, r.Malformed)
			if !strings.Contains(last.Reason, "not a JSON object: ") || last.Line == 0 {
				t.Errorf("Examine: %+v", last)
			}
		},
		"Tail": func() {
			m, err := newTail(t, d, "").Poll(ctx)
			// It waits for the end of a line.
			check("Tail", err, len(m.Messages), m.Malformed+1-(lines-records))
		},
		"Compact": func() {
			logs, _, _ := d.Logs()
			r, err := d.Compact(ctx, logs[0], samp.V1)
			check("Compact", err, r.Before-r.Malformed, r.Malformed)
		},
		"Outbox": func() {
			rec, _ := samp.Parse([]byte(lineOf("a", "me", "word two", 2)))
			if there, err := d.hasRecord(&rec); err != nil || there != (records > 0) {
				t.Errorf("holds: %v, %v", there, err)
			}
		},
	}
}

// TestSegmentsOfAnySize cuts a log of any claimed size into few parts.
func TestSegmentsOfAnySize(t *testing.T) {
	d := storeOf(t, nil)
	path := filepath.Join(d.Path(), "log-a.jsonl")
	if err := os.WriteFile(path, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	logs, _, err := d.Logs()
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{1, segmentSize, segmentSize + 1, 3 << 30, 1<<63 - 1} {
		logs[0].Info = sized{logs[0].Info, size}
		parts := segments(logs)
		end := int64(0)
		for _, p := range parts {
			if p.from != end || p.to <= p.from {
				t.Fatalf("%d bytes: %+v behind %d", size, p, end)
			}
			end = p.to
		}
		if end != size || len(parts) > maxSegments {
			t.Errorf("%d bytes: %d parts to %d", size, len(parts), end)
		}
	}
}

type sized struct {
	os.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }
