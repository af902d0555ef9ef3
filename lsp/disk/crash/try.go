package crash

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The environment of a run. Soak is how long each scenario is tried, such as "60s",
// instead of a fixed number of cases. One is a single case, as a failure reports it:
// seed, fault and change with commas between.
const (
	Soak = "SIGNALBOX_SOAK"
	One  = "SIGNALBOX_CRASH"
)

// SoakTime returns how long to try each scenario, or 0 for the short form.
func SoakTime(t testing.TB) time.Duration {
	t.Helper()
	text := os.Getenv(Soak)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", Soak, err)
	}
	return d
}

// Try tries a scenario with each fault at each change of a few seeds, but at most as many
// cases as most. If [Soak] is set, it tries random cases for that time instead.
func Try(t *testing.T, s Scenario, most int) {
	t.Helper()
	p, err := s.Begin(Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	next := p.some(t, most)
	if text := os.Getenv(One); text != "" {
		next = one(t, text)
	} else if d := SoakTime(t); d > 0 {
		next = p.forLong(t, d)
	}
	var done, failed atomic.Int64
	var workers sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for {
				c, ok := next()
				if !ok || failed.Load() > 3 {
					return
				}
				done.Add(1)
				dir := Dir(t)
				if err := p.Run(c, dir); err != nil {
					failed.Add(1)
					t.Errorf("%s=%d,%s,%d: %v", One, c.Seed, strings.ReplaceAll(string(c.Fault), " ", "_"), c.At, err)
				}
				os.RemoveAll(dir)
			}
		})
	}
	workers.Wait()
	t.Logf("%d cases", done.Load())
	if done.Load() == 0 {
		t.Error("there was no case")
	}
}

// Each runs a scenario once for each of its changes, and kills the process just after that
// change. Another process repeats the steps that were not acknowledged, and then the power
// fails: changes that this process found and did not make itself must also be on the disk.
func Each(t *testing.T, s Scenario) {
	t.Helper()
	p, err := s.Begin(Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	for at := range p.count(t, 1) {
		dir := Dir(t)
		if err := p.Run(Case{1, KilledAfter, 1 + at}, dir); err != nil {
			t.Error(err)
		}
	}
}

// seeds is the number of seeds of the short form.
const seeds = 4

// some returns a fixed choice of at most most cases of the first seeds.
func (p *Prepared) some(t *testing.T, most int) func() (Case, bool) {
	t.Helper()
	var list []Case
	for seed := uint64(1); seed <= seeds; seed++ {
		n := p.count(t, seed)
		for _, f := range Faults() {
			for at := 1; at <= n; at++ {
				list = append(list, Case{seed, f, at})
			}
		}
	}
	t.Logf("%d of %d cases", min(most, len(list)), len(list))
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(most, len(list))]
	var at atomic.Int64
	return func() (Case, bool) {
		i := int(at.Add(1)) - 1
		if i >= len(list) {
			return Case{}, false
		}
		return list[i], true
	}
}

func (p *Prepared) count(t *testing.T, seed uint64) int {
	t.Helper()
	n, err := p.Changes(Dir(t), seed)
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatal("nothing was changed")
	}
	return n
}

// forLong returns random cases until the time has passed.
func (p *Prepared) forLong(t *testing.T, d time.Duration) func() (Case, bool) {
	t.Helper()
	first := rand.Uint64() >> 16
	t.Logf("the first seed is %d", first)
	end := time.Now().Add(d)
	n := p.count(t, first)
	var at atomic.Uint64
	return func() (Case, bool) {
		rng := rand.New(rand.NewPCG(first, at.Add(1)))
		return Case{rng.Uint64() >> 16, Faults()[rng.IntN(len(Faults()))], 1 + rng.IntN(n)}, time.Now().Before(end)
	}
}

func one(t *testing.T, text string) func() (Case, bool) {
	t.Helper()
	var c Case
	parts := strings.Split(text, ",")
	var err error
	if len(parts) == 3 {
		if c.Seed, err = strconv.ParseUint(parts[0], 10, 64); err == nil {
			c.At, err = strconv.Atoi(parts[2])
		}
		c.Fault = Fault(strings.ReplaceAll(parts[1], "_", " "))
	}
	if err != nil || len(parts) != 3 {
		t.Fatalf("%s=%s is no case: seed,fault,change", One, text)
	}
	var once atomic.Bool
	return func() (Case, bool) { return c, once.CompareAndSwap(false, true) }
}

// Dir returns an empty folder that is removed after the test. It is in memory if the system has a
// file system for that, which is faster. A real disk is not needed, since power cuts are simulated.
func Dir(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "signalbox-crash-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Same returns an error unless a store holds the texts that the marks require: each
// acknowledged text once, each tried text at most once, and no others.
func Same(what string, got map[string]int, marks []Mark, text func(i int) string) error {
	for i, m := range marks {
		name := text(i)
		if name == "" {
			continue
		}
		n := got[name]
		delete(got, name)
		switch {
		case m == Done && n != 1:
			return fmt.Errorf("%s: %s was acknowledged and is there %d times", what, name, n)
		case m == Tried && n > 1, m == Waiting && n > 0:
			return fmt.Errorf("%s: %s is there %d times", what, name, n)
		}
	}
	for name, n := range got {
		if n > 0 {
			return fmt.Errorf("%s: %q is there, and nobody wrote it", what, name)
		}
	}
	return nil
}
