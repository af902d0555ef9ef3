package agn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The formats of our own records. The spec requires these records and defines no form for them
// (rules E0, E6, C4 and C6). A reader refuses other formats, so that it never half understands a
// later version.
const (
	AckFormat       = "signalbox-ack/1"
	ResumeFormat    = "signalbox-resume/1"
	TaskFormat      = "signalbox-task/1"
	RejectionFormat = "signalbox-rejection/1"
)

// MaxText is the maximum length of an answer's text in bytes.
const MaxText = 64 << 10

// MaxRejection is the maximum length of a line of the error log in bytes. It has room for any
// message as the text of a conflict, however much of it is escaped.
const MaxRejection = 8 << 20

// Actions lists what the admin can decide, in the order shown to them.
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
	// LastMsgID is the id of the newest message, or empty.
	LastMsgID string
	// Created and Updated are in Unix milliseconds.
	Created, Updated int64
}

// Rejection is a line of the error log: a refused message with all its faults (rule E0).
type Rejection struct {
	// Millis is when it was refused.
	Millis int64
	// Source is the name of the message's file, as the program that refused it wrote it.
	Source string
	// MsgID and TaskID are copied from the message, and may be empty or wrong.
	MsgID, TaskID string
	// Digest is the SHA-256 of the message's bytes, in hexadecimal digits: the
	// same text from the same source is logged once.
	Digest string
	Faults []canon.Fault
	// Text is the message itself if the log is the only place that keeps it, as for a
	// conflict. It is empty if Source contains the message.
	Text string
}

var (
	ackShape = canon.Shape[*Ack]{What: "the ACK", Fields: []canon.Field[*Ack]{
		{Name: "format", Rule: "C4", Set: func(_ *Ack, m *canon.Member) { format(m, "the ACK", AckFormat) }},
		{Name: "msg_id", Rule: "E12", Set: func(a *Ack, m *canon.Member) { a.MsgID = strictID(m) }},
		{Name: "by", Rule: "E12", Set: func(a *Ack, m *canon.Member) { a.By = m.OneOf(Admin, Coordinator, Executor, Reviewer) }},
		{Name: "timestamp", Rule: "E12", Set: func(a *Ack, m *canon.Member) { a.Millis = readTime(m).Millis }},
	}}
	resumeShape = canon.Shape[*Resume]{What: "the resume", Fields: []canon.Field[*Resume]{
		{Name: "format", Rule: "C6", Set: func(_ *Resume, m *canon.Member) { format(m, "the resume", ResumeFormat) }},
		{Name: "msg_id", Rule: "X9", Set: func(r *Resume, m *canon.Member) { r.MsgID = strictID(m) }},
		{Name: "action", Rule: "X9", Set: func(r *Resume, m *canon.Member) {
			r.Action = Action(m.OneOf(string(Approve), string(Redirect), string(Split), string(Terminate)))
		}},
		{Name: "text", Rule: "X9", Optional: true, Set: func(r *Resume, m *canon.Member) {
			if r.Text = m.Text(); len(r.Text) > MaxText {
				m.Fault("the text is " + strconv.Itoa(len(r.Text)) + " bytes long, and " + strconv.Itoa(MaxText) + " is the limit")
			}
		}},
		{Name: "by", Rule: "X9", Set: func(_ *Resume, m *canon.Member) { m.OneOf(Admin) }}, // the sole arbiter
		{Name: "timestamp", Rule: "X9", Set: func(r *Resume, m *canon.Member) { r.Millis = readTime(m).Millis }},
	}}
	taskShape = canon.Shape[*Record]{What: "the task", Fields: []canon.Field[*Record]{
		{Name: "format", Rule: "E6", Set: func(_ *Record, m *canon.Member) { format(m, "the task", TaskFormat) }},
		{Name: "task_id", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.TaskID = taskID(m) }},
		{Name: "title", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Title = m.Text() }},
		{Name: "repo", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Repo = m.Text() }},
		{Name: "branch", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Branch = m.Text() }},
		{Name: "risk_level", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Risk = m.Text() }},
		{Name: "phase", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Phase = Phase(m.Text()) }},
		{Name: "reject_count", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.RejectCount = count(m) }},
		{Name: "messages", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Messages = count(m) }},
		{Name: "last_msg_id", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.LastMsgID = m.Text() }},
		{Name: "created", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Created = readTime(m).Millis }},
		{Name: "updated", Rule: "E6", Set: func(r *Record, m *canon.Member) { r.Updated = readTime(m).Millis }},
	}}
	rejectionShape = canon.Shape[*Rejection]{What: "the rejection", Fields: []canon.Field[*Rejection]{
		{Name: "format", Rule: "E0", Set: func(_ *Rejection, m *canon.Member) { format(m, "the rejection", RejectionFormat) }},
		{Name: "timestamp", Rule: "E0", Set: func(r *Rejection, m *canon.Member) { r.Millis = readTime(m).Millis }},
		{Name: "source", Rule: "E0", Set: func(r *Rejection, m *canon.Member) { r.Source = m.Text() }},
		{Name: "msg_id", Rule: "E0", Set: func(r *Rejection, m *canon.Member) { r.MsgID = m.Text() }},
		{Name: "task_id", Rule: "E0", Set: func(r *Rejection, m *canon.Member) { r.TaskID = m.Text() }},
		{Name: "sha256", Rule: "E0", Set: func(r *Rejection, m *canon.Member) { r.Digest = nonBlank(m) }},
		{Name: "faults", Rule: "E0", Set: func(r *Rejection, m *canon.Member) { canon.List(m, MaxItems, &faultShape, &r.Faults) }},
		{Name: "text", Rule: "E0", Optional: true, Set: func(r *Rejection, m *canon.Member) { r.Text = m.Text() }},
	}}
	faultShape = canon.Shape[*canon.Fault]{What: "the fault", Fields: []canon.Field[*canon.Fault]{
		{Name: "rule", Rule: "E0", Set: func(f *canon.Fault, m *canon.Member) { f.Rule = nonBlank(m) }},
		{Name: "field", Rule: "E0", Set: func(f *canon.Fault, m *canon.Member) { f.Field = m.Text() }},
		{Name: "offset", Rule: "E0", Set: func(f *canon.Fault, m *canon.Member) { f.Offset = int(min(count(m), MaxMessage)) }},
		{Name: "reason", Rule: "E0", Set: func(f *canon.Fault, m *canon.Member) { f.Reason = m.Text() }},
	}}
)

