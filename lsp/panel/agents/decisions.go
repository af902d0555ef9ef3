package agents

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// Decisions is the door to what agents' programs ask. It decides for the editor and the command
// line who sees requests, and who answers them.
type Decisions struct {
	StateDir string
	// Agent is set if an agent looks.
	Agent bool
	// Decides returns why the caller may not answer, nil for the person. Where it is nil nobody
	// may.
	Decides func() error
	// By is who answers, or empty for a person without a name, and Where at which door: a word
	// such as "terminal".
	By, Where string
	Now       func() time.Time
}

// errExact is returned to an agent: a request shows what others' programs do, secrets too.
var errExact = errors.New("only the person is shown what agents' programs ask: it is exact, secrets too")

// errElsewhere is returned where nobody may answer.
var errElsewhere = errors.New("requests are not answered from here")

func (d *Decisions) folder() ask.Folder { return ask.At(d.StateDir) }

// May returns why the caller may not answer.
func (d *Decisions) May() error {
	if d.Decides == nil {
		return errElsewhere
	}
	return d.Decides()
}

// List returns the requests that wait, the oldest first. errs names files that are not taken.
func (d *Decisions) List() (list []ask.Request, errs []error) {
	if d.Agent {
		return nil, []error{errExact}
	}
	return d.folder().List()
}

// Find returns a request that waits, as [ask.Folder.Find] does.
func (d *Decisions) Find(ctx context.Context, id string) (*ask.Request, error) {
	if d.Agent {
		return nil, errExact
	}
	return d.folder().Find(ctx, id)
}

// Answer gives an answer, as [ask.Folder.Answer] does.
func (d *Decisions) Answer(ctx context.Context, a *ask.Answer) error {
	if err := d.May(); err != nil {
		return err
	}
	a.By, a.Where, a.At = cmp.Or(d.By, "the person"), d.Where, d.Now().UnixMilli()
	return d.folder().Answer(ctx, *a)
}

// Log returns the newest answers, at most that many, the oldest of them first.
func (d *Decisions) Log(ctx context.Context, most int) ([]ask.Entry, error) {
	if d.Agent {
		return nil, errExact
	}
	return d.folder().Log(ctx, most)
}
