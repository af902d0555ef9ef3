package amp

import (
	"bytes"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// SetStatus returns a stored message with another state in its mailbox (rule STO-3):
// [Unread], [Read] or [Archived]. It sets local.status, and metadata.status if an
// existing client keeps a second one there. at is when the message was read, in Unix
// milliseconds: it becomes local.read_at if the message becomes Read, unless it is 0.
// All other bytes stay, so that the stored message is the signed one.
//
// It returns a *[canon.Fault] for a text that ParseMessage cannot read, for an unknown
// state (STO-3), and for members of the wrong kind (STO-2).
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
	// only changes the member if it is there already.
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
	// Refuse a change that makes the message too long to be read.
	if _, err := ParseMessage(out); err != nil {
		return nil, err
	}
	return out, nil
}

// make returns the message with the change made.
func (c *change) make(data []byte) ([]byte, *canon.Fault) {
	value := canon.AppendString(nil, c.value)
	root := canon.Value{Kind: canon.Mapping, Raw: data}
	object, last, twice := canon.Find(root, c.object)
	switch {
	case twice:
		return nil, standsTwice(c.object, object)
	case c.only && (object == nil || object.Kind == canon.Null):
		return data, nil
	case object == nil:
		return insert(data, root, last, c.object, c.alone(data, last, value)), nil
	case object.Kind == canon.Null:
		return canon.Splice(data, object.Offset, object.End(), c.alone(data, last, value)), nil
	case object.Kind != canon.Mapping:
		return nil, &canon.Fault{Rule: "STO-2", Field: c.object, Offset: object.Offset, Reason: quote(c.object) + " is " + object.Kind.Phrase() + ", not an object"}
	}
	member, last, twice := canon.Find(object.Value, c.name)
	switch {
	case twice:
		return nil, standsTwice(c.name, member)
	case member != nil:
		return canon.Splice(data, member.Offset, member.End(), value), nil
	case c.only:
		return data, nil
	}
	return insert(data, object.Value, last, c.name, value), nil
}

func standsTwice(name string, p *canon.Place) *canon.Fault {
	return &canon.Fault{Rule: "JSN-3", Field: name, Offset: p.Offset, Reason: quote(name) + " stands twice"}
}

// alone returns an object with only the changed member, spaced like the member last.
func (c *change) alone(data []byte, last *canon.Place, value []byte) []byte {
	return slices.Concat([]byte("{"), canon.AppendString(nil, c.name), colon(data, last), value, []byte("}"))
}

// insert appends a member to an object, behind its last one and spaced like it.
func insert(data []byte, object canon.Value, last *canon.Place, name string, value []byte) []byte {
	member := slices.Concat(canon.AppendString(nil, name), colon(data, last), value)
	if last == nil {
		brace := object.Offset + bytes.IndexByte(object.Raw, '{') + 1
		return canon.Splice(data, brace, brace, member)
	}
	return canon.Splice(data, last.End(), last.End(), slices.Concat([]byte(","), data[last.Gap:last.Key], member))
}

// colon returns the colon of the member last with the white space around it.
func colon(data []byte, last *canon.Place) []byte {
	if last == nil {
		return []byte(": ")
	}
	between := data[last.Key:last.Offset]
	return between[bytes.LastIndexByte(between, '"')+1:]
}
