package mail

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/spf13/cobra"
)

// pollEvery is how often tail reads the directory if the system reports no changes.
const pollEvery = time.Second

func (o *commands) tailCommand() *cobra.Command {
	var all bool
	var f cli.Filter
	cmd := &cobra.Command{
		Use:         "tail",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox tail
  signalbox tail --all --json`,
		Short: "Show messages addressed to you as they arrive",
		Long: `Show messages addressed to you as they arrive, in all logs, also in logs that
appear later. Nothing is marked as read. It ends on Ctrl-C.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			me, err := o.reads()
			if err != nil {
				return err
			}
			if err := f.Read(o.Options, cmd); err != nil {
				return err
			}
			if all {
				me = ""
			}
			return o.tail(ctx, me, &f)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "every message, whoever it is addressed to")
	f.Narrow(cmd, "from", "thread")
	return cmd
}

func (o *commands) tail(ctx context.Context, me string, f *cli.Filter) error {
	d, waited, err := o.await(ctx)
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	t, err := d.Tail(ctx, me, waited)
	if err != nil {
		return cli.UnlessEnded(ctx, err)
	}
	defer t.Close()
	w := o.Writer()
	p := o.lister(ctx, w, d, me, 0)
	p.clock = true
	// Scripts that start tail wait for this before they write.
	o.Warn("waiting for messages in %q", d.Path())
	if me != "" {
		o.hint(ctx, d, me)
	}
	reported := make(map[string]bool)
	return t.Follow(ctx, pollEvery, func(m box.Mail) error {
		o.report(d, fresh(&m, reported))
		for i := range m.Messages {
			if wanted(f, &m.Messages[i]) {
				p.add(&m.Messages[i])
			}
		}
		p.flush()
		return w.Flush()
	})
}

// fresh drops problems that were reported before.
func fresh(m *box.Mail, reported map[string]bool) *box.Mail {
	kept := m.Problems[:0]
	for _, p := range m.Problems {
		if key := p.String(); !reported[key] {
			reported[key] = true
			kept = append(kept, p)
		}
	}
	m.Problems = kept
	return m
}

// await waits until the directory exists and opens it. waited is set if it did not
// exist at first.
func (o *commands) await(ctx context.Context) (d *box.Dir, waited bool, err error) {
	if d, err = o.Open(); err != nil || d != nil {
		return d, false, err
	}
	tick := time.NewTicker(pollEvery / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, true, nil
		case <-tick.C:
		}
		if d, err = o.Box().Open(); !errors.Is(err, fs.ErrNotExist) {
			return d, true, err
		}
	}
}
