// Package activity stores what the agents on this machine are doing, as reported by the hooks of
// their programs: one small file for each session in Signalbox's state folder.
//
// Start with [At]. [Folder.Change] records an event of one session under a lock,
// [Folder.List] reads them all, and [Open] follows them. The files belong to the user; the
// package reads no repository and no message. From this project, it imports core/session,
// lsp/disk, lsp/disk/filelock, lsp/disk/follow and lsp/disk/statefile.
package activity

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	core "github.com/signalbox-dev/signalbox/core/session"
)

// State is what a session is doing. Transcripts have the same states.
type State = core.State

// The states of a session.
const (
	// Working is a session that has begun and not stopped.
	Working = core.Working
	// Waiting is a session that needs a person to continue: see [Session.For].
	Waiting = core.Waiting
	// Idle is a session that has stopped and is at its prompt.
	Idle = core.Idle
	// Ended is a session whose program has ended, or had no event for [Silent].
	Ended = core.Ended
	// Quiet is a session that should be working but writes nothing to its log. Only its log is
	// known.
	Quiet State = "silent"
	// Stopped is a session that has been quiet for so long that it may have stopped.
	Stopped State = "stopped"
)

// Silent is how long a session may have no event before it counts as ended, and how long the
// file of an ended session is kept.
const Silent = 24 * time.Hour

// Session is one run of an agent's program. Times are in Unix milliseconds. All texts come from
// the program.
type Session struct {
	// Client is the program: claude, codex, gemini, copilot or opencode.
	Client string `json:"client"`
	// ID is the program's own id of the session.
	ID string `json:"session"`
	// Alias is the name under which the agent reads and writes mail. Once known, it does not
	// change, even if the session moves to another folder.
	Alias string `json:"alias,omitempty"`
	// Also is another name whose mail the agent reads: other tools write to it.
	Also string `json:"also,omitempty"`
	// Project is the work tree from which the session got its name, and Mail the message
	// directory in which that name applies. Both are empty if the name was set explicitly.
	Project string `json:"project,omitempty"`
	Mail    string `json:"mail,omitempty"`
	// Remark explains why the name is not the work tree's: another work tree has that name.
	Remark string `json:"remark,omitempty"`
	// Folder is where the session runs. Worktree is the root of the work tree around that
	// folder, and Branch the branch that was checked out there at the last event.
	Folder   string `json:"folder,omitempty"`
	Worktree string `json:"worktree,omitempty"`
	Branch   string `json:"branch,omitempty"`
	// Transcript is the file that the program writes about the session.
	Transcript string `json:"transcript,omitempty"`

	State State `json:"state"`
	// For is what a waiting session waits for, in a few words. For an ended session, it is what
	// the session waited for when it ended.
	For string `json:"for,omitempty"`
	// Since is when the state began. Heard is when the last event came.
	Since int64 `json:"since"`
	Heard int64 `json:"heard"`
	// Process is the program, if it could be found.
	Process Process `json:"process,omitzero"`
	// Tools are the calls that began since the last ones ended, oldest first. Only programs
	// that record a call after its end have them.
	Tools []Tool `json:"tools,omitempty"`

	// Ask is the question whose answer the agent waits for, asked with the tool ask.
	Ask Ask `json:"ask,omitzero"`
	// Waiter is the process that waits for mail and wakes the idle agent.
	Waiter Process `json:"waiter,omitzero"`

	// Notified are the messages that the agent was notified of. Held are the messages for which its
	// stop was delayed or that it has read since. Both are keys of the read state, newest last.
	Notified []string `json:"told,omitempty"`
	Held     []string `json:"held,omitempty"`
	// Lost is set if Notified and Held are incomplete because an earlier file of the session could
	// not be read.
	Lost bool `json:"lost,omitempty"`
	// Holds are the times at which mail delayed the agent's stop or woke it.
	Holds []int64 `json:"holds,omitempty"`
	// Seen is the state of the message directory when the agent was last notified. Its format
	// belongs to the hooks.
	Seen string `json:"seen,omitempty"`
}

// Tool is one use of a tool.
type Tool struct {
	Name string `json:"name"`
	// Input is a JSON object with the arguments, shortened. It is empty if they are too long.
	Input string `json:"input,omitempty"`
	Since int64  `json:"since"`
	// Ended is when the call ended, or 0 while it runs.
	Ended  int64 `json:"ended,omitempty"`
	Failed bool  `json:"failed,omitempty"`
}

// Ask is an agent's question to the person, while a tool waits for the answer.
type Ask struct {
	// Text describes what the agent waits for.
	Text  string `json:"text"`
	Since int64  `json:"since"`
	// Process is the process that waits.
	Process Process `json:"process"`
}

// Open reports whether the question still waits.
func (a *Ask) Open() bool { return a.Text != "" && a.Process.runs() }

// Process identifies a process even if its number is used again.
type Process struct {
	PID int `json:"pid"`
	// Start is when it started, in the system's own format: another process with the same
	// number has a different start.
	Start string `json:"start,omitempty"`
	// Terminal is the terminal that it was started in, in the system's own format, or empty. A
	// process that has lost its terminal cannot be reached.
	Terminal string `json:"terminal,omitempty"`
}

