package panel_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/store/environ"
)

// growing is a source that holds more unread mail each time it is counted.
type growing struct {
	panel.Source
	counted atomic.Int64
}

func (*growing) Format() panel.Format  { return panel.Format{Protocol: "growing"} }
func (*growing) Configure(panel.Setup) {}
func (*growing) Close()                {}
func (g *growing) View(context.Context, *panel.Shelf) panel.View {
	return growingView{counted: &g.counted}
}

type growingView struct {
	panel.View
	counted *atomic.Int64
}

func (v growingView) Counts() panel.Counts { return panel.Counts{Unread: int(v.counted.Add(1))} }

// TestChangesInOrder holds that no change comes after a newer one, however many sources
// announce at once: a client shows the counts that came last.
func TestChangesInOrder(t *testing.T) {
	var host panel.Host
	var mu sync.Mutex
	var last panel.Change
	p := panel.Open(panel.Options{
		Sources: []panel.NewSource{func(h panel.Host) panel.Source {
			host = h
			return &growing{}
		}},
		Env: environ.Env{Getenv: func(string) string { return "" }, Home: t.TempDir()}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		StatusChanged: func(panel.Status) {},
		Changed: func(c panel.Change) {
			mu.Lock()
			defer mu.Unlock()
			if c.Revision <= last.Revision || c.Unread <= last.Unread {
				t.Errorf("change %d with %d unread comes after change %d with %d", c.Revision, c.Unread, last.Revision, last.Unread)
			}
			last = c
		},
	})
	defer p.Close()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				host.Changed(panel.SourceChange{Kinds: []string{"messages"}})
			}
		})
	}
	all.Wait()
}
