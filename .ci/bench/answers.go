package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// manyHooks is how many agents wait for the person at once.
	manyHooks = 50
	// watched is how long it is seen what hooks take that wait.
	watched = 10 * time.Second
	// fromClick is how long an answer may take from the click to the agent's program.
	fromClick = 150 * time.Millisecond
	// hookMemory is how many megabytes a hook may have that waits.
	hookMemory = 15
)

// answers is what agents that wait for the person cost, and how soon an answer reaches them.
func (b *bench) answers() ([]row, error) {
	if _, err := os.Stat("/proc/self/schedstat"); err != nil {
		return nil, nil // only Linux tells what a process takes while it runs
	}
	last := func(n int) measure { return func() (sample, error) { return b.answered(n, 0) } }
	// One look of ten seconds is enough.
	wait := func(n int) measure {
		return sync.OnceValues(func() (sample, error) { return b.answered(n, watched) })
	}
	return []row{
		{what: "`hook` waits for an answer: processor time in 10 s", ours: wait(1), within: 10 * time.Millisecond, memory: hookMemory},
		{what: fmt.Sprintf("%d of them: processor time of all in 10 s", manyHooks), ours: wait(manyHooks), within: 500 * time.Millisecond, memory: hookMemory},
		{what: "from `signalbox/needs/answer` to what the hook says", ours: last(1), within: fromClick, memory: hookMemory},
		{what: fmt.Sprintf("the same with %d hooks, the slowest", manyHooks), ours: last(manyHooks), within: fromClick, memory: hookMemory},
	}, nil
}

// answered starts hooks of Claude Code's that wait, and answers them one after the other as an
// editor does. The time is the longest between an answer and the hook's output. If the hooks are
// watched for a while, it is the processor time they all took. The memory is the largest hook's.
func (b *bench) answered(n int, watch time.Duration) (s sample, err error) {
	p := b.place("")
	var hooks []*waiting
	defer func() {
		for _, h := range hooks {
			h.end()
		}
	}()
	for i := range n {
		h, err := b.wait(p, command(i))
		if err != nil {
			return s, err
		}
		hooks = append(hooks, h)
	}
	_, err = b.editor(p, b.folder(), func(c *client) (time.Duration, error) {
		asked, err := c.asked(n)
		if err != nil {
			return 0, err
		}
		before, err := taken(hooks)
		if err != nil {
			return 0, err
		}
		time.Sleep(watch)
		after, err := taken(hooks)
		s = sample{after.took - before.took, after.peak}
		if err != nil || watch > 0 {
			return 0, err
		}
		s.took = 0
		for i, h := range hooks {
			took, err := c.allow(asked[command(i)], h)
			if err != nil {
				return 0, err
			}
			s.took = max(s.took, took)
		}
		return 0, nil
	})()
	return s, err
}

func command(n int) string { return fmt.Sprintf("make test-%d", n) }

// waiting is a hook that waits for an answer.
type waiting struct {
	cmd *exec.Cmd
	// line is what it said, and at when, once said is closed.
	said chan struct{}
	line string
	at   time.Time
}

// wait starts a hook that asks for the permission to run a command.
func (b *bench) wait(p place, command string) (*waiting, error) {
	hook := b.signalbox(p, "hook", "claude")
	h := &waiting{cmd: exec.Command(hook.args[0], hook.args[1:]...), said: make(chan struct{})}
	h.cmd.Env, h.cmd.Dir = hook.env, hook.dir
	h.cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":%q,"hook_event_name":"PermissionRequest","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q}}`, command, b.scratch, command))
	out, err := h.cmd.StdoutPipe()
	if err == nil {
		err = h.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(h.said)
		h.line, _ = bufio.NewReader(out).ReadString('\n') // of one that was killed there is none
		h.at = time.Now()
	}()
	return h, nil
}

func (h *waiting) end() {
	_ = h.cmd.Process.Kill()
	<-h.said
	_ = h.cmd.Wait()
}

// request is what a page of Needs You has of what an agent asks for.
type request struct {
	ID    string `json:"id"`
	Hash  string `json:"hash"`
	Input []struct{ Name, Text string }
}

// asked returns what agents ask for, by their commands, once so many do.
func (c *client) asked(n int) (map[string]request, error) {
	all := make(map[string]request)
	for c.since() < time.Minute {
		var page struct{ Items []struct{ Request *request } }
		if err := c.call("signalbox/needs/list", map[string]int{"limit": 2 * n}, &page, nil); err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			if it.Request != nil && len(it.Request.Input) > 0 {
				all[it.Request.Input[0].Text] = *it.Request
			}
		}
		if len(all) == n {
			return all, nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return nil, fmt.Errorf("%d of %d hooks wait after a minute", len(all), n)
}

// allow answers a request, and returns how long it took until its hook said so.
func (c *client) allow(r request, h *waiting) (time.Duration, error) {
	start := time.Now()
	if err := c.call("signalbox/needs/answer", map[string]any{"id": r.ID, "hash": r.Hash, "allow": true}, nil, nil); err != nil {
		return 0, err
	}
	<-h.said
	if !strings.Contains(h.line, `"allow"`) {
		return 0, fmt.Errorf("the hook said %q", h.line)
	}
	return h.at.Sub(start), nil
}

// taken returns the processor time that hooks have taken until now, and the memory that the
// largest has.
func taken(hooks []*waiting) (s sample, err error) {
	for _, h := range hooks {
		proc := filepath.Join("/proc", strconv.Itoa(h.cmd.Process.Pid))
		threads, _ := filepath.Glob(filepath.Join(proc, "task", "*", "schedstat"))
		for _, thread := range threads {
			data, err := os.ReadFile(thread)
			if errors.Is(err, os.ErrNotExist) {
				continue // it has just ended
			}
			ns, _, _ := bytes.Cut(data, []byte(" "))
			ran, err := strconv.ParseInt(string(ns), 10, 64)
			if err != nil {
				return s, err
			}
			s.took += time.Duration(ran)
		}
		kb, _, _ := strings.Cut(strings.TrimSpace(first(filepath.Join(proc, "status"), "VmRSS")), " ")
		rss, err := strconv.ParseInt(kb, 10, 64)
		if err != nil {
			return s, fmt.Errorf("the memory of a hook: %w", err)
		}
		s.peak = max(s.peak, rss<<10)
	}
	return s, nil
}
