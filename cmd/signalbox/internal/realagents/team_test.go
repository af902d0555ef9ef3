//go:build agents

package realagents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/session"
)

const (
	// teamSays is how many messages a teammate sends while mail comes.
	teamSays = 5
	// teamLimit is how long the whole test may take.
	teamLimit = 2 * runLimit
	// mailAgain is the time after which an idle lead that was not woken gets mail again.
	mailAgain = 15 * time.Second
)

// TestAgentsWoken: mail wakes an idle session of Claude Code that leads a team, through
// its team's inbox, once the person allowed it. What a teammate says at the same time
// arrives, too.
func TestAgentsWoken(t *testing.T) {
	end := time.Now().Add(teamLimit)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	began, speak, read := make(chan struct{}), make(chan struct{}), make(chan struct{})
	const task = "Help the lead."
	mate := &model{t: t, prompt: task, done: make(chan struct{}), turns: teammate(ctx, began, speak)}
	lead := newModel(t, prompt, []turn{
		{call: "Agent", args: func(string) map[string]any {
			return map[string]any{"description": "help", "name": "alice", "subagent_type": "general-purpose", "prompt": task}
		}},
		{say: "I wait."},
		{when: "New mail from dev waits for you. The tool check_mail has it.", call: "check_mail"},
		{sees: []string{"The staging server moved."}, before: func() { close(read) }, say: "DONE"},
		{when: over},
	})
	lead.beside = mate
	lead.logOnFailure("the lead")
	mate.logOnFailure("the teammate")
	d := connected(t, &clients[0], lead)
	d.must("signalbox", "setup", "claude", "--wake", "--yes")
	trustClaude(d)
	t.Cleanup(d.endAll)
	d.env = append(d.env, "CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS=1")
	openTerminal(t, d.command(ctx, "claude", "--permission-mode", "acceptEdits", "--allowedTools", "Agent,SendMessage,ToolSearch", "--", prompt))
	idle := func() bool { return d.sessions()[0].State == session.Idle }
	awaitUntil(t, end, "the teammate to begin", func() bool { return isClosed(began) })
	awaitUntil(t, end, "the session to be idle", idle)
	close(speak)
	d.mailUntil(end, idle, read)
	for i := range teamSays {
		awaitUntil(t, end, help(i), func() bool { return lead.saw(help(i)) })
	}
	d.checkWakeLog()
}

// mailUntil sends the lead mail when it is idle, until it was woken and reads its mail. A
// teammate can wake it first, or hold the lock of the inbox: then nothing wakes it, and
// the next mail has to.
func (d *desk) mailUntil(end time.Time, idle func() bool, read chan struct{}) {
	d.t.Helper()
	next := time.Now()
	awaitUntil(d.t, end, "the session to read its mail", func() bool {
		if !isClosed(read) && !time.Now().Before(next) && idle() {
			d.must("signalbox", "--as", "dev", "send", "coder", "The staging server moved.")
			next = time.Now().Add(mailAgain)
		}
		return isClosed(read)
	})
}

// checkWakeLog fails if a session was not woken for another reason than that the program
// held its lock.
func (d *desk) checkWakeLog() {
	d.t.Helper()
	log, err := os.ReadFile(filepath.Join(d.home, ".local", "state", "signalbox", "wake.log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Error(err)
	}
	for line := range strings.Lines(string(log)) {
		if !strings.Contains(line, "the lock of the inbox is held") {
			d.t.Errorf("the log says %s", line)
		}
	}
}

// teammate returns the turns of a teammate, who begins, waits to be told to speak, and
// sends its messages to the lead. On a busy machine the program holds its own lock for
// seconds, also while nothing of ours writes. A message that fails for it is sent again.
func teammate(ctx context.Context, began, speak chan struct{}) []turn {
	turns := []turn{{
		call: "ToolSearch", args: func(string) map[string]any { return map[string]any{"query": "select:SendMessage"} },
		before: func() {
			close(began)
			select {
			case <-speak:
			case <-ctx.Done():
			}
		},
	}}
	for i := range teamSays {
		turns = append(turns, turn{
			call: "SendMessage", args: func(string) map[string]any {
				return map[string]any{"to": "team-lead", "summary": "help", "message": help(i)}
			},
			again: func(text string) bool {
				return strings.Contains(text[max(0, strings.LastIndex(text, help(i))):], "Failed to write")
			},
		})
	}
	return append(turns, turn{say: "DONE"}, turn{when: over})
}

// over is in no request: what comes after all turns is answered with "ok".
const over = "\x00"

func help(i int) string { return fmt.Sprintf("help %d of alice", i) }

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
