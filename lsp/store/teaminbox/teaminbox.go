// Package teaminbox wakes an idle session of Claude Code that runs with agent teams: it
// adds an entry to the inbox of the session's lead, which the program takes as a prompt.
//
// Start with [Sent]. The inbox is that program's own, undocumented file: nothing is
// written unless the person allowed it, and whatever looks other than what version
// 2.1.330 writes ends the try with an error. The entry says who wrote and holds no words
// of the message. Of this project the package imports core/samp, lsp/store/disk,
// lsp/store/environ, lsp/store/session and lsp/store/userconfig.
package teaminbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
	"github.com/signalbox-dev/signalbox/lsp/store/session"
	"github.com/signalbox-dev/signalbox/lsp/store/userconfig"
)

const (
	lead = "team-lead"
	// sender is the name that the entry stands under. It is no teammate's.
	sender = "signalbox"
	// text is what the agent reads. It has the name of the message's sender.
	text = "New mail from %s waits for you. The tool check_mail has it."
	// maxFile is the length in bytes of the longest file that is read.
	maxFile = 1 << 20
	// lockTries and lockWait are how often the program's lock is tried, and the time
	// between two tries: half a second in all. On a busy machine the program itself holds
	// the lock for some tenths of a second.
	lockTries = 50
	lockWait  = 10 * time.Millisecond
)

// Sent wakes the agent that a message was sent to. It returns within half a second of a
// lock that stays held. An error is only logged: the message is sent.
func Sent(ctx context.Context, env environ.Env, now time.Time, r *samp.Record) {
	if err := wakeAll(ctx, env, now, r.From, r.To); err != nil {
		log(env.StateDir(), now, err)
	}
}

// wakeAll wakes the idle sessions that read mail as an alias, if the person allowed it. It
// returns why a session was not woken.
func wakeAll(ctx context.Context, env environ.Env, now time.Time, from, alias string) error {
	if said, err := userconfig.At(env.ConfigDir()).Read(); err != nil || !said.TeamInbox {
		return err
	}
	if err := samp.CheckAlias(from); err != nil {
		return err // the agent would read other words than a name
	}
	claudeDir := env.Getenv("CLAUDE_CONFIG_DIR")
	if claudeDir == "" {
		claudeDir = filepath.Join(env.Home, ".claude")
	}
	sessions, _ := session.At(env.StateDir()).List(now.UnixMilli())
	var errs []error
	for i := range sessions {
		if s := &sessions[i]; s.Client == "claude" && s.Alias == alias && s.State == session.Idle {
			if err := wake(ctx, claudeDir, s, from, now); err != nil {
				errs = append(errs, fmt.Errorf("team inbox of session %s: %w", s.ID, err))
			}
		}
	}
	return errors.Join(errs...)
}

// team is what is read of a team's config.json.
type team struct {
	Lead    string `json:"leadSessionId"`
	Process struct {
		PID int `json:"pid"`
	} `json:"leadProcess"`
	Members []struct {
		Name    string `json:"name"`
		Backend string `json:"backendType"`
	} `json:"members"`
}

// wake wakes one session. A session without a team is left alone, and so is one without
// teammates: the program does not look into its inbox.
func wake(ctx context.Context, claudeDir string, s *session.Session, from string, now time.Time) error {
	if len(s.ID) < 8 || strings.Trim(s.ID[:8], "0123456789abcdef") != "" {
		return errors.New("its id is no id of Claude Code's")
	}
	home, err := disk.OpenRoot(claudeDir)
	if err != nil {
		return ignoreMissing(err)
	}
	defer home.Close()
	root, err := home.OpenFolder("teams/session-" + s.ID[:8])
	if err != nil {
		return ignoreMissing(err)
	}
	defer root.Close()
	if mates, err := isTeam(root, s); err != nil || mates == 0 {
		return err
	}
	// The program makes the folder with the first message.
	if err := root.Mkdir("inboxes", disk.PrivateDir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	inboxes, err := root.OpenFolder("inboxes")
	if err != nil {
		return err
	}
	defer inboxes.Close()
	unlock, err := lock(ctx, inboxes)
	if err != nil {
		return err
	}
	defer unlock()
	return add(inboxes, from, now)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read reads one of the program's files.
func read(root *disk.Root, name string) ([]byte, fs.FileInfo, error) {
	data, info, err := root.ReadRegular(name, maxFile)
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("is longer than %d bytes", maxFile)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, info, nil
}

// isTeam returns how many teammates a session has, or why a folder is not what is known
// of its team.
func isTeam(root *disk.Root, s *session.Session) (mates int, err error) {
	data, _, err := read(root, "config.json")
	if err != nil {
		return 0, err
	}
	var t team
	if err := json.Unmarshal(data, &t); err != nil {
		return 0, fmt.Errorf("config.json looks different: %w", err)
	}
	leads := 0
	for _, m := range t.Members {
		switch {
		case m.Name == sender:
			return 0, errors.New("a teammate is called " + sender)
		case m.Name != lead:
			mates++
		case m.Backend == "in-process":
			leads++
		}
	}
	if t.Lead != s.ID || leads != 1 || t.Process.PID == 0 || t.Process.PID != s.Process.PID {
		return 0, errors.New("config.json looks different: it is not led by this session and process")
	}
	return mates, nil
}
