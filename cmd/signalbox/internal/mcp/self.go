package mcp

import (
	"cmp"
	"context"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

const (
	// rootsTimeout is how long a client may take to list the open folders.
	rootsTimeout = 10 * time.Second
	// rootsWait is how long a call waits for that list. For a client that does not answer, the
	// working directory counts.
	rootsWait = 2 * time.Second
)

// self is the identity of the agent that this server serves. The name is found at the first call
// that needs it and stays, unless the client opens another project. The protocol's newest version
// is about to drop roots, but clients that start a server in the user's home have nothing else.
type self struct {
	*cli.Options
	asking sync.WaitGroup

	mu    sync.Mutex // guards everything below
	me    *who.Who
	roots []string
	// answered is closed once the client has listed the open folders. It is nil if the client
	// was not asked.
	answered chan struct{}
	// notified are the messages and remarks that the agent was notified of.
	notified map[string]bool
}

// session returns a text that identifies the agent's session: other sessions may have the same
// name.
func (s *self) session() string {
	caller := who.Calling(s.Env, s.Above)
	if caller.Session.ID != "" {
		return caller.Session.Client + " " + caller.Session.ID
	}
	return cmp.Or(caller.Client, "process") + " " + strconv.Itoa(os.Getpid())
}

// first reports whether the agent is notified of a message or remark for the first time.
func (s *self) first(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notified == nil {
		s.notified = make(map[string]bool)
	}
	defer func() { s.notified[key] = true }()
	return !s.notified[key]
}

// initialized asks the client for the open folders, if it can list them.
func (s *self) initialized(_ context.Context, req *mcp.InitializedRequest) { s.ask(req.Session) }

func (s *self) changed(_ context.Context, req *mcp.RootsListChangedRequest) { s.ask(req.Session) }

func (s *self) ask(session *mcp.ServerSession) {
	params := session.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil { //nolint:staticcheck // as above
		return
	}
	answered := make(chan struct{})
	s.mu.Lock()
	s.answered = answered
	s.mu.Unlock()
	s.asking.Go(func() {
		defer close(answered)
		ctx, cancel := context.WithTimeout(context.Background(), rootsTimeout)
		defer cancel()
		if list, err := session.ListRoots(ctx, nil); err == nil { //nolint:staticcheck // as above
			s.open(list.Roots)
		}
	})
}

// open sets the open folders. If the agent's worktree is no longer among them, its name is
// found again.
func (s *self) open(roots []*mcp.Root) { //nolint:staticcheck // as above
	var paths []string
	left := true
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range roots {
		if r == nil {
			continue
		}
		if path, ok := documents.FolderPath(r.URI); ok {
			paths = append(paths, path)
			left = left && (s.me == nil || who.Real(who.Tree(path)) != s.me.Tree)
		}
	}
	s.roots = paths
	if left && len(paths) > 0 && s.me != nil && s.me.Tree != "" && !s.me.Session {
		s.me = nil
	}
}

func (s *self) who() who.Who {
	s.mu.Lock()
	defer s.mu.Unlock()
	if environ.GivenAlias(s.Env, s.As, "").Value == "" && (s.me == nil || !s.me.Session) {
		s.settle()
	}
	if s.me != nil {
		return *s.me
	}
	q := s.Query(who.Calling(s.Env, s.Above))
	q.Caller.Agent, q.Strict, q.Note = true, true, true
	q.Folders = append(who.Projects(s.Env, ""), s.roots...)
	me := who.Find(q)
	if me.Err == nil {
		s.me = &me
	}
	return me
}

// settle waits until the client has listed the open folders. The caller holds the lock.
func (s *self) settle() {
	answered := s.answered
	if answered == nil {
		return
	}
	s.mu.Unlock()
	defer s.mu.Lock()
	late := time.NewTimer(rootsWait)
	defer late.Stop()
	select {
	case <-answered:
	case <-late.C:
	}
}
