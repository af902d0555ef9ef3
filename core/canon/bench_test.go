package canon_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/canon"
)

var benchText = []byte(`{"id": "d5ae47a1d71b7723", "ts": 1777075200, "from": "alice", "to": "bob", "thread": "2026-04-25-alice-x", "body": "` +
	strings.Repeat(`Fix the login bug in auth.ts, caf\u00e9.\n`, 8) + `"}`)

// BenchmarkValid measures the reader beside encoding/json's.
func BenchmarkValid(b *testing.B) {
	for name, valid := range map[string]func([]byte) bool{
		"canon":         func(data []byte) bool { return canon.Valid(data) == nil },
		"encoding-json": json.Valid,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(benchText)))
			b.ReportAllocs()
			for b.Loop() {
				if !valid(benchText) {
					b.Fatal("not valid")
				}
			}
		})
	}
}

// BenchmarkPlain measures the scan for the end of a string.
func BenchmarkPlain(b *testing.B) {
	text := []byte(strings.Repeat("0123456789abcdef", 256) + `"`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if canon.Plain(text) != len(text)-1 {
			b.Fatal("wrong length")
		}
	}
}
