// Package session reads the transcripts that agents' programs write of their own sessions, and
// translates them into the terms of ATSF: messages, content blocks, tool calls.
//
// Each program has a package below this one that exports a [Format]. A [Log] reads the lines of a
// transcript, or of a range of it, and holds the conversation in them. No program documents its
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

// Held begins the text from Signalbox's hook to an agent that is about to stop, and Waits ends
// its first sentence. If a program records that text as the person's prompt, these words
// distinguish it from a prompt.
const (
	Held  = "Before you stop: "
	Waits = " for you ("
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
	// Outputs lists texts, one of which occurs in each record with a tool's output. Such a record
	// adds nothing about the session that the records around it lack.
	Outputs []string
	// Resume returns the command that resumes the session with the id.
	Resume func(id string) []string
	// Trace returns how far a message from another session came, by a line of the receiver's
	// transcript. It is nil if sessions cannot send each other messages.
	Trace func(line []byte, sent *Message) Trace
	// Called returns the input of a call exactly as in the line with that call. ok is false for
	// any other line. It is nil if it is not needed.
	Called func(line []byte, id string) (input string, ok bool)
	// Call returns a running call that a hook reported, from the tool's name and the JSON text of
	// its arguments. It is nil if transcripts contain the beginnings of calls.
	Call func(name string, args []byte) atsf.ToolCall
	// Place is where the transcripts are.
	Place Place
}

// IsOutput reports whether a line is a record with a tool's output.
func (f *Format) IsOutput(line []byte) bool {
	return slices.ContainsFunc(f.Outputs, func(text string) bool { return bytes.Contains(line, []byte(text)) })
}

// Trace is how far a message of another session came.
type Trace int

// The traces of a message in its receiver's transcript. If a session ends, the messages in its
// queue are lost.
const (
	NoTrace Trace = iota
	Queued
	Arrived
)

// Place is where a program keeps its transcripts. Its functions take paths relative to one of the
// transcript folders, with "/" between the names.
type Place struct {
	// Homes lists the folders of the program's files, relative to the person's home or to a
	// folder in an environment variable, as in "$XDG_CONFIG_HOME/claude". All existing ones are
	// used, since versions of a program differ.
	Homes []string
	// Env is an environment variable with further such folders, separated by commas. EnvBelow is
	// one with their parent folders.
	Env, EnvBelow string
	// Below lists the folders in them that contain transcripts.
	Below []string
	// Depth is how many folders deep transcripts are.
	Depth int
	// Holds reports whether a path is a transcript or, if folder is set, a folder that may
	// contain some.
	Holds func(path string, folder bool) bool
	// Lines converts a transcript that is one JSON document to lines for Read, and returns nil
	// for any other document. It is nil for programs without such transcripts.
	Lines func(document []byte) []byte
	// Odd reports whether a file is named like a session but is not a transcript that we can
	// read: it is probably one in another form.
	Odd func(path string) bool
	// Name returns the name of a transcript's thread, from its path. Two transcripts may
	// have the same.
	Name func(path string) string
	// Beside lists files with more facts about a transcript's session, and Tell reads one. Both
	// are nil if there are none.
	Beside func(path string) []string
	Tell   func(f *Facts, path string, data []byte)
}

// The file name extensions of transcripts: lines of JSON, the same compressed by zstd, and one
// JSON document.
const (
	Plain    = ".jsonl"
	Packed   = ".jsonl.zst"
	Document = ".json"
)

// File returns the last name in a path, without a transcript's extension.
func File(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, ending := range []string{Plain, Packed, Document} {
		if short, ok := strings.CutSuffix(name, ending); ok {
			return short
		}
	}
	return name
}

// UUID reports whether a text begins with an id of the form that the programs give their
// sessions.
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

// Parts returns the names in a path.
func Parts(path string) []string { return strings.Split(path, "/") }

// State is the state of a session after the last lines of its transcript.
type State string

// The states of a session. They have the same spelling as those reported by hooks.
const (
	Working State = "working"
	Waiting State = "waiting"
	Idle    State = "idle"
	Ended   State = "ended"
)

