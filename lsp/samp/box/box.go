// Package box reads and sends the SAMP mail of one reader for commands, hooks and agents'
// tools. It has no index, and reads the logs at each call.
//
// Start with [Box]. A reader sees only mail that the guard ([panel.Reader]) allows. The server
// uses lsp/panel and an index instead.
package box

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// These types come from the package of the logs.
type (
	// Unread is a message that the reader has not read.
	Unread = sampstore.Unread
	// Key identifies a message of a directory by its sender and effective id.
	Key = sampstore.Key
	// Mail is the result of a pass over a directory.
	Mail = sampstore.Mail
	// Problem is something in a directory that breaks a rule or that a user should know.
	Problem = sampstore.Problem
	// BadLines counts the malformed lines of a log.
	BadLines = sampstore.BadLines
	// Report sums up a check of a directory.
	Report = sampstore.Report
	// Reading is one run of the default inbox: the mail to show, and the state to save afterwards.
	Reading = sampstore.Reading
	// Lines is all mail to a name.
	Lines = sampstore.Lines
	// Row makes a message's row in a list.
	Row = sampstore.Row
	// Signature sums up the names, sizes and times of a directory's logs.
	Signature = sampstore.Signature
)

// Box is one reader's mail. It opens the message directory for each call, and does not cache
// it between calls.
type Box struct {
	Env environ.Env
	// Who returns who reads and writes. It may change while a server runs.
	Who func() who.Who
	// Place returns the message directory.
	Place func() who.Place
	// Person returns the person's alias, or "" if it is unknown.
	Person func() string
	// Profile is the form of new ids: v1 or v1-compact, or anything else for the form of the
	// directory's newest records.
	Profile string
	// Scripted is set for the drop-in, which reads under only one name, like the published tool.
	Scripted bool
	Now      func() time.Time
	// Run starts an agent's program to wake the agent.
	Run agents.Run
}

// Reader returns the reading agent for the guard, or nil for the person. An agent under the
// person's name sees none of the person's mail.
func Reader(me who.Who) panel.Reader {
	switch {
	case !me.Agent:
		return nil
	case me.Is(me.Value):
		return panel.Reader{}
	}
	return me.Names()
}

// Alias returns the valid alias to read and write under, or an error.
func (b *Box) Alias() (string, error) {
	me := b.Who()
	return me.Value, me.Check()
}

// Reads returns the alias whose mail is read. It returns an error for an agent under the
// person's name.
func (b *Box) Reads() (string, error) {
	me := b.Who()
	if err := me.Check(); err != nil {
		return "", err
	}
	if me.Agent && me.Is(me.Value) {
		return "", fmt.Errorf("%s is the person (%s): an agent reads the mail of its own name", me.Value, me.Origin)
	}
	return me.Value, nil
}

// Names returns all names whose mail a reader under this name reads.
func (b *Box) Names(name string) []string {
	if me := b.Who(); !b.Scripted && me.Value == name {
		return me.Names()
	}
	return []string{name}
}

// Dir is an open message directory. The caller closes it.
type Dir struct {
	*Box
	dir  *sampstore.Dir
	form samp.Profile
	// hasForm is set once the form is known.
	hasForm bool
}

// Open opens the message directory. If it does not exist yet, the error is [fs.ErrNotExist].
func (b *Box) Open() (*Dir, error) {
	d, err := sampstore.Open(b.Place().Value)
	if err != nil {
		return nil, err
	}
	return &Dir{Box: b, dir: d}, nil
}

// openIfExists opens the message directory, and returns nil if it does not exist yet.
func (b *Box) openIfExists() (*Dir, error) {
	d, err := b.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return d, err
}

// Close closes the directory.
func (d *Dir) Close() error { return d.dir.Close() }

// Path returns the directory's absolute path.
func (d *Dir) Path() string { return d.dir.Path() }

// ID returns the directory's name in refs and state files.
func (d *Dir) ID() string { return d.dir.ID() }

// Form returns the form of new ids and of the effective ids of records that have none.
func (d *Dir) Form(ctx context.Context) (samp.Profile, error) {
	if d.hasForm {
		return d.form, nil
	}
	form, ok := samp.ParseProfile(d.Profile)
	if !ok {
		newest, err := d.dir.Form(ctx)
		if err != nil {
			return form, err
		}
		form = newest.Profile
		release()
	}
	d.form, d.hasForm = form, true
	return form, nil
}

// release returns memory to the system if much is in use, as after reading a very long line,
// since the same line will be read again.
func release() {
	const much = 32 << 20
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapAlloc > much {
		debug.FreeOSMemory()
	}
}

// OtherCase returns a name that differs from an alias only in case, or "".
func (d *Dir) OtherCase(ctx context.Context, alias string) string { return d.dir.OtherCase(ctx, alias) }

// Aliases lists the names that have a log or have read mail here, sorted.
func (d *Dir) Aliases() ([]string, error) { return d.dir.Aliases() }
