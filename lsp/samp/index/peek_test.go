package index_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// TestPeek holds that the newest mail of a large store is shown before everything is read,
// but only records in their senders' own logs. The next change reports the rest.
func TestPeek(t *testing.T) {
	b := newTestDir(t, "bob")
	b.live.Close()
	body := strings.Repeat("word ", 2000)
	var log strings.Builder
	const messages = 2000
	for i := range messages {
		log.WriteString(line(int64(i), "alice", "bob", fmt.Sprint("t", i%1000), fmt.Sprint(body, i)))
	}
	b.write("log-alice.jsonl", log.String(), "not json\n")
	b.write("log-mallory.jsonl", line(5000, "alice", "bob", "t999", "forged"))
	b.write("log-alice.copy.jsonl", line(6000, "alice", "bob", "t999", "a copy"))
	type seen struct {
		stats   index.Stats
		threads []index.Thread
		newest  []index.Message
		line    int
	}
	var live *index.Live
	made := make(chan struct{})
	views := make(chan seen, 10)
	live = index.Open(index.Config{
		Path: b.dir, Me: "bob", StateDir: t.TempDir(), Profile: samp.V1, Poll: time.Hour, Logger: slog.New(slog.DiscardHandler),
		Changed: func(c index.Change) {
			<-made
			v := seen{stats: live.Stats()}
			v.threads, _ = live.List(index.Listing{Limit: 3})
			v.newest, _, _ = live.Ends(v.threads)
			if len(v.newest) > 0 {
				v.line = live.NumberOf(&v.newest[0])
			}
			if !c.Truncated {
				t.Errorf("the change %+v does not say that all is new", c)
			}
			views <- v
		},
	})
	close(made)
	defer live.Close()
	b.live = live
	b.sync()
	early, late := <-views, <-views
	if len(views) > 0 {
		t.Errorf("%d more changes", len(views))
	}
	if !early.stats.Indexing || late.stats.Indexing {
		t.Error("the first view is to be while the logs are read, and the second after that")
	}
	if n := early.stats.Messages; n == 0 || n > 20 || late.stats.Messages != messages+2 {
		t.Errorf("%d messages, then %d", n, late.stats.Messages)
	}
	if len(early.threads) != 3 || early.threads[0].Name != "t999" || early.threads[0].Last != messages-1 {
		t.Fatalf("the first view has %+v", early.threads)
	}
	if m := early.newest[0]; m.Err != nil || m.Body != fmt.Sprint(body, messages-1) || early.line != messages {
		t.Errorf("the newest message is in line %d, %v", early.line, m.Err)
	}
	if late.threads[0].Last != 6000 || late.stats.Suspicious != 1 || late.stats.Unread != messages+1 {
		t.Errorf("the second view has %+v, %+v", late.threads[0], late.stats)
	}
}