// Facts are what a transcript contains about its session. Texts are the program's own. Times are
// in Unix milliseconds. What is unknown is empty or 0.
type Facts struct {
	ID      string // the program's own id of the session
	Title   string // the title that the program or the person gave it
	Prompt  string // the first line of the first prompt
	Folder  string // where it works, as recorded last
	Branch  string
	Model   string
	Version string // the program's
	// Parent is the id of the session that started this one as a subagent, Name its name
	// there.
	Parent, Name string
	// Alias is this session's name among other sessions that are not subagents.
	Alias string
	// Agents lists the subagents whose conversations are in the same file, in the order of their
	// start.
	Agents []string

	Begun, Updated int64
	// Recorded is when tool calls were last recorded, for a program that records them once they
	// are over: calls that began earlier are in the transcript. Otherwise it is 0.
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
	// message's number, from 0, among those that begin in that line.
	Offset int64
	Part   int
	// From and To are the sender and receiver of a message between agents. Both are empty in
	// messages of the person, the program and the session's own agent.
	From, To string
	// Sent is the program's own id of a message to another session. Lost is why it did not arrive
	// there, if that is known.
	Sent, Lost string
	// Started maps the ids of tool calls to the sessions of the subagents that they started.
	Started map[string]string
	// Gap is why a line could not be read. If it is set, the message has no other content.
	Gap string
	// repeats counts identical notes that followed directly.
	repeats int
}

// Log is the conversation in a transcript, or in a range of its lines.
type Log struct {
	Facts
	Messages []Message
	// Agent selects the conversation to read if a file has several: a subagent's id, or empty for
	// the session's own.
	Agent string
	// Own holds a format's state between lines. It is nil at first.
	Own any
	// Records counts the lines that were JSON objects, and Broken the others.
	Records, Broken int

	offset int64
	began  bool           // a line was read
	whole  bool           // the first of them began the transcript
	at     map[string]int // messages by their ids
	said   int            // the index of the message that Say returned last
	calls  map[string]place
	open   int // how many calls have no end
	rank   int // of the title
	// touched lists the messages that the last line belongs to. missed is about calls in the last
	// line whose message was not read.
	touched []int
	missed  []string
}

// place is the position of a tool call.
type place struct{ message, tool int }

