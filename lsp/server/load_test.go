package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
)

// crowd is a client that asks as much as fifty do, over two pipes of which
// either can be closed alone. It lives in real time: who waits behind a slow reader
// waits for a lock, over which a bubble's time does not pass.
type crowd struct {
	random *rand.Rand
	out    *io.PipeWriter // what the server reads
	in     *io.PipeReader // what it writes
	done   chan error     // what Serve gave

	mu      sync.Mutex
	answers map[string]int // by id; guarded by mu
	odd     []string       // frames that are no answers; guarded by mu
	heard   chan struct{}  // closed when the server's stream ended
}

// newCrowd serves a panel whose every answer takes a while, and initializes.
func newCrowd(seed uint64, slow func()) *crowd {
	fromClient, out := io.Pipe()
	in, toClient := io.Pipe()
	c := &crowd{
		random: rand.New(rand.NewPCG(seed, 50)), out: out, in: in,
		done: make(chan error, 1), answers: map[string]int{}, heard: make(chan struct{}),
	}
	var asked atomic.Uint64
	working := func(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error) {
		n := asked.Add(1)
		if n%13 == 0 {
			panic("a bug")
		}
		takes := time.Duration(n%7) * time.Millisecond
		if n%13 == 1 {
			takes = 50 * time.Millisecond // unless it is cancelled
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(takes):
		}
		return []panel.ResolvedLink{{Status: "found", Preview: strings.Repeat(tokens[0], 100)}}, nil
	}
	o := Options{
		Open:    func(context.Context, Setup) (Panel, error) { return &fakePanel{resolve: working}, nil },
		Log:     slog.New(slog.DiscardHandler),
		Version: "1.2.3", Check: check.Check,
		Alive: func(int) bool { return true },
		Token: func() string { return "token" },
	}
	go func() {
		c.done <- Serve(context.Background(), Stdio(fromClient, toClient), o)
		_ = toClient.Close()
	}()
	go c.listen(slow)
	return c
}

// listen counts answers, calling slow before each.
func (c *crowd) listen(slow func()) {
	defer close(c.heard)
	in := bufio.NewReader(c.in)
	for {
		slow()
		content, err := readFrame(in)
		if err != nil {
			return
		}
		var r struct {
			ID            json.RawMessage
			Result, Error json.RawMessage
		}
		c.mu.Lock()
		if err := json.Unmarshal(content, &r); err != nil || r.ID == nil || (r.Result == nil) == (r.Error == nil) {
			c.odd = append(c.odd, string(content))
		} else {
			c.answers[string(r.ID)]++
		}
		c.mu.Unlock()
	}
}

// send writes a frame; it is false once the server does not read any more.
func (c *crowd) send(content string) bool {
	_, err := io.WriteString(c.out, framed(content))
	return err == nil
}

// storm sends requests of fifty clients, of all kinds and in any order, and takes
// back some at once, some later, some twice and some that nobody sent. It gives the
// ids that have to be answered.
func (c *crowd) storm(requests int) (ids []string) {
	cancel := func(id string) {
		c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
	}
	for n := range requests {
		id := fmt.Sprint(n)
		if n%2 == 0 {
			id = fmt.Sprintf("%q", fmt.Sprintf("client %d/%d", n%50, n))
		}
		method, params := "signalbox/link/resolve", `{"refs":["x"]}`
		switch c.random.IntN(8) {
		case 0:
			method, params = "signalbox/inbox/list", `{}`
		case 1:
			method, params = "signalbox/thread/get", `{"ref":{"protocol":"samp","store":"s1","id":"t1"}}`
		case 2:
			method, params = "no/such", `[]`
		case 3:
			params = `{"refs":7}`
		}
		if !c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)) {
			return ids
		}
		ids = append(ids, id)
		for range c.random.IntN(3) {
			cancel(ids[c.random.IntN(len(ids))])
		}
		if n%17 == 0 {
			cancel(`"nobody's"`)
		}
	}
	for _, i := range c.random.Perm(len(ids)) {
		cancel(ids[i]) // also those that are answered
	}
	return ids
}

