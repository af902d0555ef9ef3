package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// server measures something in a server that runs: serve returns what took how long.
func (b *bench) server(p process, framed bool, serve func(*client) (time.Duration, error)) measure {
	return func() (sample, error) {
		if p.before != nil {
			if err := p.before(); err != nil {
				return sample{}, err
			}
		}
		c, err := connect(p, framed)
		if err != nil {
			return sample{}, err
		}
		took, err := serve(c)
		if err != nil {
			_ = c.cmd.Process.Kill()
			_ = c.cmd.Wait()
			return sample{}, err
		}
		peak, err := c.stop()
		return sample{took, peak}, err
	}
}

// editor measures something in the server of an editor whose folder is the place's.
func (b *bench) editor(p place, mail string, serve func(*client) (time.Duration, error)) measure {
	lsp := b.signalbox(p, "--dir", mail, "--as", "me", "lsp")
	return b.server(lsp, true, func(c *client) (time.Duration, error) {
		params := map[string]any{"processId": nil, "rootUri": "file://" + filepath.ToSlash(p.work), "capabilities": struct{}{}}
		if err := c.call("initialize", params, nil, nil); err != nil {
			return 0, err
		}
		if err := c.notify("initialized", struct{}{}); err != nil {
			return 0, err
		}
		return serve(c)
	})
}

type inboxPage struct {
	Threads []struct {
		Ref json.RawMessage `json:"ref"`
	} `json:"threads"`
	Groups []struct {
		Threads int `json:"threads"`
	} `json:"groups"`
	NextCursor string `json:"nextCursor"`
}

// pageSize is how much an editor asks for.
const pageSize = 50

func (c *client) page(cursor string) (p inboxPage, err error) {
	params := map[string]any{"filter": struct{}{}, "limit": pageSize}
	if cursor != "" {
		params["cursor"] = cursor
	}
	err = c.call("signalbox/inbox/list", params, &p, nil)
	return p, err
}

// until asks for the first page until it is as wanted, and returns how long that was after
// the start.
func (c *client) until(wanted func(inboxPage) bool) (time.Duration, error) {
	for c.since() < time.Minute {
		p, err := c.page("")
		if err != nil || wanted(p) {
			return c.since(), err
		}
		time.Sleep(2 * time.Millisecond)
	}
	return 0, fmt.Errorf("the first page was not full in a minute")
}

func (c *client) since() time.Duration { return time.Since(c.start) }

func full(p inboxPage) bool { return len(p.Threads) >= min(pageSize, 20) }

// holding reports whether so many threads are known.
func holding(n int) func(inboxPage) bool {
	return func(p inboxPage) bool {
		known := 0
		for _, g := range p.Groups {
			known += g.Threads
		}
		return known >= n
	}
}

