package hook

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/appserver"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

// attend is the event with which a Codex hook starts a process that waits in its place. Codex
// shows its dialog only after the hook has ended, so the hook itself cannot wait.
const attend = "attend"

const (
	// attendIdle is how long that process stays while no request is open: other hooks may delay
	// the dialog, or keep it from opening.
	attendIdle = 30 * time.Second
	// attendCheck is how often it checks whether the terminal is still there.
	attendCheck = 10 * time.Second
	// attendEnd is how long the server may take to confirm an answer.
	attendEnd = 5 * time.Second
	// attendLock is how long such a process waits for another one that is just ending.
	attendLock = time.Second
	// maxAsks is how many requests of one session are handled at once.
	maxAsks = 50
	// maxAttendant is the greatest length of the process's input in bytes.
	maxAttendant = 64 << 10
)

var codexAsker = asker{
	can: Ability{
		Title: "Codex", Seen: "0.169.0",
		Permission: "yes, no with a reason, its suggested rules", Question: "options, own words",
		Dialog: "stays open, and closes with the answer", Wakes: "`codex queue`, while a terminal shows it",
	},
	hides: true, request: codexRequest, decision: codexDecision, beside: codexBeside,
}

// codexRequest returns the request of Codex's PermissionRequest, for a hook that waits itself:
// the event comes before the dialog, which opens if the hook ends without an answer.
func codexRequest(e *event, w *wire) (r ask.Request, ok bool) {
	r = ask.Request{Kind: ask.Permission, Agent: w.agent(), Tool: w.Tool, Input: w.Input}
	return r, e.name == "PermissionRequest" && r.Tool != "" && r.Input != nil
}

func codexDecision(_ *ask.Request, a *ask.Answer) any {
	return decide(simpleDecision(a))
}

// codexBeside starts a process that Codex's server asks as well, so that the hook need not wait.
// It reports whether it could.
func codexBeside(h *hook, e *event) bool {
	server := activity.Caller()
	socket := h.codexSocket(server)
	if socket == "" {
		return false
	}
	err := h.startAttendant(&attendant{Session: e.session, Socket: socket, Server: server})
	if err != nil {
		h.log([]string{"hook", string(codex)}, err)
	}
	return err == nil
}

// codexSocket returns the path of the socket on which a Codex server accepts connections. It returns
// "" if the process isn't such a server or the path does not exist.
func (h *hook) codexSocket(server activity.Process) string {
	if args := server.Arguments(); !strings.Contains(args, "app-server") || !strings.Contains(args, "unix://") {
		return ""
	}
	home := h.Env.Getenv("CODEX_HOME")
	if home == "" {
		home = filepath.Join(h.Env.Home, ".codex")
	}
	socket := appserver.Socket(home)
	if _, err := os.Lstat(socket); err != nil {
		return ""
	}
	return socket
}

// attendant is the input of the process that waits.
type attendant struct {
	Session string `json:"session"`
	Socket  string `json:"socket"`
	// Server is Codex's server process.
	Server activity.Process `json:"server"`
}

// startAttendant starts the process that waits. It belongs to no terminal, and ends by itself:
// when no request is open, with the server, or with the session.
func (h *hook) startAttendant(a *attendant) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "hook", string(codex), attend)
	cmd.Dir, cmd.SysProcAttr = h.Env.StateDir(), detached()
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	data, err := json.Marshal(a)
	if err == nil {
		_, err = in.Write(data)
	}
	return errors.Join(err, in.Close(), cmd.Process.Release())
}

// attend passes Codex's requests to the person, and the answers back.
func (h *hook) attend(ctx context.Context, in io.Reader) error {
	var a attendant
	if err := json.NewDecoder(io.LimitReader(in, maxAttendant)).Decode(&a); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, userconfig.MaxWait)
	defer cancel()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	state := h.Env.StateDir()
	s, err := activity.At(state).Read(string(codex), a.Session)
	if err != nil {
		return err
	}
	// One process is enough for a session: it gets all its requests.
	root, err := disk.Disk{}.MakeRoot(state, disk.PrivateDir)
	if err != nil {
		return err
	}
	defer root.Close()
	soon, over := context.WithTimeout(ctx, attendLock)
	defer over()
	lock, err := filelock.Take(soon, root, "attend-"+s.Key()+".lock", disk.PrivateFile)
	if errors.Is(err, filelock.ErrLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	conn, err := appserver.Dial(ctx, a.Socket)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.Join(ctx, a.Session); err != nil {
		return err
	}
	d := &attending{
		hook: h, conn: conn, given: a, session: s, sessions: agents.At(state),
		asks: make(map[string]context.CancelFunc), over: make(chan string),
	}
	defer d.wait.Wait()
	ctx, cancel = context.WithCancel(ctx)
	defer cancel()
	d.serve(ctx)
	return nil
}

