package who

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// Place is a message directory: which one was chosen and why, and whether there is another
// one at a default place.
type Place struct {
	environ.Choice
	// Other is the second of the two default places, if both exist and neither was chosen.
	Other string
}

// Directory chooses the message directory (rule L3). The first that is set wins: the flag,
// AGENT_MESSAGE_DIR, the setting. Otherwise it is the default place that exists,
// $HOME/dev/.message if both or neither do. The directory need not exist.
func Directory(env environ.Env, flag, setting string) Place {
	for _, c := range []environ.Choice{
		{Value: flag, Origin: "--dir"},
		{Value: env.Getenv("AGENT_MESSAGE_DIR"), Origin: "AGENT_MESSAGE_DIR"},
		{Value: setting, Origin: "setting signalbox.directories"},
	} {
		if c.Value != "" {
			c.Value = env.Expand(c.Value)
			return Place{Choice: c}
		}
	}
	first := environ.Choice{Value: filepath.Join(env.Home, "dev", ".message"), Origin: "default, $HOME/dev/.message"}
	state := env.Getenv("XDG_STATE_HOME")
	second := environ.Choice{Value: filepath.Join(state, "agent-message"), Origin: "default, $XDG_STATE_HOME/agent-message"}
	if state == "" {
		second = environ.Choice{Value: filepath.Join(env.Home, ".local", "state", "agent-message"), Origin: "default, $HOME/.local/state/agent-message"}
	}
	switch {
	case isDir(first.Value) && isDir(second.Value) && !disk.SameFile(first.Value, second.Value):
		return Place{first, second.Value}
	case isDir(second.Value):
		return Place{Choice: second}
	}
	return Place{Choice: first}
}

// OtherNotice returns a sentence about the second directory and how to choose it, or "".
func (p *Place) OtherNotice() string {
	if p.Other == "" {
		return ""
	}
	return "there is a second message directory, " + p.Other + "; name one in AGENT_MESSAGE_DIR to choose it"
}

// Elsewhere returns a sentence about the mail that waits for somebody only in the second
// directory, or "". It marks nothing as read.
func (p *Place) Elsewhere(ctx context.Context, me, stateDir string, now time.Time) (string, error) {
	if p.Other == "" || !samp.ValidAlias(me) {
		return "", nil
	}
	waiting, err := waitingIn(ctx, p.Other, me, stateDir, now)
	if err != nil || len(waiting) == 0 {
		return "", err
	}
	if err := p.drop(ctx, me, waiting); err != nil || len(waiting) == 0 {
		return "", err
	}
	count := "1 message"
	if len(waiting) > 1 {
		count = fmt.Sprint(len(waiting), " messages")
	}
	return fmt.Sprintf("%s for %s in a second message directory, %s, and not here, %s: set AGENT_MESSAGE_DIR to the one that all your tools use, and move the logs of the other one there", count, me, p.Other, p.Value), nil
}

// waitingIn returns the keys of the mail that waits for somebody in a directory.
func waitingIn(ctx context.Context, dir, me, stateDir string, now time.Time) (map[sampstore.Key]bool, error) {
	d, err := sampstore.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	list, err := d.Waiting(ctx, me, samp.V1, now, stateDir)
	waiting := make(map[sampstore.Key]bool)
	for _, m := range list {
		waiting[m.Key] = true
	}
	return waiting, err
}

// drop leaves out the mail that the chosen directory also has.
func (p *Place) drop(ctx context.Context, me string, waiting map[sampstore.Key]bool) error {
	d, err := sampstore.Open(p.Value)
	if err != nil {
		return err
	}
	defer d.Close()
	lines, err := d.Lines(ctx, me, samp.V1, nil)
	if err != nil {
		return err
	}
	defer lines.Close()
	for m, err := range lines.All(ctx) {
		if err != nil {
			return err
		}
		delete(waiting, sampstore.KeyOf(m))
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
