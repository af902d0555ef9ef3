package agn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The formats of the records that are ours, since the text asks for them and
// gives them no form (rules E0, E6, C4 and C6). A reader refuses any other, so
// that a later version is never half understood.
const (
	AckFormat       = "signalbox-ack/1"
	ResumeFormat    = "signalbox-resume/1"
	TaskFormat      = "signalbox-task/1"
	RejectionFormat = "signalbox-rejection/1"
)

// MaxText is the length in bytes of the text of an answer.
const MaxText = 64 << 10

// MaxRejection is the length in bytes of a line of the error log. It has room
// for any message as the text of a conflict, however much of it is escaped.
const MaxRejection = 8 << 20

// Actions lists what the admin can decide, in the order in which it is offered.
func Actions() []Action { return []Action{Approve, Redirect, Split, Terminate} }

// Record is what a task's own file says: a summary of its messages for people,
// for git and for tools that know no more. It proves nothing and can be made
// anew at any time.
type Record struct {
	TaskID string
	// Title is the first line of the dispatch's description.
	Title        string
	Repo, Branch string
	Risk         string
	Phase        Phase
	RejectCount  int64
	Messages     int64
	// LastMsgID is the newest message, or empty.
	LastMsgID string
	// Created and Updated are in Unix milliseconds.
	Created, Updated int64
}

// Rejection is a line of the error log: a message that was refused, with all
// its faults (rule E0).
type Rejection struct {
	// Millis is when it was refused.
	Millis int64
	// Source names the file that it came from, as whoever refused it did.
	Source string
	// MsgID and TaskID are as the message has them, and may be empty or false.
	MsgID, TaskID string
	// Digest is the SHA-256 of the message's bytes, in hexadecimal digits: the
	// same text from the same source is logged once.
	Digest string
	Faults []canon.Fault
	// Text is the message itself where the log is the only place that keeps
	// it, as of a conflict. It is empty where Source has it.
	Text string
}

var (
	ackShape = shape{what: "the ACK", fields: []field{
		{name: "format", rule: "C4"},
		{name: "msg_id", rule: "E12"},
		{name: "by", rule: "E12"},
		{name: "timestamp", rule: "E12"},
	}}
	resumeShape = shape{what: "the resume", fields: []field{
		{name: "format", rule: "C6"},
		{name: "msg_id", rule: "X9"},
		{name: "action", rule: "X9"},
		{name: "text", rule: "X9", optional: true},
		{name: "by", rule: "X9"},
		{name: "timestamp", rule: "X9"},
	}}
	taskShape = shape{what: "the task", fields: []field{
		{name: "format", rule: "E6"},
		{name: "task_id", rule: "E6"},
		{name: "title", rule: "E6"},
		{name: "repo", rule: "E6"},
		{name: "branch", rule: "E6"},
		{name: "risk_level", rule: "E6"},
		{name: "phase", rule: "E6"},
		{name: "reject_count", rule: "E6"},
		{name: "messages", rule: "E6"},
		{name: "last_msg_id", rule: "E6"},
		{name: "created", rule: "E6"},
		{name: "updated", rule: "E6"},
	}}
	rejectionShape = shape{what: "the rejection", fields: []field{
		{name: "format", rule: "E0"},
		{name: "timestamp", rule: "E0"},
		{name: "source", rule: "E0"},
		{name: "msg_id", rule: "E0"},
		{name: "task_id", rule: "E0"},
		{name: "sha256", rule: "E0"},
		{name: "faults", rule: "E0"},
		{name: "text", rule: "E0", optional: true},
	}}
	faultShape = shape{what: "the fault", fields: []field{
		{name: "rule", rule: "E0"},
		{name: "field", rule: "E0"},
		{name: "offset", rule: "E0"},
		{name: "reason", rule: "E0"},
	}}
)

// ParseAck reads an ACK (rules E12 and C4). It returns a *[canon.Fault] for the first
// thing that is wrong with it. Members that it does not know are passed over.
func ParseAck(data []byte) (Ack, error) {
	var a Ack
	err := readRecord(data, &ackShape, AckFormat, func(m *member) {
		switch m.name {
		case "msg_id":
			a.MsgID = m.id()
		case "by":
			a.By = m.oneOf(Admin, Coordinator, Executor, Reviewer)
		case "timestamp":
			a.Millis = m.time().Millis
		}
	})
	return a, err
}

