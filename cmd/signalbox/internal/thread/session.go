package thread

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
)

// sessions finds the sessions that agents' programs recorded in the project and its
// worktrees, or with all anywhere.
func (t *commands) sessions(ctx context.Context, all bool) (*talk.List, error) {
	l, err := t.at().Sessions(ctx, all)
	if err == nil {
		t.problems(l.Problems)
	}
	return l, err
}

// session returns the session that ref names, of the project or with all of any
// repository. It returns nil if there is none.
func (t *commands) session(ctx context.Context, ref string, all bool) (*talk.List, *talk.Talk, error) {
	l, it, err := t.at().Session(ctx, ref, all)
	t.problems(l.Problems)
	return l, it, err
}

// session writes one session of a list.
func (l *talkList) session(it *talk.Talk) {
	fmt.Fprintf(l.w, "  %s  %s  %s", cli.WholeLine(it.Name), cli.Minute(it.Updated), cli.Line(it.Agent))
	if it.Session.State != "" {
		l.w.WriteString("  " + cli.Line(it.Doing()))
	}
	l.w.WriteString("  " + cli.Line(it.Title))
	if l.gone {
		l.w.WriteString("  [worktree removed]")
	}
	if err := it.Session.Err; err != nil {
		l.w.WriteString("  " + l.paint.In(cli.Red, "cannot be read: ") + cli.Line(err.Error()))
	}
	l.w.WriteByte('\n')
}

// sessionObject writes one session as JSON.
func (l *talkList) sessionObject(f *talk.Folder, it *talk.Talk) {
	s, fault := it.Session, ""
	if s.Err != nil {
		fault = s.Err.Error()
	}
	_ = cli.Print(l.w, printed.Session{ // Flush returns the error
		ID: it.Name, Client: s.Format.Client, Session: it.ID, Title: it.Title, AgentName: it.Agent,
		State: string(s.State), For: s.For, Model: s.Model, Version: s.Version, Time: it.Updated, Created: s.Begun,
		Parent: s.Parent, Worktree: f.Path, Branch: cmp.Or(s.Branch, f.Branch), Gone: f.Gone, WorkingDir: s.Folder, File: s.File, Reason: fault,
	})
}

// showSession writes a session, oldest message first.
func (t *commands) showSession(ctx context.Context, l *talk.List, it *talk.Talk, limit int) error {
	w := t.Writer()
	p := t.printer(w, it.Name)
	if !t.JSON {
		p.sessionHead(it)
	}
	lost := 0
	torn, err := l.Each(ctx, it.Session, limit, func(m *session.Message) error {
		p.sessionMessage(it.Session, m)
		if m.Lost != "" {
			lost++
		}
		return nil
	})
	if lost > 0 {
		t.Warn("not delivered: %s; \"signalbox send NAME\" sends it again by mail", cli.Plural(lost, "message"))
	}
	if torn && err == nil {
		t.Warn("the last line of %q is not finished and not shown: its writer is at work, or was interrupted", it.Session.File)
	}
	return errors.Join(err, w.Flush())
}

func (p *talkPrinter) sessionHead(it *talk.Talk) {
	s := it.Session
	p.w.WriteString(p.paint.In(cli.Yellow, "session "+cli.WholeLine(it.Name)) + "\n")
	p.field("Folder", s.Folder)
	p.field("Title", it.Title)
	p.field("Agent", strings.TrimSpace(it.Agent+" "+s.Version))
	p.field("Branch", s.Branch)
	p.field("State", it.Doing())
	p.field("Updated", cli.Second(it.Updated))
	p.field("Parent", s.Parent)
	p.field("File", s.File)
}

func (p *talkPrinter) sessionMessage(it *talk.Session, m *session.Message) {
	if p.json {
		p.sessionObject(it, m)
		return
	}
	if m.Gap != "" {
		p.w.WriteString("\n" + p.paint.In(cli.Red, fmt.Sprintf("-- the line at byte %d cannot be read: ", m.Offset)) + cli.Line(m.Gap) + "\n")
		return
	}
	shown := m.Message
	if m.From != "" || m.To != "" {
		shown = m.ATSF() // with the sender and receiver in the text
	}
	p.message(&talk.Entry{Message: shown})
}

// sessionObject writes a message in ATSF's form.
func (p *talkPrinter) sessionObject(it *talk.Session, m *session.Message) {
	o := printed.SessionEntry{Thread: p.thread, Client: it.Format.Client, Session: it.ID, File: it.File, Offset: m.Offset, From: m.From, To: m.To}
	defer func() { _ = cli.Print(p.w, o) }() // Flush returns the error
	if m.Gap != "" {
		o.Reason = m.Gap
		return
	}
	out := m.ATSF()
	for i := range out.Content {
		if b := &out.Content[i]; b.Inline != nil {
			*b = atsf.Block{Type: atsf.TypeText, Known: true, Text: "[an image, " + b.MimeType + "]"} // as in a text
		}
	}
	out.ID, out.Time = cmp.Or(out.ID, talk.Cursor(m)), cmp.Or(out.Time, session.Time(1))
	line, err := atsf.BuildMessage(out)
	if err != nil {
		o.Reason = faultText(err)
		return
	}
	o.Message = bytes.TrimSuffix(line, []byte("\n"))
}
