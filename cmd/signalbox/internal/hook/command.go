// Package hook answers the events of agents' own programs: it tells an agent of its mail,
// keeps it from stopping while mail waits, and records what its session is doing.
//
// Start with [Command]. A hook must never harm the agent: on any error it prints nothing,
// ends with 0 and writes a line to its log.
package hook

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/spf13/cobra"
)

// Command returns "signalbox hook". connected reports whether a client has hooks of setup's.
func Command(o *cli.Options, connected func(client string) bool) *cobra.Command {
	h := &hook{Options: o, value: rand.Text, sits: agents.ReturnsToPrompt, every: waitEvery}
	plugin := false
	cmd := &cobra.Command{
		Use:         "hook CLIENT [EVENT]",
		Annotations: cli.Uses("dir", "as"),
		Example: `  echo '{"session_id": "1", "hook_event_name": "SessionStart"}' |
    signalbox hook claude`,
		Short: "Answer an event of an agent's program, which runs this by itself",
		Long: `Answer an event of an agent's program: tell the agent of its mail, and record what
the session is doing. "signalbox setup" has the programs run this; nobody else
needs to. CLIENT is claude, codex, gemini, copilot or opencode. EVENT is the
event's name, where the input on stdin does not have it; "wait" waits beside an idle
session and wakes it when mail comes.

It prints nothing if anything goes wrong, and ends with 0, but for "claude wait", by
whose 2 Claude Code wakes. What went wrong stands in hook.log in the state folder.`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cobra.FixedCompletions(names(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			// A client that went away must not end this before it is written down.
			signal.Ignore(syscall.SIGPIPE)
			err := o.Resolve(cmd)
			if err == nil && plugin && len(args) > 0 && connected(args[0]) {
				_, err = io.Copy(io.Discard, cmd.InOrStdin())
			} else if err == nil {
				err = h.run(cmd.Context(), cmd.InOrStdin(), args)
			}
			if err != nil {
				h.log(args, err)
			}
			if h.woke && args[0] == string(claude) {
				return cli.Silent(wakeCode)
			}
			return nil
		},
		// The root's would end a wrong call with 2, which blocks the agent.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.Flags().BoolVar(&plugin, "plugin", false, "a plugin runs this: do nothing beside the hooks that setup wrote")
	_ = cmd.Flags().MarkHidden("plugin")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		h.log(nil, err)
		return nil
	})
	return cmd
}

func names() (list []string) {
	for c := range kinds {
		list = append(list, string(c))
	}
	slices.Sort(list)
	return list
}

// limit is how long a hook looks at the mail at most.
const limit = 5 * time.Second

// hook is one event being answered.
type hook struct {
	*cli.Options
	// value makes the value of a frame.
	value func() string
	// sits reports whether something may wait beside a session.
	sits func(*activity.Session) bool
	// every is how often a waiter looks at everything.
	every time.Duration
	// woke is set once a session was told to wake.
	woke bool
}

func (h *hook) run(ctx context.Context, in io.Reader, args []string) (err error) {
	// Whatever the event or the store holds, the agent must not see a failure.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if len(args) == 0 || len(args) > 2 || kinds[client(args[0])] == nil {
		return fmt.Errorf("a hook is called with one of %s and perhaps an event", strings.Join(names(), ", "))
	}
	name := ""
	if len(args) == 2 {
		name = args[1]
	}
	if client(args[0]) == codex && name == attend {
		return h.attend(ctx, in)
	}
	e, err := readEvent(client(args[0]), name, in)
	if err != nil || e.kind == other || e.fromCopilot(h.Env.Getenv) {
		return err
	}
	if e.kind == waking && !e.subagent {
		return h.wait(ctx, &e)
	}
	soon, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if !e.subagent && e.kind != questioning {
		err = h.answer(soon, &e)
	}
	// What is over goes once it is written down what the session does instead.
	return errors.Join(err, h.over(soon, &e), h.ask(ctx, &e))
}

const (
	logName = "hook.log"
	// maxLog is the size from which a new log is begun. The previous one is kept until
	// then.
	maxLog = 1 << 20
)

// log writes down what went wrong. That it cannot be written harms nobody.
func (h *hook) log(args []string, err error) {
	dir := h.Env.StateDir()
	root, rootErr := disk.Disk{}.MakeRoot(dir, disk.PrivateDir)
	if rootErr != nil {
		return
	}
	defer root.Close()
	path := filepath.Join(dir, logName)
	if info, err := os.Lstat(path); err == nil && info.Size() > maxLog {
		_ = root.Rename(logName, logName+".1")
	}
	f, openErr := root.OpenWrite(logName, os.O_APPEND|os.O_CREATE|os.O_WRONLY, disk.PrivateFile)
	if openErr != nil {
		return
	}
	defer f.Close()
	line, _ := render.Line(strings.Join(args, " ")+": "+err.Error(), 1000)
	_, _ = io.WriteString(f, h.Now().Format(time.RFC3339)+" "+line+"\n")
}
