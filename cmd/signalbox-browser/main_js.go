// Command signalbox-browser is the language server for browsers, built for GOOS=js. The
// extension runs it in a Worker, with the workspace's files as its file system; see
// extension/src/browser. It does not trust the open folders, like "signalbox lsp --browser".
package main

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"runtime/debug"
	"time"
	_ "time/tzdata" // a browser offers programs no time zone rules

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/server"
	"github.com/signalbox-dev/signalbox/lsp/sources"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

func main() {
	debug.SetGCPercent(50)
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	// Go knows only today's offset, which is an hour off for dates beyond a change to or from
	// summer time.
	if zone, err := time.LoadLocation(os.Getenv("TZ")); err == nil && os.Getenv("TZ") != "" {
		time.Local = zone
	}
	err := server.Serve(context.Background(), server.Stdio(os.Stdin, os.Stdout), server.Options{
		Open: func(_ context.Context, s server.Setup) (server.Panel, error) {
			return door.Open(panel.Options{
				Sources: sources.Browser(), Browser: true, Env: environ.OS(),
				Settings: s.Settings, Folders: s.Folders, Version: s.Version, FrameBytes: s.FrameBytes,
				Now: time.Now, Log: log, Changed: s.Changed, StatusChanged: s.StatusChanged,
			}), nil
		},
		Check: check.Check, Log: log, Version: os.Getenv("SIGNALBOX_VERSION"), Alive: server.Alive, Token: rand.Text,
	})
	if err != nil {
		log.Error(err.Error())
		os.Exit(1)
	}
}
