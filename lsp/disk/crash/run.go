package crash

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Scenario is work that is done on a store.
type Scenario struct {
	// Prepare makes the initial files. It is called once for all runs.
	Prepare func(dir string) error
	// New returns a run in a folder. It must open the stores on the disk that is passed to
	// it. The same seed makes the same steps.
	New func(on disk.Disk, dir string, seed uint64) *Run
}

// Run is one run of a scenario.
type Run struct {
	// Open opens the store, and Close closes it. After a kill the next process opens it
	// again.
	Open  func() error
	Close func()
	Steps []Step
	// Check returns an error if the store breaks a promise that holds at any moment. It reads
	// the store as a new process does, and changes only what readers change.
	Check func(marks []Mark) error
	// Together is set if a step may be done in the middle of another one.
	Together bool
}

// Step is one action. A step that failed can be repeated, and takes effect once.
type Step struct {
	Name string
	Do   func() error
	// Names is a text that the error contains if the disk is the cause.
	Names string
}

// Mark is what is known about a step.
type Mark uint8

// The marks. It is unknown whether a Tried step took effect. A Done step was acknowledged.
const (
	Waiting Mark = iota
	Tried
	Done
)

// Case is one run: a seed, and a fault at one change.
type Case struct {
	Seed  uint64
	Fault Fault
	At    int
}

func (c Case) String() string { return fmt.Sprintf("seed %d, %s at change %d", c.Seed, c.Fault, c.At) }

// Prepared is a scenario with its initial files. Each of its runs has a folder of its own.
type Prepared struct {
	Scenario
	base *node
}

// Begin prepares a scenario in an empty folder.
func (s Scenario) Begin(dir string) (*Prepared, error) {
	if s.Prepare != nil {
		if err := s.Prepare(dir); err != nil {
			return nil, err
		}
	}
	base, err := scan(dir)
	return &Prepared{s, base}, err
}

// trial runs a case in a folder. It is the layer of the stores, and passes their changes on
// to the layer of the current phase.
type trial struct {
	Case
	dir   string
	now   atomic.Pointer[layer]
	run   *Run
	disk  *Disk
	rng   *rand.Rand
	marks []Mark
}

// Do makes a change. Folders above the run's own are not part of it.
func (r *trial) Do(c *disk.Change, do func() error) error {
	inside := strings.HasPrefix(c.Path+string(filepath.Separator), r.dir+string(filepath.Separator))
	if l := r.now.Load(); l != nil && inside {
		return l.Do(c, do)
	}
	return do()
}

// Changes runs a scenario without a fault, checks it, and counts its changes.
func (p *Prepared) Changes(dir string, seed uint64) (int, error) {
	return p.run(Case{Seed: seed}, dir)
}

// Run runs a case in an empty folder. The error says what was lost.
func (p *Prepared) Run(c Case, dir string) error {
	_, err := p.run(c, dir)
	return err
}

func (p *Prepared) run(c Case, dir string) (changes int, err error) {
	if err := p.base.write(dir, map[*node]string{}); err != nil {
		return 0, err
	}
	r := &trial{Case: c, dir: dir, rng: rand.New(rand.NewPCG(c.Seed, uint64(c.At)))}
	r.run = p.New(disk.Disk{Layer: r}, dir, c.Seed)
	r.marks = make([]Mark, len(r.run.Steps))
	if r.disk, err = Scan(dir); err != nil {
		return 0, err
	}
	l := &layer{disk: r.disk, rng: r.rng, fault: c.Fault, at: c.At, meanwhile: map[int]func(){}}
	if err := r.first(l); err != nil {
		return l.n, fmt.Errorf("%v: %s: %w", c, l.where(), err)
	}
	if err := r.after(); err != nil {
		return l.n, fmt.Errorf("%v: %s: %w", c, l.where(), err)
	}
	return l.n, nil
}

