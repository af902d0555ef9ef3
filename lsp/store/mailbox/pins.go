package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/filelock"
)

// Pin is the key that was first seen of an address.
type Pin struct {
	// Address is in small letters.
	Address string
	Key     amp.Key
	// First is when it was first seen, in Unix milliseconds.
	First int64
	// Source says in words where it came from, such as "mailbox on this machine".
	Source string
}

// PinnedError tells that another key is pinned. It is an alarm: somebody has a new
// key, or somebody else has their name.
type PinnedError struct {
	Pinned Pin
	Now    amp.Key
}

func (e *PinnedError) Error() string {
	return fmt.Sprintf("mailbox: the key of %q has changed: since %s it was %s, and now it is %s",
		e.Pinned.Address, amp.FormatTime(e.Pinned.First), e.Pinned.Key.Fingerprint(), e.Now.Fingerprint())
}

// Pins are the known keys of others, in a file that several processes share. It is
// looked at again whenever it changed. Its methods may be called from everywhere.
type Pins struct {
	path, dir, name string
	// hook is told of each step of a write: for tests.
	hook func(step string) error

	mu       sync.Mutex // guards what follows
	file     fs.FileInfo
	pins     []Pin // by address
	revision int64
}

// maxPins is the length in bytes of a file of keys that is read.
const maxPins = 8 << 20

// OpenPins reads the known keys. A file that is not there has none; one that is no
// file of keys is an error, and is never overwritten: to forget the keys would be
// to trust whoever comes next.
func OpenPins(path string) (*Pins, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("mailbox: known keys: %w", err)
	}
	p := PinsAt(abs)
	if err := p.look(); err != nil {
		return nil, err
	}
	return p, nil
}

// PinsPath is the file of known keys: one for all who read mail as this user.
func PinsPath(env store.Env) string { return filepath.Join(env.StateDir(), "amp", "keys.json") }

// PinsAt is [OpenPins] for who lives long: whether the file at an absolute path can be
// read is looked at whenever it is asked for, and [Pins.Err] says why it cannot.
func PinsAt(path string) *Pins {
	return &Pins{path: path, dir: filepath.Dir(path), name: filepath.Base(path)}
}

// For gives the key of an address.
func (p *Pins) For(addr amp.Address) (Pin, bool) {
	p.refresh()
	p.mu.Lock()
	defer p.mu.Unlock()
	at, found := p.find(addr.String())
	if !found {
		return Pin{}, false
	}
	return p.pins[at], true
}

// List gives all of them, ordered by address.
func (p *Pins) List() []Pin {
	p.refresh()
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.pins)
}

// Revision grows with every change that was seen, whoever made it.
func (p *Pins) Revision() int64 {
	p.refresh()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.revision
}

// Err is why the file cannot be read as it is now, or nil. What was read before is
// still known.
func (p *Pins) Err() error {
	return p.look()
}

// refresh looks at the file again. What cannot be read leaves what was known: the
// next write tells of it.
func (p *Pins) refresh() { _ = p.look() }

func (p *Pins) look() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A look at the time costs a hundredth of what opening does, and every message
	// that is judged asks.
	info, err := os.Lstat(p.path)
	if err == nil && p.file != nil && os.SameFile(info, p.file) && info.Size() == p.file.Size() && info.ModTime().Equal(p.file.ModTime()) {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		p.take(nil, nil)
		return nil
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return fmt.Errorf("mailbox: known keys in %q: %w", p.path, disk.Cause(err))
	}
	defer root.Close()
	return p.read(root)
}

// read reads the file. p.mu is held.
func (p *Pins) read(root *os.Root) error {
	data, info, err := disk.ReadFile(root, p.name, maxPins)
	if errors.Is(err, fs.ErrNotExist) {
		p.take(nil, nil)
		return nil
	}
	if err == nil && len(data) > maxPins {
		err = fmt.Errorf("is longer than %d bytes", maxPins)
	}
	var list []Pin
	if err == nil {
		list, err = parsePins(data)
	}
	if err != nil {
		return fmt.Errorf("mailbox: known keys in %q: %w", p.path, err)
	}
	p.take(list, info)
	return nil
}