func (c *crowd) begin() {
	c.send(`{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"capabilities":{}}}`)
	c.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

// seeds gives the seeds of the short form, or others for as long as [crash.Soak] says.
func seeds(t *testing.T, few uint64) iter.Seq[uint64] {
	long, first, start := crash.SoakTime(t), uint64(0), time.Now()
	if long > 0 {
		first = uint64(start.UnixNano())
	}
	return func(yield func(uint64) bool) {
		n := uint64(0)
		for ; (long == 0 && n < few || time.Since(start) < long) && !t.Failed(); n++ {
			if !yield(first + n) {
				return
			}
		}
		t.Logf("%d seeds from %d on", n, first)
	}
}

// heap is how much memory is in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestCrowd: whatever is asked at once and cancelled, and however slowly the answers
// are read, every request is answered once, the server ends with nothing left, and
// its memory is given back.
func TestCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	before := heap()
	for seed := range seeds(t, 8) {
		pause := rand.New(rand.NewPCG(seed, 1))
		c := newCrowd(seed, func() {
			if pause.IntN(20) == 0 {
				time.Sleep(time.Millisecond)
			}
		})
		c.begin()
		ids := append(c.storm(1000), `"begin"`, `"end"`)
		c.send(`{"jsonrpc":"2.0","id":"end","method":"shutdown"}`)
		c.send(`{"jsonrpc":"2.0","method":"exit"}`)
		if err := <-c.done; err != nil {
			t.Errorf("seed %d: Serve: %v", seed, err)
		}
		<-c.heard
		if len(ids) != 1002 || len(c.odd) > 0 {
			t.Errorf("seed %d: %d requests were sent; frames that answer nothing: %q", seed, len(ids), c.odd)
		}
		for _, id := range ids {
			if c.answers[id] != 1 {
				t.Errorf("seed %d: %s was answered %d times", seed, id, c.answers[id])
			}
			delete(c.answers, id)
		}
		if len(c.answers) > 0 {
			t.Errorf("seed %d: answers that nobody waits for: %v", seed, c.answers)
		}
		_ = c.out.Close()
	}
	if after := heap(); after > before+16<<20 {
		t.Errorf("%d bytes are in use, %d were before", after, before)
	}
}

// TestHalfClosed: a client that hangs up with one hand, in the middle of a storm,
// gets no answer twice, and the server ends.
func TestHalfClosed(t *testing.T) {
	ways := []struct {
		name   string
		hangUp func(c *crowd)
	}{
		{"it sends no more", func(c *crowd) { _ = c.out.Close() }},
		{"it sends half a frame", func(c *crowd) { _, _ = io.WriteString(c.out, "Content-Length: 99\r\n\r\n{"); _ = c.out.Close() }},
		{"it reads no more", func(c *crowd) { _ = c.in.Close(); c.storm(10); _ = c.out.Close() }},
		{"it reads no more, and waits", func(c *crowd) { _ = c.in.Close(); c.storm(10) }},
	}
	for seed := range seeds(t, 4) {
		for _, way := range ways {
			c := newCrowd(seed, runtime.Gosched)
			c.begin()
			c.storm(300)
			way.hangUp(c)
			if err := <-c.done; err != nil {
				t.Errorf("seed %d, %s: Serve: %v", seed, way.name, err)
			}
			<-c.heard
			for id, n := range c.answers {
				if n != 1 {
					t.Errorf("seed %d, %s: %s was answered %d times", seed, way.name, id, n)
				}
			}
			if len(c.odd) > 0 {
				t.Errorf("seed %d, %s: frames that answer nothing: %q", seed, way.name, c.odd)
			}
			_ = c.out.Close()
		}
	}
}

// TestUnreadAnswers: a client that asks and never reads is not read any more, once
// what waits is as much as the queue may hold: nothing is stored for it.
func TestUnreadAnswers(t *testing.T) {
	reads := make(chan struct{})
	c := newCrowd(9, func() { <-reads })
	c.begin()
	// Those that wait, run, wait for their turn to run, and are being read.
	const most = dispatch.MaxQueued + dispatch.MaxRunning + 3
	var sent atomic.Int64
	all := make(chan struct{})
	go func() {
		defer close(all)
		for n := 0; sent.Load() <= 2*most; n++ {
			if !c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"signalbox/thread/get","params":{}}`, n)) {
				return
			}
			sent.Add(1)
		}
	}()
	// After half a second without progress, nothing more is read.
	for last, same := int64(-1), 0; same < 50; same++ {
		time.Sleep(10 * time.Millisecond)
		if now := sent.Load(); now != last {
			last, same = now, 0
		}
	}
	if got := sent.Load(); got == 0 || got > most {
		t.Errorf("the server took %d requests whose answers are not read, at most %d were expected", got, most)
	}
	close(reads)
	<-all
	if got := sent.Load(); got <= 2*most {
		t.Errorf("once answers were read the server did not go on: %d requests", got)
	}
	_ = c.out.Close()
	<-c.done
	<-c.heard
}
