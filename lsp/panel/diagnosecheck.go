package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// Others gives the messages of m's task that other files hold than the one at
// path, which is m's own: in any order, without [agn.Message.Raw] if need be, and
// shared. It gives nil where nothing is known of the task, which differs from a
// task that is only beginning.
type Others func(path string, m *agn.Message) []agn.Message

// Around is what is known besides a document when it is checked. Each part may be
// left out: then only what the document itself shows is found. The functions may
// be called from everywhere.
type Around struct {
	// Now is the moment in Unix milliseconds, 0 where it is not known.
	Now    int64
	Others Others
	// Logs gives the message directory that a path lies in, or nil.
	Logs func(path string) LogDirectory
	// Trust judges a signed message by the keys that are known. ok is false where
	// there is nothing to judge by.
	Trust func(path string, m *amp.Message) (t amp.Trust, ok bool)
	// Tally counts the messages that lie beside a thread.json. ok is false where
	// they cannot be read.
	Tally func(path string) (t atsf.Tally, ok bool)
	// Disk reads a file as it lies on disk, or gives nil: an editor shows what is
	// no UTF-8 as something else.
	Disk func(path string) []byte
}

// LogDirectory is a message directory of SAMP that is open.
type LogDirectory interface {
	// Alias is the reader's own, or empty.
	Alias() string
	// Profile is the form of new ids.
	Profile() samp.Profile
	// Logs lists all logs in byte order of their names.
	Logs() []store.Log
	// Find looks a message up by its id, whoever sent it.
	Find(id string) []samp.Found
	// HasOriginal reports whether the sender's own log holds what a record says.
	HasOriginal(r *samp.Record) bool
}

// Checked is what was found in one version of a document. It is not changed any
// more.
type Checked struct {
	Found []Diagnostic
	// Outside tells that it depends on other files, and may be another when they
	// change.
	Outside bool

	lines *lineLog // of a document of lines, for the next version of it
}

// Check holds a document against the rules of its format: the files of an agent and
// logs of SAMP by their path, signed mail by its path and by what it says, and by
// what it says a task message of AMP/1.0 or one of our records about it. It gives
// nil for a document of no kind that is known.
//
// last is what an earlier version of the same document gave, or nil: of a log only
// the lines that are others are read again. The error is ctx's.
func Check(ctx context.Context, doc Document, around Around, last *Checked) (*Checked, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch kindOf(&doc, &around) {
	case kindAgent:
		return diagnoseAgent(&doc, &around), nil
	case kindTurns:
		return checkTurns(ctx, &doc, last)
	case kindLog:
		return checkLog(ctx, &doc, &around, last)
	case kindMark:
		return checkMark(&doc, &around), nil
	case kindLetter:
		return checkLetter(&doc, &around), nil
	}
	t, known := readTask(&doc, around.Others)
	if !known {
		return nil, nil
	}
	c := &Checked{Outside: true}
	for i := range t.found {
		c.Found = append(c.Found, t.diagnostic(&t.found[i]))
	}
	return c, nil
}

// Diagnose is [Check] for a document that stands alone, but for the others of a
// task.
func Diagnose(doc Document, others Others) (found []Diagnostic, known bool) {
	c, err := Check(context.Background(), doc, Around{Others: others}, nil)
	if err != nil || c == nil {
		return nil, false
	}
	return c.Found, true
}

// Check is the function [Check] with what is open. last is nil for a document
// that is checked anew because of other files.
func (p *Panels) Check(ctx context.Context, doc Document, last *Checked) (*Checked, error) {
	return Check(ctx, doc, p.surroundings(), last)
}
