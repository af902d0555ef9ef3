// Package session reads the transcripts in which agents' programs record their own sessions, and
// translates them into the terms of ATSF: messages, content blocks, tool calls.
//
// Each program has a package below this one that exports a [Format]. A [Log] reads the lines of a
// transcript, or of a range of it, and returns the conversation in them. No program documents its
// format: the meaning of each record was found in files of real runs. An unknown record becomes a
// note, and nothing is an error.
package session

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/isotime"
	"github.com/signalbox-dev/signalbox/core/secrets"
)

// TypeNote is the type of a block whose Text describes an event of the session, such as that it
// was resumed. ATSF has no such block.
const TypeNote = "note"

// MaxFiles is the maximum number of file changes shown for one tool call.
const MaxFiles = 100

// StopTextStart begins the text that Signalbox's hook sends to an agent that is about to stop,
// and StopTextEnd comes before the agent's name in its first line. If a program records that text
// as the person's prompt, these words distinguish it from a real prompt.
const (
	StopTextStart = "Before you stop: "
	StopTextEnd   = " for you ("
)

// maxMasked is how many bytes of a line are searched for secrets before it is cut to a title.
const maxMasked = 8 << 10

// maxTitle is the length of a title in bytes; longer ones are cut.
const maxTitle = 200

// Format describes one program's transcripts.
type Format struct {
	// Client is the program: claude, codex, gemini or copilot.
	Client string
	// Title is the program's name for people, such as "Claude Code".
	Title string
	// Read adds the meaning of one line to the log. It begins with [Log.Record].
	Read func(l *Log, line []byte)
	// DuplicateID returns the id of a record that may occur twice in a transcript, and whether
	// the line was copied from another session. The copied line is the one that counts.
	// DuplicateID is nil if no record occurs twice.
	DuplicateID func(line []byte) (id string, copied bool)
	// Outputs lists texts. Each record with a tool's output contains one of them. The records
	// around it contain the same facts about the session.
	Outputs []string
	// Resume returns the command that resumes the session with the id.
	Resume func(id string) []string
	// Trace returns how far a message from another session got, according to one line of the
	// receiver's transcript. It is nil if sessions cannot send each other messages.
	Trace func(line []byte, sent *Message) Trace
	// CallInput returns the exact input of the call with the id, from the line that records the
	// call. ok is false for any other line. CallInput is nil if it is not needed.
	CallInput func(line []byte, id string) (input string, ok bool)
	// Call returns a running call that a hook reported, from the tool's name and the JSON text of
	// its arguments. It is nil if transcripts record calls when they begin.
	Call func(name string, args []byte) atsf.ToolCall
	// Place is where the transcripts are.
	Place Place
}

// IsOutput reports whether a line is a record with a tool's output.
func (f *Format) IsOutput(line []byte) bool {
	return slices.ContainsFunc(f.Outputs, func(text string) bool { return bytes.Contains(line, []byte(text)) })
}

// Trace is how far a message from another session got.
type Trace int

// The traces of a message in its receiver's transcript. If a session ends, the messages in its
// queue are lost.
const (
	NoTrace Trace = iota
	Queued
	Arrived
)

// Place describes where a program stores its transcripts. Its functions take paths relative to
// one of the transcript folders, with "/" between the names.
type Place struct {
	// Homes lists the folders of the program's files, relative to the person's home or to a
	// folder in an environment variable, as in "$XDG_CONFIG_HOME/claude". All existing ones are
	// used, since versions of a program differ.
	Homes []string
	// Env is an environment variable with further folders, separated by commas. EnvBelow is the
	// path in them to the program's files.
	Env, EnvBelow string
	// Below lists the folders, relative to all of these, that contain transcripts.
	Below []string
	// Depth is how many levels of folders there are above a transcript.
	Depth int
	// Holds reports whether a path is a transcript or, if folder is set, a folder that may
	// contain transcripts.
	Holds func(path string, folder bool) bool
	// Lines converts a transcript that is one JSON document to lines for Read, and returns nil
	// for any other document. It is nil for programs without such transcripts.
	Lines func(document []byte) []byte
	// Odd reports whether a file has a name like a transcript's. If Holds does not accept such a
	// file, it is probably a transcript in a form that we cannot read.
	Odd func(path string) bool
	// Name returns the name of a transcript's thread, from its path. Two transcripts may have
	// the same name.
	Name func(path string) string
	// Beside lists the files with more facts about a transcript's session, and ReadBeside reads
	// one. Both are nil if there are no such files.
	Beside     func(path string) []string
	ReadBeside func(f *Facts, path string, data []byte)
}