// format reads the member that identifies the kind of record.
func format(m *canon.Member, what, want string) {
	if got := m.Text(); m.Kind == canon.String && got != want {
		m.Fault(what + " is in the format " + quote(got) + ", not " + want)
	}
}

// ParseAck reads an ACK (rules E12 and C4). It returns the first fault as a *[canon.Fault].
// Unknown members are ignored.
func ParseAck(data []byte) (a Ack, err error) {
	err = readRecord(data, MaxMessage, &ackShape, &a)
	return a, err
}

// ParseResume reads the admin's answer (rules X9 and C6), as [ParseAck] does.
func ParseResume(data []byte) (r Resume, err error) {
	err = readRecord(data, MaxMessage, &resumeShape, &r)
	return r, err
}

// ParseRecord reads a task's file (rule E6), as [ParseAck] does.
func ParseRecord(data []byte) (r Record, err error) {
	err = readRecord(data, MaxMessage, &taskShape, &r)
	return r, err
}

// ParseRejection reads a line of the error log (rule E0), as [ParseAck] does.
func ParseRejection(line []byte) (r Rejection, err error) {
	err = readRecord(line, MaxRejection, &rejectionShape, &r)
	return r, err
}

// readRecord reads one of our records of at most limit bytes and returns its first
// fault.
func readRecord[T any](data []byte, limit int, sh *canon.Shape[T], into T) error {
	if bad := checkObject(data, sh.What, limit); bad != nil {
		bad.Rule = sh.Fields[0].Rule
		return bad
	}
	var out canon.Findings
	sh.Read(rootOf(data, &out), into)
	if len(out.Faults) == 0 {
		return nil
	}
	// If the format is another one, report only that: its members are not ours.
	at := max(0, slices.IndexFunc(out.Faults, func(f canon.Fault) bool { return f.Field == "format" }))
	bad := &out.Faults[at]
	if bad.Rule == "E0" {
		bad.Rule = sh.Fields[0].Rule // instead of the rule for unknown members of messages
	}
	return bad
}