// attending holds the open requests of one Codex session.
type attending struct {
	*hook
	conn     *appserver.Conn
	given    attendant
	session  activity.Session
	sessions activity.Folder

	wait sync.WaitGroup
	// asks are the open requests, by the server's id. over gets the ids of those that have ended.
	asks map[string]context.CancelFunc
	over chan string
}

// serve handles events until no request is open any more.
func (d *attending) serve(ctx context.Context) {
	check := time.NewTicker(attendCheck)
	defer check.Stop()
	for last, over := d.Now(), false; !over || len(d.asks) > 0; {
		select {
		case e, ok := <-d.conn.Events():
			if !ok {
				return
			}
			ends := e.Method == appserver.TurnCompleted && e.About().Thread == d.given.Session
			last, over = d.Now(), ends || over && e.Method == appserver.Resolved
			d.handle(ctx, e)
		case id := <-d.over:
			d.asks[id]()
			delete(d.asks, id)
			last = d.Now()
		case <-check.C:
			if len(d.asks) == 0 && d.Now().Sub(last) > attendIdle || d.gone() {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// gone reports whether the session is in no terminal any more, so that nobody sees its dialog.
func (d *attending) gone() bool {
	s, err := d.sessions.Read(string(codex), d.given.Session)
	if err != nil {
		return false // nothing is known about the session
	}
	list := []activity.Session{s}
	d.sessions.Judge(list, d.Now().UnixMilli())
	return list[0].Now(d.Now().UnixMilli()) == activity.Ended
}

// handle handles an event of the server.
func (d *attending) handle(ctx context.Context, e appserver.Event) {
	id := string(e.ID)
	if cancel := d.asks[id]; e.Method == appserver.Resolved && cancel != nil {
		cancel()
		return
	}
	about := e.About()
	if e.ID == nil || e.Method == appserver.Resolved || about.Thread != d.given.Session || d.asks[id] != nil || len(d.asks) >= maxAsks {
		return
	}
	patch := ""
	if e.ChangesFiles() {
		// The server's request has only the id of the call, which the hook's event lacks.
		patch = agents.Called(ctx, &d.session, about.Item)
	}
	r, ok := e.Request(patch)
	if !ok {
		return
	}
	one, cancel := context.WithCancel(ctx)
	d.asks[id] = cancel
	d.wait.Go(func() {
		if err := d.answer(one, &e, r); err != nil && !errors.Is(err, ask.ErrTwice) {
			d.log([]string{"hook", string(codex), attend}, err)
		}
		select {
		case d.over <- id:
		case <-ctx.Done():
		}
	})
}

// answer waits for the person's answer to a request, and sends it to the server.
func (d *attending) answer(ctx context.Context, e *appserver.Event, r ask.Request) error {
	r.Client, r.Session = string(codex), d.given.Session
	r.Alias, r.Folder, r.Worktree = d.session.Alias, d.session.Folder, d.session.Worktree
	r.Since = d.Now().UnixMilli()
	r.Until = d.Now().Add(userconfig.MaxWait).UnixMilli()
	w, err := ask.At(d.Env.StateDir()).Put(ctx, r)
	if err != nil {
		return err
	}
	w.Program = d.given.Server
	staySmall()
	a, ok := w.Wait(ctx)
	if !ok || ctx.Err() != nil {
		w.Done(ctx)
		return nil // it was answered at the terminal
	}
	about := e.About()
	if !a.Allow && a.Reason != "" {
		// The server's protocol has no reason for a denial. It is sent with the turn's next
		// step, which also gets the denial.
		err = d.conn.Steer(ctx, about.Thread, about.Turn, "I did not allow this: "+excerpt.Head(a.Reason, ask.MaxReason))
	}
	if err = errors.Join(err, d.conn.Answer(e.ID, e.Result(&w.Request, &a)), d.goesOn(ctx, w)); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case <-time.After(attendEnd):
	}
	return nil
}
