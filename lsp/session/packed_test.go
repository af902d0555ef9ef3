//go:build !js

package session

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// TestPacked shows a packed session as it was before, also page by page and in a search.
func TestPacked(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	b := newFixture(t)
	text := meta(1, b.path("p")) + chat(300) + says(301, strings.Repeat("long ", 1<<20)) + chat(300)
	b.write(text, rollout(1))
	plain := b.scan("p")
	b.pack(text, rollout(1)+".zst")
	if s := b.scan("p"); len(s.Items) != 1 || s.Items[0].File != b.path(rollout(1)) {
		t.Fatalf("while both are there: %+v", s.Items)
	}
	b.ok(os.Remove(b.path(rollout(1))))
	s := b.scan("p")
	if len(s.Items) != 1 || s.Items[0].Err != nil || s.Items[0].Name != id(1) {
		t.Fatalf("%+v", s.Items)
	}
	if d := cmp.Diff(plain.Items[0].Facts, s.Items[0].Facts); d != "" {
		t.Errorf("-plain +packed\n%s", d)
	}
	for _, from := range []string{"", "0"} {
		for a, c := (Query{At: from, Limit: 70}), 0; c < 20; c++ {
			want, err := (&Snapshot{keys: plain.keys}).pageOf(t, text, b, a)
			b.ok(err)
			got, err := s.Page(t.Context(), key(1), a)
			b.ok(err)
			if d := cmp.Diff(texts(want), texts(got)); d != "" {
				t.Fatalf("%+v: -plain +packed\n%s", a, d)
			}
			if from == "" && got.Before != "" {
				a = Query{Before: got.Before, Limit: 70}
			} else if from != "" && got.After != "" {
				a = Query{After: got.After, Limit: 70}
			} else {
				break
			}
		}
	}
}

// pageOf reads a page of the plain text, which stands beside meanwhile.
func (s *Snapshot) pageOf(t *testing.T, text string, b *fixture, q Query) (*Page, error) {
	t.Helper()
	b.write(text, rollout(1))
	defer func() { b.ok(os.Remove(b.path(rollout(1)))) }()
	return s.Page(t.Context(), key(1), q)
}

// zeros is a text without an end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestPackedBadly lists what cannot be unpacked with the reason, also the second time.
func TestPackedBadly(t *testing.T) {
	b := newFixture(t)
	head := meta(1, b.path("p")) + says(0, "hello")
	whole := zipped(t, strings.NewReader(head+strings.Repeat(says(1, "more"), 20_000)))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a bomb":            {zipped(t, io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, maxUnpacked))), "unpacked it is longer than 512 MB"},
		"cut":               {whole[:len(whole)-50], "it cannot be unpacked: "},
		"with a far window": {zipped(t, io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, 1<<20)), zstd.WithWindowSize(64<<20)), "to unpack it takes more than 8 MB"},
	} {
		b.write(string(c.data), rollout(1)+".zst")
		for range 2 {
			s := b.scan("p")
			if name == "with a far window" {
				if len(s.Items) != 0 || len(s.Problems) != 1 {
					t.Errorf("%s: %+v, %v", name, s.Items, s.Problems)
				}
				continue
			}
			if len(s.Items) != 1 || s.Items[0].Err == nil || !strings.Contains(s.Items[0].Err.Error(), c.want) || s.Items[0].Prompt != "hello" {
				t.Fatalf("%s: %+v", name, s.Items)
			}
			if _, err := s.Page(t.Context(), key(1), Query{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: a page says %v", name, err)
			}
		}
	}
}

// TestUnpack reads any part of a packed file, in any order, in memory that has a limit.
func TestUnpack(t *testing.T) {
	text := make([]byte, 30<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range text {
		text[i] = 'a' + byte(r.Uint32()%4)
	}
	data := zipped(t, bytes.NewReader(text))
	p := newPacked(bytes.NewReader(data), int64(len(data)))
	defer p.close()
	if n, err := p.length(); n != int64(len(text)) || err != nil {
		t.Fatal(n, err)
	}
	for range 20 {
		from, n := r.Int64N(int64(len(text))), r.IntN(1<<20)
		got := make([]byte, n)
		n, err := p.ReadAt(got, from)
		want := text[from:min(from+int64(len(got)), int64(len(text)))]
		if !bytes.Equal(got[:n], want) || (n < len(got)) != errors.Is(err, io.EOF) {
			t.Fatalf("from %d: %d bytes, %v", from, n, err)
		}
		if len(p.buf) > 3*keptBack {
			t.Fatalf("%d bytes are kept", len(p.buf))
		}
	}
}

// FuzzUnpack unpacks anything without a panic.
func FuzzUnpack(f *testing.F) {
	f.Add(zipped(f, strings.NewReader(chat(3))), int64(5))
	f.Add(zipped(f, strings.NewReader(chat(3)))[:40], int64(0))
	f.Add(zipped(f, io.LimitReader(zeros{}, 1<<20)), int64(1<<19))
	f.Add([]byte("\x28\xb5\x2f\xfd"), int64(0))
	f.Fuzz(func(t *testing.T, data []byte, from int64) {
		p := newPacked(bytes.NewReader(data), int64(len(data)))
		defer p.close()
		got := make([]byte, 100)
		n, err := p.ReadAt(got, from&(1<<20-1))
		if n < len(got) && err == nil {
			t.Errorf("%d bytes and no error", n)
		}
	})
}
