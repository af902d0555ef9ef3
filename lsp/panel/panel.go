package panel

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
)

// Options are what the panels are opened with.
type Options struct {
	// Env is the process's environment. Its working directory stands in for
	// a workspace folder where the client has none.
	Env store.Env
	// Dir, As and Profile are command-line flags, which come before any
	// setting.
	Dir, As, Profile string
	// SSOT is the flag that names the directory of task messages.
	SSOT string
	// Amp is the flag that names the directory of mailboxes.
	Amp string
	// Entered tells that the user went into the working directory by themselves, as
	// on a command line: it is trusted although the settings say to write nothing.
	Entered  bool
	Settings Settings
	// Folders are the workspace's folders, absolute, in order.
	Folders []string
	Version string
	// Sources are the formats, in the order in which they are asked for what goes by a
	// token: lsp/panel/source has them all.
	Sources []NewSource
	// FrameBytes is the largest frame of the connection, for [Limits].
	FrameBytes int
	Now        func() time.Time
	Log        *slog.Logger
	// Changed and StatusChanged are told what happens. They must not block.
	Changed       func(Change)
	StatusChanged func(Status)
}

// Panels serves all panels over the open directories. Its methods may be called
// from everywhere.
type Panels struct {
	opt Options

	signing sync.Mutex // held while a message is signed and sent

	sources     []Source
	configuring sync.Mutex // held while the sources are configured or closed

	shelved     shelfCache
	mailSenders Latest[senderKey, []Head]

	mu       sync.RWMutex // guards everything below
	settings Settings
	folders  []string
	alias    store.Choice
	signer   string // the alias that the user gave: a folder chooses no key
	profile  samp.Profile
	auto     bool
	origin   string // of the profile
	stores   []opened
	mail     *mailRoot
	shelf    *shelf.Shelf
	notes    []Warning
	revision int64
	closed   bool
}

// opened is one directory, in the order in which it was configured.
type opened struct {
	live   *store.Live
	path   string
	origin string
}

// Open opens the directories and returns at once; they are read behind it.
func Open(opt Options) *Panels {
	p := &Panels{opt: opt}
	p.setSources()
	p.openShelf()
	p.configure(opt.Settings, opt.Folders)
	return p
}

// Configure takes new settings and folders. Directories that change with them
// are closed and opened.
func (p *Panels) Configure(_ context.Context, s Settings, folders []string) error {
	p.configure(s, folders)
	p.opt.StatusChanged(p.status())
	p.changed("", store.Change{Messages: true, Truncated: true})
	return nil
}

// Close stops following the directories.
func (p *Panels) Close() error {
	p.mu.Lock()
	stores, signed, away := p.stores, p.mail, p.shelf
	write := !p.settings.ReadOnly
	p.stores, p.mail, p.shelf, p.closed = nil, nil, nil, true
	p.mu.Unlock()
	for _, s := range stores {
		s.live.Close()
	}
	p.configuring.Lock()
	defer p.configuring.Unlock()
	for _, s := range p.sources {
		s.Close()
	}
	if signed != nil {
		signed.close(write)
	}
	if away != nil {
		away.Close()
	}
	return nil
}

func (p *Panels) configure(s Settings, folders []string) {
	env := p.opt.Env
	if len(folders) > 0 {
		env.Work = folders[0]
	}
	given, origin := p.opt.As, "--as"
	if given == "" {
		given, origin = s.Alias, "setting signalbox.alias"
	}
	alias := store.FindAlias(env, given, origin, !s.ReadOnly || p.opt.Entered)
	profile, auto, profileOrigin, bad := p.chooseProfile(env, s)
	choices, notes := p.locate(env, s)
	if bad != nil {
		notes = append(notes, *bad)
	}

	p.mu.Lock()
	old, same := p.stores, alias.Value == p.alias.Value && profile == p.profile && auto == p.auto
	p.settings, p.folders, p.alias, p.notes = s, folders, alias, notes
	p.signer = store.GivenAlias(env, given, origin).Value
	p.profile, p.auto, p.origin = profile, auto, profileOrigin
	var stores []opened
	for _, c := range choices {
		i := slices.IndexFunc(old, func(o opened) bool { return same && o.path == c.Value })
		if i >= 0 {
			stores = append(stores, opened{old[i].live, c.Value, c.Origin})
			old = slices.Delete(slices.Clone(old), i, i+1)
			continue
		}
		stores = append(stores, opened{p.open(env, c.Value), c.Value, c.Origin})
	}
	p.stores = stores
	around := folders
	if len(around) == 0 && env.Work != "" {
		around = []string{env.Work}
	}
	leftMail := p.openMail(env, s)
	p.mu.Unlock()
	p.configuring.Lock()
	for _, source := range p.sources {
		source.Configure(Setup{Env: env, Settings: s, Folders: around, Workspace: len(folders) > 0})
	}
	p.configuring.Unlock()
	if leftMail != nil {
		leftMail.close(!s.ReadOnly)
	}
	for _, o := range old {
		o.live.Close()
	}
}

