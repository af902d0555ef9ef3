package agn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The formats of our own records. The text asks for these records and defines no form
// for them (rules E0, E6, C4 and C6). A reader refuses other formats, so that it never
// half understands a later version.
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

// Record is the content of a task's own file: a summary of its messages for people, git
// and simple tools. It proves nothing and can be rebuilt at any time.
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
	ackShape = canon.Shape{What: "the ACK", Fields: []canon.Field{
		{Name: "format", Rule: "C4"},
		{Name: "msg_id", Rule: "E12"},
		{Name: "by", Rule: "E12"},
		{Name: "timestamp", Rule: "E12"},
	}}
	resumeShape = canon.Shape{What: "the resume", Fields: []canon.Field{
		{Name: "format", Rule: "C6"},
		{Name: "msg_id", Rule: "X9"},
		{Name: "action", Rule: "X9"},
		{Name: "text", Rule: "X9", Optional: true},
		{Name: "by", Rule: "X9"},
		{Name: "timestamp", Rule: "X9"},
	}}
	taskShape = canon.Shape{What: "the task", Fields: []canon.Field{
		{Name: "format", Rule: "E6"},
		{Name: "task_id", Rule: "E6"},
		{Name: "title", Rule: "E6"},
		{Name: "repo", Rule: "E6"},
		{Name: "branch", Rule: "E6"},
		{Name: "risk_level", Rule: "E6"},
		{Name: "phase", Rule: "E6"},
		{Name: "reject_count", Rule: "E6"},
		{Name: "messages", Rule: "E6"},
		{Name: "last_msg_id", Rule: "E6"},
		{Name: "created", Rule: "E6"},
		{Name: "updated", Rule: "E6"},
	}}
	rejectionShape = canon.Shape{What: "the rejection", Fields: []canon.Field{
		{Name: "format", Rule: "E0"},
		{Name: "timestamp", Rule: "E0"},
		{Name: "source", Rule: "E0"},
		{Name: "msg_id", Rule: "E0"},
		{Name: "task_id", Rule: "E0"},
		{Name: "sha256", Rule: "E0"},
		{Name: "faults", Rule: "E0"},
		{Name: "text", Rule: "E0", Optional: true},
	}}
	faultShape = canon.Shape{What: "the fault", Fields: []canon.Field{
		{Name: "rule", Rule: "E0"},
		{Name: "field", Rule: "E0"},
		{Name: "offset", Rule: "E0"},
		{Name: "reason", Rule: "E0"},
	}}
)

// ParseAck reads an ACK (rules E12 and C4). It returns a *[canon.Fault] for the first
// thing that is wrong with it. Members that it does not know are passed over.
func ParseAck(data []byte) (Ack, error) {
	var a Ack
	err := readRecord(data, &ackShape, AckFormat, func(m *canon.Member) {
		switch m.Name {
		case "msg_id":
			a.MsgID = wholeID(m)
		case "by":
			a.By = m.OneOf(Admin, Coordinator, Executor, Reviewer)
		case "timestamp":
			a.Millis = readTime(m).Millis
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
	err := readRecord(data, &resumeShape, ResumeFormat, func(m *canon.Member) {
		switch m.Name {
		case "msg_id":
			r.MsgID = wholeID(m)
		case "action":
			r.Action = Action(m.OneOf(string(Approve), string(Redirect), string(Split), string(Terminate)))
		case "text":
			if r.Text = m.Text(); len(r.Text) > MaxText {
				m.Fault("the text is " + strconv.Itoa(len(r.Text)) + " bytes long, and " + strconv.Itoa(MaxText) + " is the limit")
			}
		case "by":
			m.OneOf(Admin) // the sole arbiter
		case "timestamp":
			r.Millis = readTime(m).Millis
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
	err := readRecord(data, &taskShape, TaskFormat, func(m *canon.Member) {
		switch m.Name {
		case "task_id":
			if r.TaskID = word(m); r.TaskID != "" && !ValidTaskID(r.TaskID) {
				m.Fault("the task id " + quote(r.TaskID) + " has not the form T-YYYY-NNN")
			}
		case "title":
			r.Title = m.Text()
		case "repo":
			r.Repo = m.Text()
		case "branch":
			r.Branch = m.Text()
		case "risk_level":
			r.Risk = m.Text()
		case "phase":
			r.Phase = Phase(m.Text())
		case "reject_count":
			r.RejectCount = count(m)
		case "messages":
			r.Messages = count(m)
		case "last_msg_id":
			r.LastMsgID = m.Text()
		case "created":
			r.Created = readTime(m).Millis
		case "updated":
			r.Updated = readTime(m).Millis
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
	err := readRecord(line, &rejectionShape, RejectionFormat, func(m *canon.Member) {
		switch m.Name {
		case "timestamp":
			r.Millis = readTime(m).Millis
		case "source":
			r.Source = m.Text()
		case "msg_id":
			r.MsgID = m.Text()
		case "task_id":
			r.TaskID = m.Text()
		case "sha256":
			r.Digest = word(m)
		case "faults":
			m.List(MaxItems, func(e *canon.Member) { r.Faults = append(r.Faults, logged(e)) })
		case "text":
			r.Text = m.Text()
		}
	})
	return r, err
}

// logged reads a fault as the error log has it.
func logged(m *canon.Member) canon.Fault {
	var f canon.Fault
	m.Object(&faultShape, func(m *canon.Member) {
		switch m.Name {
		case "rule":
			f.Rule = word(m)
		case "field":
			f.Field = m.Text()
		case "offset":
			f.Offset = int(min(count(m), MaxMessage))
		case "reason":
			f.Reason = m.Text()
		}
	})
	return f
}

// AppendRejection writes a line of the error log, with its line end. Bytes that are not
// UTF-8 become U+FFFD; the digest then shows that something was lost.
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

// readRecord reads one of our records and returns its first fault.
func readRecord(data []byte, sh *canon.Shape, format string, set func(m *canon.Member)) error {
	limit := MaxMessage
	if format == RejectionFormat {
		limit = MaxRejection
	}
	if bad := checkObject(data, sh.What, limit); bad != nil {
		bad.Rule = sh.Fields[0].Rule
		return bad
	}
	var out canon.Findings
	rootOf(data, &out).Object(sh, func(m *canon.Member) {
		if m.Name == "format" {
			if got := m.Text(); m.Kind == canon.String && got != format {
				m.Fault(sh.What + " is in the format " + quote(got) + ", not " + format)
			}
			return
		}
		set(m)
	})
	if len(out.Faults) == 0 {
		return nil
	}
	// Another format is the only fault worth naming: its members are not ours.
	at := max(0, slices.IndexFunc(out.Faults, func(f canon.Fault) bool { return f.Field == "format" }))
	bad := &out.Faults[at]
	if bad.Rule == "E0" {
		bad.Rule = sh.Fields[0].Rule // instead of the rule for unknown members of messages
	}
	return bad
}

// id reads the id of a message that a record is about. It is a file's name too,
// so that it must be whole.
func wholeID(m *canon.Member) string {
	s := word(m)
	if _, ok := ParseID(s); !ok && strings.TrimSpace(s) != "" {
		m.Fault(quote(s) + " has not the form of a message id")
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
