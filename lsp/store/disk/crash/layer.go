package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Fault is what happens at one change of the disk.
type Fault string

// The faults. A process that is killed leaves what it wrote, and one without power
// what was synced; either may come in the midst of a write. Full and Quota leave no
// room from then on, until the step has ended. Broken fails once, and of a sync
// nobody knows what it did. Behind is a kill too, but always when the change was made,
// so that the next process finds it there and not synced.
const (
	None   Fault = ""
	Killed Fault = "kill"
	Power  Fault = "power cut"
	Full   Fault = "disk full"
	Quota  Fault = "quota"
	Broken Fault = "i/o error"
	Behind Fault = "kill behind"
)

// Faults are all that can happen. Behind is one of the ways of Killed.
func Faults() []Fault { return []Fault{Killed, Power, Full, Quota, Broken} }

// errDead is what a process is given that is not there any more.
var errDead = errors.New("crash: the process is dead")

// layer is a disk with one fault.
type layer struct {
	disk  *Disk
	rng   *rand.Rand
	fault Fault
	// at is the number of the change with the fault, from 1.
	at int
	// meanwhile has what another process does before a change.
	meanwhile map[int]func()

	mu   sync.Mutex // guards what follows, and the disk
	n    int
	dead bool
	full bool
	hit  *disk.Change
	// refused is the path of the change that failed last.
	refused string
	wrong   error
}

// Do makes a change, or not.
func (l *layer) Do(c *disk.Change, do func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return errDead
	}
	if c.Op == disk.OpOpen {
		return l.make(c, do)
	}
	l.n++
	if other := l.meanwhile[l.n]; other != nil {
		l.mu.Unlock()
		other()
		l.mu.Lock()
		if l.dead {
			return errDead
		}
	}
	if l.n == l.at && l.hit == nil {
		cause := *c
		l.hit = &cause
		switch l.fault {
		case Killed, Power, Behind:
			return l.end(c, do)
		case Broken:
			return l.fail(c, do, syscall.EIO)
		case Full, Quota:
			l.full = true
		}
	}
	if l.full && needsRoom(c) {
		errno := error(syscall.ENOSPC)
		if l.fault == Quota {
			errno = syscall.EDQUOT
		}
		return l.fail(c, do, errno)
	}
	return l.make(c, do)
}

// make makes a change and notes it.
func (l *layer) make(c *disk.Change, do func() error) error {
	err := do()
	if err == nil {
		l.note(c)
	}
	return err
}

func (l *layer) note(c *disk.Change) {
	if l.disk != nil {
		l.wrong = errors.Join(l.wrong, l.disk.Note(c))
	}
}

// end makes none of a change, a part of it or all, and nothing after it.
func (l *layer) end(c *disk.Change, do func() error) error {
	form := l.rng.IntN(3)
	if l.fault == Behind {
		form = 1
	}
	switch form {
	case 0:
		l.wrong = errors.Join(l.wrong, l.part(c, do))
	case 1:
		_ = l.make(c, do) // refused, as it may be
	}
	l.dead = true
	return errDead
}

// part makes a part of a write.
func (l *layer) part(c *disk.Change, do func() error) error {
	if c.Op != disk.OpWrite || len(c.Data) == 0 {
		return nil
	}
	c.Data = c.Data[:l.rng.IntN(len(c.Data))]
	return l.make(c, do)
}

// fail makes a part of a write and fails.
func (l *layer) fail(c *disk.Change, do func() error, errno error) error {
	l.wrong = errors.Join(l.wrong, l.part(c, do))
	if c.Op == disk.OpSync && l.disk != nil {
		if n := l.disk.open[c.File]; n != nil {
			n.lost = len(n.pending)
		}
	}
	l.refused = c.Path
	return &fs.PathError{Op: string(c.Op), Path: c.Path, Err: errno}
}

// needsRoom reports that a change may fail on a disk that is full.
func needsRoom(c *disk.Change) bool {
	switch c.Op {
	case disk.OpCreate, disk.OpWrite, disk.OpMkdir, disk.OpRename, disk.OpLink:
		return true
	}
	return false
}

// where says at what change the fault was.
func (l *layer) where() string {
	if l.hit == nil {
		return "no change"
	}
	return fmt.Sprintf("change %d (%s %s)", l.at, l.hit.Op, filepath.Base(l.hit.Path))
}
