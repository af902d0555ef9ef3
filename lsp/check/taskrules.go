package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// lockWords is what the notes of a request should say (rule Q7).
const lockWords = "Lock is approaching"

// byRule returns the fixes that follow from the rule of a fault.
func (t *openTask) byRule(f *taskFault) []Fix {
	kind := t.msg.Type
	switch f.Rule {
	case "E1":
		return t.fixID(f)
	case "E3", "E6":
		return t.fromID(f)
	case "E4", "E5", "R1":
		return t.fixRoute()
	case "E8":
		if agn.ValidType(kind) && kind != agn.TypeEscalation {
			return t.set("", "requires_ack", "true", "Set requires_ack to true: a "+kind+" needs an ACK")
		}
	case "X5":
		if e := t.msg.Payload.Escalation; e != nil && (e.Severity == agn.Critical || e.Severity == agn.Warning) {
			return t.set("payload", "auto_suspended", "true", "Set auto_suspended to true, as severity "+e.Severity+" requires")
		}
	case "Q5":
		if t.msg.Payload.Request != nil && len(t.msg.Faults) == 0 {
			n := strconv.Itoa(agn.Rejects(&t.msg, t.others(&t.msg)))
			return t.set("payload", "reject_count", n, "Set reject_count to "+n+", the number of rejections so far")
		}
	case "Q7":
		return t.addLockWords()
	}
	return nil
}

// membersBefore returns the members after which a new member is inserted, in the order of the
// specification.
func membersBefore(name string) []string {
	order := []string{"msg_id", "protocol_version", "type", "from", "to", "task_id", "timestamp", "requires_ack"}
	switch name {
	case "auto_suspended":
		order = []string{
			"escalation_type", "severity", "triggered_by", "description", "affected_msgs", "system_state_snapshot", "suggested_actions",
		}
	case "coordinator_notes":
		order = []string{"original_dispatch_ref", "task_result_ref", "review_scope", "diff_url", "reject_count"}
	default:
		order = order[:max(0, slices.Index(order, name))] // empty if the message always has the member
	}
	return order
}

// members lists the members of the message, or of the object in it that has a name.
func (t *openTask) members(object string) []jsonMember {
	list := membersOf(t.json, wholeText(t.json))
	if object == "" {
		return list
	}
	i := slices.IndexFunc(list, func(p jsonMember) bool { return p.name == object })
	if i < 0 || list[i].value.Kind != canon.Mapping {
		return nil
	}
	return membersOf(t.json, list[i].value)
}

// set returns the fix that gives a member its only possible value.
func (t *openTask) set(object, name, value, title string) []Fix {
	edit, ok := setting(t.json, t.members(object), name, value, membersBefore(name)...)
	if !ok {
		return nil
	}
	return []Fix{{Title: title, Edits: []Edit{edit}, Preferred: true}}
}

// fixID returns fixes that make a message's id agree with its type and task (rule E1).
// One changes the id, the other the type or task. An id that does not end in a time gets
// the time of the message. There must be no other fault.
func (t *openTask) fixID(f *taskFault) []Fix {
	id, ok := agn.ParseID(t.msg.ID)
	if !ok || len(t.msg.Faults) != 1 || t.msg.Faults[0].Rule != "E1" || f.Field != "msg_id" {
		return nil
	}
	var second []Fix
	switch {
	case !id.Timed():
		if id.Millis = t.msg.Time.Millis; !id.Timed() {
			return nil
		}
	case id.Type != t.msg.Type:
		second = t.takeFromID("type", id)
	case id.TaskID != t.msg.TaskID:
		second = t.takeFromID("task_id", id)
	}
	id.Type, id.TaskID = t.msg.Type, t.msg.TaskID
	return append(t.set("", "msg_id", `"`+id.String()+`"`, "Set msg_id to "+id.String()), second...)
}

// fromID returns the fix that takes a missing or invalid type or task from the message's
// id (rule E1).
func (t *openTask) fromID(f *taskFault) []Fix {
	id, ok := agn.ParseID(t.msg.ID)
	if !ok || f.Field != "type" && f.Field != "task_id" {
		return nil
	}
	return t.takeFromID(f.Field, id)
}

// takeFromID returns the fix that sets a member to its value in the message's id.
func (t *openTask) takeFromID(field string, id agn.ID) []Fix {
	value := id.Type
	if field == "task_id" {
		value = id.TaskID
	}
	return t.set("", field, `"`+value+`"`, "Set "+field+" to "+value+", as in msg_id")
}

// fixRoute returns the fix that sets the sender and receiver that the type requires (rule
// R1). The sender of an escalation is not guessed.
func (t *openTask) fixRoute() []Fix {
	from, to, ok := agn.Route(t.msg.Type)
	if id, whole := agn.ParseID(t.msg.ID); !ok || !whole || id.Type != t.msg.Type {
		return nil // the type itself may be wrong
	}
	members := t.members("")
	var edits []Edit
	for _, end := range []struct{ name, have, want string }{{"from", t.msg.From, from}, {"to", t.msg.To, to}} {
		if end.want == "" || end.have == end.want {
			continue
		}
		edit, ok := setting(t.json, members, end.name, `"`+end.want+`"`, membersBefore(end.name)...)
		if !ok {
			return nil
		}
		edits = append(edits, edit)
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	title := "Send the " + t.msg.Type + " to " + to
	if from != "" {
		title = "Send the " + t.msg.Type + " from " + from + " to " + to
	}
	return []Fix{{Title: title, Edits: edits, Preferred: true}}
}

// addLockWords returns the fix that puts the words of rule Q7 before the coordinator's notes.
func (t *openTask) addLockWords() []Fix {
	if t.msg.Payload.Request == nil {
		return nil
	}
	const title = `Add "` + lockWords + `" to coordinator_notes`
	if strings.TrimSpace(t.msg.Payload.Request.Notes) == "" {
		return t.set("payload", "coordinator_notes", `"`+lockWords+`"`, title)
	}
	members := t.members("payload")
	i := slices.IndexFunc(members, func(m jsonMember) bool { return m.name == "coordinator_notes" })
	at := members[i].value.Offset + 1 // after the quote: the notes are not empty
	return []Fix{{Title: title, Edits: []Edit{{Start: at, End: at, New: lockWords + ". "}}, Preferred: true}}
}
