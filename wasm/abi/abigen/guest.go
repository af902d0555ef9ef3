package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// encoded lists the types of wasm/client that the module writes member by member,
// with the types of core that have the same members.
var encoded = []struct{ client, core string }{
	{"Version", "atsf.Version"},
	{"AgentThread", "atsf.Thread"},
	{"Agent", "atsf.Agent"},
	{"ThreadContext", "atsf.Context"},
	{"Worktree", "atsf.Worktree"},
	{"Counts", "atsf.Stats"},
	{"AgentMessage", "atsf.Message"},
	{"Tokens", "atsf.Tokens"},
	{"Block", "atsf.Block"},
	{"ToolCall", "atsf.ToolCall"},
	{"Diff", "atsf.Diff"},
	{"Location", "atsf.Location"},
	{"AgentConfig", "atsf.Config"},
	{"Application", "atsf.CreatedBy"},
	{"Defaults", "atsf.Defaults"},
	{"Hooks", "atsf.Hooks"},
	{"Symlink", "atsf.Symlink"},
	{"Command", "atsf.Command"},
	{"Figures", "atsf.Tally"},
	{"Mismatch", "atsf.Mismatch"},

	{"TaskMessage", "agn.Message"},
	{"TaskPayload", "agn.Payload"},
	{"Dispatch", "agn.Dispatch"},
	{"Subtask", "agn.Subtask"},
	{"TaskResult", "agn.Result"},
	{"LogEntry", "agn.LogEntry"},
	{"ReviewRequest", "agn.Request"},
	{"CIBuild", "agn.Build"},
	{"Verdict", "agn.Verdict"},
	{"Criterion", "agn.Criterion"},
	{"Issue", "agn.Issue"},
	{"Fix", "agn.Fix"},
	{"Escalation", "agn.Escalation"},
	{"Snapshot", "agn.Snapshot"},
	{"TaskState", "agn.TaskState"},
	{"Wait", "agn.Wait"},
	{"Duty", "agn.Duty"},
	{"Alarm", "agn.Alarm"},
	{"Ack", "agn.Ack"},
	{"Resume", "agn.Resume"},
	{"TaskRecord", "agn.Record"},
	{"Rejection", "agn.Rejection"},

	{"Mail", "amp.Message"},
	{"MailPayload", "amp.Payload"},
	{"MailAttachment", "amp.Attachment"},
	{"MailLocal", "amp.Local"},
	{"MailSecurity", "amp.Security"},
	{"MailTrust", "amp.Trust"},
	{"MailPlace", "amp.Place"},
	{"MailReply", "amp.Draft"},
}

// encodedOtherwise says how members are written that core has in another form: a value,
// and after "if" the condition under which it is there. Members with "-" are written by
// the encoder's callers.
var encodedOtherwise = map[string]string{
	"AgentThread.Odd": "-", "AgentThread.Findings": "-", "AgentConfig.Secrets": "-", "AgentConfig.Findings": "-",
	"TaskState.Unread": "-", "Alarm.Escalation": "-",
	"Block.Length": "len(v.Raw)", "Block.Inline": "v.Inline != nil",
	"ToolCall.Length": "len(v.Raw)", "ToolCall.State": "stateName(v)",
	"ToolCall.Input": "v.Input if v.HasInput", "ToolCall.Output": "v.Output if v.HasOutput", "ToolCall.Duration": "v.Duration if v.Duration >= 0",
	"ToolCall.Locations":  "v.Locations if len(v.Locations) > 0",
	"TaskMessage.Timeout": "v.Timeout()", "TaskMessage.Distress": "distress(v)",
	"Mail.SignatureID": "v.SignatureID()", "MailTrust.Step": "v.Step.String()",
}

// encodersGo writes a method for each of these types. The method writes the members,
// and its caller the braces.
func (m *model) encodersGo() string {
	var b strings.Builder
	b.WriteString(goHead + "package ops\n\nimport (\n")
	for _, name := range []string{"agn", "amp", "atsf"} {
		fmt.Fprintf(&b, "\t\"github.com/signalbox-dev/signalbox/core/%s\"\n", name)
	}
	b.WriteString(")\n")
	for _, t := range encoded {
		fmt.Fprintf(&b, "\nfunc (e *encoder) %s(v *%s) {\n%s}\n", encoderOf(t.client), t.core, m.encode(m.record(t.client), t.client, t.core))
	}
	return b.String()
}

