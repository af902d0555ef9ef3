// Package session reads the transcripts that agents' programs write of their own
// sessions, and says them in the terms of ATSF: messages, content blocks, tool calls.
//
// Each program has a package below this one that exports a [Format]. A [Log] is fed the
// lines of a transcript, or of any stretch of one, and holds the conversation in them. No
// program documents its format: what each record means was seen in files of real runs, a
// record that is not known becomes a note, and nothing is an error.
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

// TypeNote is the type of a block that tells, in Text, what happened to a session, such
// as that it was resumed. ATSF has no such block.
const TypeNote = "note"

// MaxFiles is how many changes to files are shown of one tool call.
const MaxFiles = 100

// Held begins what a hook of Signalbox's tells an agent that is about to stop, and Waits
// ends its first sentence. Where a program records it as the person's prompt, these words
// tell it from one.
const (
	Held  = "Before you stop: "
	Waits = " for you ("
)

// maxMasked is how much of a line is looked through for secrets before it is cut to a title.
const maxMasked = 8 << 10

// maxTitle is the length of a title in bytes; longer ones are cut.
const maxTitle = 200

// Format is what one program's transcripts look like.
type Format struct {
	// Client is the program: claude, codex, gemini or copilot.
	Client string
	// Title is the program's name for people, such as "Claude Code".
	Title string
	// Read adds to the log what one line means. It begins with [Log.Record].
	Read func(l *Log, line []byte)
	// Twin returns the id of a record that may stand twice in a transcript, and whether the
	// line is a copy from another session's, which is the one that counts. It is nil where no
	// record stands twice.
	Twin func(line []byte) (id string, copied bool)
	// Outputs are texts of which each record with a tool's output has one. Such a record tells
	// nothing of the session that the records around it do not.
	Outputs []string
	// Resume returns the command that goes on with a session, by its id.
	Resume func(id string) []string
	// Trace says what a line of a transcript tells of a message that another session sent. It is
	// nil where sessions send each other nothing.
	Trace func(line []byte, sent *Message) Trace
	// Called returns what a call does, exactly as a line that has the call says it. ok is false for
	// another line. It is nil where nobody asks for it.
	Called func(line []byte, id string) (input string, ok bool)
	// Call returns a call that a hook tells of while it runs, from the tool's name and the
	// JSON text of its arguments. It is nil where transcripts have the beginnings of calls
	// themselves.
	Call func(name string, args []byte) atsf.ToolCall
	// Place says where its transcripts lie.
	Place Place
}

// IsOutput reports whether a line is a record with a tool's output.
func (f *Format) IsOutput(line []byte) bool {
	return slices.ContainsFunc(f.Outputs, func(text string) bool { return bytes.Contains(line, []byte(text)) })
}

// Trace is how far a message of another session came.
type Trace int

// The traces of a message in its receiver's transcript. What waits in the queue of a session
// that ends is lost.
const (
	NoTrace Trace = iota
	Queued
	Arrived
)

// Place is where a program keeps its transcripts. Paths that its functions are given are
// relative to one of the folders that hold them, with "/" between the names.
type Place struct {
	// Homes are the folders of the program's files, in the person's home, or in a folder
	// that a variable names, as in "$XDG_CONFIG_HOME/claude". All that are there count:
	// versions of a program use different ones.
	Homes []string
	// Env is a variable that names further such folders, with commas between them, or
	// with EnvBelow the folders in which these are.
	Env, EnvBelow string
	// Below are the folders in them that hold transcripts.
	Below []string
	// Depth is how many folders deep transcripts lie.
	Depth int
	// Holds reports whether a path is a transcript or, if folder is set, a folder that
	// may hold some.
	Holds func(path string, folder bool) bool
	// Lines returns a transcript that is one JSON document as lines that Read reads, or nil
	// where it is none. It is nil for programs that have no such transcripts.
	Lines func(document []byte) []byte
	// Odd reports whether a file that is no transcript has the name of a session, so that
	// it is one in a form that is not read.
	Odd func(path string) bool
	// Name returns the name of a transcript's thread, from its path. Two transcripts may
	// have the same.
	Name func(path string) string
	// Beside lists files that say more of a transcript's session, and Tell reads one.
	// Both are nil where there are none.
	Beside func(path string) []string
	Tell   func(f *Facts, path string, data []byte)
}

// The endings of transcripts: lines of JSON, the same packed by zstd, and one JSON document.
const (
	Plain    = ".jsonl"
	Packed   = ".jsonl.zst"
	Document = ".json"
)

// File returns the last name in a path, without the ending of transcripts.
func File(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for _, ending := range []string{Plain, Packed, Document} {
		if short, ok := strings.CutSuffix(name, ending); ok {
			return short
		}
	}
	return name
}

