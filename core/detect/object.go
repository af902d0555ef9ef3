package detect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
)

// object holds the members of a JSON object that could be read. A damaged object has only
// those before the damage. The first of several members with one name counts.
type object struct{ members []member }

type member struct {
	name string
	kind canon.Kind
	// raw is the value, or as much of it as there is.
	raw []byte
}

// Every format has fewer members, and shorter names in bytes.
const (
	maxMembers = 64
	maxName    = 32
)

// read reads the object that data begins with, whatever follows it.
func read(data []byte) object {
	var o object
	end := 0
	err := canon.Object(data, func(key []byte, v canon.Value) error {
		o.add(string(key[:min(len(key), maxName+1)]), v.Kind, v.Raw)
		end = v.Offset + len(v.Raw)
		return nil
	})
	if err != nil {
		o.addCut(data[end:])
	}
	return o
}

func (o *object) add(name string, kind canon.Kind, raw []byte) {
	if len(name) > maxName || len(o.members) == maxMembers || slices.ContainsFunc(o.members, func(m member) bool { return m.name == name }) {
		return
	}
	o.members = append(o.members, member{name, kind, raw})
}

// addCut adds a member whose value is cut off. data begins before its name.
func (o *object) addCut(data []byte) {
	data = bytes.TrimLeft(data, " \t\r\n,{")
	if len(data) == 0 || data[0] != '"' {
		return
	}
	name, rest, ok := bytes.Cut(data[1:], []byte{'"'})
	rest, colon := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte{':'})
	rest = bytes.TrimLeft(rest, " \t\r\n")
	if !ok || !colon || len(rest) == 0 || len(name) > maxName || bytes.IndexByte(name, '\\') >= 0 {
		return
	}
	switch rest[0] {
	case '"':
		// Only the quote: the rest is not a complete string, which unquoting needs,
		// even if its last byte is a quote.
		o.add(string(name), canon.String, rest[:1])
	case '{':
		o.add(string(name), canon.Mapping, rest)
	case '[':
		o.add(string(name), canon.Array, rest)
	}
}

// get returns the value of a member. ok is false unless it is of that kind.
func (o *object) get(name string, kind canon.Kind) (raw []byte, ok bool) {
	for _, m := range o.members {
		if m.name == name {
			return m.raw, m.kind == kind
		}
	}
	return nil, false
}

func (o *object) has(kind canon.Kind, names ...string) bool {
	for _, name := range names {
		if _, ok := o.get(name, kind); !ok {
			return false
		}
	}
	return true
}

// text returns a short string, and "" for anything else.
func (o *object) text(name string) string {
	const limit = 256
	raw, ok := o.get(name, canon.String)
	if !ok || len(raw) > limit || len(raw) < 2 || raw[len(raw)-1] != '"' {
		return ""
	}
	s, _ := canon.Unquote(raw)
	return s
}

// count counts which of the names are there.
func (o *object) count(names ...string) int {
	n := 0
	for _, m := range o.members {
		if slices.Contains(names, m.name) {
			n++
		}
	}
	return n
}

func found(p mail.Protocol, k Kind, reason string) Found {
	return Found{Protocol: p, Kind: k, Certainty: ByContent, Reason: reason}
}

// document recognises a file that is one value.
func (o *object) document() Found {
	switch format := o.text("format"); format {
	case agn.AckFormat:
		return found(mail.AGN, Ack, `its "format" is `+agn.AckFormat)
	case agn.ResumeFormat:
		return found(mail.AGN, Resume, `its "format" is `+agn.ResumeFormat)
	case agn.TaskFormat:
		return found(mail.AGN, Task, `its "format" is `+agn.TaskFormat)
	}
	switch {
	case o.signed():
		return found(mail.AMP, Message, "it has an envelope of amp/0.1")
	case o.task():
		return found(mail.AGN, Message, "it has the members of a task message of AMP/1.0")
	case o.has(canon.String, "specVersion") && o.count("threadId", "title", "createdAt", "updatedAt", "agent", "context", "stats") >= 3:
		return found(mail.ATSF, Thread, `it has "specVersion" and the members of a thread`)
	case o.has(canon.String, "specVersion") && o.count("createdBy", "defaults", "agentSettings", "worktreeHooks") >= 1:
		return found(mail.ATSF, Config, `it has "specVersion" and the members of a configuration`)
	case len(o.members) == 2 && o.has(canon.Number, "ts") && o.has(canon.Array, "ids"):
		return found(mail.SAMP, Watermark, `it has "ts" and "ids" alone`)
	}
	return Found{}
}

// signed reports whether the value is a message of amp/0.1. Its envelope has the version, or
// has the id of such a message and most members of an envelope.
func (o *object) signed() bool {
	raw, ok := o.get("envelope", canon.Mapping)
	if !ok {
		return false
	}
	e := read(raw)
	if strings.HasPrefix(e.text("version"), "amp/") && e.count("id", "from", "to", "subject") >= 2 {
		return true
	}
	_, id := amp.ParseID(e.text("id"))
	return id && e.count("from", "to", "subject", "priority", "timestamp", "signature", "thread_id") >= 4
}

// task reports whether the value is a message of AMP/1.0, whose envelope is the top
// level. No other format has the first three names.
func (o *object) task() bool {
	return o.count("msg_id", "requires_ack", "protocol_version") >= 1 && o.count("task_id", "payload", "msg_id", "ack_timeout_sec") >= 1 &&
		o.count("msg_id", "protocol_version", "type", "from", "to", "task_id", "timestamp", "requires_ack", "payload") >= 6
}

// line recognises a line of a log.
func (o *object) line() Found {
	switch {
	case o.text("format") == agn.RejectionFormat:
		return found(mail.AGN, Rejections, `a line's "format" is `+agn.RejectionFormat)
	case o.has(canon.Number, "ts") && o.has(canon.String, "from", "to") && o.count("thread", "body") >= 1:
		return found(mail.SAMP, Log, `a line has "ts", "from", "to" and more of a record`)
	case o.has(canon.String, "role", "timestamp") && o.has(canon.Array, "content"):
		return found(mail.ATSF, Messages, `a line has "role", "timestamp" and "content"`)
	}
	return Found{}
}
