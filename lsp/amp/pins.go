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

// Alarm is a key that is not the one that was first seen.
type Alarm struct {
	Address string
	// Pinned has no address where nothing is pinned: several mailboxes claim the
	// address, with different keys, and which one is right is not known.
	Pinned Pin
	Now    amp.Key
	Where  string // the mailbox that has it, as a path
}

// Text says that a key has changed, and what to do.
func (a *Alarm) Text() string {
	if a.Pinned.Address == "" {
		return fmt.Sprintf("several mailboxes claim %s, and the one in %s has the key %s: which is right is not known, and none is trusted; \"signalbox amp keys add %[1]s FILE\" says it",
			a.Address, a.Where, a.Now.Fingerprint())
	}
	return fmt.Sprintf("the key of %s has changed: it was %s since %s, and is %s in %s. Ask the owner before \"signalbox amp keys accept %[1]s\"",
		a.Address, a.Pinned.Key.Fingerprint(), time.UnixMilli(a.Pinned.First).Format(time.DateOnly), a.Now.Fingerprint(), a.Where)
}

// Notice pins the public keys of the mailboxes on this machine at first sight, and
// returns an alarm for each that is not what was pinned. Without write nothing is
// written. An address that several mailboxes claim gets no pin unless they all have
// the same key: one without a key may have it tomorrow, or be writing it just now.
func (p *Pins) Notice(ctx context.Context, boxes []*Mailbox, now time.Time, write bool) (alarms []Alarm, err error) {
	p.refresh()
	var fresh []Pin
	claimed := claims(boxes)
	for _, address := range slices.Sorted(maps.Keys(claimed)) {
		all := claimed[address]
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
			fresh = append(fresh, first)
		}
	}
	if !write || len(fresh) == 0 {
		return alarms, nil
	}
	err = p.change(ctx, func() (bool, error) {
		for _, pin := range fresh {
			// Another process may have been quicker, with another key.
			if at, found := p.find(pin.Address); !found {
				p.pins = slices.Insert(p.pins, at, pin)
			} else if was := p.pins[at]; was.Key.Fingerprint() != pin.Key.Fingerprint() {
				alarms = append(alarms, Alarm{pin.Address, was, pin.Key, claimed[pin.Address][0].Path})
			}
		}
		return true, nil
	})
	return alarms, err
}

const sourceMailbox = "mailbox on this machine"

// pinFile is the file's form. The version is raised where a reader of this one
// would take it wrong.
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