func (p *Pins) take(list []Pin, info fs.FileInfo) {
	same := slices.EqualFunc(p.pins, list, func(a, b Pin) bool {
		return a.Address == b.Address && a.First == b.First && a.Source == b.Source && a.Key.Fingerprint() == b.Key.Fingerprint()
	})
	if p.pins, p.file = list, info; !same {
		p.revision++
	}
}

func (p *Pins) find(addr string) (int, bool) {
	return slices.BinarySearchFunc(p.pins, strings.ToLower(addr), func(pin Pin, a string) int { return strings.Compare(pin.Address, a) })
}

// Add pins a key at first sight. added is false where it is pinned already. The
// error is a *[PinnedError] if another key is: nothing is ever replaced here.
func (p *Pins) Add(ctx context.Context, pin Pin) (added bool, err error) {
	pin, err = soundPin(pin)
	if err != nil {
		return false, err
	}
	err = p.change(ctx, func() (bool, error) {
		at, found := p.find(pin.Address)
		if found {
			if p.pins[at].Key.Fingerprint() != pin.Key.Fingerprint() {
				return false, &PinnedError{p.pins[at], pin.Key}
			}
			return false, nil
		}
		p.pins, added = slices.Insert(p.pins, at, pin), true
		return true, nil
	})
	return added && err == nil, err
}

// Replace pins a key whatever was pinned before: the user accepted the change.
func (p *Pins) Replace(ctx context.Context, pin Pin) error {
	pin, err := soundPin(pin)
	if err != nil {
		return err
	}
	return p.change(ctx, func() (bool, error) {
		at, found := p.find(pin.Address)
		if !found {
			p.pins = slices.Insert(p.pins, at, pin)
			return true, nil
		}
		if p.pins[at].Key.Fingerprint() == pin.Key.Fingerprint() {
			return false, nil
		}
		p.pins[at] = pin
		return true, nil
	})
}

// Remove forgets the key of an address, so that the next one is a first sight. The
// error is [fs.ErrNotExist] where there is none.
func (p *Pins) Remove(ctx context.Context, addr amp.Address) error {
	return p.change(ctx, func() (bool, error) {
		at, found := p.find(addr.String())
		if !found {
			return false, fmt.Errorf("mailbox: a key of %q: %w", addr, fs.ErrNotExist)
		}
		p.pins = slices.Delete(p.pins, at, at+1)
		return true, nil
	})
}

func soundPin(pin Pin) (Pin, error) {
	addr, ok := amp.ParseAddress(pin.Address)
	if !ok {
		return pin, &canon.Fault{Rule: "ENV-3", Reason: fmt.Sprintf("%q is not a full address", pin.Address)}
	}
	if pin.Key.Fingerprint() == "" {
		return pin, &canon.Fault{Rule: "SIG-6", Reason: "there is no key"}
	}
	pin.Address = strings.ToLower(addr.String())
	return pin, nil
}

// change changes p.pins under the lock and with what other processes wrote, and
// writes them if that says so. After an error they are as the file has them.
func (p *Pins) change(ctx context.Context, do func() (bool, error)) error {
	if err := disk.MkdirAll(p.dir, disk.PrivateDir); err != nil {
		return fmt.Errorf("mailbox: known keys: %w", err)
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return fmt.Errorf("mailbox: known keys in %q: %w", p.path, disk.Cause(err))
	}
	defer root.Close()
	lock, err := filelock.Take(ctx, root, p.name+".lock", disk.PrivateFile)
	if err != nil {
		return fmt.Errorf("mailbox: known keys: %w", err)
	}
	defer lock.Release()
	p.mu.Lock()
	defer p.mu.Unlock()
	sweep(root, p.name+"-")
	if err := p.read(root); err != nil {
		return err
	}
	before := p.pins
	p.pins = slices.Clone(before)
	dirty, err := do()
	if err == nil && dirty {
		w := disk.Whole{Root: root, Private: true, Tag: p.name + "-", Hook: p.hook}
		if err = w.Replace(p.name, formatPins(p.pins)); err != nil {
			err = fmt.Errorf("mailbox: known keys in %q: %w", p.path, err)
		}
	} else if err == nil {
		// Whoever wrote what is there may have been killed before it was on the disk.
		if err = disk.SyncDir(root); err != nil {
			err = fmt.Errorf("mailbox: known keys in %q: %w", p.path, disk.Cause(err))
		}
	}
	p.pins = before
	if again := p.read(root); err == nil {
		err = again
	}
	return err
}