func encoderOf(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// encode writes the members of a type that is, or is embedded in, the type in.
func (m *model) encode(r *record, in, core string) string {
	var b strings.Builder
	for i := range r.fields {
		f := &r.fields[i]
		name := f.name
		if id, ok := f.typ.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		value, when, _ := strings.Cut(encodedOtherwise[in+"."+name], " if ")
		switch {
		case value == "-":
			continue
		case f.name == "":
			b.WriteString(m.encode(m.record(name), in, core))
			continue
		case value == "":
			value = "v." + name
		}
		statements := m.encodeMember(f, value, strings.HasPrefix(core, "agn."))
		if when == "" && f.optional {
			statements = ifPresent(f, value, statements)
		}
		if when != "" {
			statements = "\tif " + when + " {\n" + statements + "\t}\n"
		}
		b.WriteString(statements)
	}
	return b.String()
}

// ifPresent writes an optional member where it is there.
func ifPresent(f *field, value, statements string) string {
	when := value + " != nil"
	switch goType(f.typ) {
	case "string":
		return strings.Replace(statements, "e.text(", "e.optional(", 1)
	case "int64":
		when = value + " != 0"
	case "bool":
		when = value
	}
	return "\tif " + when + " {\n" + statements + "\t}\n"
}

// encodeMember writes one member. In AMP/1.0 a bool that may be missing is an answer.
func (m *model) encodeMember(f *field, value string, answers bool) string {
	typ := f.typ
	pointer, isPointer := typ.(*ast.StarExpr)
	if isPointer {
		typ = pointer.X
	}
	name := goType(typ)
	switch {
	case isPointer && name == "bool" && answers:
		return fmt.Sprintf("\te.answer(%q, %s)\n", f.json, value)
	case isPointer && name == "bool":
		return fmt.Sprintf("\te.maybe(%q, %s)\n", f.json, value)
	case name == "Fault":
		return fmt.Sprintf("\te.fault(%q, %s)\n", f.json, value)
	case m.record(name) != nil && m.record(name).fields != nil && name != "Time" && name != "ThreadTime":
		return m.encodeObject(f, name, value, isPointer)
	}
	if element, ok := strings.CutPrefix(name, "[]"); ok {
		return m.encodeList(f, element, value)
	}
	switch name {
	case "int64":
		return fmt.Sprintf("\te.number(%q, int64(%s))\n", f.json, value)
	case "float64":
		return fmt.Sprintf("\te.fraction(%q, %s)\n", f.json, value)
	case "bool":
		return fmt.Sprintf("\te.bool(%q, %s)\n", f.json, value)
	case "Value":
		return fmt.Sprintf("\te.raw(%q, %s)\n", f.json, value)
	case "Time":
		return fmt.Sprintf("\te.time(%q, agn.Time(%s))\n", f.json, value)
	case "ThreadTime":
		return fmt.Sprintf("\te.threadTime(%q, %s)\n", f.json, value)
	}
	return fmt.Sprintf("\te.text(%q, string(%s))\n", f.json, value)
}

func (m *model) encodeObject(f *field, name, value string, isPointer bool) string {
	argument := "&" + value
	if isPointer {
		argument = value
	}
	object := fmt.Sprintf("\te.key(%q)\n\te.open('{')\n\te.%s(%s)\n\te.close('}')\n", f.json, encoderOf(name), argument)
	if isPointer && !f.optional {
		return fmt.Sprintf("\tif %s == nil {\n\te.null(%q)\n\t} else {\n%s\t}\n", value, f.json, object)
	}
	return object
}

func (m *model) encodeList(f *field, element, value string) string {
	switch element {
	case "Fault":
		return fmt.Sprintf("\te.faults(%q, %s)\n", f.json, value)
	case "*bool":
		return fmt.Sprintf("\te.answers(%q, %s)\n", f.json, value)
	case "string":
		if f.null {
			return fmt.Sprintf("\tif %s == nil {\n\te.null(%q)\n\t} else {\n\te.texts(%q, %s)\n\t}\n", value, f.json, f.json, value)
		}
		return fmt.Sprintf("\te.texts(%q, %s)\n", f.json, value)
	}
	return fmt.Sprintf("\te.key(%q)\n\te.open('[')\n\tfor i := range %s {\n\te.item()\n\te.open('{')\n\te.%s(&%s[i])\n\te.close('}')\n\t}\n\te.close(']')\n",
		f.json, value, encoderOf(element), value)
}