func (c *client) indexed() (time.Duration, error) {
	for {
		var status struct{ Indexing bool }
		if err := c.call("signalbox/status", struct{}{}, &status, nil); err != nil || !status.Indexing {
			return c.since(), err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// editors is what somebody waits for before a window.
func (b *bench) editors() ([]row, error) {
	million, err := b.sets.mail(1_000_000, 10)
	if err != nil {
		return nil, err
	}
	sessions, err := b.sets.sessions(2000, 1<<20, false)
	if err != nil {
		return nil, err
	}
	large, err := b.sets.sessions(500, 2<<20, false)
	if err != nil {
		return nil, err
	}
	none := b.folder()
	first := func(c *client) (time.Duration, error) { return c.until(full) }
	n, messages := b.sets.sized(2000), count(b.sets.sized(1_000_000))
	all := func(c *client) (time.Duration, error) { return c.until(holding(n)) }
	fresh := b.place(sessions)
	forgotten := func(m measure) measure {
		return func() (sample, error) {
			if err := os.RemoveAll(fresh.state); err != nil {
				return sample{}, err
			}
			return m()
		}
	}
	known, mail := b.place(sessions), b.place("")
	found := func(word string) measure {
		return b.editor(b.place(large), none, func(c *client) (time.Duration, error) { return c.hit(word, b.sets.sized(500)) })
	}
	of := fmt.Sprintf("%s sessions of 1 MB", count(n))
	rows := []row{
		{what: "editor: start to the first page, " + messages + " messages", ours: b.editor(mail, million, first), within: 150 * time.Millisecond},
		{what: "editor: start to all known, " + messages + " messages", ours: b.editor(mail, million, (*client).indexed), memory: 150},
		{what: "editor: start to the first page, " + of + ", known before", ours: b.editor(known, none, first), within: 150 * time.Millisecond},
		{what: "editor: start to the first page, " + of + ", first look", ours: forgotten(b.editor(fresh, none, first)), within: 800 * time.Millisecond},
		{what: "editor: start to all known, " + of + ", first look", ours: forgotten(b.editor(fresh, none, all)), within: 800 * time.Millisecond},
		{what: "editor: search in " + megabytes(large) + " of sessions, first hit of a common word", ours: found(common), within: 150 * time.Millisecond},
		{what: "the same, a word in one message, the oldest session", ours: found(once)},
	}
	for _, k := range []string{"a page deep in the inbox", "a page of a thread", "a hover"} {
		rows = append(rows, row{
			what: "editor: " + k + ", " + messages + " messages, 99th percentile", within: 5 * time.Millisecond,
			ours: b.editor(mail, million, func(c *client) (time.Duration, error) { return c.requests(k) }),
		})
	}
	return rows, nil
}

// hit waits until the server knows the sessions and has indexed them. It then returns how long a
// search takes to its first hit, in a page or in a partial result before it.
func (c *client) hit(word string, sessions int) (took time.Duration, err error) {
	if _, err := c.until(holding(sessions)); err != nil {
		return 0, err
	}
	if _, err := c.indexed(); err != nil {
		return 0, err
	}
	start := time.Now()
	seen := func(raw []byte) {
		if took == 0 && bytes.Contains(raw, []byte(`"hits":[{`)) {
			took = time.Since(start)
		}
	}
	params := map[string]any{"query": word, "limit": pageSize, "partialResultToken": 1}
	for took == 0 {
		var page struct{ NextCursor string }
		if err := c.call("signalbox/search", params, &page, seen); err != nil {
			return 0, err
		}
		if params["cursor"] = page.NextCursor; took == 0 && page.NextCursor == "" {
			return 0, fmt.Errorf("search: %q was not found", word)
		}
	}
	return took, nil
}

// requests returns the 99th percentile of what an editor asks all the time.
func (c *client) requests(kind string) (time.Duration, error) {
	if _, err := c.indexed(); err != nil {
		return 0, err
	}
	const asked = 300
	var refs, ids []string
	var times []time.Duration
	cursor := ""
	for range asked {
		start := time.Now()
		p, err := c.page(cursor)
		if err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
		cursor = p.NextCursor
		for _, t := range p.Threads {
			refs = append(refs, string(t.Ref))
		}
	}
	if kind == "a page deep in the inbox" {
		return rank(times, 99), nil
	}
	times = nil
	for i := range asked {
		start := time.Now()
		var p struct{ Messages []struct{ ID string } }
		params := map[string]any{"ref": json.RawMessage(refs[i*7919%len(refs)]), "limit": pageSize}
		if err := c.call("signalbox/thread/get", params, &p, nil); err != nil {
			return 0, err
		}
		times = append(times, time.Since(start))
		ids = append(ids, p.Messages[len(p.Messages)-1].ID)
	}
	if kind == "a page of a thread" {
		return rank(times, 99), nil
	}
	return c.hovers(ids)
}

func (c *client) hovers(ids []string) (time.Duration, error) {
	var text bytes.Buffer
	for _, id := range ids {
		fmt.Fprintf(&text, "See %s.\n", id)
	}
	document := map[string]any{"uri": "file:///notes.md", "languageId": "markdown", "version": 1, "text": text.String()}
	if err := c.notify("textDocument/didOpen", map[string]any{"textDocument": document}); err != nil {
		return 0, err
	}
	var times []time.Duration
	for line, id := range ids {
		start := time.Now()
		var hover any
		err := c.call("textDocument/hover", map[string]any{"textDocument": document, "position": map[string]int{"line": line, "character": 8}}, &hover, nil)
		if err != nil || hover == nil {
			return 0, fmt.Errorf("hover above %s: %v, %w", id, hover, err)
		}
		times = append(times, time.Since(start))
	}
	return rank(times, 99), nil
}

// rank is the time that so many in a hundred do not exceed.
func rank(times []time.Duration, percent int) time.Duration {
	slices.Sort(times)
	return times[(len(times)*percent+99)/100-1]
}

// tools is what an agent's program waits for.
func (b *bench) tools() ([]row, error) {
	half, err := b.sets.mail(100_000, 2)
	if err != nil {
		return nil, err
	}
	dir, p := b.folder(), b.place("")
	if err := copied(half, dir); err != nil {
		return nil, err
	}
	mcp := func(serve func(*client) (time.Duration, error)) measure {
		return b.server(b.signalbox(p, "--dir", dir, "--as", "me", "mcp"), false, func(c *client) (time.Duration, error) {
			params := map[string]any{"protocolVersion": "2025-06-18", "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "bench", "version": "1"}}
			if err := c.call("initialize", params, nil, nil); err != nil {
				return 0, err
			}
			ready := c.since()
			if err := c.notify("notifications/initialized", nil); err != nil || serve == nil {
				return ready, err
			}
			return serve(c)
		})
	}
	in := fmt.Sprintf(", %s messages, half of them to the agent", count(b.sets.sized(100_000)))
	return []row{
		{what: "`mcp`: start to `initialize` answered" + in, ours: mcp(nil), within: 30 * time.Millisecond},
		{what: "`mcp`: `check_mail`, a hundred taken, the others unread", ours: mcp(func(c *client) (time.Duration, error) {
			start := time.Now()
			err := c.tool("check_mail", map[string]any{"limit": 100})
			return time.Since(start), err
		}), memory: 40},
		{what: "`mcp`: `check_mail`, nothing new, median of 20", within: 5 * time.Millisecond, ours: mcp(func(c *client) (time.Duration, error) {
			inbox := b.signalbox(p, "--dir", dir, "--as", "me", "inbox")
			inbox.piped = true
			if _, err := inbox.run(); err != nil {
				return 0, err
			}
			var times []time.Duration
			for range 20 {
				start := time.Now()
				if err := c.tool("check_mail", nil); err != nil {
					return 0, err
				}
				times = append(times, time.Since(start))
			}
			return rank(times, 50), nil
		})},
		{what: "`mcp`: `wait_for_mail`, from an append to the answer", within: 100 * time.Millisecond, ours: mcp(func(c *client) (time.Duration, error) {
			return c.arrival(filepath.Join(dir, samp.LogName(agent(0))))
		})},
	}, nil
}

func (c *client) tool(name string, arguments map[string]any) error {
	if arguments == nil {
		arguments = map[string]any{}
	}
	var result struct {
		IsError bool
		Content json.RawMessage
	}
	err := c.call("tools/call", map[string]any{"name": name, "arguments": arguments}, &result, nil)
	if err == nil && result.IsError {
		err = fmt.Errorf("%s: %s", name, result.Content)
	}
	return err
}

// arrival returns how long after a message was written somebody who waits is told.
func (c *client) arrival(log string) (time.Duration, error) {
	if err := c.tool("check_mail", nil); err != nil {
		return 0, err
	}
	type written struct {
		at  time.Time
		err error
	}
	wrote := make(chan written, 1)
	go func() {
		time.Sleep(250 * time.Millisecond)
		r := samp.Record{TS: time.Now().Unix(), From: agent(0), To: "me", Thread: "t", Body: fmt.Sprintf("message %d", time.Now().UnixNano())}
		r.ID = samp.ID(&r, samp.V1)
		at := time.Now()
		f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0)
		if err == nil {
			_, err = f.Write(r.Append(nil))
			f.Close()
		}
		wrote <- written{at, err}
	}()
	err := c.tool("wait_for_mail", map[string]any{"seconds": 30})
	told := time.Now()
	w := <-wrote
	if err == nil {
		err = w.err
	}
	return told.Sub(w.at), err
}
