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
	// maxOwn is the length in bytes of the longest file of Claude Code's own that is read, and
	// maxOwns how many are.
	maxOwn  = 64 << 10
	maxOwns = 500
)

// own is what Claude Code keeps of a session that runs, in sessions/PID.json of its folder. No
// page documents it; "claude agents --json" prints it.
type own struct {
	PID     int    `json:"pid"`
	Session string `json:"sessionId"`
	Status  string `json:"status"`
	At      int64  `json:"statusUpdatedAt"`
	// Kind and Entry say how it was started: a session of a person's at a terminal is
	// "interactive" and "cli".
	Kind  string `json:"kind"`
	Entry string `json:"entrypoint"`
}

// statuses are Claude Code's words for what a session does.
var statuses = map[string]activity.State{"busy": activity.Working, "waiting": activity.Waiting, "idle": activity.Idle}

// owns are Claude Code's own files by folder. Each folder is read once.
type owns struct {
	read map[string][]own
	// runs reports whether a process is Claude Code's: the number of one that was killed may be
	// another's by now.
	runs func(pid int) bool
}

func newOwns() owns {
	return owns{make(map[string][]own), func(pid int) bool { return activity.Process{PID: pid}.Is("claude") }}
}

// of returns what Claude Code says of a session. It stays after a kill, so that only a process
// counts that runs: the session's, or one of Claude Code where that is not known.
func (all *owns) of(s *activity.Session) (o own, ok bool) {
	for _, o := range all.about(s) {
		if o.PID == s.Process.PID || s.Process.PID == 0 && all.runs(o.PID) {
			return o, true
		}
	}
	return o, false
}

// DialogOpen reports whether Claude Code itself says that a session waits for the person. known
// is false where it says nothing. A hook that waits asks every second, so that one file is read.
func DialogOpen(s *activity.Session) (open, known bool) {
	if s.Client != "claude" || s.Process.PID == 0 {
		return false, false
	}
	root, err := disk.OpenRoot(ownFolder(s))
	if err != nil {
		return false, false
	}
	defer root.Close()
	o, ok := readOwn(root, strconv.Itoa(s.Process.PID)+".json")
	known = ok && o.PID == s.Process.PID && o.Session == s.ID
	return known && statuses[o.Status] == activity.Waiting, known
}

// ownFolder is the folder of Claude Code's own files. Transcripts are two folders deep beside it.
func ownFolder(s *activity.Session) string {
	return filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(s.Transcript))), "sessions")
}

// about returns what Claude Code kept of a session, the newest first, whether it runs or not.
func (all *owns) about(s *activity.Session) (list []own) {
	if s.Client != "claude" || !filepath.IsAbs(s.Transcript) {
		return nil
	}
	folder := ownFolder(s)
	if _, read := all.read[folder]; !read {
		all.read[folder] = readOwns(folder)
	}
	for _, o := range all.read[folder] {
		if o.Session == s.ID {
			list = append(list, o)
		}
	}
	return list
}

func readOwns(folder string) (list []own) {
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer root.Close()
	names := root.Names()
	for _, name := range names[:min(len(names), maxOwns)] {
		if filepath.Ext(name) != ".json" {
			continue
		}
		if o, ok := readOwn(root, name); ok {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b own) int { return cmp.Compare(b.At, a.At) })
	return list
}

func readOwn(root *disk.Root, name string) (o own, ok bool) {
	data, _, err := root.ReadRegular(name, maxOwn)
	return o, err == nil && json.Unmarshal(data, &o) == nil && o.PID > 0 && statuses[o.Status] != ""
}

// overrule sets what the session does, unless a hook told something later. A hook that tells of
// another call's end, or of a subagent's, does not end a dialog. What the session waits for a
// hook says better.
func (o *own) overrule(s *activity.Session, now int64) {
	state := statuses[o.Status]
	beside := state == activity.Waiting && s.State == activity.Working && now-s.Heard > lag
	if state != s.State && (o.At > s.Since || beside) {
		become(s, state, "", o.At)
	}
}
