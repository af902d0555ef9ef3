package recount_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel/recount"
)

// fake counts from a map, and takes a while for it.
type fake struct {
	takes time.Duration

	mu     sync.Mutex // guards everything below
	counts map[string]int
	err    error

	counted, changed int
	failed           []string
}

func (f *fake) start(t *testing.T) *recount.Counter {
	c := recount.Start(recount.Config{
		Count: func(_ context.Context, name string) (int, error) {
			time.Sleep(f.takes) // without the lock: the bubble's clock stands still for one that waits
			f.mu.Lock()
			defer f.mu.Unlock()
			f.counted++
			return f.counts[name], f.err
		},
		Failed:  func(name string, _ error) { f.failed = append(f.failed, name) },
		Changed: func() { f.changed++ },
	})
	t.Cleanup(c.Close)
	return c
}

func (f *fake) set(what func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what()
}

// after waits for a time of the bubble's clock, and for everything that then happens.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestCounts counts for those who are wanted, and tells of a change alone.
func TestCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{counts: map[string]int{"a": 1, "b": 2}}
		c := f.start(t)
		c.Kick()
		after(time.Hour)
		if f.counted != 0 || f.changed != 0 {
			t.Fatalf("counted %d times for nobody", f.counted)
		}
		c.Want([]string{"a", "b"})
		synctest.Wait()
		if diff := cmp.Diff(map[string]int{"a": 1, "b": 2}, c.Counts()); diff != "" || f.changed != 1 {
			t.Errorf("%d changes %s", f.changed, diff)
		}
		c.Want([]string{"a", "b"})
		after(time.Second)
		if f.counted != 2 {
			t.Errorf("counted %d times", f.counted)
		}
		// Nobody says that it changed: it is seen all the same, later.
		f.set(func() { f.counts["b"] = 3 })
		after(time.Minute)
		if c.Counts()["b"] != 3 || f.changed != 2 {
			t.Errorf("%v, %d changes", c.Counts(), f.changed)
		}
		c.Want(nil)
		after(time.Minute)
		if len(c.Counts()) != 0 || f.changed != 3 {
			t.Errorf("%v, %d changes", c.Counts(), f.changed)
		}
	})
}

// TestRests counts at most once in two seconds however often it is asked to, and less
// often if counting takes long.
func TestRests(t *testing.T) {
	for name, test := range map[string]struct {
		takes     time.Duration
		low, most int
	}{
		"quick": {0, 45, 51},
		"slow":  {time.Second, 4, 5},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{counts: map[string]int{"a": 1}, takes: test.takes}
				c := f.start(t)
				c.Want([]string{"a"})
				for range 1000 {
					c.Kick()
					after(100 * time.Millisecond)
				}
				if f.counted < test.low || f.counted > test.most {
					t.Errorf("counted %d times in 100 s", f.counted)
				}
			})
		})
	}
}

// TestSync counts at once, also while the counter rests.
func TestSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{counts: map[string]int{"a": 1}, takes: time.Second}
		c := f.start(t)
		c.Want([]string{"a"})
		for want := 1; want < 4; want++ {
			f.set(func() { f.counts["a"] = want })
			if err := c.Sync(t.Context()); err != nil || c.Counts()["a"] != want {
				t.Errorf("%v, %v", c.Counts(), err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c.Close()
		if err := c.Sync(ctx); err == nil {
			t.Error("a closed counter counts")
		}
	})
}

// TestFails keeps the number that was counted before.
func TestFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{counts: map[string]int{"a": 1}}
		c := f.start(t)
		c.Want([]string{"a"})
		after(time.Minute)
		f.set(func() { f.err = errors.New("no") })
		c.Kick()
		after(time.Minute)
		if c.Counts()["a"] != 1 || len(f.failed) == 0 || f.changed != 1 {
			t.Errorf("%v, %d failures, %d changes", c.Counts(), len(f.failed), f.changed)
		}
	})
}
