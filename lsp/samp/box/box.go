// Package box is the SAMP mail of one reader, read from the logs at the moment of the
// question, without an index: what commands, hooks and agents' tools show, take and send.
//
// Start with [Box]. Whoever reads by it sees what the panels' guard ([panel.Reader]) lets
// them see. The server has an index instead, and asks lsp/panel.
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

// What the readings return is as the logs have it.
type (
	// Unread is a message that the reader has not read.
	Unread = sampstore.Unread
	// Key names a message of a directory: its sender and effective id.
	Key = sampstore.Key
	// Mail is what a pass over a directory found.
	Mail = sampstore.Mail
	// Problem is something in a directory that breaks a rule or that a user should know.
	Problem = sampstore.Problem
	// BadLines counts the malformed lines of a log.
	BadLines = sampstore.BadLines
	// Report is what a check of a directory found.
	Report = sampstore.Report
	// Reading is one run of the default inbox: what to show, and what to save after it was
	// shown.
	Reading = sampstore.Reading
	// Lines is all mail to a name.
	Lines = sampstore.Lines
	// Row makes a row of a list of a message.
	Row = sampstore.Row
	// Signature is what a directory looks like from outside.
	Signature = sampstore.Signature
)

// Box is one reader's mail. It opens the message directory for each call and holds nothing
// of it between calls.
type Box struct {
	Env environ.Env
	// Who returns who reads and writes. It may change while a server runs.
	Who func() who.Who
	// Place returns the message directory.
	Place func() who.Place
	// Person returns the person's alias, "" if nobody said it.
	Person func() string
	// Profile is the form of new ids: v1 or v1-compact, anything else for what the
	// directory's records have.
	Profile string
	// Scripted is set for the drop-in, which reads under one name as the published tool does.
	Scripted bool
	Now      func() time.Time
	// Run runs the program of an agent that is to be woken.
	Run agents.Run
}

// Reader returns the agent that reads, as the guard of the panels knows it, nil for the
// person. An agent that gives itself the person's name sees nothing of the person's.
func Reader(me who.Who) panel.Reader {
	switch {
	case !me.Agent:
		return nil
	case me.Is(me.Value):
		return panel.Reader{}
	}
	return me.Names()
}

// Alias returns the name that is read and written under. It is valid.
func (b *Box) Alias() (string, error) {
	me := b.Who()
	return me.Value, me.Check()
}

// Reads returns whose mail is read. An agent does not read the person's by giving itself
// their name.
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

// Names returns the names whose mail is read by whoever reads as one of them.
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
	// formed is set once the form is known.
	formed bool
}

// Open opens the message directory. One that does not exist yet is an [fs.ErrNotExist].
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

// Path is the directory's absolute path.
func (d *Dir) Path() string { return d.dir.Path() }

// ID names the directory in refs and state files.
func (d *Dir) ID() string { return d.dir.ID() }

// Form returns the form of new ids, and of the ids of records that have none.
func (d *Dir) Form(ctx context.Context) (samp.Profile, error) {
	if d.formed {
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
	d.form, d.formed = form, true
	return form, nil
}

// release returns memory to the system after a very long line was read, because the same
// line will be read again. Otherwise it does nothing.
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
