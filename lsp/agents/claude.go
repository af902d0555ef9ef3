package agents

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

const (
	// maxClaudeFile is the length in bytes of the longest of these files that is read.
	// maxClaudeFiles is how many files of a folder are read.
	maxClaudeFile  = 64 << 10
	maxClaudeFiles = 500
)

// claudeFile is Claude Code's record of a running session, sessions/PID.json in its folder. It is
// undocumented; "claude agents --json" prints it.
type claudeFile struct {
	PID     int    `json:"pid"`
	Session string `json:"sessionId"`
	Status  string `json:"status"`
	At      int64  `json:"statusUpdatedAt"`
	// Kind and Entry say how the session was started: "interactive" and "cli" for a person at a
	// terminal.
	Kind  string `json:"kind"`
	Entry string `json:"entrypoint"`
}

// claudeStates maps Claude Code's words for the state of a session.
var claudeStates = map[string]activity.State{"busy": activity.Working, "waiting": activity.Waiting, "idle": activity.Idle}

// claudeFiles holds Claude Code's records by folder. Each folder is read once.
type claudeFiles struct {
	read map[string][]claudeFile
	// runs reports whether a process is Claude Code: the number of a killed process may belong to
	// another program by now.
	runs func(pid int) bool
}

func newClaudeFiles() claudeFiles {
	return claudeFiles{make(map[string][]claudeFile), func(pid int) bool { return activity.Process{PID: pid}.Is("claude") }}
}

// of returns Claude Code's record of a session. A record remains after a kill, so its process must
// be the session's or, if that is not known, a running process of Claude Code.
func (all *claudeFiles) of(s *activity.Session) (o claudeFile, ok bool) {
	for _, o := range all.about(s) {
		if o.PID == s.Process.PID || s.Process.PID == 0 && all.runs(o.PID) {
			return o, true
		}
	}
	return o, false
}

// DialogOpen reports whether Claude Code's own record says that a session waits for the person.
// known is false if there is no record. It reads a single file, since a waiting hook calls it every
// second.
func DialogOpen(s *activity.Session) (open, known bool) {
	if s.Client != "claude" || s.Process.PID == 0 {
		return false, false
	}
	root, err := disk.OpenRoot(claudeFolder(s))
	if err != nil {
		return false, false
	}
	defer root.Close()
	o, ok := readClaudeFile(root, strconv.Itoa(s.Process.PID)+".json")
	known = ok && o.PID == s.Process.PID && o.Session == s.ID
	return known && claudeStates[o.Status] == activity.Waiting, known
}

// claudeFolder returns the folder of Claude Code's records. Transcripts are in the subfolders of a
// folder beside it.
func claudeFolder(s *activity.Session) string {
	return filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(s.Transcript))), "sessions")
}

// about returns Claude Code's records of a session, newest first, whether or not it still runs.
func (all *claudeFiles) about(s *activity.Session) (list []claudeFile) {
	if s.Client != "claude" || !filepath.IsAbs(s.Transcript) {
		return nil
	}
	folder := claudeFolder(s)
	if _, read := all.read[folder]; !read {
		all.read[folder] = readClaudeFiles(folder)
	}
	for _, o := range all.read[folder] {
		if o.Session == s.ID {
			list = append(list, o)
		}
	}
	return list
}

func readClaudeFiles(folder string) (list []claudeFile) {
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer root.Close()
	names := root.Names()
	for _, name := range names[:min(len(names), maxClaudeFiles)] {
		if filepath.Ext(name) != ".json" {
			continue
		}
		if o, ok := readClaudeFile(root, name); ok {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b claudeFile) int { return cmp.Compare(b.At, a.At) })
	return list
}

func readClaudeFile(root *disk.Root, name string) (o claudeFile, ok bool) {
	data, _, err := root.ReadRegular(name, maxClaudeFile)
	return o, err == nil && json.Unmarshal(data, &o) == nil && o.PID > 0 && claudeStates[o.Status] != ""
}

// overrule sets the session's state from the record, unless a hook reported a state later. A hook
// that reports the end of another call, or a subagent's call, does not end a dialog. If both agree
// on the state, the hook's text of what the session waits for is kept: it is more exact.
func (o *claudeFile) overrule(s *activity.Session, now int64) {
	state := claudeStates[o.Status]
	beside := state == activity.Waiting && s.State == activity.Working && now-s.Heard > lag
	if state != s.State && (o.At > s.Since || beside) {
		become(s, state, "", o.At)
	}
}
