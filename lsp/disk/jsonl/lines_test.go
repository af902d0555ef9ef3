package jsonl_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// TestLines reads the same lines forwards and backwards, and no unfinished one.
func TestLines(t *testing.T) {
	ctx := context.Background()
	want := []string{"a", "", strings.Repeat("b", jsonl.Chunk+1), "c"}
	log := strings.NewReader(strings.Join(want, "\n") + "\nunfinished")
	end, err := jsonl.End(ctx, log, log.Size())
	if err != nil || end != log.Size()-int64(len("unfinished")) {
		t.Fatal(end, err)
	}
	read := func(next func(context.Context) (jsonl.Line, error)) (list []string) {
		for {
			l, err := next(ctx)
			if errors.Is(err, jsonl.ErrEnd) {
				return list
			}
			if err != nil || l.Size != int64(len(l.Raw)) {
				t.Fatal(l.Offset, err)
			}
			list = append(list, string(l.Raw))
		}
	}
	forward, backward := jsonl.Forward{R: log, End: end}, jsonl.Backward{R: log, At: end}
	if got := read(forward.Next); !slices.Equal(got, want) {
		t.Errorf("forwards: %d lines", len(got))
	}
	got := read(backward.Prev)
	if slices.Reverse(got); !slices.Equal(got, want) {
		t.Errorf("backwards: %d lines", len(got))
	}
	if _, err := (&jsonl.Forward{R: log, End: log.Size() + 9, At: end}).Next(ctx); !errors.Is(err, jsonl.ErrRewritten) {
		t.Error(err)
	}
}
