package amp

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/statefile"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Pin is the first key that was seen for an address.
type Pin struct {
	// Address is in lower case.
	Address string  `json:"address"`
	Key     amp.Key `json:"key"`
	// First is when it was first seen, in Unix milliseconds.
	First int64 `json:"first"`
	// Source is where it came from, in words, such as "mailbox on this machine".
	Source string `json:"source"`
}

// PinnedError reports that another key is pinned. It is an alarm: the owner has a new key, or
// somebody else uses their address.
type PinnedError struct {
	Pinned Pin
	Now    amp.Key
}

func (e *PinnedError) Error() string {
	return fmt.Sprintf("mailbox: the key of %q has changed: since %s it was %s, and now it is %s",
		e.Pinned.Address, amp.FormatTime(e.Pinned.First), e.Pinned.Key.Fingerprint(), e.Now.Fingerprint())
}

// Pins holds the known keys of others, in a file that several processes share. It reads the
// file again after each change. Its methods are safe for concurrent use.
type Pins struct {
	file *statefile.File // its lock guards pins
	pins []Pin           // ordered by address
}

// maxPins is the size in bytes of the largest file of keys that is read.
const maxPins = 8 << 20

// PinsPath returns the file of known keys: one for all programs that read mail as this user.
func PinsPath(env environ.Env) string { return filepath.Join(env.StateDir(), "amp", "keys.json") }

// PinsAt returns the known keys in the file at an absolute path, none if it does not exist.
// [Pins.Err] reports a file that is not a file of keys. Such a file is never overwritten: to
// forget the keys would be to trust whoever comes next.
func PinsAt(path string) *Pins {
	p := &Pins{}
	p.file = statefile.At(statefile.Config{Path: path, What: "mailbox: known keys in", Limit: maxPins, Take: p.take})
	return p
}

// For returns the pinned key of an address.
func (p *Pins) For(addr amp.Address) (Pin, bool) {
	p.refresh()
	return p.get(addr.String())
}

// get returns the pinned key of an address without reading the file.
func (p *Pins) get(addr string) (Pin, bool) {
	p.file.Lock()
	defer p.file.Unlock()
	at, found := p.find(addr)
	if !found {
		return Pin{}, false
	}
	return p.pins[at], true
}

// List returns all pinned keys, ordered by address.
func (p *Pins) List() []Pin {
	p.refresh()
	p.file.Lock()
	defer p.file.Unlock()
	return slices.Clone(p.pins)
}

// Err returns why the file cannot be read now, or nil. The keys that were read before remain
// known.
func (p *Pins) Err() error { return p.file.Look() }

// refresh reads the file if it changed. If it cannot be read, the known keys remain, and the
// next write returns the error.
func (p *Pins) refresh() { _ = p.file.Look() }

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

// Add pins the first key of an address. added is false if the key is pinned already. The error
// is a *[PinnedError] if another key is pinned: Add never replaces one.
func (p *Pins) Add(ctx context.Context, pin Pin) (added bool, err error) {
	return p.put(ctx, pin, false)
}

// Replace pins a key in place of any other, for a change that the user accepted.
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

// Remove removes the key of an address, so that the next key seen is its first. The error is
// [fs.ErrNotExist] if the address has none.
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

// change reads what other processes wrote, lets do change p.pins, and writes them if do returns
// true. After an error, p.pins is as in the file.
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

// Alarm reports a key that is not the one that was first seen.
type Alarm struct {
	Address string
	// Pinned has no address if no key is pinned: several mailboxes claim the address with
	// different keys, and nobody knows which is right.
	Pinned Pin
	Now    amp.Key
	Where  string // the path of the mailbox that has the key Now
}

// Text returns what happened and what to do.
func (a *Alarm) Text() string {
	if a.Pinned.Address == "" {
		return fmt.Sprintf("several mailboxes claim %s, and the one in %s has the key %s: which is right is not known, and none is trusted; \"signalbox amp keys add %[1]s FILE\" says it",
			a.Address, a.Where, a.Now.Fingerprint())
	}
	return fmt.Sprintf("the key of %s has changed: it was %s since %s, and is %s in %s. Ask the owner before \"signalbox amp keys accept %[1]s\"",
		a.Address, a.Pinned.Key.Fingerprint(), time.UnixMilli(a.Pinned.First).Format(time.DateOnly), a.Now.Fingerprint(), a.Where)
}

// PinNew pins the public keys of mailboxes on this machine that are seen for the first time,
// and returns an alarm for each key that is not the pinned one. Without write it writes
// nothing. An address that several mailboxes claim is pinned only if all of them have the same
// key: a mailbox without a key may be about to get another one.
func (p *Pins) PinNew(ctx context.Context, boxes []*Mailbox, now time.Time, write bool) (alarms []Alarm, err error) {
	p.refresh()
	var unpinned []Pin
	byAddress := mailboxesByAddress(boxes)
	for _, address := range slices.Sorted(maps.Keys(byAddress)) {
		all := byAddress[address]
		keyed := slices.DeleteFunc(slices.Clone(all), func(m *Mailbox) bool { return m.Key.Fingerprint() == "" })
		if len(keyed) == 0 {
			continue
		}
		first := Pin{address, keyed[0].Key, now.UnixMilli(), sourceMailbox}
		pin, pinned := p.get(address)
		if !pinned {
			pin = Pin{Key: first.Key}
		}
		before := len(alarms)
		for _, m := range keyed {
			if m.Key.Fingerprint() != pin.Key.Fingerprint() {
				alarms = append(alarms, Alarm{address, pin, m.Key, m.Path})
			}
		}
		if !pinned && len(alarms) == before && len(keyed) == len(all) {
			unpinned = append(unpinned, first)
		}
	}
	if !write || len(unpinned) == 0 {
		return alarms, nil
	}
	err = p.change(ctx, func() (bool, error) {
		for _, pin := range unpinned {
			// Another process may have pinned another key meanwhile.
			if at, found := p.find(pin.Address); !found {
				p.pins = slices.Insert(p.pins, at, pin)
			} else if other := p.pins[at]; other.Key.Fingerprint() != pin.Key.Fingerprint() {
				alarms = append(alarms, Alarm{pin.Address, other, pin.Key, byAddress[pin.Address][0].Path})
			}
		}
		return true, nil
	})
	return alarms, err
}

const sourceMailbox = "mailbox on this machine"

// pinFile is the content of the file. A change that readers of this version would misread
// raises the version.
type pinFile struct {
	Version int   `json:"version"`
	Keys    []Pin `json:"keys"`
}

func formatPins(list []Pin) []byte {
	data, err := json.MarshalIndent(pinFile{1, append([]Pin{}, list...)}, "", "  ")
	if err != nil {
		return nil // strings and numbers can always be written
	}
	return append(data, '\n')
}

func parsePins(data []byte) (list []Pin, err error) {
	var f pinFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("is no list of keys: %w", err)
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("has version %d, and this program reads version 1", f.Version)
	}
	for i, pin := range f.Keys {
		if pin, err = soundPin(pin); err != nil {
			return nil, fmt.Errorf("key %d: %w", i+1, err)
		}
		list = append(list, pin)
	}
	slices.SortStableFunc(list, func(a, b Pin) int { return strings.Compare(a.Address, b.Address) })
	for i := 1; i < len(list); i++ {
		if list[i].Address == list[i-1].Address {
			return nil, fmt.Errorf("has two keys of %q", list[i].Address)
		}
	}
	return list, nil
}