// BuildAck writes an ACK: indented, with a final line end. It returns a *[canon.Fault]
// for what [ParseAck] would not read.
func BuildAck(a Ack) ([]byte, error) {
	w := record(AckFormat)
	w.text("msg_id", a.MsgID)
	w.text("by", a.By)
	w.time("timestamp", a.Millis)
	data, err := w.end()
	if err == nil {
		_, err = ParseAck(data)
	}
	return data, err
}

// ParseResume reads the admin's answer (rules X9 and C6), as [ParseAck] does.
func ParseResume(data []byte) (Resume, error) {
	var r Resume
	err := readRecord(data, &resumeShape, ResumeFormat, func(m *member) {
		switch m.name {
		case "msg_id":
			r.MsgID = m.id()
		case "action":
			r.Action = Action(m.oneOf(string(Approve), string(Redirect), string(Split), string(Terminate)))
		case "text":
			if r.Text = m.text(); len(r.Text) > MaxText {
				m.fault("the text is " + strconv.Itoa(len(r.Text)) + " bytes long, and " + strconv.Itoa(MaxText) + " is the limit")
			}
		case "by":
			m.oneOf(Admin) // the sole arbiter
		case "timestamp":
			r.Millis = m.time().Millis
		}
	})
	return r, err
}

// BuildResume writes the admin's answer, as [BuildAck] does. To redirect is to
// say where to, so that a redirect without a text is refused; the reader
// tolerates it.
func BuildResume(r Resume) ([]byte, error) {
	if r.Action == Redirect && strings.TrimSpace(r.Text) == "" {
		return nil, &canon.Fault{Rule: "X9", Field: "text", Reason: "a redirect needs a text that says what to do instead"}
	}
	w := record(ResumeFormat)
	w.text("msg_id", r.MsgID)
	w.text("action", string(r.Action))
	w.optional("text", r.Text)
	w.text("by", Admin)
	w.time("timestamp", r.Millis)
	data, err := w.end()
	if err == nil {
		_, err = ParseResume(data)
	}
	return data, err
}

// ParseRecord reads a task's file (rule E6), as [ParseAck] does.
func ParseRecord(data []byte) (Record, error) {
	var r Record
	err := readRecord(data, &taskShape, TaskFormat, func(m *member) {
		switch m.name {
		case "task_id":
			if r.TaskID = m.word(); r.TaskID != "" && !ValidTaskID(r.TaskID) {
				m.fault("the task id " + quote(r.TaskID) + " has not the form T-YYYY-NNN")
			}
		case "title":
			r.Title = m.text()
		case "repo":
			r.Repo = m.text()
		case "branch":
			r.Branch = m.text()
		case "risk_level":
			r.Risk = m.text()
		case "phase":
			r.Phase = Phase(m.text())
		case "reject_count":
			r.RejectCount = m.count()
		case "messages":
			r.Messages = m.count()
		case "last_msg_id":
			r.LastMsgID = m.text()
		case "created":
			r.Created = m.time().Millis
		case "updated":
			r.Updated = m.time().Millis
		}
	})
	return r, err
}

// BuildRecord writes a task's file, as [BuildAck] does.
func BuildRecord(r Record) ([]byte, error) {
	w := record(TaskFormat)
	w.text("task_id", r.TaskID)
	w.text("title", r.Title)
	w.text("repo", r.Repo)
	w.text("branch", r.Branch)
	w.text("risk_level", r.Risk)
	w.text("phase", string(r.Phase))
	w.number("reject_count", r.RejectCount)
	w.number("messages", r.Messages)
	w.text("last_msg_id", r.LastMsgID)
	w.time("created", r.Created)
	w.time("updated", r.Updated)
	data, err := w.end()
	if err == nil {
		_, err = ParseRecord(data)
	}
	return data, err
}

