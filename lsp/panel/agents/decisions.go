package agents

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// Decisions is the access to what agents' programs ask. It decides for the editor and the command
// line who may see requests, and who may answer them.
type Decisions struct {
	StateDir string
	// Agent is set if the caller is an agent.
	Agent bool
	// Decides returns the reason why the caller may not answer, or nil for the person. If Decides
	// is nil, nobody may.
	Decides func() error
	// By is who answers, or empty for a person without a name. Where is the place they answer from,
	// such as "terminal".
	By, Where string
	Now       func() time.Time
}

// errExact is returned to an agent: a request shows what other agents' programs do, including
// secrets.
var errExact = errors.New("only the person is shown what agents' programs ask: it is exact, secrets too")

// errElsewhere is returned if nobody may answer.
var errElsewhere = errors.New("requests are not answered from here")

func (d *Decisions) folder() ask.Folder { return ask.At(d.StateDir) }

// May returns an error if the caller may not answer.
func (d *Decisions) May() error {
	if d.Decides == nil {
		return errElsewhere
	}
	return d.Decides()
}

// List returns the requests that wait, oldest first. errs are about files that are not requests.
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

// Answer writes an answer, as [ask.Folder.Answer] does.
func (d *Decisions) Answer(ctx context.Context, a *ask.Answer) error {
	if err := d.May(); err != nil {
		return err
	}
	a.By, a.Where, a.At = cmp.Or(d.By, "the person"), d.Where, d.Now().UnixMilli()
	return d.folder().Answer(ctx, *a)
}

// Log returns the newest answers, at most most, oldest first.
func (d *Decisions) Log(ctx context.Context, most int) ([]ask.Entry, error) {
	if d.Agent {
		return nil, errExact
	}
	return d.folder().Log(ctx, most)
}
