package enginetest

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/detect"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// testMailTypedCalls compares the ops about all formats, and the ops that make text
// safe to show, with the core's functions.
func (suite *Suite) testMailTypedCalls(t *testing.T) {
	suite.typed(t, func(t *testing.T, caller client.Caller) {
		typedDetect(t, client.NewMail(caller))
		typedRender(t, client.NewRender(caller))
		typedThreads(t, client.NewSAMP(caller))
	})
	m := suite.open(t, engine.Options{Instances: 1})
	if k, err := m.Mail().Detect(context.Background(), "", []byte(strings.Repeat("{", 1<<20))); err != nil || k.Kind != "" || k.Reason == "" {
		t.Errorf("a megabyte of brackets is %+v, %v", k, err)
	}
	if s, err := m.Render().Text(context.Background(), "\u202e"); err != nil || s != "⟨U+202E⟩" {
		t.Errorf("%q, %v", s, err)
	}
}

func typedDetect(t *testing.T, m client.Mailbox) {
	ctx := context.Background()
	for _, c := range []struct{ name, data string }{
		{"", agnChain(t)[0]},
		{"messages/x.json", ampFiles(t)["sent-01-plain"]},
		{"", agentThreads(t)[0].thread},
		{".seen-bob", ""},
		{"amp.txt", "AMP AMP/1.0"},
	} {
		want := detect.File(c.name, []byte(c.data))
		got, err := m.Detect(ctx, c.name, []byte(c.data))
		if err != nil || got != (client.FileKind{Protocol: string(want.Protocol), Kind: string(want.Kind), Certainty: string(want.Certainty), Reason: want.Reason}) {
			t.Errorf("%q is %+v, %v, want %+v", c.name, got, err, want)
		}
	}
	const text = "see 3a8e80c1cec9cb05 in [thread:release 1.4], T-2026-007"
	want := client.Links{Mentions: []client.Mention{}}
	for m := range mail.Mentions(text) {
		want.Mentions = append(want.Mentions, client.Mention{Kind: m.Kind, Offset: int64(m.Offset), Length: int64(m.Length), Token: m.Token})
	}
	got, err := m.Links(ctx, text, 0)
	if diff := cmp.Diff(want, got); err != nil || diff != "" || len(got.Mentions) != 3 {
		t.Errorf("%v %s", err, diff)
	}
	if got, err = m.Links(ctx, text, 1); err != nil || len(got.Mentions) != 1 || got.More != 2 {
		t.Errorf("one of three: %+v, %v", got, err)
	}
}

func typedRender(t *testing.T, r client.Render) {
	ctx := context.Background()
	const text = "# A\u202e \x1b[31m\n\n[b](https://example.com) <i>\n\xff`c`"
	for name, c := range map[string]struct {
		call func() (string, error)
		want string
	}{
		"text":     {func() (string, error) { return r.Text(ctx, text) }, render.Text(text)},
		"Markdown": {func() (string, error) { return r.Markdown(ctx, text, client.RenderOptions{TopHeading: 3}) }, markup.Markdown(text, markup.Options{TopHeading: 3})},
		"HTML":     {func() (string, error) { return r.HTML(ctx, text, client.RenderOptions{MaxBytes: 40}) }, markup.HTML(text, markup.Options{MaxBytes: 40})},
		"whole":    {func() (string, error) { return r.HTML(ctx, text, client.RenderOptions{}) }, markup.HTML(text, markup.Options{})},
		"escape":   {func() (string, error) { return r.Escape(ctx, text) }, markup.Escape(text)},
		"code":     {func() (string, error) { return r.Code(ctx, text) }, markup.Code(text)},
		"block":    {func() (string, error) { return r.Block(ctx, text) }, markup.Block(text)},
	} {
		if got, err := c.call(); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	for _, max := range []int{0, 1, 5} {
		want, cut := render.Line(text, max)
		if got, err := r.Line(ctx, text, int64(max)); err != nil || got != (client.Line{Line: want, Cut: cut}) {
			t.Errorf("a line of %d: %v, %v, want %q", max, got, err, want)
		}
	}
}

func typedThreads(t *testing.T, s client.SAMP) {
	ctx := context.Background()
	logs := sampLogs(t)
	all, err := s.Threads(ctx, client.ThreadsQuery{Logs: logs})
	if err != nil {
		t.Fatal(err)
	}
	for _, me := range []string{"bob", "carol"} {
		box, err := s.Inbox(ctx, client.InboxQuery{Me: me, Mode: client.All(), Logs: logs})
		if err != nil {
			t.Fatal(err)
		}
		mine, err := s.Threads(ctx, client.ThreadsQuery{Me: me, Logs: logs})
		if err != nil || len(mine.Threads) == 0 || len(mine.Threads) >= len(all.Threads) {
			t.Fatalf("%d threads of %s, %v", len(mine.Threads), me, err)
		}
		count := map[string]int64{}
		last := map[string]client.Message{}
		for _, m := range box.Messages {
			count[m.Thread]++
			last[m.Thread] = m
		}
		for i, thread := range mine.Threads {
			if thread.Count != count[thread.Thread] || !cmp.Equal(thread.Last, last[thread.Thread]) || thread.First > thread.Last.TS || len(thread.Parties) < 1 {
				t.Errorf("%s: %+v, want %d", me, thread, count[thread.Thread])
			}
			if i > 0 && thread.Last.TS > mine.Threads[i-1].Last.TS {
				t.Errorf("%s: thread %d is newer than the one before", me, i)
			}
		}
		if len(count) != len(mine.Threads) || mine.Lines != box.Lines || mine.Suspicious != int64(len(box.Suspicious)) || mine.Replicas != box.Replicas {
			t.Errorf("%s: %+v, and the inbox has %d threads", me, mine, len(count))
		}
	}
	one, err := s.Threads(ctx, client.ThreadsQuery{Limit: 1, Logs: logs})
	if err != nil || !cmp.Equal(one.Threads, all.Threads[:1]) || one.More != int64(len(all.Threads)-1) {
		t.Errorf("one of %d threads: %+v, %v", len(all.Threads), one, err)
	}
}
