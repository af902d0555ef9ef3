package talk

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// Losses counts what ATSF cannot represent of a session.
type Losses struct {
	Gaps      int // lines that could not be read
	Notes     int // that became text
	Senders   int // messages between agents, whose sender and receiver became text
	Subagents int // links to their sessions, left out
	Images    int // that could not be imported
}

// importer writes a session as a thread.
type importer struct {
	*Open
	last atsf.Time
	ids  map[string]bool
	lost Losses
}

// Import writes a session as a thread, where [Project.Begin] creates one. The session's own
// file does not change.
func (l *List) Import(ctx context.Context, t *Talk) (file *Open, lost Losses, err error) {
	it := t.Session
	found, err := l.project.Begin(NewThread{
		Title: cmp.Or(t.Title, t.Name), Created: it.Begun,
		Agent:   atsf.Agent{ID: it.Format.Client, Name: t.Agent, Version: it.Version},
		Context: atsf.Context{GitBranch: it.Branch},
	})
	if err != nil {
		return nil, lost, err
	}
	in := &importer{Open: found, ids: make(map[string]bool), last: session.Time(cmp.Or(it.Begun, it.Updated))}
	_, err = l.Each(ctx, it, 0, func(m *session.Message) error {
		if err := in.add(ctx, m); err != nil {
			return fmt.Errorf("the message at byte %d of %q, after which thread %s ends: %w", m.Offset, it.File, in.Name, err)
		}
		return nil
	})
	return found, in.lost, errors.Join(err, found.Close())
}

// add writes a message, or counts it as lost if it is a gap. It skips one without content.
func (in *importer) add(ctx context.Context, m *session.Message) error {
	if m.Gap != "" {
		in.lost.Gaps++
		return nil
	}
	in.lost.count(m)
	out := m.ATSF()
	if len(out.Content) == 0 {
		return nil
	}
	if !out.Time.OK || out.Time.Millis < in.last.Millis {
		out.Time = in.last // a log is ordered by time
	}
	in.last = out.Time
	if out.ID == "" || in.ids[out.ID] {
		out.ID = NewID()
	}
	in.ids[out.ID] = true
	in.images(&out)
	return in.Append(ctx, in.Name, out)
}

// images replaces images that ATSF does not allow by a line of text.
func (in *importer) images(m *atsf.Message) {
	for i := range m.Content {
		b := &m.Content[i]
		if b.Inline == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(string(b.Inline[1 : len(b.Inline)-1]))
		if err == nil {
			var image atsf.Block
			if image, err = Image(data); err == nil {
				*b = image
				continue
			}
		}
		in.lost.Images++
		*b = atsf.Block{Type: atsf.TypeText, Known: true, Text: "[an image that could not be taken over: " + b.MimeType + "]"}
	}
}

func (l *Losses) count(m *session.Message) {
	if m.From != "" || m.To != "" {
		l.Senders++
	}
	l.Subagents += len(m.Started)
	for i := range m.Content {
		if m.Content[i].Type == session.TypeNote {
			l.Notes++
		}
	}
}
