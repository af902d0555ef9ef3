package mailbox

import (
	"context"
	"encoding/json"
	"fmt"
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
func (p *Pins) Notice(ctx context.Context, boxes []*Mailbox, now time.Time, write bool) ([]Alarm, error) {
	type claim struct {
		key     amp.Key
		where   string
		several bool
	}
	claims := map[string]claim{}
	var alarms []Alarm
	for _, m := range boxes {
		for _, addr := range m.Addresses {
			name, print := strings.ToLower(addr.String()), m.Key.Fingerprint()
			if pin, ok := p.For(addr); ok {
				if print != "" && pin.Key.Fingerprint() != print {
					alarms = append(alarms, Alarm{name, pin, m.Key, m.Path})
				}
				continue
			}
			c, seen := claims[name]
			if !seen {
				c = claim{key: m.Key, where: m.Path}
			} else if c.key.Fingerprint() != print {
				c.several = true
				if had := c.key.Fingerprint(); had == "" {
					c.key, c.where = m.Key, m.Path
				} else if print != "" {
					alarms = append(alarms, Alarm{Address: name, Now: m.Key, Where: m.Path})
				}
			}
			claims[name] = c
		}
	}
	if !write {
		return alarms, nil
	}
	var fresh []Pin
	for name, c := range claims {
		if !c.several && c.key.Fingerprint() != "" {
			fresh = append(fresh, Pin{name, c.key, now.UnixMilli(), sourceMailbox})
		}
	}
	if len(fresh) == 0 {
		return alarms, nil
	}
	err := p.change(ctx, func() (bool, error) {
		for _, pin := range fresh {
			// Another process may have been quicker, with another key.
			if at, found := p.find(pin.Address); !found {
				p.pins = slices.Insert(p.pins, at, pin)
			} else if was := p.pins[at]; was.Key.Fingerprint() != pin.Key.Fingerprint() {
				alarms = append(alarms, Alarm{pin.Address, was, pin.Key, claims[pin.Address].where})
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
	Version int       `json:"version"`
	Keys    []pinLine `json:"keys"`
}

type pinLine struct {
	Address string `json:"address"`
	Key     string `json:"key"` // PEM
	First   int64  `json:"first"`
	Source  string `json:"source"`
}

func formatPins(list []Pin) []byte {
	f := pinFile{Version: 1, Keys: []pinLine{}}
	for _, p := range list {
		f.Keys = append(f.Keys, pinLine{p.Address, string(p.Key.PEM()), p.First, p.Source})
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil // strings and numbers can always be written
	}
	return append(data, '\n')
}

func parsePins(data []byte) ([]Pin, error) {
	var f pinFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("is no list of keys: %w", err)
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("has version %d, and this program reads version 1", f.Version)
	}
	list := make([]Pin, 0, len(f.Keys))
	for i, l := range f.Keys {
		key, err := amp.ParseKey([]byte(l.Key))
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", i+1, err)
		}
		pin, err := soundPin(Pin{l.Address, key, l.First, l.Source})
		if err != nil {
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