// maxText is the length in bytes of the longest text that is stored. Longer texts are cut.
const maxText = 4096

// maxKeys is how many messages Notified and Held list. The oldest are dropped.
const maxKeys = 2000

// maxTools is how many of the newest tool calls are stored.
const maxTools = 16

// bound cuts the session's texts and lists to the limits of the file.
func (s *Session) bound() {
	for _, text := range []*string{&s.Client, &s.ID, &s.Alias, &s.Also, &s.Project, &s.Mail, &s.Remark, &s.Folder, &s.Worktree, &s.Branch, &s.Transcript, &s.For, &s.Seen, &s.Ask.Text} {
		*text = cut(*text)
	}
	s.Tools = slices.Clone(s.Tools[max(0, len(s.Tools)-maxTools):])
	for i := range s.Tools {
		t := &s.Tools[i]
		t.Name = cut(t.Name)
		if len(t.Input) > maxText {
			t.Input = "" // a part of it would not be JSON
		}
	}
	s.Notified, s.Held = newest(s.Notified), newest(s.Held)
	if n := len(s.Holds) - maxKeys; n > 0 {
		s.Holds = slices.Delete(s.Holds, 0, n)
	}
}

func cut(text string) string {
	if len(text) > maxText {
		return strings.ToValidUTF8(text[:maxText], "")
	}
	return text
}

func newest(keys []string) []string {
	keys = slices.DeleteFunc(keys, func(k string) bool { return len(k) > maxText })
	return keys[max(0, len(keys)-maxKeys):]
}

// Reads reports whether the session's agent reads mail to a name in a message directory. The
// directory's path must not contain links.
func (s *Session) Reads(alias, mail string) bool {
	return alias != "" && (s.Alias == alias || s.Also == alias) && (s.Mail == "" || s.Mail == mail)
}

// Become sets the state at a time in Unix milliseconds. Since changes only with State or For.
func (s *Session) Become(state State, waitsFor string, now int64) {
	if state == Ended && s.State == Waiting {
		s.State, s.Heard = state, now // what it waited for is kept, and since when
		return
	}
	if s.State != state || s.For != waitsFor {
		s.State, s.For, s.Since = state, waitsFor, now
	}
	s.Heard = now
}

// Now returns the state at a time in Unix milliseconds. A session whose process is gone, or that
// had no event for [Silent], has ended.
func (s *Session) Now(now int64) State {
	if s.State == Ended || s.silent(now) || !s.Process.runs() {
		return Ended
	}
	return s.State
}

// EndedWaiting reports whether the session ended while it waited for a person.
func (s *Session) EndedWaiting() bool { return s.State == Ended && s.For != "" }

// silent reports whether the session had no event for [Silent]. An event that is further than that
// in the future counts as well: the clock was set back.
func (s *Session) silent(now int64) bool {
	return max(now-s.Heard, s.Heard-now) > Silent.Milliseconds()
}

// Wakeable reports whether a process waits for mail to wake the agent.
func (s *Session) Wakeable() bool { return s.Waiter.Runs() }

const (
	// MaxHolds is how often in an hour mail may delay an agent's stop or wake it.
	MaxHolds = 6
	hour     = 60 * 60 * 1000
)

// MayHold reports whether mail may delay the agent's stop or wake it once more. It drops the Holds
// that are too old to count.
func (s *Session) MayHold(now int64) bool {
	for i, at := range s.Holds {
		s.Holds[i] = min(at, now) // the clock may have been set back
	}
	s.Holds = slices.DeleteFunc(s.Holds, func(at int64) bool { return now-at > hour })
	return len(s.Holds) < MaxHolds
}

// IdleAs reports whether a session that was judged idle is still idle: its own state says so, or
// no event came since the judgement. The events alone may not show that its turn ended.
func (s *Session) IdleAs(judged *Session) bool {
	return s.State == Idle || s.State != Ended && s.Heard == judged.Heard
}

// Remarks returns the remarks on the names of sessions that have not ended, each once.
func Remarks(list []Session) (remarks []string) {
	for i := range list {
		if s := &list[i]; s.Remark != "" && s.State != Ended && !slices.Contains(remarks, s.Remark) {
			remarks = append(remarks, s.Remark)
		}
	}
	return remarks
}

// Doing returns the state in words: "waiting for Bash".
func (s *Session) Doing() string {
	if s.State == Waiting && s.For != "" {
		return string(s.State) + " for " + s.For
	}
	return string(s.State)
}

// Key returns the name of the session's file without its suffix. It is plain text, whatever id the
// program uses.
func (s *Session) Key() string { return strings.TrimSuffix(fileName(s.Client, s.ID), suffix) }

// fileName returns the name of the session's file. The id is untrusted text: it is part of the
// name only if it is short and plain. Otherwise the name is a hash.
func fileName(client, id string) string {
	name := client + "-" + id
	if len(name) > 100 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		sum := sha256.Sum256([]byte(client + "\x00" + id))
		name = hex.EncodeToString(sum[:])
	}
	return name + suffix
}

const suffix = ".json"
