package diagnose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// lockWords is what a request's notes should say (rule Q7).
const lockWords = "Lock is approaching"

// ruled gives the fixes that one rule makes certain.
func (t *openTask) ruled(f *taskFault) []Fix {
	kind := t.msg.Type
	switch f.Rule {
	case "E1":
		return t.renamed(f)
	case "E3", "E6":
		return t.fromID(f)
	case "E4", "E5", "R1":
		return t.routed()
	case "E8":
		if agn.ValidType(kind) && kind != agn.TypeEscalation {
			return t.set("", "requires_ack", "true", "A "+kind+" asks for an ACK: set requires_ack to true")
		}
	case "X5":
		if e := t.msg.Payload.Escalation; e != nil && (e.Severity == agn.Critical || e.Severity == agn.Warning) {
			return t.set("payload", "auto_suspended", "true", "Set auto_suspended to true, as "+e.Severity+" demands")
		}
	case "Q5":
		if t.msg.Payload.Request != nil && len(t.msg.Faults) == 0 {
			n := strconv.Itoa(agn.Rejects(&t.msg, t.history()))
			return t.set("payload", "reject_count", n, "Set reject_count to "+n+", as the task's verdicts have it")
		}
	case "Q7":
		return t.warned()
	}
	return nil
}

// behind names, for each member that a fix may add, those that it is written
// behind, in the order of the text.
func behind(name string) []string {
	order := []string{"msg_id", "protocol_version", "type", "from", "to", "task_id", "timestamp", "requires_ack"}
	switch name {
	case "auto_suspended":
		order = []string{
			"escalation_type", "severity", "triggered_by", "description", "affected_msgs", "system_state_snapshot", "suggested_actions",
		}
	case "coordinator_notes":
		order = []string{"original_dispatch_ref", "task_result_ref", "review_scope", "diff_url", "reject_count"}
	default:
		order = order[:max(0, slices.Index(order, name))] // none: it is there
	}
	return order
}

// members lists those of the message, or of its payload.
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

// set is the fix that gives a member the only value that it can have.
func (t *openTask) set(object, name, value, title string) []Fix {
	edit, ok := setting(t.json, t.members(object), name, value, behind(name)...)
	if !ok {
		return nil
	}
	return []Fix{{Title: title, Edits: []Edit{edit}, Preferred: true}}
}

// renamed makes a message's id agree with its type and task (rule E1): either the
// id is changed, or what it speaks of. An id that ends in no time is given that of the
// message. It needs everything else to be sound.
func (t *openTask) renamed(f *taskFault) []Fix {
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
		second = t.agree("type", id)
	case id.TaskID != t.msg.TaskID:
		second = t.agree("task_id", id)
	}
	id.Type, id.TaskID = t.msg.Type, t.msg.TaskID
	return append(t.set("", "msg_id", `"`+id.String()+`"`, "Rename the message to "+id.String()), second...)
}

// fromID takes a type or task that is missing or cannot be read from the
// message's id (rule E1).
func (t *openTask) fromID(f *taskFault) []Fix {
	id, ok := agn.ParseID(t.msg.ID)
	if !ok || f.Field != "type" && f.Field != "task_id" {
		return nil
	}
	return t.agree(f.Field, id)
}

// agree sets a member to what the message's id has.
func (t *openTask) agree(field string, id agn.ID) []Fix {
	value := id.Type
	if field == "task_id" {
		value = id.TaskID
	}
	return t.set("", field, `"`+value+`"`, "Set "+field+" to "+value+", as the message id has it")
}

// routed sends a message the one way that its type leaves (rule R1). Who sends an
// escalation is never guessed.
func (t *openTask) routed() []Fix {
	from, to, ok := agn.Route(t.msg.Type)
	if id, whole := agn.ParseID(t.msg.ID); !ok || !whole || id.Type != t.msg.Type {
		return nil // the type itself may be what is wrong
	}
	members := t.members("")
	var edits []Edit
	for _, end := range []struct{ name, have, want string }{{"from", t.msg.From, from}, {"to", t.msg.To, to}} {
		if end.want == "" || end.have == end.want {
			continue
		}
		edit, ok := setting(t.json, members, end.name, `"`+end.want+`"`, behind(end.name)...)
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

// warned puts what rule Q7 asks for before the coordinator's own notes.
func (t *openTask) warned() []Fix {
	if t.msg.Payload.Request == nil {
		return nil
	}
	const title = `Say "` + lockWords + `" in the notes`
	if strings.TrimSpace(t.msg.Payload.Request.Notes) == "" {
		return t.set("payload", "coordinator_notes", `"`+lockWords+`"`, title)
	}
	members := t.members("payload")
	i := slices.IndexFunc(members, func(m jsonMember) bool { return m.name == "coordinator_notes" })
	at := members[i].value.Offset + 1 // behind the quote: there are notes
	return []Fix{{Title: title, Edits: []Edit{{Start: at, End: at, New: lockWords + ". "}}, Preferred: true}}
}