// with calls do while changes go through a layer.
func (r *trial) with(l *layer, do func() error) error {
	r.now.Store(l)
	err := do()
	r.now.Store(nil)
	if l.wrong != nil {
		return errors.Join(err, l.wrong)
	}
	return err
}

// first does the steps until the fault ends them.
func (r *trial) first(l *layer) error {
	err := r.with(l, func() error {
		err := r.run.Open()
		if err != nil {
			if l.hit == nil {
				return fmt.Errorf("open: %w", err)
			}
			return nil // the disk failed before anything was done
		}
		defer r.run.Close()
		inner := -1
		if n := len(r.run.Steps); r.run.Together && r.At > 0 && n > 1 {
			inner = 1 + r.rng.IntN(n-1)
			l.meanwhile[1+r.rng.IntN(r.At)] = func() { err = errors.Join(err, r.step(l, inner)) }
		}
		for i := range r.run.Steps {
			if i != inner || r.marks[i] == Waiting {
				err = errors.Join(err, r.step(l, i))
			}
			if l.dead || err != nil {
				break
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	if r.Fault == Power && l.dead {
		odds := []float64{0, 0.5, 1}
		return r.disk.Cut(r.rng, Odds{odds[r.rng.IntN(3)], odds[r.rng.IntN(3)]})
	}
	return r.disk.Compare()
}

// step does a step while the layer may fail. After it the disk has room again.
func (r *trial) step(l *layer, i int) error {
	s := &r.run.Steps[i]
	r.marks[i] = Tried
	err := s.Do()
	if l.dead {
		return nil
	}
	l.full = false
	switch {
	case err == nil:
		r.marks[i] = Done
	case l.hit == nil:
		return fmt.Errorf("%s: %w", s.Name, err)
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EIO):
		// A temporary name means nothing to a user, so the step's own text also counts.
		names := []string{s.Names, filepath.Base(l.refused), filepath.Base(filepath.Dir(l.refused))}
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(err.Error(), name) }) {
			return fmt.Errorf("%s: the error names none of %q: %w", s.Name, names, err)
		}
	}
	return nil
}

// after checks the store, does the steps that were not acknowledged, and cuts the power once
// more.
func (r *trial) after() error {
	l := &layer{disk: r.disk, rng: r.rng}
	if err := r.with(l, func() error { return r.opened("after the fault", nil) }); err != nil {
		return err
	}
	if err := r.with(l, func() error { return r.opened("after it was done again", r.finish) }); err != nil {
		return err
	}
	if err := r.disk.Compare(); err != nil {
		return err
	}
	if err := r.disk.Cut(r.rng, Odds{}); err != nil {
		return err
	}
	l = &layer{disk: r.disk, rng: r.rng}
	return r.with(l, func() error { return r.opened("after a power cut at the end", nil) })
}

func (r *trial) opened(when string, do func() error) error {
	if err := r.run.Open(); err != nil {
		return fmt.Errorf("%s: open: %w", when, err)
	}
	defer r.run.Close()
	if do != nil {
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", when, err)
		}
	}
	if err := r.run.Check(r.marks); err != nil {
		return fmt.Errorf("%s: %w%s", when, err, r.listing())
	}
	return nil
}

// finish does the steps that were not acknowledged.
func (r *trial) finish() error {
	for i, m := range r.marks {
		if m == Done {
			continue
		}
		if err := r.run.Steps[i].Do(); err != nil {
			return fmt.Errorf("%s: %w", r.run.Steps[i].Name, err)
		}
		r.marks[i] = Done
	}
	return nil
}

// listing describes the steps and the files, for the report of a failure.
func (r *trial) listing() string {
	var b strings.Builder
	for i, s := range r.run.Steps {
		fmt.Fprintf(&b, "\n  %s: %s", s.Name, [...]string{"not begun", "tried", "acknowledged"}[r.marks[i]])
	}
	_ = filepath.WalkDir(r.dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(r.dir, path)
			fmt.Fprintf(&b, "\n  %s: %d bytes, %.400q", rel, len(data), data)
		}
		return nil
	})
	return b.String()
}
