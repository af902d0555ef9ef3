package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLive follows what programs do to their transcripts.
func TestLive(t *testing.T) {
	one := []string{"codex " + id(1)}
	for _, c := range []struct {
		name    string
		do      func(b *fixture)
		changed []string
		want    []string // of session 1, nil if it is no more
	}{
		{"nothing", func(*fixture) {}, nil, []string{"word 0", "word 1"}},
		{"it grows", func(b *fixture) { b.add(says(2, "more"), rollout(1)) }, one, []string{"word 0", "word 1", "more"}},
		{"half a line", func(b *fixture) { b.add(says(2, "more")[:20], rollout(1)) }, one, []string{"word 0", "word 1"}},
		{"it is cut", func(b *fixture) { b.write(meta(1, b.path("p"))+says(0, "word 0"), rollout(1)) }, one, []string{"word 0"}},
		{"it is emptied", func(b *fixture) { b.ok(os.Truncate(b.path(rollout(1)), 0)) }, one, nil},
		{"it is replaced", func(b *fixture) {
			b.write(meta(1, b.path("p"))+says(4, "another"), "new")
			b.ok(os.Rename(b.path("new"), b.path(rollout(1))))
		}, one, []string{"another"}},
		{"it is removed", func(b *fixture) { b.ok(os.Remove(b.path(rollout(1)))) }, one, nil},
		{"it is moved", func(b *fixture) {
			to := b.path(strings.Replace(rollout(1), "/02/01/", "/03/07/", 1))
			b.ok(os.MkdirAll(filepath.Dir(to), 0o700))
			b.ok(os.Rename(b.path(rollout(1)), to))
		}, nil, []string{"word 0", "word 1"}},
		{"its folder is removed", func(b *fixture) { b.ok(os.RemoveAll(b.path("home", ".codex"))) }, one, nil},
		{"it goes on elsewhere", func(b *fixture) { b.add(turn(4, b.path("q"))+says(4, "there"), rollout(1)) }, one, []string{"word 0", "word 1", "goes on in q", "there"}},
		{"another begins", func(b *fixture) { b.write(meta(2, b.path("p"))+chat(1), rollout(2)) }, []string{"codex " + id(2)}, []string{"word 0", "word 1"}},
		{"another begins on another day", func(b *fixture) {
			b.write(meta(2, b.path("p"))+chat(1), strings.Replace(rollout(2), "/02/01/", "/03/07/", 1))
		}, []string{"codex " + id(2)}, []string{"word 0", "word 1"}},
		{"another comes from elsewhere", func(b *fixture) { b.add(turn(4, b.path("p"))+says(4, "here"), rollout(3)) }, []string{"codex " + id(3)}, []string{"word 0", "word 1"}},
		{"one elsewhere grows", func(b *fixture) { b.add(says(4, "there"), rollout(3)) }, nil, []string{"word 0", "word 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newFixture(t)
			b.mkdir("q")
			b.write(meta(1, b.path("p"))+chat(2), rollout(1))
			b.write(meta(3, b.path("q"))+chat(2), rollout(3))
			l := b.follow("p")
			l.changed()
			c.do(b)
			if d := cmp.Diff(c.changed, l.changed()); d != "" {
				t.Errorf("changed: -want +got\n%s", d)
			}
			var got []string
			if page, err := l.live.Snapshot().Page(t.Context(), key(1), Query{}); err == nil {
				for _, line := range texts(page) {
					got = append(got, strings.Replace(line, b.dir+"/", "", 1))
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

// TestOldSnapshot reads with a list from before the transcript changed.
func TestOldSnapshot(t *testing.T) {
	b := newFixture(t)
	b.write(meta(1, b.path("p"))+chat(4), rollout(1))
	s := b.scan("p")
	page, err := s.Page(t.Context(), key(1), Query{Limit: 1})
	b.ok(err)
	for _, c := range []struct {
		name string
		do   func()
		want error
	}{
		{"cut", func() { b.ok(os.Truncate(b.path(rollout(1)), 100)) }, ErrRewritten},
		{"written anew", func() { b.write(strings.Repeat("x", 5000), rollout(1)) }, ErrRewritten},
		{"removed", func() { b.ok(os.Remove(b.path(rollout(1)))) }, ErrNotFound},
		{"a folder", func() { b.mkdir(rollout(1)) }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.do()
			for _, q := range []Query{{Before: page.Before}, {After: page.Before}, {At: page.Before}} {
				_, err := s.Page(t.Context(), key(1), q)
				if err == nil || c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("%+v: %v", q, err)
				}
			}
		})
	}
}

// TestTwoWriters has two processes append to one transcript while it is followed.
func TestTwoWriters(t *testing.T) {
	b := newFixture(t)
	b.write(meta(1, b.path("p")), rollout(1))
	l := b.follow("p")
	const each = 50
	var writers sync.WaitGroup
	for w := range 2 {
		f, err := os.OpenFile(b.path(rollout(1)), os.O_APPEND|os.O_WRONLY, 0)
		b.ok(err)
		defer f.Close()
		writers.Go(func() {
			for i := range each {
				if _, err := f.WriteString(says(2*(w*each+i), fmt.Sprintf("writer %d line %d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 10 {
		if page, err := l.sync().Page(t.Context(), key(1), Query{Limit: 1000}); err != nil {
			t.Error(err)
		} else {
			noGaps(t, page)
		}
	}
	writers.Wait()
	page, err := l.sync().Page(t.Context(), key(1), Query{Limit: 1000})
	if err != nil || len(page.Messages) != 2*each {
		t.Fatalf("%d messages, %v", len(page.Messages), err)
	}
	next := [2]int{}
	for _, line := range texts(page) {
		var w, i int
		if _, err := fmt.Sscanf(line, "writer %d line %d", &w, &i); err != nil || next[w] != i {
			t.Fatalf("%q follows line %d", line, next[w]-1)
		}
		next[w]++
	}
}

func noGaps(t *testing.T, page *Page) {
	t.Helper()
	for i := range page.Messages {
		if m := &page.Messages[i]; m.Gap != "" {
			t.Errorf("a gap at %d: %s", m.Offset, m.Gap)
		}
	}
}

// TestWorktreeComes counts the sessions of a worktree that was made after them.
func TestWorktreeComes(t *testing.T) {
	b := newFixture(t)
	b.repo("p")
	b.write(meta(1, b.path("one"))+chat(1), rollout(1))
	l := b.follow("p")
	if got := b.listed(l.sync()); got != nil {
		t.Fatalf("%q", got)
	}
	b.git("p", "worktree", "add", "-q", "-b", "one", b.path("one"))
	if d := cmp.Diff([]string{"one: word 0"}, b.listed(l.sync())); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
