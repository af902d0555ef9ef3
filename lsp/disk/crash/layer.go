package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Fault is what happens at one change of the disk.
type Fault string

// The faults. Killed leaves everything that was written, and Power what was synced. Either
// may come in the middle of a write. After Full and Quota there is no room until the step
// has ended. Broken fails once, and it is unknown what a broken sync did. KilledAfter is a
// kill just after the change, so that the next process finds it made and not synced.
const (
	None        Fault = ""
	Killed      Fault = "kill"
	Power       Fault = "power cut"
	Full        Fault = "disk full"
	Quota       Fault = "quota"
	Broken      Fault = "i/o error"
	KilledAfter Fault = "kill behind"
)

// Faults returns all faults that a case may have. Killed includes KilledAfter.
func Faults() []Fault { return []Fault{Killed, Power, Full, Quota, Broken} }

// errDead is the error of every change that a killed process still attempts.
var errDead = errors.New("crash: the process is dead")

// layer is a [disk.Layer] with one fault.
type layer struct {
	disk  *Disk
	rng   *rand.Rand
	fault Fault
	// at is the number of the change with the fault, from 1.
	at int
	// meanwhile holds the actions of another process before a change, by its number.
	meanwhile map[int]func()

	mu   sync.Mutex // guards the fields below, and the disk
	n    int
	dead bool
	full bool
	hit  *disk.Change
	// refused is the path of the change that failed last.
	refused string
	wrong   error
}

// Do makes a change, unless a fault prevents it.
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
		case Killed, Power, KilledAfter:
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

// make makes a change and records it.
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

// end makes nothing, a part or all of a change, and then kills the process.
func (l *layer) end(c *disk.Change, do func() error) error {
	form := l.rng.IntN(3)
	if l.fault == KilledAfter {
		form = 1
	}
	switch form {
	case 0:
		l.wrong = errors.Join(l.wrong, l.part(c, do))
	case 1:
		_ = l.make(c, do) // the change may fail, as any other
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

// fail makes a part of a write and returns an error.
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

// needsRoom reports whether a change may fail on a full disk.
func needsRoom(c *disk.Change) bool {
	switch c.Op {
	case disk.OpCreate, disk.OpWrite, disk.OpMkdir, disk.OpRename, disk.OpLink:
		return true
	}
	return false
}

// where describes the change with the fault.
func (l *layer) where() string {
	if l.hit == nil {
		return "no change"
	}
	return fmt.Sprintf("change %d (%s %s)", l.at, l.hit.Op, filepath.Base(l.hit.Path))
}
