package amp

import (
	"bytes"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// SetStatus gives a stored message another state in its mailbox (rule STO-3):
// [Unread], [Read] or [Archived]. local.status is set, and metadata.status where
// existing clients keep a second one. at is when it was read, in Unix milliseconds:
// it becomes local.read_at if the message becomes Read, and 0 leaves that as it is.
// Every other byte stays, unknown members included, so that what was signed is what
// is stored.
//
// It returns a *[canon.Fault] for what ParseMessage cannot read, for a state that is none
// (STO-3) and for members that stand in the way (STO-2).
func SetStatus(data []byte, status string, at int64) ([]byte, error) {
	if !slices.Contains([]string{Unread, Read, Archived}, status) {
		return nil, &canon.Fault{Rule: "STO-3", Reason: "the state is " + anyOf(status, []string{Unread, Read, Archived})}
	}
	changes := []change{{"local", "status", status, false}, {"metadata", "status", status, true}}
	if status == Read && at != 0 {
		changes = append(changes, change{"local", "read_at", FormatTime(at), false})
	}
	return edit(data, changes)
}

// Receive adds what a mailbox keeps of a new message (rule STO-2): when it came and
// how, and that it is unread. What stood there before, such as the sender's own
// notes, is overwritten where it has these names and else left.
func Receive(data []byte, at int64, method string) ([]byte, error) {
	return edit(data, []change{
		{"local", "received_at", FormatTime(at), false},
		{"local", "status", Unread, false},
		{"local", "delivery_method", method, false},
		{"metadata", "status", Unread, true},
	})
}

// change sets one text in an object of the message.
type change struct {
	object, name, value string
	// only sets it where it stands already.
	only bool
}

func edit(data []byte, changes []change) ([]byte, error) {
	if _, err := ParseMessage(data); err != nil {
		return nil, err
	}
	out := data
	for _, c := range changes {
		var bad *canon.Fault
		if out, bad = c.make(out); bad != nil {
			return nil, bad
		}
	}
	// A change that makes it too long to be read is none.
	if _, err := ParseMessage(out); err != nil {
		return nil, err
	}
	return out, nil
}

func (c *change) make(data []byte) ([]byte, *canon.Fault) {
	value := canon.AppendString(nil, c.value)
	outer, bad := find(data, canon.Value{Kind: canon.Mapping, Raw: data}, c.object)
	if bad != nil {
		return nil, bad
	}
	if !outer.there || outer.v.Kind == canon.Null {
		if c.only {
			return data, nil
		}
		object := slices.Concat([]byte("{"), canon.AppendString(nil, c.name), outer.colon, value, []byte("}"))
		return outer.set(data, c.object, object), nil
	}
	if outer.v.Kind != canon.Mapping {
		return nil, &canon.Fault{Rule: "STO-2", Field: c.object, Offset: outer.v.Offset, Reason: quote(c.object) + " is " + outer.v.Kind.Phrase() + ", not an object"}
	}
	inner, bad := find(data, outer.v, c.name)
	if bad != nil {
		return nil, bad
	}
	if c.only && !inner.there {
		return data, nil
	}
	return inner.set(data, c.name, value), nil
}

// place is where a member stands in an object, or would if it were there.
type place struct {
	there bool
	v     canon.Value
	// end is after the object's last value, or after its brace, and gap what stands
	// before each key.
	end   int
	gap   []byte
	colon []byte
	empty bool
}

// find looks for a member of an object, and reads how the object is written.
func find(data []byte, object canon.Value, name string) (place, *canon.Fault) {
	brace := object.Offset + bytes.IndexByte(object.Raw, '{') + 1
	p := place{end: brace, colon: []byte(": "), empty: true}
	twice := false
	_ = canon.Object(object.Raw, func(key []byte, v canon.Value) error {
		v.Offset += object.Offset
		between := data[p.end:v.Offset] // a comma, white space, the key, a colon
		quoted := bytes.IndexByte(between, '"')
		p.gap = bytes.TrimPrefix(bytes.TrimLeft(between[:quoted], " \t\r\n"), []byte(","))
		if p.empty {
			p.gap = between[:quoted]
		}
		p.colon = between[bytes.LastIndexByte(between, '"')+1:]
		p.empty, p.end = false, v.Offset+len(v.Raw)
		if string(key) == name {
			twice = twice || p.there
			p.there, p.v = true, v
		}
		return nil
	})
	if twice {
		return p, &canon.Fault{Rule: "JSN-3", Field: name, Offset: p.v.Offset, Reason: quote(name) + " stands twice"}
	}
	return p, nil
}

// set puts a value in the member's place, or after the object's last member,
// spaced like it.
func (p *place) set(data []byte, name string, value []byte) []byte {
	if p.there {
		return slices.Concat(data[:p.v.Offset], value, data[p.v.Offset+len(p.v.Raw):])
	}
	added := slices.Concat(p.gap, canon.AppendString(nil, name), p.colon, value)
	if !p.empty {
		added = slices.Concat([]byte(","), added)
	}
	return slices.Concat(data[:p.end], added, data[p.end:])
}
