package needle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/signalbox-dev/signalbox/core/needle"
)

// BenchmarkFinderEscapes searches lines with a \u escape each for a text that is
// nowhere.
func BenchmarkFinderEscapes(b *testing.B) {
	var lines bytes.Buffer
	for i := range 900 {
		line, err := json.Marshal(fmt.Sprintf("%d: out is forty again <flake> please the of forty can store_test.go parser line go release branch red", i))
		if err != nil {
			b.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	for _, word := range []string{"quetzal", "reastone", "kaf\u00e9haus"} {
		b.Run(word, func(b *testing.B) {
			n := needle.New(word)
			f, _ := needle.NewFinder(&n)
			b.SetBytes(int64(lines.Len()))
			for b.Loop() {
				if met := walk(f, lines.Bytes()); len(met) != 0 {
					b.Fatalf("%d lines were met", len(met))
				}
			}
		})
	}
}

// BenchmarkFinder searches lines of mail for a text that is not in them.
func BenchmarkFinder(b *testing.B) {
	var lines bytes.Buffer
	for i := range 900 {
		fmt.Fprintf(&lines, "{\"id\": \"%016x\", \"ts\": %d, \"from\": \"agent%02d\", \"to\": \"agent07\", \"thread\": \"2026-04-11-agent03-topic-%d\", "+
			"\"body\": \"out is forty café naïve again flake please the of forty can store_test.go parser line go release branch red before two of candidate\"}\n",
			uint64(i)*0x9e3779b97f4a7c15, 1_775_000_000+i, i%10, i)
	}
	for _, word := range []string{"quetzal", "reastone", "on fire", "kaféhaus", "s"} {
		b.Run(word, func(b *testing.B) {
			n := needle.New(word)
			f, _ := needle.NewFinder(&n)
			b.SetBytes(int64(lines.Len()))
			found := 0
			for b.Loop() {
				f.Reset(lines.Bytes())
				for at := f.Next(0); at >= 0; at = f.Next(at + 1) {
					found++
				}
			}
			b.ReportMetric(float64(found)/float64(b.N), "places")
		})
	}
}
