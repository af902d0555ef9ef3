package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/server"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

func serverCommand(o *cli.Options) *cobra.Command {
	var verbose, browser bool
	cmd := &cobra.Command{
		Use:         "lsp",
		Annotations: cli.Uses("dir", "as", "profile"),
		Example: `  signalbox lsp
  signalbox lsp --verbose 2> server.log`,
		Short: "Serve editors over the Language Server Protocol on stdin and stdout",
		Long: `Serve editors over the Language Server Protocol on stdin and stdout. An editor
starts it; docs/editors.md says how. What goes wrong is logged on stderr.`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), o, verbose, browser) }),
	}
	cmd.Flags().Bool("stdio", true, "speak over stdin and stdout, which is the only way")
	cmd.Flags().BoolVar(&verbose, "verbose", false, "log every change that is seen")
	cmd.Flags().BoolVar(&browser, "browser", false, "take the opened folders for a stranger's, as in a browser (docs/web.md)")
	_ = cmd.Flags().MarkHidden("browser") // only the tests that compare both servers use it
	return cmd
}

func serve(ctx context.Context, o *cli.Options, verbose, browser bool) error {
	staySmall(nil)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	formats := sources.All
	if browser {
		formats = sources.Browser
	}
	log := slog.New(slog.NewTextHandler(o.Stderr, &slog.HandlerOptions{Level: level}))
	return server.Serve(ctx, server.Stdio(o.In, os.Stdout), server.Options{
		Open: func(_ context.Context, s server.Setup) (server.Panel, error) {
			return door.Open(panel.Options{
				Sources: formats(), Browser: browser,
				Env: o.Env, Dir: o.Dir, As: o.As, Profile: o.Profile, Person: o.Person,
				Settings: s.Settings, Folders: s.Folders, Version: s.Version, FrameBytes: s.FrameBytes,
				Decides: func() error { return who.Decides(o.Env, o.Above) },
				Now:     o.Now, Log: log, Run: o.Run, Changed: s.Changed, StatusChanged: s.StatusChanged,
			}), nil
		},
		Check: check.Check, Log: log, Version: o.Version, Alive: server.Alive, Token: rand.Text,
	})
}

// staySmall makes the garbage collector run early, since unlike other commands the server lives
// long: as soon as the garbage is half as large as the live heap. With a small heap that would be
// every few milliseconds while a thousand sessions are read, so up to spare bytes of garbage are
// always allowed. It is the finalizer of its argument, so it is called again after each collection.
func staySmall(*[64]byte) {
	const spare, least, most = 32 << 20, 50, 400
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(int(min(max(100*spare/(live[0].Value.Uint64()+1), least), most)))
	runtime.SetFinalizer(new([64]byte), staySmall)
}
