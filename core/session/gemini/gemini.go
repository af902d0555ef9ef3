// Package gemini reads the chats that Gemini CLI records. Start at [Format].
//
// A chat is a log of changes. A message is written again, in full and with the same id, whenever
// more of it is known. {"$set": …} changes the program's data about the session. Its member
// "messages" is the whole history that the model is sent: after a compaction it is shorter, and it
// may have new ids for the same messages. Messages that a history omits stay in our log.
package gemini

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// Format returns the description of Gemini CLI's chats.
func Format() *session.Format {
	return &session.Format{
		Client: "gemini",
		Title:  "Gemini CLI",
		Read:   read,
		Resume: func(id string) []string { return []string{"gemini", "--resume", id} },
		Call:   runningCall,
		Place: session.Place{
			Homes: []string{".gemini"}, Env: "GEMINI_CLI_HOME", EnvBelow: ".gemini", Below: []string{"tmp"},
			Depth:  3,
			Holds:  accepts,
			Odd:    namedLikeSession,
			Lines:  lines,
			Name:   session.File,
			Beside: func(path string) []string { return []string{session.Parts(path)[0] + rootFile} },
			ReadBeside: func(f *session.Facts, _ string, data []byte) {
				f.Folder = strings.TrimSpace(string(session.Unmarked(data)))
			},
		},
	}
}

// rootFile contains the path of the project to which a folder of chats belongs.
const rootFile = "/.project_root"

// accepts reports whether a path is <project>/chats/session-*.jsonl or .json, or a subagent's chat
// in a folder with the id of its parent's session.
func accepts(path string, folder bool) bool {
	names := session.Parts(path)
	if len(names) > 1 && names[1] != "chats" {
		return false
	}
	if folder {
		return len(names) <= 3
	}
	last := names[len(names)-1]
	return strings.HasSuffix(last, session.Plain) && (len(names) == 4 || namedLikeSession(path)) || strings.HasSuffix(last, session.Document) && namedLikeSession(path)
}

func namedLikeSession(path string) bool {
	names := session.Parts(path)
	return len(names) == 3 && names[1] == "chats" && strings.HasPrefix(names[2], "session-") && !strings.Contains(names[2], ".tmp")
}

// phase is the meaning of the previous lines for the next ones.
type phase string

const (
	// opened: a program has opened the file again, and a note was added.
	opened phase = "opened"
	// reopened: the program has written the session's id again. It does so when it opens the file
	// again, and before a compaction.
	reopened phase = "reopened"
	// rewriting: the program writes earlier messages again with new ids, until it sets the history.
	rewriting phase = "again"
)

// phaseOf returns the log's phase, which is empty at first.
func phaseOf(l *session.Log) phase {
	p, _ := l.Own.(phase)
	return p
}

// Notes on what happened.
const (
	resumedNote   = "the session was resumed"
	compactedNote = "the conversation so far was compacted"
	undoneNote    = "the last turn was interrupted or failed, and was taken back"
	rewoundNote   = "the conversation was taken back to an earlier prompt"
	heldNote      = "a hook kept the agent going: "
	cancelledText = "Request cancelled."
	cancelledNote = "a tool call was refused or interrupted: "
)

type record struct {
	facts
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Timestamp string      `json:"timestamp"`
	Set       *facts      `json:"$set"`
	RewindTo  *string     `json:"$rewindTo"`
	Content   parts       `json:"content"`
	Display   *parts      `json:"displayContent"`
	Thoughts  []thought   `json:"thoughts"`
	Tokens    *tokens     `json:"tokens"`
	Model     string      `json:"model"`
	ToolCalls []*toolCall `json:"toolCalls"`
}

type facts struct {
	SessionID   string   `json:"sessionId"`
	StartTime   string   `json:"startTime"`
	LastUpdated string   `json:"lastUpdated"`
	Summary     string   `json:"summary"`
	Directories []string `json:"directories"`
	Messages    []record `json:"messages"`
}

