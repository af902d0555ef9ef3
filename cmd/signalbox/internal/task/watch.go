package task

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/spf13/cobra"
)

func (j *Commands) watchCommand() *cobra.Command {
	once := false
	cmd := &cobra.Command{
		Use: "watch",
		Example: `  signalbox task watch
  signalbox task watch --once --json`,
		Short: "Be the watchdog: escalate tasks not confirmed in time, silence, locks and forbidden branches",
		Long: `Watch the tasks and escalate, in the system's name, what nobody reported: an ACK
that did not come in time, 30 minutes without a word, a task locked by its
rejections, a dispatch to main or master. Each is escalated once, also across
restarts and with several watchdogs at work. What is written is printed.

It ends on Ctrl-C. --once looks a single time.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return j.watch(ctx, once)
		}),
	}
	cmd.Flags().BoolVar(&once, "once", false, "look once and end")
	return cmd
}

func (j *Commands) watch(ctx context.Context, once bool) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	where, err := j.Place()
	if err != nil {
		return err
	}
	w := j.Writer()
	var failed error
	cfg := agnsource.WatchdogConfig{
		Path: where.Value, Now: j.Now,
		Logger: slog.New(slog.NewTextHandler(j.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Reported: func(m agn.Message) {
			j.reported(w, &m)
			if failed = cmp.Or(failed, w.Flush()); failed != nil {
				stop() // the reader is gone
			}
		},
	}
	if once {
		if _, err := j.read(ctx); err != nil {
			return cli.UnlessEnded(ctx, err)
		}
		err := agnsource.Watch(ctx, cfg, true)
		return cmp.Or(failed, cli.UnlessEnded(ctx, err))
	}
	if _, err := os.Stat(where.Value); errors.Is(err, fs.ErrNotExist) {
		j.Warn("%q (%s) does not exist yet", where.Value, where.Origin)
	}
	// Scripts wait for this line.
	j.Warn("watching %q", where.Value)
	_ = agnsource.Watch(ctx, cfg, false) // it ends only with ctx
	return failed
}

// reported writes an escalation of the watchdog.
func (j *Commands) reported(w *bufio.Writer, m *agn.Message) {
	e := m.Payload.Escalation
	j.Row(w, printed.Escalated{
		ID: m.ID, Time: m.Time.Millis, Task: m.TaskID, Type: e.Kind, Severity: e.Severity, TriggeredBy: e.TriggeredBy, Description: e.Description,
	}, "%s  %s  %s\n    %s", cli.WholeLine(m.ID), e.Severity, strings.ReplaceAll(e.Kind, "_", " "), cli.Line(e.Description))
}