func (p *Panels) open(env store.Env, path string) *store.Live {
	return store.OpenLive(store.Config{
		Path: path, Me: p.alias.Value, StateDir: env.StateDir(),
		Profile: p.profile, Auto: p.auto, Logger: p.opt.Log,
		Changed: func(c store.Change) { p.changed(path, c) },
	})
}

func (p *Panels) chooseProfile(env store.Env, s Settings) (profile samp.Profile, auto bool, origin string, bad *Warning) {
	for _, c := range []store.Choice{
		{Value: p.opt.Profile, Origin: "--profile"},
		{Value: env.Getenv("SIGNALBOX_PROFILE"), Origin: "SIGNALBOX_PROFILE"},
		{Value: string(s.Profile), Origin: "setting"},
	} {
		if c.Value == "" {
			continue
		}
		if c.Value == "auto" {
			return samp.V1, true, c.Origin, bad
		}
		if profile, ok := samp.ParseProfile(c.Value); ok {
			return profile, false, c.Origin, bad
		}
		line, _ := render.Line(c.Value, 40)
		bad = &Warning{Rule: "I1", Message: "profile \"" + line + "\" (" + c.Origin + ") is not one of auto, v1, v1-compact"}
	}
	return samp.V1, true, "default", bad
}

// locate chooses the directories. A flag or variable names one; the setting may
// name several.
func (p *Panels) locate(env store.Env, s Settings) ([]store.Choice, []Warning) {
	first := ""
	if len(s.Directories) > 0 {
		first = s.Directories[0]
	}
	choice, note := store.Locate(env, p.opt.Dir, first)
	var notes []Warning
	if note != "" {
		notes = append(notes, Warning{Rule: "L3", Message: note})
	}
	choices := []store.Choice{choice}
	if choice.Origin != "setting signalbox.directories" {
		return choices, notes
	}
	for _, dir := range s.Directories[1:] {
		c, _ := store.Locate(store.Env{Getenv: func(string) string { return "" }, Home: env.Home, Work: env.Work}, "", dir)
		if dir != "" && !slices.ContainsFunc(choices, func(o store.Choice) bool { return o.Value == c.Value }) {
			choices = append(choices, c)
		}
	}
	return choices, notes
}

// snapshot gives what a request works on, so that new settings in between do
// not matter to it.
func (p *Panels) snapshot() ([]opened, Settings, store.Choice) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.stores, p.settings, p.alias
}

func (p *Panels) now() int64 { return p.opt.Now().UnixMilli() }

func (p *Panels) readOnly() bool {
	_, settings, _ := p.snapshot()
	return settings.ReadOnly
}

// revised is the number of the newest change.
func (p *Panels) revised() int64 {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.revision
}

// countInto fills in what all directories hold.
func (p *Panels) countInto(c *Change) {
	if v := p.tasked(context.Background()); v != nil {
		c.Critical, c.Overdue = v.Alarming()
	}
	left := p.counts(context.Background())
	c.Unread, c.NeedsReply = left.Unread, left.NeedsReply
}

// changed turns a store's change into the client's.
func (p *Panels) changed(path string, c store.Change) {
	change := SourceChange{Kinds: []string{}, Truncated: c.Truncated, Status: c.Status}
	if c.Messages {
		change.Kinds = append(change.Kinds, "messages")
	}
	if c.Read {
		change.Kinds = append(change.Kinds, "read")
	}
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		if s.path != path {
			continue
		}
		id := s.live.Stats().ID
		for _, name := range c.Threads {
			change.Threads = append(change.Threads, threadRef(id, name))
		}
	}
	p.announce(change)
}

// failure turns a store's error into one a client can tell apart.
func failure(err error, what string) error {
	line := func() string { s, _ := render.Line(err.Error(), 500); return s }
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		kind := Malformed
		switch {
		case fault.Rule == "L2" && fault.Field == "from":
			kind = AliasInvalid
		case fault.Rule == "R4":
			kind = TooLarge
		}
		return &Error{Kind: kind, Message: what + ": " + line(), Detail: fault.Rule, Err: err}
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return &Error{Kind: NotFound, Message: what + ": not found", Err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &Error{Kind: StoreUnavailable, Message: what + ": " + line(), Retryable: true, Err: err}
}

// settled waits until each message directory was read once: what is done by what a
// page shows is to be done by all of it.
func (p *Panels) settled(ctx context.Context) error {
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		if err := s.live.Settle(ctx); err != nil {
			return failure(err, "read the message directory")
		}
	}
	return nil
}

// Sync waits until the panels show what was on disk when it was called.
func (p *Panels) Sync(ctx context.Context) error {
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		if err := s.live.Sync(ctx); err != nil {
			return err
		}
	}
	for _, s := range p.sources {
		if err := s.Sync(ctx); err != nil {
			return err
		}
	}
	return p.syncMail(ctx)
}