// lines converts a chat of a version before 0.39, which is one JSON document, to the lines that
// newer versions write. It returns nil for any other document.
func lines(document []byte) []byte {
	var chat struct {
		Messages []json.RawMessage `json:"messages"`
	}
	var head map[string]json.RawMessage
	document = session.Unmarked(document)
	if json.Unmarshal(document, &head) != nil || json.Unmarshal(document, &chat) != nil || len(head["sessionId"]) == 0 {
		return nil
	}
	delete(head, "messages")
	first, err := json.Marshal(head)
	if err != nil {
		return nil
	}
	out := bytes.NewBuffer(append(first, '\n'))
	for _, m := range chat.Messages {
		if json.Compact(out, m) != nil {
			return nil
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

type thought struct {
	Subject     string `json:"subject"`
	Description string `json:"description"`
}

type tokens struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
}

func read(l *session.Log, line []byte) {
	var r record
	if !l.Record(line, &r) {
		return
	}
	switch {
	case r.RewindTo != nil:
		l.Note(0, rewoundNote)
		l.SetState(session.Idle, "")
	case r.ID != "":
		readMessage(l, &r)
	case r.Set != nil:
		set(l, r.Set)
	case r.SessionID != "":
		header(l, &r.facts)
	default:
		l.Unknown(session.Millis(r.Timestamp), firstKey(line))
	}
}

// firstKey returns the name of a record's first member, which shows the kind of the record.
func firstKey(line []byte) string {
	d := json.NewDecoder(bytes.NewReader(line))
	_, _ = d.Token() // the {
	key, _ := d.Token()
	name, _ := key.(string)
	return name
}

func header(l *session.Log, f *facts) {
	if hasMessages(l) {
		l.Note(session.Millis(f.LastUpdated), resumedNote)
		l.Own = opened
	}
	change(l, f)
}

func set(l *session.Log, f *facts) {
	if f.SessionID != "" && phaseOf(l) != opened {
		l.Own = reopened
	}
	change(l, f)
}

func change(l *session.Log, f *facts) {
	before := l.Updated
	setFacts(l, f)
	if f.Messages != nil {
		history(l, f, before)
	}
}

func setFacts(l *session.Log, f *facts) {
	l.RecordTime(session.Millis(f.StartTime))
	l.RecordTime(session.Millis(f.LastUpdated))
	if f.SessionID != "" {
		l.ID = f.SessionID
	}
	if f.Summary != "" {
		l.Title = session.FirstLine(f.Summary)
	}
	if len(f.Directories) > 0 {
		l.Folder = f.Directories[0]
	}
}

// hasMessages reports whether the log has any messages yet.
func hasMessages(l *session.Log) bool { return len(l.Messages) > 0 }

// isStopText reports whether a text comes from our hook for an agent that is about to stop.
func isStopText(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(first, session.StopTextStart) && strings.Contains(first, session.StopTextEnd)
}

// history reads the whole history with which the program continues. The messages in the log are not
// changed. Only messages of the history that are newer than the log are added.
func history(l *session.Log, f *facts, since int64) {
	before, at := phaseOf(l), session.Millis(f.LastUpdated)
	if before != opened {
		l.Own = phase("")
	}
	if before == rewriting {
		return
	}
	last, compacted := -1, false
	for i := range f.Messages {
		r := &f.Messages[i]
		last = max(last, l.Find(r.ID))
		compacted = compacted || isSummary(r.Content.text())
	}
	switch {
	case last < 0 && compacted:
		l.Note(at, compactedNote)
	case before == reopened && hasMessages(l):
		l.Note(at, resumedNote)
		l.SetState(session.Idle, "")
	case before == "" && last+1 < len(l.Messages) && l.Messages[last+1].Role == atsf.RoleUser && (last >= 0 || !hasConversation(f.Messages)):
		l.Note(at, undoneNote)
		l.SetState(session.Idle, "")
	}
	addMissing(l, f.Messages, since, l.Whole() && !hasMessages(l))
}

// hasConversation reports whether a history contains a text by the person or the agent, or a call.
func hasConversation(history []record) bool {
	for i := range history {
		if t := history[i].Content.text(); t != "" && !isProgramText(t) || len(history[i].ToolCalls) > 0 {
			return true
		}
	}
	return false
}

// addMissing adds the messages of a history that follow a known one and are newer than since, or
// all unknown ones if all is set. The time is needed because notes have no id in the log.
func addMissing(l *session.Log, history []record, since int64, all bool) {
	known := false
	for i := range history {
		r := &history[i]
		at := session.Millis(r.Timestamp)
		switch {
		case l.Find(r.ID) >= 0:
			known = true
		case r.ID != "" && (all || known && (at == 0 || at > since)):
			message(l, r)
		}
	}
}

// readMessage reads a message that is new, or that the program writes again.
func readMessage(l *session.Log, r *record) {
	at := session.Millis(r.Timestamp)
	switch {
	case phaseOf(l) == rewriting && r.Display == nil && (r.Type == "user" || r.Content.listed):
		return
	case phaseOf(l) == "" && hasMessages(l) && r.Type == "user" && strings.HasPrefix(r.Content.text(), sessionContext):
		l.Own = rewriting
		return
	case phaseOf(l) == reopened && hasMessages(l):
		l.Note(at, resumedNote)
	}
	l.Own = phase("")
	message(l, r)
}

func message(l *session.Log, r *record) {
	at := session.Millis(r.Timestamp)
	text := r.Content.text()
	switch r.Type {
	case "user":
		user(l, r, at)
	case "gemini":
		agent(l, r, at)
	case "error":
		l.Note(at, "an error: "+session.FirstLine(text))
		l.SetState(session.Idle, "")
	case "info", "warning":
		if text == cancelledText {
			l.Interrupt(at)
		}
		if text != "" {
			l.Note(at, "the program said: "+session.FirstLine(text))
		}
	default:
		l.Unknown(at, r.Type)
	}
}

func user(l *session.Log, r *record, at int64) {
	l.RecordTime(at)
	if r.Content.hasResponse() {
		l.Recorded = max(l.Recorded, at)
	}
	endCalls(l, &r.Content)
	text, hooked := r.Content.prompt()
	if strings.HasPrefix(text, snapshot) {
		l.Note(at, compactedNote)
		return
	}
	if r.Display != nil {
		text, _ = r.Display.prompt()
	}
	images := r.Content.images()
	switch {
	case text == "" && (len(images) == 0 || r.Content.hasResponse()):
		return
	case r.Display == nil && (hooked && l.Prompt != "" || isStopText(text)):
		l.Note(at, heldNote+session.FirstLine(text))
		l.SetState(session.Working, "")
		return
	}
	m := l.Rewrite(r.ID, atsf.RoleUser, at)
	m.Text(text)
	show(m, images)
	l.Prompted(text)
}

func agent(l *session.Log, r *record, at int64) {
	text := r.Content.text()
	if isProgramText(text) && len(r.ToolCalls) == 0 {
		return
	}
	if r.Model != "" {
		l.Model = r.Model
	}
	calls := toolCalls(r)
	refused := newlyRefused(l, r.ID, calls)
	l.SetState(session.Working, "")
	if text == "" && len(calls)+len(r.Thoughts) == 0 && l.Find(r.ID) < 0 {
		l.RecordTime(at) // the message is written again when its calls have ended
		return
	}
	m := l.Rewrite(r.ID, atsf.RoleAgent, at)
	m.Model = r.Model
	if r.Tokens != nil {
		m.Tokens = &atsf.Tokens{Input: r.Tokens.Input, Output: r.Tokens.Output}
	}
	for _, t := range r.Thoughts {
		m.Think(strings.TrimSpace(t.Subject + "\n\n" + t.Description))
	}
	m.Text(text)
	for _, c := range calls {
		l.Recorded = max(l.Recorded, session.Millis(c.Timestamp))
		l.ForgetCall(c.ID) // models number their calls, and start again in a resumed session
		l.Call(m, c.call())
		show(m, c.Result.images())
		if c.AgentID != "" {
			m.Start(c.ID, c.AgentID)
		}
	}
	l.SetLast(text)
	switch {
	case slices.ContainsFunc(calls, (*toolCall).completesTask):
		l.SetState(session.Ended, "")
	case len(calls) == 0 && text != "", slices.ContainsFunc(calls, (*toolCall).refused):
		l.SetState(session.Idle, "")
	}
	for _, title := range refused {
		l.Note(at, cancelledNote+title)
	}
}

// newlyRefused returns the titles of the calls that were cancelled since the message was last
// written.
func newlyRefused(l *session.Log, id string, calls []*toolCall) []string {
	var titles []string
	for _, c := range calls {
		was, m := l.FindCall(c.ID)
		if c.refused() && (was == nil || m.ID != id || was.Status != state(c.Status)) {
			titles = append(titles, c.title())
		}
	}
	return titles
}
