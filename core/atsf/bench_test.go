package atsf_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// benchLog makes a messages.jsonl of about ten megabytes: questions, and
// answers with thinking, text and a tool call whose output is most of the line.
func benchLog(tb testing.TB) []byte {
	tb.Helper()
	var data []byte
	output := strings.Repeat("ok  \tpackage/name\t0.012s\n\"quoted\" line of a file\n", 40)
	for i := 0; len(data) < 10<<20; i++ {
		m := atsf.Message{ID: strconv.Itoa(i), Role: atsf.RoleUser, Time: atsf.At(1739529000000 + int64(i)*1000), Content: []atsf.Block{{Type: atsf.TypeText, Text: strings.Repeat("Please fix the login. ", 10)}}}
		if i%2 == 1 {
			m.Role = atsf.RoleAgent
			m.Content = append(m.Content, atsf.Block{Type: atsf.TypeThinking, Text: strings.Repeat("Let me look at auth.ts, line by line. ", 10)})
			m.Tools = []atsf.ToolCall{{ID: "tc", Name: "bash", Status: "completed", HasInput: true, Input: `{"command":"go test ./..."}`, HasOutput: true, Output: output, Duration: 12}}
		}
		line, err := atsf.BuildMessage(m)
		if err != nil {
			tb.Fatal(err)
		}
		data = append(data, line...)
	}
	return data
}

// BenchmarkReadLog reads ten megabytes in full.
func BenchmarkReadLog(b *testing.B) {
	data := benchLog(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if l := atsf.ReadLog(data, 0); l.Next != len(data) || len(l.Entries) < 1000 {
			b.Fatal(l.Next)
		}
	}
}

// BenchmarkReadLogEncodingJSON reads the same with the standard library.
func BenchmarkReadLogEncodingJSON(b *testing.B) {
	data := benchLog(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		for line := range bytes.Lines(data) {
			var m struct {
				ID, Role, Timestamp string
				Content             []struct{ Type, Text, AssetRef, MimeType string }
				ToolCalls           []struct {
					ToolCallID, Name, Title, Status, Input, Output string
					Duration                                       float64
				}
			}
			if err := json.Unmarshal(line, &m); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkCount derives the stats of ten megabytes.
func BenchmarkCount(b *testing.B) {
	data := benchLog(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if t, _ := atsf.Count(data); t.Stats.ToolCalls == 0 || t.Bad > 0 {
			b.Fatal(t)
		}
	}
}

// BenchmarkThread reads a thread.json, of which a list of threads reads
// thousands.
func BenchmarkThread(b *testing.B) {
	b.SetBytes(int64(len(whole)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := atsf.ParseThread([]byte(whole)); err != nil {
			b.Fatal(err)
		}
	}
}
