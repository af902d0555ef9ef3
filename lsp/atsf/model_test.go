package atsf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// plain is the slow, obvious reading of a log: split by lines. The last part is
// not finished and does not count.
func plain(data []byte) (entries []Entry, torn bool) {
	offset := int64(0)
	parts := bytes.Split(data, []byte("\n"))
	for i, raw := range parts[:len(parts)-1] {
		if len(bytes.Trim(raw, " \t\r")) > 0 {
			e := Entry{Number: int64(i + 1), Offset: offset, Size: int64(len(raw))}
			var err error
			if len(raw) > MaxLine {
				e.Fault = &canon.Fault{Rule: "M1"}
			} else if e.Message, err = atsf.ParseMessage(raw); err != nil {
				errors.As(err, &e.Fault)
			}
			entries = append(entries, e)
		}
		offset += int64(len(raw)) + 1
	}
	return entries, len(parts[len(parts)-1]) > 0
}

// brief is what is compared of an entry.
func brief(list []Entry) (out []string) {
	for _, e := range list {
		text := fmt.Sprintf("%d@%d+%d ", e.Number, e.Offset, e.Size)
		if e.Fault != nil {
			text += e.Fault.Rule
		} else {
			text += e.Message.ID
		}
		out = append(out, text)
	}
	return out
}

// sameAsPlain reads a log page by page, backwards and forwards, and compares
// with the plain reading.
func sameAsPlain(t *testing.T, data []byte, limit int) {
	t.Helper()
	want, torn := plain(data)
	r := bytes.NewReader(data)
	page := func(q Query) Page {
		t.Helper()
		var p Page
		if err := p.read(context.Background(), r, int64(len(data)), q); err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if len(p.Entries) > limit {
			t.Fatalf("%d entries, limit %d", len(p.Entries), limit)
		}
		return p
	}
	var back []Entry
	p := page(Query{Limit: limit})
	if p.Torn != torn {
		t.Fatalf("torn: %v", p.Torn)
	}
	for {
		back = append(append([]Entry{}, p.Entries...), back...)
		if p.Before == "" {
			break
		}
		p = page(Query{Before: p.Before, Limit: limit})
	}
	if diff := cmp.Diff(brief(want), brief(back)); diff != "" {
		t.Fatalf("backwards: %s", diff)
	}
	if len(want) == 0 {
		return
	}
	on := append([]Entry{}, back[0])
	for at := back[0].Cursor; at != ""; {
		p := page(Query{After: at, Limit: limit})
		on = append(on, p.Entries...)
		if at = p.After; at == "" && len(on) < len(want) {
			t.Fatalf("forwards: ends after %d of %d", len(on), len(want))
		}
	}
	if diff := cmp.Diff(brief(want), brief(on)); diff != "" {
		t.Fatalf("forwards: %s", diff)
	}
}

// TestModel lets another program append, tear, finish and rewrite lines, and
// compares every reading with the plain one: pages, messages by id, search.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := newReadFixture(t)
			b.thread("p", "a", 1)
			d, s := b.open("p"), b.scan("p")
			rng := rand.New(rand.NewPCG(seed, 5))
			var log []byte
			for step := range 40 {
				switch rng.IntN(8) {
				case 0:
					log = append(log, "no json\n"...)
				case 1:
					log = append(log, strings.Repeat(" \n", rng.IntN(3))...)
				case 2:
					log = append(log, `{"id":"torn`...)
				case 3:
					log = append(log, '\n')
				case 4:
					// A tool call's status changes: same id, another length.
					log = bytes.Replace(log, []byte("pending"), []byte("completed"), 1)
				case 5:
					if rng.IntN(4) == 0 {
						log = log[:rng.IntN(len(log)+1)]
					}
				default:
					for range rng.IntN(20) {
						log = append(log, said(fmt.Sprint("m", step, "-", rng.IntN(50)), "pending "+strings.Repeat("x", rng.IntN(9000)))+"\n"...)
					}
				}
				if err := os.WriteFile(b.threadPath("p", "a", atsf.MessagesName), log, 0o600); err != nil {
					t.Fatal(err)
				}
				sameAsPlain(t, log, 1+rng.IntN(30))
				want, _ := plain(log)
				last := make(map[string]int64)
				for _, e := range want {
					if e.Fault == nil && e.Message.ID != "" {
						last[e.Message.ID] = e.Number
					}
				}
				for id, number := range last {
					e, err := one(t, d, "a", Query{Around: id})
					if err != nil || e.Number != number {
						t.Fatalf("step %d: %s on line %d: %v", step, id, e.Number, err)
					}
					if got := b.hits(s, id); len(got) != 1 {
						t.Fatalf("step %d: %s is found in %v", step, id, got)
					}
					break
				}
				if got := b.hits(s, "torn"); len(got) != 0 {
					t.Fatalf("step %d: an unfinished line is found", step)
				}
			}
		})
	}
}

// TestLongLines reads lines around the sizes at which reading goes another way.
func TestLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for _, size := range []int{jsonl.Chunk - 1, jsonl.Chunk, jsonl.Chunk + 1, 2 * jsonl.Chunk, jsonl.LargeChunk, MaxLine - 1, MaxLine, MaxLine + 1, 2*MaxLine + 3*jsonl.LargeChunk} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			head, tail := `{"id":"long","text":"`, `"}`
			long := head + strings.Repeat("x", size-len(head)-len(tail)) + tail
			log := said("m1", "x") + "\n" + long + "\n" + said("m2", "x") + "\n"
			sameAsPlain(t, []byte(log), 1)
			sameAsPlain(t, []byte(log+long), 10)
		})
	}
}
