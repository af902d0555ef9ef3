package mailbox

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// Alarm is a key that is not the one that was first seen.
type Alarm struct {
	Address string
	// Pinned is the zero Pin where nothing is pinned: several mailboxes claim the
	// address, with different keys, and which one is right is not known.
	Pinned Pin
	Now    amp.Key
	// Where is the mailbox that has it, as a path.
	Where string
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

// sourceMailbox is where [Pins.Notice] has keys from.
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
	slices.SortFunc(list, func(a, b Pin) int { return strings.Compare(a.Address, b.Address) })
	for i := 1; i < len(list); i++ {
		if list[i].Address == list[i-1].Address {
			return nil, fmt.Errorf("has two keys of %q", list[i].Address)
		}
	}
	return list, nil
}
