// Package activity keeps what the agents on this machine are doing, as hooks of their own
// programs report it: one small file a session in Signalbox's state folder.
//
// Start with [At]. [Folder.Change] records an event of one session under a lock,
// [Folder.List] reads them all, and [Open] follows them. The files are the user's own; no
// repository and no message is asked. Of this project the package imports
// core/session, lsp/disk, lsp/disk/follow and lsp/disk/statefile.
package activity

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	core "github.com/signalbox-dev/signalbox/core/session"
)

// State says what a session is doing. Transcripts say it in the same words.
type State = core.State

// The states of a session.
const (
	// Working is a session that has begun and not stopped.
	Working = core.Working
	// Waiting is one that a person has to help on: [Session.For] says with what.
	Waiting = core.Waiting
	// Idle is one that has stopped and sits at its prompt.
	Idle = core.Idle
	// Ended is one whose program has ended, or was not heard of for [Silent].
	Ended = core.Ended
	// Quiet is one of which only its log is known, and which should be working and writes
	// nothing.
	Quiet State = "silent"
	// Stopped is one that has been quiet for so long that it may have stopped.
	Stopped State = "stopped"
)

// Silent is how long a session may be silent before it counts as ended, and how long
// the file of an ended one is kept.
const Silent = 24 * time.Hour

// Session is one run of an agent's program. Times are in Unix milliseconds. All
// texts are what the program said of itself.
type Session struct {
	// Client is the program: claude, codex, gemini, copilot or opencode.
	Client string `json:"client"`
	// ID is the program's own name for the session.
	ID string `json:"session"`
	// Alias is whom the agent reads and writes mail as. Once it is known it stays, whatever
	// folder the session goes to.
	Alias string `json:"alias,omitempty"`
	// Also is the name under which other tools write to the agent, where its mail is the
	// agent's, too.
	Also string `json:"also,omitempty"`
	// Project is the work tree that the session was named by, and Mail the message directory
	// in which the name is its own. Both are empty for one that was given its name.
	Project string `json:"project,omitempty"`
	Mail    string `json:"mail,omitempty"`
	// Remark says why the name is another one than that of the work tree, where another work
	// tree has that.
	Remark string `json:"remark,omitempty"`
	// Folder is where it runs. Worktree is the root of the work tree that the folder lies
	// in, and Branch what was checked out there when the session was last heard of.
	Folder   string `json:"folder,omitempty"`
	Worktree string `json:"worktree,omitempty"`
	Branch   string `json:"branch,omitempty"`
	// Transcript is the file that the program writes about the session.
	Transcript string `json:"transcript,omitempty"`

	State State `json:"state"`
	// For is what a waiting session waits for, in a few words, or what one waited for that
	// ended while it did.
	For string `json:"for,omitempty"`
	// Since is when the state began, Heard when the last event came.
	Since int64 `json:"since"`
	Heard int64 `json:"heard"`
	// Process is the program, if it could be found.
	Process Process `json:"process,omitzero"`
	// Tools are the calls that began since the last ones ended, the oldest first, of a
	// program that writes a call down once it is over.
	Tools []Tool `json:"tools,omitempty"`

	// Ask is the question that the agent waits in, asked by the tool ask.
	Ask Ask `json:"ask,omitzero"`
	// Waiter is the process that waits for mail and wakes the agent when it sits idle.
	Waiter Process `json:"waiter,omitzero"`

	// Told are the messages that the agent was told of, and Held those for which it was kept
	// from stopping or that it has read meanwhile, as keys of the read state, the newest last.
	Told []string `json:"told,omitempty"`
	Held []string `json:"held,omitempty"`
	// Lost is set if it is not known of which messages the agent was told and for which it was
	// held, because an earlier record of it could not be read.
	Lost bool `json:"lost,omitempty"`
	// Holds are the times at which it was kept from stopping.
	Holds []int64 `json:"holds,omitempty"`
	// Seen is what the message directory looked like when the agent was last told, in
	// the words of whoever wrote it.
	Seen string `json:"seen,omitempty"`
}

// Tool is one use of a tool.
type Tool struct {
	Name string `json:"name"`
	// Input is a JSON object with the arguments, shortened. It is empty where there are
	// too many.
	Input string `json:"input,omitempty"`
	Since int64  `json:"since"`
	// Ended is when it ended, or 0 as long as it runs. Failed tells how.
	Ended  int64 `json:"ended,omitempty"`
	Failed bool  `json:"failed,omitempty"`
}