// BuildAck writes an ACK: indented, with a final line end. It returns a *[canon.Fault] if
// [ParseAck] would refuse the result.
func BuildAck(a Ack) ([]byte, error) {
	w := record(AckFormat)
	w.Text("msg_id", a.MsgID)
	w.Text("by", a.By)
	w.time("timestamp", a.Millis)
	return finishRecord(w, &ackShape, new(Ack))
}

// BuildResume writes the admin's answer, as [BuildAck] does. It refuses a redirect without a
// text, which would not say where to; the reader tolerates one.
func BuildResume(r Resume) ([]byte, error) {
	if r.Action == Redirect && strings.TrimSpace(r.Text) == "" {
		return nil, &canon.Fault{Rule: "X9", Field: "text", Reason: "a redirect needs a text that says what to do instead"}
	}
	w := record(ResumeFormat)
	w.Text("msg_id", r.MsgID)
	w.Text("action", string(r.Action))
	w.Optional("text", r.Text)
	w.Text("by", Admin)
	w.time("timestamp", r.Millis)
	return finishRecord(w, &resumeShape, new(Resume))
}

// BuildRecord writes a task's file, as [BuildAck] does.
func BuildRecord(r Record) ([]byte, error) {
	w := record(TaskFormat)
	w.Text("task_id", r.TaskID)
	w.Text("title", r.Title)
	w.Text("repo", r.Repo)
	w.Text("branch", r.Branch)
	w.Text("risk_level", r.Risk)
	w.Text("phase", string(r.Phase))
	w.Number("reject_count", r.RejectCount)
	w.Number("messages", r.Messages)
	w.Text("last_msg_id", r.LastMsgID)
	w.time("created", r.Created)
	w.time("updated", r.Updated)
	return finishRecord(w, &taskShape, new(Record))
}

// AppendRejection writes a line of the error log, with its line end. Bytes that are not
// UTF-8 become U+FFFD; the digest then shows that something was lost.
func AppendRejection(dst []byte, r Rejection) []byte {
	valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	w := newWriter(dst, "")
	w.Open("", '{')
	w.Text("format", RejectionFormat)
	w.time("timestamp", r.Millis)
	w.Text("source", valid(r.Source))
	w.Text("msg_id", valid(r.MsgID))
	w.Text("task_id", valid(r.TaskID))
	w.Text("sha256", valid(r.Digest))
	w.Open("faults", '[')
	for i := range r.Faults {
		f := &r.Faults[i]
		w.Open("", '{')
		w.Text("rule", f.Rule)
		w.Text("field", valid(f.Field))
		w.Number("offset", int64(f.Offset))
		w.Text("reason", valid(f.Reason))
		w.Close('}')
	}
	w.Close(']')
	w.Optional("text", valid(r.Text))
	return append(w.Out, "}\n"...)
}

// strictID reads the id of the message that a record is about. It must be complete, since it is
// also a file name.
func strictID(m *canon.Member) string {
	s := nonBlank(m)
	if _, ok := ParseID(s); !ok && strings.TrimSpace(s) != "" {
		m.Fault(quote(s) + " does not have the form of a message id")
	}
	return s
}

// record begins one of our records.
func record(format string) *writer {
	w := newWriter(nil, "  ")
	w.Open("", '{')
	w.Text("format", format)
	return w
}

// finishRecord closes a record and checks it by reading it.
func finishRecord[T any](w *writer, sh *canon.Shape[T], into T) ([]byte, error) {
	w.Close('}')
	if w.Bad != nil {
		return nil, w.Bad
	}
	data := append(w.Out, '\n')
	return data, readRecord(data, MaxMessage, sh, into)
}

// time writes Unix milliseconds.
func (w *writer) time(name string, millis int64) {
	if At(millis).Millis != millis {
		w.Fail(&canon.Fault{Rule: "E7", Field: name, Reason: "the time cannot be written"})
	}
	w.Text(name, FormatTime(millis))
}