// UUID reports whether a text begins with an id as the programs give their sessions.
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

// State says what the last lines of a transcript leave a session at.
type State string

// The states of a session. They are spelled as those of sessions that hooks tell of.
const (
	Working State = "working"
	Waiting State = "waiting"
	Idle    State = "idle"
	Ended   State = "ended"
)

// Facts are what a transcript says of its session. Texts are the program's own and empty
// where it said nothing; times are Unix milliseconds, and 0.
type Facts struct {
	ID      string // the program's own id of the session
	Title   string // the title that the program or the person gave it
	Prompt  string // the first line of the first prompt
	Folder  string // where it works, as it said last
	Branch  string
	Model   string
	Version string // the program's
	// Parent is the id of the session that started this one as a subagent, Name what it
	// is called there.
	Parent, Name string
	// Alias is what other sessions, which are no subagents, call this one.
	Alias string
	// Agents are the subagents whose conversations stand in the same file, in the order
	// in which they began.
	Agents []string

	Begun, Updated int64
	// Recorded is when tool calls were last written down, of a program that writes them
	// once they are over: calls that began before are in the transcript. Otherwise it is 0.
	Recorded int64
	// Interrupted is when the person last ended a turn, or 0. Lists are kept without it.
	Interrupted int64 `json:"-"`
	State       State
	// For is what a session that waits, waits for.
	For string
	// Last is the last that the agent said, on one line.
	Last string
}

// Message is one message of a conversation.
type Message struct {
	atsf.Message
	// Offset is where the message's first line starts in the transcript, in bytes, and Part
	// its number, from 0, among the messages that begin in that line.
	Offset int64
	Part   int
	// From and To are the agents between whom one client carried the message. Both are
	// empty in what the person, the program and the session's own agent say.
	From, To string
	// Sent is the program's own id of a message that it took to another session, and Lost why
	// it did not arrive there, where that is known.
	Sent, Lost string
	// Started are the sessions of the subagents that the tool calls started, by the
	// calls' ids.
	Started map[string]string
	// Gap says why a line could not be read; the message is nothing else then.
	Gap string
	// repeats counts the same notes that followed at once.
	repeats int
}

// Log is the conversation in a stretch of a transcript.
type Log struct {
	Facts
	Messages []Message
	// Agent says whose conversation is read, of those in one file: a subagent's id, or
	// empty for the session's own.
	Agent string
	// Own is what a format keeps of the lines before for the next ones. It is nil at first.
	Own any
	// Records counts the lines that were JSON objects, and Broken those that were something
	// else.
	Records, Broken int

	offset int64
	began  bool           // a line was read
	whole  bool           // the first of them began the transcript
	at     map[string]int // messages by their ids
	said   int            // the message that Say returned last
	calls  map[string]place
	open   int // how many calls have no end
	rank   int // of the title
	// touched are the messages that the line read last belongs to, and missed the calls
	// without a message that it tells of.
	touched []int
	missed  []string
}

// place is where a tool call stands.
type place struct{ message, tool int }

// Line reads one line, without its \n, that starts at offset. Lines are read in their
// order; a stretch may begin at any line.
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

// Record reads a line into what a pointer points to, as [fields.Read] does. A line that is no
// JSON object is a gap, and nothing that was read of it counts.
func (l *Log) Record(line []byte, into any) bool {
	bad := canon.CheckUTF8(line, "the line", "")
	if bad == nil {
		bad = canon.NoObject(line, fields.Object(line, into), "the line", "")
	}
	if bad != nil {
		l.Broken++
		l.gap(bad.Reason)
		return false
	}
	l.Records++
	return true
}