// ParseRejection reads a line of the error log (rule E0), as [ParseAck] does.
func ParseRejection(line []byte) (Rejection, error) {
	var r Rejection
	err := readRecord(line, &rejectionShape, RejectionFormat, func(m *member) {
		switch m.name {
		case "timestamp":
			r.Millis = m.time().Millis
		case "source":
			r.Source = m.text()
		case "msg_id":
			r.MsgID = m.text()
		case "task_id":
			r.TaskID = m.text()
		case "sha256":
			r.Digest = m.word()
		case "faults":
			m.each(func(e *member) { r.Faults = append(r.Faults, e.logged()) })
		case "text":
			r.Text = m.text()
		}
	})
	return r, err
}

// logged reads a fault as the error log has it.
func (m *member) logged() canon.Fault {
	var f canon.Fault
	m.object(&faultShape, func(m *member) {
		switch m.name {
		case "rule":
			f.Rule = m.word()
		case "field":
			f.Field = m.text()
		case "offset":
			f.Offset = int(min(m.count(), MaxMessage))
		case "reason":
			f.Reason = m.text()
		}
	})
	return f
}

// AppendRejection writes a line of the error log, with its line end. Bytes of
// texts that are no UTF-8 become U+FFFD: the digest tells that something was
// lost.
func AppendRejection(dst []byte, r Rejection) []byte {
	valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	w := &writer{dst: append(dst, '{'), flat: true}
	w.text("format", RejectionFormat)
	w.time("timestamp", r.Millis)
	w.text("source", valid(r.Source))
	w.text("msg_id", valid(r.MsgID))
	w.text("task_id", valid(r.TaskID))
	w.text("sha256", valid(r.Digest))
	w.open("faults", '[')
	for i := range r.Faults {
		f := &r.Faults[i]
		w.open("", '{')
		w.text("rule", f.Rule)
		w.text("field", valid(f.Field))
		w.number("offset", int64(f.Offset))
		w.text("reason", valid(f.Reason))
		w.close('}')
	}
	w.close(']')
	w.optional("text", valid(r.Text))
	return append(w.dst, "}\n"...)
}

// readRecord walks one of our records and gives its first fault.
func readRecord(data []byte, sh *shape, format string, set func(m *member)) error {
	limit := MaxMessage
	if format == RejectionFormat {
		limit = MaxRejection
	}
	if bad := root(data, sh.what, limit); bad != nil {
		bad.Rule = sh.fields[0].rule
		return bad
	}
	var out canon.Findings
	_ = readMembers(&out, canon.Value{Kind: canon.Mapping, Raw: data}, sh, "", func(m *member) {
		if m.name == "format" {
			if got := m.text(); m.v.Kind == canon.String && got != format {
				m.fault(sh.what + " is in the format " + quote(got) + ", not " + format)
			}
			return
		}
		set(m)
	})
	if len(out.Faults) == 0 {
		return nil
	}
	// Of another format that alone is said: its members are not ours.
	at := max(0, slices.IndexFunc(out.Faults, func(f canon.Fault) bool { return f.Field == "format" }))
	bad := &out.Faults[at]
	if bad.Rule == "E0" {
		bad.Rule = sh.fields[0].rule // the messages' rule of what is unknown
	}
	return bad
}

// id reads the id of a message that a record is about. It is a file's name too,
// so that it must be whole.
func (m *member) id() string {
	s := m.word()
	if _, ok := ParseID(s); !ok && strings.TrimSpace(s) != "" {
		m.fault(quote(s) + " has not the form of a message id")
	}
	return s
}

// record begins one of our records.
func record(format string) *writer {
	w := &writer{dst: []byte("{"), depth: 1}
	w.text("format", format)
	return w
}

// end closes a record.
func (w *writer) end() ([]byte, error) {
	w.close('}')
	if w.bad != nil {
		return nil, w.bad
	}
	return append(w.dst, '\n'), nil
}

// time writes Unix milliseconds.
func (w *writer) time(name string, millis int64) {
	if At(millis).Millis != millis && w.bad == nil {
		w.bad = &canon.Fault{Rule: "E7", Field: name, Reason: "the time cannot be written"}
	}
	w.text(name, FormatTime(millis))
}