// The file name extensions of transcripts: lines of JSON, the same compressed by zstd, and one
// JSON document.
const (
	Plain    = ".jsonl"
	Packed   = ".jsonl.zst"
	Document = ".json"
)

// File returns the file name in a path, without a transcript's extension.
func File(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, ending := range []string{Plain, Packed, Document} {
		if short, ok := strings.CutSuffix(name, ending); ok {
			return short
		}
	}
	return name
}

// UUID reports whether a text begins with a UUID, the form of the programs' session ids.
func UUID(s string) bool {
	const form = "00000000-0000-0000-0000-000000000000"
	if len(s) < len(form) {
		return false
	}
	for i := range len(form) {
		if c := s[i]; form[i] == '-' && c != '-' || form[i] != '-' && !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return false
		}
	}
	return true
}

// Parts returns the names of the folders and the file in a path.
func Parts(path string) []string { return strings.Split(path, "/") }

// State is the state of a session after the last lines of its transcript.
type State string

// The states of a session. They are spelled like the states that hooks report.
const (
	Working State = "working"
	Waiting State = "waiting"
	Idle    State = "idle"
	Ended   State = "ended"
)

// Facts are the facts about a session in its transcript. The program wrote all texts. Times are
// in Unix milliseconds. An unknown fact is empty or 0.
type Facts struct {
	ID      string // the program's own id of the session
	Title   string // the title that the program or the person gave it
	Prompt  string // the first line of the first prompt
	Folder  string // where it works, as recorded last
	Branch  string
	Model   string
	Version string // of the program
	// Parent is the id of the session that started this one as a subagent, and Name is the name
	// that it gave the subagent.
	Parent, Name string
	// Alias is this session's name among the sessions that are not subagents.
	Alias string
	// Agents lists the subagents whose conversations are in the same file, in the order in which
	// they started.
	Agents []string

	Begun, Updated int64
	// Recorded is when tool calls were last recorded, for a program that records calls only when
	// they end: the transcript contains all calls that began earlier. It is 0 for other programs.
	Recorded int64
	// Interrupted is when the person last ended a turn, or 0. Stored lists omit it.
	Interrupted int64 `json:"-"`
	State       State
	// For is what a waiting session waits for.
	For string
	// Last is the agent's last text, on one line.
	Last string
}

// Message is one message of a conversation.
type Message struct {
	atsf.Message
	// Offset is the byte offset of the message's first line in the transcript. Part is the
	// message's number, from 0, among the messages that begin in that line.
	Offset int64
	Part   int
	// From and To are the sender and receiver of a message between agents. Both are empty in
	// messages of the person, the program and the session's own agent.
	From, To string
	// Sent is the program's own id of a message to another session. Lost is why the message did
	// not arrive there, if that is known.
	Sent, Lost string
	// Started maps the ids of tool calls to the sessions of the subagents that they started.
	Started map[string]string
	// Gap is why a line could not be read. If it is set, the message has no other content.
	Gap string
	// repeats counts the identical notes that directly followed this one.
	repeats int
}

// Log is the conversation in a transcript, or in a range of its lines.
type Log struct {
	Facts
	Messages []Message
	// Agent selects the conversation to read if a file has several: a subagent's id, or "" for
	// the main conversation.
	Agent string
	// Own is a format's state between lines. It is nil at first.
	Own any
	// Records counts the lines that were JSON objects, and Broken the others.
	Records, Broken int

	offset    int64
	began     bool           // a line was read
	fromStart bool           // the first line read is the first of the transcript
	byID      map[string]int // the indexes of messages, by their ids
	latest    int            // the index of the message that FindOrAdd returned last
	calls     map[string]callPosition
	open      int // how many calls have not ended
	titleRank int
	// touched lists the messages that the last line belongs to. missed lists the ids of calls that
	// the last line refers to and whose message was not read.
	touched []int
	missed  []string
}

// callPosition is the position of a tool call.
type callPosition struct{ message, tool int }