// trim takes off the end of a line on Windows, and the zeros that a power cut can leave
// before what was written next.
func trim(line []byte) []byte {
	line = Unmarked(bytes.TrimLeft(line, "\x00"))
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// Unmarked takes off the mark that editors and scripts on Windows put before UTF-8.
func Unmarked(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

func (l *Log) gap(reason string) {
	l.begin(Message{Gap: reason})
}

// Gap tells that what stands at offset was not read, and why.
func (l *Log) Gap(offset int64, reason string) {
	l.offset = offset
	l.gap(reason)
}

// Open reports whether a tool call is still without its end.
func (l *Log) Open() bool { return l.open > 0 }

// Whole reports whether the transcript was read from its first line on: an id that is not
// known then stands nowhere before.
func (l *Log) Whole() bool { return l.whole }

// Touched returns the messages to which the line read last belongs, some of them twice, and
// whether it tells of a tool call that stands before what was read. The list is good until the
// next line.
func (l *Log) Touched() (messages []int, missed bool) {
	return l.touched, slices.ContainsFunc(l.missed, func(id string) bool { _, ok := l.calls[id]; return !ok })
}

// Touch tells that the line belongs to a message of the log, where a format found it by itself.
func (l *Log) Touch(m *Message) { l.touched = append(l.touched, l.index(m)) }

// Said returns the message with the id, or nil.
func (l *Log) Said(id string) *Message {
	if i := l.Find(id); i >= 0 {
		l.touched = append(l.touched, i)
		return &l.Messages[i]
	}
	return nil
}

// Say returns the message with the id, or adds one at the current line. A message
// without an id is always a new one. The result is good until the next message is
// added.
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

// Find returns the place of the message with the id, or -1.
func (l *Log) Find(id string) int {
	if i, ok := l.at[id]; ok {
		return i
	}
	return -1
}

// Rewrite empties the message with the id, which the transcript writes once more, and
// keeps its place; or adds it as [Log.Say] does.
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

// Note adds a note of the program's on what happened. The same note again at once is
// counted, not repeated.
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

// Lose tells that a message to another session did not arrive, and why.
func (m *Message) Lose(why string) {
	m.Lost = why
	m.Remark("it was not delivered: " + why)
}

// Remark adds a note to a message on what became of it.
func (m *Message) Remark(text string) { m.add(atsf.Block{Type: TypeNote, Text: text}) }

// Unknown notes a record that no version seen so far has written.
func (l *Log) Unknown(at int64, kind string) {
	l.Note(at, "a record of an unknown kind: "+excerpt.Quote(kind))
}

func (m *Message) note() string {
	if len(m.Content) == 1 && m.Content[0].Type == TypeNote {
		return m.Content[0].Text
	}
	return ""
}

// Repeats returns how many more times a note came at once.
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

// Image adds an image by its base64 data, unless a JSON string could not hold that as it
// is.
func (m *Message) Image(mime, base64 string) {
	if base64 == "" || strings.ContainsAny(base64, "\"\\\n\r") {
		return
	}
	m.add(atsf.Block{Type: atsf.TypeImage, MimeType: mime, Inline: []byte(`"` + base64 + `"`)})
}

// Call adds a tool call at the end of a message that [Log.Say] returned, and the block
// that refers to it. A call without a status is running. A call that is there already is
// left as it is.
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

// Changed tells what the tool call with the id changed, or with no diffs that it changed
// nothing. A call has one diff, so that each file but the first stands behind it as a call
// of its own, which has ended as the first one did. Of more than [MaxFiles] the rest is
// passed over.
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

// Reuse lets another tool call have the id of one before.
func (l *Log) Reuse(id string) { delete(l.calls, id) }

// index returns the place of a message of the log.
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

// End returns the tool call with the id and its message, for the record of how it ended,
// and sets its state. It returns nil if the call stands before what was read.
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

// Start tells that a tool call of the message started a subagent, whose session has the
// id.
func (m *Message) Start(call, session string) {
	if m.Started == nil {
		m.Started = make(map[string]string)
	}
	m.Started[call] = session
}

// Heard tells of a time at which something happened.
func (l *Log) Heard(at int64) {
	if at == 0 {
		return
	}
	if l.Begun == 0 || at < l.Begun {
		l.Begun = at
	}
	l.Updated = max(l.Updated, at)
}

// Prompted tells of a prompt of the person's: the first gives an untitled session its
// title, and the agent works on it.
func (l *Log) Prompted(text string) {
	if l.Prompt == "" {
		l.Prompt = FirstLine(text)
	}
	l.Be(Working, "")
}

// Titled gives the session a title, unless it has one of a higher rank: what the person
// called it stays when the program writes its own title again.
func (l *Log) Titled(rank int, title string) {
	if title = FirstLine(title); title != "" && rank >= l.rank {
		l.Title, l.rank = title, rank
	}
}

// Spoke tells what the agent said.
func (l *Log) Spoke(text string) {
	if s := FirstLine(text); s != "" {
		l.Last = s
	}
}

// Be sets what the session does, and what for if it waits.
func (l *Log) Be(s State, what string) { l.State, l.For = s, what }

// FirstLine returns the first line of a text that is not blank, cut to a title's length and
// without secrets: what is left of one that was cut could not be known.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			return excerpt.Head(secrets.Mask(line[:min(len(line), maxMasked)]), maxTitle)
		}
	}
	return ""
}

// Millis reads a time as all four programs write it, in RFC 3339. It returns 0 for any
// other text.
func Millis(s string) int64 {
	n, _, ok := isotime.Parse(s)
	if !ok {
		return 0
	}
	return n
}

// Time returns a time in Unix milliseconds as a message has it. 0 is no time.
func Time(at int64) atsf.Time {
	if at == 0 {
		return atsf.Time{}
	}
	return atsf.Time{Text: isotime.Format(at), Millis: at, OK: true}
}
