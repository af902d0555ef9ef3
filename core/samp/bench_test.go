package samp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// benchLog makes a log of about size bytes, of which one line in ten is for
// "me": lines of about 400 bytes, a third with escapes or beyond ASCII.
func benchLog(size int) []byte {
	bodies := []string{
		strings.Repeat("Please look at the failing build on main. ", 6),
		strings.Repeat("line with \"quotes\"\tand ends\n", 9),
		strings.Repeat("日本語 und Umlaute äöü, ", 7),
	}
	var data []byte
	for i := 0; len(data) < size; i++ {
		to := "me"
		if i%10 > 0 {
			to = fmt.Sprintf("agent-%d", i%10)
		}
		r := samp.Record{TS: 1777075200 + int64(i/3), From: "alice", To: to, Thread: "2026-04-25-alice-build", Body: bodies[i%3] + fmt.Sprint(i)}
		r.ID = samp.ID(&r, samp.V1)
		data = r.Append(data)
	}
	return data
}

func benchLines(b *testing.B) (lines [][]byte, bytes int64) {
	b.Helper()
	samp.Lines(benchLog(1<<20), func(_ int, raw []byte) {
		lines = append(lines, raw)
		bytes += int64(len(raw))
	})
	b.SetBytes(bytes)
	b.ReportAllocs()
	return lines, bytes
}

// BenchmarkParse measures the reading of every line.
func BenchmarkParse(b *testing.B) {
	lines, _ := benchLines(b)
	for b.Loop() {
		for _, line := range lines {
			if _, err := samp.Parse(line); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkParseEncodingJSON reads the same lines with the standard library.
func BenchmarkParseEncodingJSON(b *testing.B) {
	lines, _ := benchLines(b)
	for b.Loop() {
		for _, line := range lines {
			var r struct {
				ID, From, To, Thread, Body string
				TS                         int64
			}
			if err := json.Unmarshal(line, &r); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkKeep measures the filter alone.
func BenchmarkKeep(b *testing.B) {
	lines, _ := benchLines(b)
	s := samp.NewFilter("me")
	for b.Loop() {
		kept := 0
		for _, line := range lines {
			if s.Keep(line) {
				kept++
			}
		}
		if kept == 0 || kept > len(lines)/5 {
			b.Fatalf("%d lines of %d kept", kept, len(lines))
		}
	}
}

// BenchmarkID measures one id in each form, over a body of each kind.
func BenchmarkID(b *testing.B) {
	for name, body := range map[string]string{
		"ascii":      strings.Repeat("Please look at the build. ", 12),
		"composed":   strings.Repeat("äöü 日本語 ", 20),
		"decomposed": strings.Repeat("a\u0308o\u0308 ", 50),
	} {
		r := samp.Record{TS: 1777075200, From: "alice", To: "bob", Thread: "2026-04-25-alice-build", Body: body}
		for _, p := range []samp.Profile{samp.V1, samp.V1Compact} {
			b.Run(name+"/"+p.String(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					samp.ID(&r, p)
				}
			})
		}
	}
}

// BenchmarkFind measures an inbox's share of a ten megabyte log.
func BenchmarkFind(b *testing.B) {
	data := benchLog(10 << 20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		found, scan := samp.Find(data, "alice", 0, new("me"), samp.V1)
		if len(found) == 0 || scan.Malformed > 0 {
			b.Fatalf("%d found, %+v", len(found), scan)
		}
	}
}

// BenchmarkGather measures the making of an inbox out of what was found.
func BenchmarkGather(b *testing.B) {
	found, _ := samp.Find(benchLog(10<<20), "alice", 0, new("me"), samp.V1)
	b.ReportAllocs()
	for b.Loop() {
		if box := samp.Gather(found); len(box.Messages) != len(found) {
			b.Fatal("messages are missing")
		}
	}
}

// BenchmarkCompact measures a compaction with nothing to do.
func BenchmarkCompact(b *testing.B) {
	data := benchLog(10 << 20)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if c := samp.Compact(data, samp.V1); c.Changed(data) {
			b.Fatal("a clean log was changed")
		}
	}
}