// Line reads one line, without its \n, that starts at offset. Lines must be read in order, but
// may begin anywhere in the transcript.
func (l *Log) Line(f *Format, offset int64, line []byte) {
	if !l.began {
		l.began, l.whole = true, offset == 0
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

// Gap adds a message that the text at offset was not read, and why.
func (l *Log) Gap(offset int64, reason string) {
	l.offset = offset
	l.gap(reason)
}

// Open reports whether any tool call has no end yet.
func (l *Log) Open() bool { return l.open > 0 }

// Whole reports whether the transcript was read from its first line. If so, an unknown id does
// not occur earlier.
func (l *Log) Whole() bool { return l.whole }

// Touched returns the messages to which the last line belongs, some of them twice, and whether
// the line is about a tool call before the lines read. The list is valid until the next line.
func (l *Log) Touched() (messages []int, missed bool) {
	return l.touched, slices.ContainsFunc(l.missed, func(id string) bool { _, ok := l.calls[id]; return !ok })
}

// Touch records that the line belongs to a message that the format found by itself.
func (l *Log) Touch(m *Message) { l.touched = append(l.touched, l.index(m)) }

// Said returns the message with the id, or nil.
func (l *Log) Said(id string) *Message {
	if i := l.Find(id); i >= 0 {
		l.touched = append(l.touched, i)
		return &l.Messages[i]
	}
	return nil
}

// Say returns the message with the id, or adds one at the current line. A message without an id
// is always new. The result is valid until the next message is added.
func (l *Log) Say(id, role string, at int64) *Message {
	l.Heard(at)
	if i, ok := l.at[id]; ok && id != "" {
		l.said, l.touched = i, append(l.touched, i)
		return &l.Messages[i]
	}
	l.said = len(l.Messages)
	if id != "" {
		if l.at == nil {
			l.at = make(map[string]int)
		}
		l.at[id] = len(l.Messages)
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
	if i, ok := l.at[id]; ok {
		return i
	}
	return -1
}

// Rewrite empties the message with the id, which the transcript repeats, and keeps its position.
// If there is none, it adds one as [Log.Say] does.
func (l *Log) Rewrite(id, role string, at int64) *Message {
	m := l.Say(id, role, at)
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

// Note adds a note of the program. If the same note follows directly, it is counted instead
// of added.
func (l *Log) Note(at int64, text string) {
	if n := len(l.Messages); n > 0 {
		if last := &l.Messages[n-1]; last.note() == text {
			last.repeats++
			return
		}
	}
	m := l.Say("", atsf.RoleSystem, at)
	m.add(atsf.Block{Type: TypeNote, Text: text})
}

// Lose records that a message to another session did not arrive, and why.
func (m *Message) Lose(why string) {
	m.Lost = why
	m.Remark("it was not delivered: " + why)
}

// Remark adds a note about the message's outcome to it.
func (m *Message) Remark(text string) { m.add(atsf.Block{Type: TypeNote, Text: text}) }

// Unknown notes a record of an unknown kind.
func (l *Log) Unknown(at int64, kind string) {
	l.Note(at, "a record of an unknown kind: "+excerpt.Quote(kind))
}

func (m *Message) note() string {
	if len(m.Content) == 1 && m.Content[0].Type == TypeNote {
		return m.Content[0].Text
	}
	return ""
}

// Repeats returns how many more times a note was repeated directly.
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

// Call adds a tool call at the end of a message from [Log.Say], and the block that refers to it.
// A call without a status is running. An existing call is not changed.
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
		l.calls = make(map[string]place)
	}
	l.calls[c.ID] = place{l.index(m), len(m.Tools) - 1}
}

// Changed sets the files that the tool call with the id changed; no diffs means none. A call has
// only one diff, so each file after the first becomes a call of its own behind it, with the same
// end. Files beyond [MaxFiles] are left out.
func (l *Log) Changed(id string, diffs []*atsf.Diff) {
	first, m := l.Called(id)
	if first == nil {
		return
	}
	diffs = diffs[:min(len(diffs), MaxFiles)]
	if first.Diff = nil; len(diffs) > 0 {
		first.Diff = diffs[0]
	}
	before, made := id, *first
	made.Title, made.Input, made.Output, made.HasInput, made.HasOutput = "", "", "", false, false
	made.Duration, made.Locations = -1, nil
	for i := 1; ; i++ {
		made.ID, made.Diff = id+"~"+strconv.Itoa(i+1), nil
		if i < len(diffs) {
			made.Diff, made.Title = diffs[i], FirstLine(diffs[i].Path)
		}
		was, _ := l.Called(made.ID)
		switch {
		case was != nil:
			was.Status, was.Diff, was.Title = made.Status, made.Diff, cmp.Or(made.Title, was.Title)
		case made.Diff == nil:
			return
		default:
			l.callAfter(m, before, made)
		}
		before = made.ID
	}
}

// callAfter adds an ended tool call, and the block that refers to it behind another one's.
func (l *Log) callAfter(m *Message, id string, c atsf.ToolCall) {
	at := l.calls[id].message
	m.Tools = append(m.Tools, c)
	m.ToolCalls = len(m.Tools)
	l.calls[c.ID] = place{at, len(m.Tools) - 1}
	block := atsf.Block{Type: atsf.TypeToolCallRef, ToolCallID: c.ID, Known: true}
	i := slices.IndexFunc(m.Content, func(b atsf.Block) bool { return b.ToolCallID == id })
	m.Content = slices.Insert(m.Content, i+1, block)
	m.Blocks = len(m.Content)
}

// Reuse allows a new tool call with the id of an earlier one.
func (l *Log) Reuse(id string) { delete(l.calls, id) }

// index returns the index of a message of the log.
func (l *Log) index(m *Message) int {
	if &l.Messages[l.said] == m {
		return l.said
	}
	for i := len(l.Messages) - 1; i > 0; i-- {
		if &l.Messages[i] == m {
			return i
		}
	}
	return 0
}

// End sets the end state of the tool call with the id, and returns the call and its message, so
// that the caller can add its result. It returns nil if the call is before the lines read.
func (l *Log) End(id string, state atsf.State) (*atsf.ToolCall, *Message) {
	c, m := l.Called(id)
	if c == nil {
		return nil, nil
	}
	was := ended(c)
	c.Status = state.String()
	if !was && ended(c) {
		l.open--
	}
	return c, m
}

// Called returns the tool call with the id and its message, or nil.
func (l *Log) Called(id string) (*atsf.ToolCall, *Message) {
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

// Heard records a time at which something happened.
func (l *Log) Heard(at int64) {
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
	l.Be(Working, "")
}

// Titled sets the session's title, unless it has one of a higher rank: the person's title stays
// when the program writes its own again.
func (l *Log) Titled(rank int, title string) {
	if title = FirstLine(title); title != "" && rank >= l.rank {
		l.Title, l.rank = title, rank
	}
}

// Spoke records the agent's last text.
func (l *Log) Spoke(text string) {
	if s := FirstLine(text); s != "" {
		l.Last = s
	}
}

// Be sets the session's state and, if it waits, what it waits for.
func (l *Log) Be(s State, what string) { l.State, l.For = s, what }

// FirstLine returns the first line of a text that is not blank, cut to a title's length. Secrets
// are masked before the cut, since the rest of a cut secret could not be recognised.
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

// Time returns a message's time from Unix milliseconds. 0 means no time.
func Time(at int64) atsf.Time {
	if at == 0 {
		return atsf.Time{}
	}
	return atsf.Time{Text: isotime.Format(at), Millis: at, OK: true}
}
