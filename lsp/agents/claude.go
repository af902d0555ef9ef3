package agents

import (
	"encoding/json"
	"path/filepath"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/agents/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// maxOwn is the length in bytes of the longest file of Claude Code's own that is read.
const maxOwn = 64 << 10

// own is what Claude Code keeps of a session that runs, in sessions/PID.json of its folder. No
// page documents it; "claude agents --json" prints it.
type own struct {
	PID     int    `json:"pid"`
	Session string `json:"sessionId"`
	Status  string `json:"status"`
	For     string `json:"waitingFor"`
	At      int64  `json:"statusUpdatedAt"`
}

// statuses are Claude Code's words for what a session does.
var statuses = map[string]session.State{"busy": session.Working, "waiting": session.Waiting, "idle": session.Idle}

// claudeOwn returns what Claude Code says of a session. It stays after a kill, so that only the
// session's own process counts, which runs. Transcripts lie two folders deep beside it.
func claudeOwn(s *session.Session) (o own, ok bool) {
	if s.Client != "claude" || s.Process.PID == 0 || !filepath.IsAbs(s.Transcript) {
		return o, false
	}
	folder := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(s.Transcript))), "sessions")
	root, err := disk.OpenRoot(folder)
	if err != nil {
		return o, false
	}
	defer root.Close()
	data, _, err := root.ReadRegular(strconv.Itoa(s.Process.PID)+".json", maxOwn)
	if err != nil || json.Unmarshal(data, &o) != nil {
		return o, false
	}
	return o, o.PID == s.Process.PID && o.Session == s.ID && statuses[o.Status] != ""
}

// overrule sets what the session does, unless a hook told something later. What it waits for
// a hook says better.
func (o *own) overrule(s *session.Session) {
	if state := statuses[o.Status]; o.At > s.Since && state != s.State {
		become(s, state, "", o.At)
		if state == session.Waiting {
			s.For = o.For
		}
	}
}
