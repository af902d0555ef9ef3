package samp

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// storeOf makes a message directory out of files by name.
func storeOf(t *testing.T, files map[string]string) *Dir {
	t.Helper()
	path := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// lineOf is a record's line, with an id that names its body.
func lineOf(from, to, body string, ts int64) string {
	r := samp.Record{TS: ts, From: from, To: to, Thread: "t", Body: body}
	r.ID = samp.ID(&r, samp.V1)
	return string(r.Append(nil))
}

func bodies(list []samp.Found) []string {
	out := []string{}
	for i := range list {
		out = append(out, list[i].Body)
	}
	return out
}

func TestSelect(t *testing.T) {
	d := storeOf(t, map[string]string{
		"log-a.jsonl":                 lineOf("a", "x", "two", 2) + "\n \nnot json\n" + lineOf("a", "y", "one", 1),
		"log-a.sync-conflict-1.jsonl": lineOf("a", "x", "two", 2),
		"log-b.jsonl":                 lineOf("b", "a", "three", 3) + lineOf("a", "x", "forged", 4),
	})
	m, err := d.Select(context.Background(), samp.V1, func(f *samp.Found) bool { return f.From == "a" || f.To == "a" })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one", "two", "three"}, bodies(m.Messages)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"forged"}, bodies(m.Suspicious)); diff != "" {
		t.Errorf("suspicious (-want +got):\n%s", diff)
	}
	if m.Malformed != 1 || m.Replicas != 1 {
		t.Errorf("%d malformed, %d replicas", m.Malformed, m.Replicas)
	}
}

// TestSelectKeeps: found messages do not change when the buffer they were read into is reused.
// There are many lines, in more than one chunk.
func TestSelectKeeps(t *testing.T) {
	var log strings.Builder
	pad := strings.Repeat("é", 400)
	for i := range 2000 {
		log.WriteString(lineOf("a", "x", strconv.Itoa(i)+pad, int64(i)))
	}
	d := storeOf(t, map[string]string{"log-a.jsonl": log.String()})
	m, err := d.Select(context.Background(), samp.V1, func(*samp.Found) bool { return true })
	if err != nil || len(m.Messages) != 2000 {
		t.Fatalf("%d messages, %v", len(m.Messages), err)
	}
	for i := range m.Messages {
		f := &m.Messages[i]
		if f.Body != strconv.Itoa(i)+pad || f.Key != samp.ID(&f.Record, samp.V1) {
			t.Fatalf("message %d became %.20q, id %s", i, f.Body, f.Key)
		}
	}
}

// TestVerbatim copies lines of any length from any number of logs, byte for byte (rules N4, R1).
func TestVerbatim(t *testing.T) {
	long := `{"odd":  [1, 2], "ts": 5, "from": "w0", "to": "me", "thread": "t", "body": "` + strings.Repeat("x", 100<<10) + `"}`
	files := map[string]string{"log-w0.jsonl": "\n" + long}
	want := ""
	for i := 1; i <= maxOpen+10; i++ {
		from := "w" + strconv.Itoa(i)
		files["log-"+from+".jsonl"] = lineOf(from, "me", "1", 1) + lineOf(from, "me", "9", 9)
	}
	d := storeOf(t, files)
	m, err := d.Inbox(context.Background(), "me", samp.V1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Messages {
		f := &m.Messages[i]
		if f.From == "w0" {
			want += long + "\n"
		} else {
			want += lineOf(f.From, "me", f.Body, f.TS)
		}
	}
	var got strings.Builder
	if err := d.Verbatim(&got, m.Messages); err != nil {
		t.Fatal(err)
	}
	if got.String() != want {
		t.Error(cmp.Diff(want, got.String()))
	}
	if err := os.Truncate(filepath.Join(d.Path(), "log-w1.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	if err := d.Verbatim(&got, m.Messages); err == nil || !strings.Contains(err.Error(), "rewritten") {
		t.Errorf("a log that shrank: %v", err)
	}
}