// Ask is a question of an agent's to the person whose answer a tool waits for.
type Ask struct {
	// Text is what the agent waits for, in words.
	Text  string `json:"text"`
	Since int64  `json:"since"`
	// Process is the one that waits.
	Process Process `json:"process"`
}

// Open reports whether the question still waits.
func (a *Ask) Open() bool { return a.Text != "" && a.Process.runs() }

// Process names a process beyond the life of its number.
type Process struct {
	PID int `json:"pid"`
	// Start is when it started, in the system's own words: another process with the same
	// number has another start.
	Start string `json:"start,omitempty"`
	// Terminal is the terminal that it was started in, in the system's own words, or empty. A
	// process that has lost it can be reached by nobody.
	Terminal string `json:"terminal,omitempty"`
}

// maxText is the length in bytes of the longest text that is kept of what a program says
// of itself. Longer ones are cut.
const maxText = 4096

// maxKeys is how many messages Told and Held name. The oldest are forgotten.
const maxKeys = 2000

// maxTools is how many tool calls are kept, the newest.
const maxTools = 16

// bound cuts what a program said to the limits of the file.
func (s *Session) bound() {
	for _, text := range []*string{&s.Client, &s.ID, &s.Alias, &s.Also, &s.Project, &s.Mail, &s.Remark, &s.Folder, &s.Worktree, &s.Branch, &s.Transcript, &s.For, &s.Seen, &s.Ask.Text} {
		*text = cut(*text)
	}
	s.Tools = slices.Clone(s.Tools[max(0, len(s.Tools)-maxTools):])
	for i := range s.Tools {
		t := &s.Tools[i]
		t.Name = cut(t.Name)
		if len(t.Input) > maxText {
			t.Input = "" // a part of it would be no JSON
		}
	}
	s.Told, s.Held = newest(s.Told), newest(s.Held)
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

// Reads reports whether the session's agent reads mail to a name in a message directory, whose
// path is without links.
func (s *Session) Reads(alias, mail string) bool {
	return alias != "" && (s.Alias == alias || s.Also == alias) && (s.Mail == "" || s.Mail == mail)
}

// Become sets the state at a time in Unix milliseconds. A state that goes on keeps its
// beginning.
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

// Now returns the state at a time in Unix milliseconds: a session whose process is gone,
// or that was not heard of for [Silent], has ended.
func (s *Session) Now(now int64) State {
	if s.State == Ended || s.silent(now) || !s.Process.runs() {
		return Ended
	}
	return s.State
}

// Broke reports whether the session ended while it waited for a person.
func (s *Session) Broke() bool { return s.State == Ended && s.For != "" }

// silent reports whether the session was not heard of for [Silent]. A clock that was set back
// makes no session younger than that.
func (s *Session) silent(now int64) bool {
	return max(now-s.Heard, s.Heard-now) > Silent.Milliseconds()
}

// Wakeable reports whether a process waits that wakes the agent when mail comes.
func (s *Session) Wakeable() bool { return s.Waiter.Runs() }

const (
	// MaxHolds is how often in an hour mail keeps an agent going that stops, or wakes it.
	MaxHolds = 6
	hour     = 60 * 60 * 1000
)

// Spare reports whether mail may keep the agent going once more, and forgets the times of
// which that does not depend any more.
func (s *Session) Spare(now int64) bool {
	for i, at := range s.Holds {
		s.Holds[i] = min(at, now) // the clock may have been set back
	}
	s.Holds = slices.DeleteFunc(s.Holds, func(at int64) bool { return now-at > hour })
	return len(s.Holds) < MaxHolds
}

// IdleAs reports whether the session still sits idle as it was judged to: no event was told
// since, which may not have told how the turn before ended.
func (s *Session) IdleAs(judged *Session) bool {
	return s.State == Idle || s.State != Ended && s.Heard == judged.Heard
}

// Remarks returns what is to be known of the names of sessions that are under way, each
// once.
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

// Key names the session as its file does: plain text, whatever the program calls it.
func (s *Session) Key() string { return strings.TrimSuffix(fileName(s.Client, s.ID), suffix) }

// fileName returns the name of the session's file. The id is a stranger's text, and a
// name of its own only if it is short and plain.
func fileName(client, id string) string {
	name := client + "-" + id
	if len(name) > 100 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		sum := sha256.Sum256([]byte(client + "\x00" + id))
		name = hex.EncodeToString(sum[:])
	}
	return name + suffix
}

const suffix = ".json"
