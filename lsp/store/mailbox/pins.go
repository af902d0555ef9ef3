package mailbox

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Pin is the key that was first seen of an address.
type Pin struct {
	// Address is in small letters.
	Address string  `json:"address"`
	Key     amp.Key `json:"key"`
	// First is when it was first seen, in Unix milliseconds.
	First int64 `json:"first"`
	// Source says in words where it came from, such as "mailbox on this machine".
	Source string `json:"source"`
}

// PinnedError reports that another key is pinned. It is an alarm: somebody has a new
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
	file *statefile.File // its lock guards what follows
	pins []Pin           // by address
}

// maxPins is the length in bytes of a file of keys that is read.
const maxPins = 8 << 20

// PinsPath is the file of known keys: one for all who read mail as this user.
func PinsPath(env environ.Env) string { return filepath.Join(env.StateDir(), "amp", "keys.json") }

// PinsAt are the known keys in the file at an absolute path. A file that is not there
// has none. One that is no file of keys is an error, as [Pins.Err] says, and is never
// overwritten: to forget the keys would be to trust whoever comes next.
func PinsAt(path string) *Pins {
	p := &Pins{}
	p.file = statefile.At(statefile.Config{Path: path, What: "mailbox: known keys in", Limit: maxPins, Take: p.take})
	return p
}

// For returns the key of an address.
func (p *Pins) For(addr amp.Address) (Pin, bool) {
	p.refresh()
	return p.get(addr.String())
}

// get returns the key of an address by what was read last.
func (p *Pins) get(addr string) (Pin, bool) {
	p.file.Lock()
	defer p.file.Unlock()
	at, found := p.find(addr)
	if !found {
		return Pin{}, false
	}
	return p.pins[at], true
}

// List returns all of them, ordered by address.
func (p *Pins) List() []Pin {
	p.refresh()
	p.file.Lock()
	defer p.file.Unlock()
	return slices.Clone(p.pins)
}

// Err is why the file cannot be read as it is now, or nil. What was read before is
// still known.
func (p *Pins) Err() error { return p.file.Look() }

// refresh takes the file in if it changed. What cannot be read leaves what was known:
// the next write tells of it.
func (p *Pins) refresh() { _ = p.file.Look() }

// take takes in what the file holds.
func (p *Pins) take(data []byte) error {
	if data == nil {
		p.pins = nil
		return nil
	}
	list, err := parsePins(data)
	if err == nil {
		p.pins = list
	}
	return err
}

func (p *Pins) find(addr string) (int, bool) {
	return slices.BinarySearchFunc(p.pins, strings.ToLower(addr), func(pin Pin, a string) int { return strings.Compare(pin.Address, a) })
}

// Add pins a key at first sight. added is false where it is pinned already. The
// error is a *[PinnedError] if another key is: nothing is ever replaced here.
func (p *Pins) Add(ctx context.Context, pin Pin) (added bool, err error) {
	return p.put(ctx, pin, false)
}

// Replace pins a key whatever was pinned before: the user accepted the change.
func (p *Pins) Replace(ctx context.Context, pin Pin) error {
	_, err := p.put(ctx, pin, true)
	return err
}

func (p *Pins) put(ctx context.Context, pin Pin, accepted bool) (changed bool, err error) {
	if pin, err = soundPin(pin); err != nil {
		return false, err
	}
	err = p.change(ctx, func() (bool, error) {
		at, found := p.find(pin.Address)
		switch {
		case !found:
			p.pins = slices.Insert(p.pins, at, pin)
		case p.pins[at].Key.Fingerprint() == pin.Key.Fingerprint():
			return false, nil
		case !accepted:
			return false, &PinnedError{p.pins[at], pin.Key}
		default:
			p.pins[at] = pin
		}
		changed = true
		return true, nil
	})
	return changed && err == nil, err
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

// change changes p.pins together with what other processes wrote, and writes them if do
// says so. After an error they are as the file has them.
func (p *Pins) change(ctx context.Context, do func() (bool, error)) error {
	return p.file.Change(ctx, func(replace func([]byte) error) error {
		before := p.pins
		p.pins = slices.Clone(before)
		dirty, err := do()
		data := formatPins(p.pins)
		p.pins = before
		if err != nil || !dirty {
			return err
		}
		return replace(data)
	})
}