// Line reads one line, without its \n, that starts at offset. Lines must be read in order, but
// may begin anywhere in the transcript.
func (l *Log) Line(f *Format, offset int64, line []byte) {
	if !l.began {
		l.began, l.fromStart = true, offset == 0
	}
	l.offset, l.touched, l.missed = offset, l.touched[:0], l.missed[:0]
	if line = trim(line); len(line) == 0 {
		return
	}
	f.Read(l, line)
}

// Record reads a line into the value that into points to, as [fields.Read] does. A line that is
// not a JSON object becomes a gap, and the value must not be used.
func (l *Log) Record(line []byte, into any) bool {
	bad := canon.CheckUTF8(line, "the line", "")
	if bad == nil {
		bad = canon.ObjectFault(line, fields.Object(line, into), "the line", "")
	}
	if bad != nil {
		l.Broken++
		l.gap(bad.Reason)
		return false
	}
	l.Records++
	return true
}

// trim removes a trailing carriage return, and the zeros that a power cut can leave before the
// next record.
func trim(line []byte) []byte {
	line = Unmarked(bytes.TrimLeft(line, "\x00"))
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// Unmarked removes the byte order mark that editors and scripts on Windows put before UTF-8.
func Unmarked(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

func (l *Log) gap(reason string) {
	l.begin(Message{Gap: reason})
}

// Gap adds a message with the reason why the text at offset was not read.
func (l *Log) Gap(offset int64, reason string) {
	l.offset = offset
	l.gap(reason)
}

// Open reports whether any tool call has not ended.
func (l *Log) Open() bool { return l.open > 0 }

// Whole reports whether the transcript was read from its first line. If so, no id that is unknown
// can occur in an earlier line.
func (l *Log) Whole() bool { return l.fromStart }

// Touched returns the indexes of the messages to which the last line belongs, possibly with
// repeats, and whether the line refers to a tool call before the lines read. The list is valid
// until the next line.
func (l *Log) Touched() (messages []int, missed bool) {
	return l.touched, slices.ContainsFunc(l.missed, func(id string) bool { _, ok := l.calls[id]; return !ok })
}

// Touch records that the line belongs to a message that the format found without [Log.Lookup].
func (l *Log) Touch(m *Message) { l.touched = append(l.touched, l.index(m)) }

// Lookup returns the message with the id, or nil. It records that the line belongs to it.
func (l *Log) Lookup(id string) *Message {
	if i := l.Find(id); i >= 0 {
		l.touched = append(l.touched, i)
		return &l.Messages[i]
	}
	return nil
}

// FindOrAdd returns the message with the id, or adds one at the current line. A message without an
// id is always new. The result is valid until the next message is added.
func (l *Log) FindOrAdd(id, role string, at int64) *Message {
	l.RecordTime(at)
	if i, ok := l.byID[id]; ok && id != "" {
		l.latest, l.touched = i, append(l.touched, i)
		return &l.Messages[i]
	}
	l.latest = len(l.Messages)
	if id != "" {
		if l.byID == nil {
			l.byID = make(map[string]int)
		}
		l.byID[id] = len(l.Messages)
	}
	return l.begin(Message{Message: atsf.Message{ID: id, Role: role, Time: Time(at)}})
}

// begin adds a message at the current line.
func (l *Log) begin(m Message) *Message {
	m.Offset = l.offset
	if n := len(l.Messages); n > 0 && l.Messages[n-1].Offset == l.offset {
		m.Part = l.Messages[n-1].Part + 1
	}
	l.touched = append(l.touched, len(l.Messages))
	l.Messages = append(l.Messages, m)
	return &l.Messages[len(l.Messages)-1]
}

// Find returns the index of the message with the id, or -1.
func (l *Log) Find(id string) int {
	if i, ok := l.byID[id]; ok {
		return i
	}
	return -1
}

// Rewrite empties the message with the id, for a transcript that repeats it. Its position stays.
// If there is none, Rewrite adds one as [Log.FindOrAdd] does.
func (l *Log) Rewrite(id, role string, at int64) *Message {
	m := l.FindOrAdd(id, role, at)
	for i := range m.Tools {
		if !ended(&m.Tools[i]) {
			l.open--
		}
		delete(l.calls, m.Tools[i].ID)
	}
	m.Message = atsf.Message{ID: id, Role: role, Time: m.Time}
	m.Started = nil
	return m
}

// Note adds a note. If the last message is the same note, Note only counts the repetition.
func (l *Log) Note(at int64, text string) {
	if n := len(l.Messages); n > 0 {
		if last := &l.Messages[n-1]; last.note() == text {
			last.repeats++
			return
		}
	}
	m := l.FindOrAdd("", atsf.RoleSystem, at)
	m.add(atsf.Block{Type: TypeNote, Text: text})
}

// Lose records that a message to another session did not arrive, and why.
func (m *Message) Lose(why string) {
	m.Lost = why
	m.Remark("it was not delivered: " + why)
}

// Remark adds a note about the message's outcome to it.
func (m *Message) Remark(text string) { m.add(atsf.Block{Type: TypeNote, Text: text}) }

// Unknown adds a note about a record of an unknown kind.
func (l *Log) Unknown(at int64, kind string) {
	l.Note(at, "a record of an unknown kind: "+excerpt.Quote(kind))
}

func (m *Message) note() string {
	if len(m.Content) == 1 && m.Content[0].Type == TypeNote {
		return m.Content[0].Text
	}
	return ""
}

// Repeats returns how many identical notes directly followed this one.
func (m *Message) Repeats() int { return m.repeats }

func (m *Message) add(b atsf.Block) {
	b.Known = b.Type != TypeNote
	m.Content = append(m.Content, b)
	m.Blocks = len(m.Content)
}

// Text adds a block of text, unless it is empty.
func (m *Message) Text(s string) { m.text(atsf.TypeText, s) }

// Think adds a block of thinking, unless it is empty.
func (m *Message) Think(s string) { m.text(atsf.TypeThinking, s) }

func (m *Message) text(kind, s string) {
	if s != "" {
		m.add(atsf.Block{Type: kind, Text: s})
	}
}

// Image adds an image with base64 data, unless the data would need escapes in a JSON string.
func (m *Message) Image(mime, base64 string) {
	if base64 == "" || strings.ContainsAny(base64, "\"\\\n\r") {
		return
	}
	m.add(atsf.Block{Type: atsf.TypeImage, MimeType: mime, Inline: []byte(`"` + base64 + `"`)})
}

// Call adds a tool call at the end of a message of the log, and a block that refers to it. A call
// without a status is running. If the log has a call with that id, Call does nothing.
func (l *Log) Call(m *Message, c atsf.ToolCall) {
	if _, ok := l.calls[c.ID]; ok && c.ID != "" {
		return
	}
	if c.Status == "" {
		c.Status = atsf.Running.String()
	}
	if !ended(&c) {
		l.open++
	}
	m.Tools = append(m.Tools, c)
	m.ToolCalls = len(m.Tools)
	m.add(atsf.Block{Type: atsf.TypeToolCallRef, ToolCallID: c.ID})
	if l.calls == nil {
		l.calls = make(map[string]callPosition)
	}
	l.calls[c.ID] = callPosition{l.index(m), len(m.Tools) - 1}
}

// Changed sets the diffs of the files that the tool call with the id changed; an empty list means
// no files. A call has only one diff, so each file after the first becomes a separate call after
// it, with the same status. Files beyond [MaxFiles] are left out.
func (l *Log) Changed(id string, diffs []*atsf.Diff) {
	first, m := l.FindCall(id)
	if first == nil {
		return
	}
	diffs = diffs[:min(len(diffs), MaxFiles)]
	if first.Diff = nil; len(diffs) > 0 {
		first.Diff = diffs[0]
	}
	before, copied := id, *first
	copied.Title, copied.Input, copied.Output, copied.HasInput, copied.HasOutput = "", "", "", false, false
	copied.Duration, copied.Locations = -1, nil
	for i := 1; ; i++ {
		copied.ID, copied.Diff = id+"~"+strconv.Itoa(i+1), nil
		if i < len(diffs) {
			copied.Diff, copied.Title = diffs[i], FirstLine(diffs[i].Path)
		}
		existing, _ := l.FindCall(copied.ID)
		switch {
		case existing != nil:
			existing.Status, existing.Diff, existing.Title = copied.Status, copied.Diff, cmp.Or(copied.Title, existing.Title)
		case copied.Diff == nil:
			return
		default:
			l.callAfter(m, before, copied)
		}
		before = copied.ID
	}
}

// callAfter adds the ended call c to m, and a block that refers to it after the block of the call
// with the id.
func (l *Log) callAfter(m *Message, id string, c atsf.ToolCall) {
	at := l.calls[id].message
	m.Tools = append(m.Tools, c)
	m.ToolCalls = len(m.Tools)
	l.calls[c.ID] = callPosition{at, len(m.Tools) - 1}
	block := atsf.Block{Type: atsf.TypeToolCallRef, ToolCallID: c.ID, Known: true}
	i := slices.IndexFunc(m.Content, func(b atsf.Block) bool { return b.ToolCallID == id })
	m.Content = slices.Insert(m.Content, i+1, block)
	m.Blocks = len(m.Content)
}

// ForgetCall removes the id of a tool call, so that a new call can have it.
func (l *Log) ForgetCall(id string) { delete(l.calls, id) }

// index returns the index of a message of the log.
func (l *Log) index(m *Message) int {
	if &l.Messages[l.latest] == m {
		return l.latest
	}
	for i := len(l.Messages) - 1; i > 0; i-- {
		if &l.Messages[i] == m {
			return i
		}
	}
	return 0
}

// End sets the state of the tool call with the id, and returns the call and its message, so that
// the caller can add the result. It returns nil if the call is before the lines read.
func (l *Log) End(id string, state atsf.State) (*atsf.ToolCall, *Message) {
	c, m := l.FindCall(id)
	if c == nil {
		return nil, nil
	}
	wasEnded := ended(c)
	c.Status = state.String()
	if !wasEnded && ended(c) {
		l.open--
	}
	return c, m
}

// FindCall returns the tool call with the id and its message, or nil.
func (l *Log) FindCall(id string) (*atsf.ToolCall, *Message) {
	at, ok := l.calls[id]
	if !ok {
		l.missed = append(l.missed, id)
		return nil, nil
	}
	l.touched = append(l.touched, at.message)
	m := &l.Messages[at.message]
	return &m.Tools[at.tool], m
}

func ended(c *atsf.ToolCall) bool {
	s := c.State()
	return s == atsf.Completed || s == atsf.Failed
}

// Start records that a tool call of the message started a subagent with that session id.
func (m *Message) Start(call, session string) {
	if m.Started == nil {
		m.Started = make(map[string]string)
	}
	m.Started[call] = session
}

// RecordTime extends the session's time range to a time at which something happened.
func (l *Log) RecordTime(at int64) {
	if at == 0 {
		return
	}
	if l.Begun == 0 || at < l.Begun {
		l.Begun = at
	}
	l.Updated = max(l.Updated, at)
}

// Prompted records a prompt by the person. The first prompt becomes the title of an untitled
// session. The agent is working from then on.
func (l *Log) Prompted(text string) {
	if l.Prompt == "" {
		l.Prompt = FirstLine(text)
	}
	l.SetState(Working, "")
}

// SetTitle sets the session's title, unless it has one of a higher rank: if the program repeats its
// own title, the person's title stays.
func (l *Log) SetTitle(rank int, title string) {
	if title = FirstLine(title); title != "" && rank >= l.titleRank {
		l.Title, l.titleRank = title, rank
	}
}

// SetLast records the agent's last text.
func (l *Log) SetLast(text string) {
	if s := FirstLine(text); s != "" {
		l.Last = s
	}
}

// SetState sets the session's state and, if it waits, what it waits for.
func (l *Log) SetState(s State, what string) { l.State, l.For = s, what }

// FirstLine returns the first line of a text that is not blank, cut to a title's length. Secrets
// are masked before the cut, since a secret that is cut could not be recognised.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return excerpt.Head(secrets.Mask(line[:min(len(line), maxMasked)]), maxTitle)
		}
	}
	return ""
}

// Millis reads a time in RFC 3339, the form of all four programs. It returns 0 for any other
// text.
func Millis(s string) int64 {
	n, _, ok := isotime.Parse(s)
	if !ok {
		return 0
	}
	return n
}

// Time returns a message's time from Unix milliseconds, or no time for 0.
func Time(at int64) atsf.Time {
	if at == 0 {
		return atsf.Time{}
	}
	return atsf.Time{Text: isotime.Format(at), Millis: at, OK: true}
}
