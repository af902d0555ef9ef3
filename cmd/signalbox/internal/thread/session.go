package thread

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	hooked "github.com/signalbox-dev/signalbox/lsp/store/session"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
)

// sessions looks for the sessions that agents' programs recorded in the project and its
// worktrees, or anywhere.
func (t *commands) sessions(ctx context.Context, all bool) (*transcript.Snapshot, error) {
	git := worktree.Git{Env: os.Environ()}
	cfg := transcript.Config{Env: t.Env, Folders: []string{t.folder()}, All: all, Roots: git.Roots}
	snap, err := transcript.Scan(ctx, cfg)
	if err == nil {
		t.problems(snap.Problems)
		t.judge(snap)
	}
	return snap, err
}

// judge sets what sessions are doing of which more is known than their transcripts say.
func (t *commands) judge(snap *transcript.Snapshot) {
	known, _ := agents.At(t.Env.StateDir()).List(t.Now().UnixMilli())
	for i, it := range snap.Items {
		at := slices.IndexFunc(known, func(s hooked.Session) bool { return s.Client == it.Format.Client && s.ID == it.ID })
		if at >= 0 && it.Agent == "" {
			judged := *it
			judged.State, judged.For = session.State(known[at].State), known[at].For
			snap.Items[i] = &judged
		}
	}
}

// doing returns what a session is doing in words, as [hooked.Session.Doing] does.
func doing(it *transcript.Item) string {
	s := hooked.Session{State: hooked.State(it.State), For: it.For}
	return s.Doing()
}

// errAmbiguous is the error of a name that several sessions begin with.
var errAmbiguous = errors.New("several sessions begin with this")

// session returns the session of the project with the id or name, or the only one that
// begins with it, or with all one of any repository. It returns nil if there is none.
func (t *commands) session(ctx context.Context, ref string, all bool) (*transcript.Snapshot, *transcript.Item, error) {
	if len(ref) < 4 || strings.ContainsAny(ref, `/\`) {
		return nil, nil, nil
	}
	snap, err := t.sessions(ctx, all)
	if err != nil {
		return nil, nil, err
	}
	if whole := snap.ByID(ref); len(whole) > 0 {
		return snap, whole[0], nil
	}
	var found *transcript.Item
	for _, it := range snap.Items {
		if strings.HasPrefix(it.ID, ref) || strings.HasPrefix(it.Name, ref) {
			if found != nil {
				return nil, nil, fmt.Errorf("%q: %w: %s, %s", ref, errAmbiguous, found.Name, it.Name)
			}
			found = it
		}
	}
	return snap, found, nil
}

// session writes one session of a list.
func (l *talkList) session(it *transcript.Item) {
	fmt.Fprintf(l.w, "  %s  %s  %s", cli.WholeLine(it.Name), cli.Minute(it.Updated), cli.Line(programOf(it)))
	if it.State != "" {
		l.w.WriteString("  " + cli.Line(doing(it)))
	}
	l.w.WriteString("  " + cli.Line(sessionTitle(it)))
	if l.gone {
		l.w.WriteString("  [worktree removed]")
	}
	if it.Err != nil {
		l.w.WriteString("  " + l.paint.In(cli.Red, "cannot be read: ") + cli.Line(it.Err.Error()))
	}
	l.w.WriteByte('\n')
}

func sessionTitle(it *transcript.Item) string {
	return cmp.Or(it.Title, it.Prompt)
}

// sessionObject writes one session as --json documents it.
func (l *talkList) sessionObject(f *threads.Folder, it *transcript.Item) {
	fault := ""
	if it.Err != nil {
		fault = it.Err.Error()
	}
	_ = cli.Print(l.w, printed.Session{ // flushing tells
		ID: it.Name, Client: it.Format.Client, Session: it.ID, Title: sessionTitle(it), AgentName: programOf(it),
		State: string(it.State), For: it.For, Model: it.Model, Version: it.Version, Time: it.Updated, Created: it.Begun,
		Parent: it.Parent, Worktree: f.Path, Branch: cmp.Or(it.Branch, f.Branch), Gone: f.Gone, WorkingDir: it.Folder, File: it.File, Reason: fault,
	})
}

// showSession writes a session, the oldest message first.
func (t *commands) showSession(ctx context.Context, snap *transcript.Snapshot, it *transcript.Item, limit int) error {
	w := t.Writer()
	p := &talkPrinter{w: w, paint: t.Paint(), json: t.JSON, thread: it.Name}
	if !t.JSON {
		p.sessionHead(it)
	}
	at, err := sessionStart(ctx, snap, it, limit)
	torn := false
	for first := true; err == nil && (first || at != ""); first = false {
		q := transcript.Query{After: at, Limit: threads.MaxLimit}
		if first {
			q = transcript.Query{At: at, Limit: threads.MaxLimit}
		}
		var page *transcript.Page
		if page, err = snap.Page(ctx, it.Key(), q); err == nil {
			p.sessionMessages(it, page.Messages)
			at = page.After
			torn = page.Torn
		}
	}
	if torn && err == nil {
		t.Warn("the last line of %q is not finished and not shown: its writer is at work, or was interrupted", it.File)
	}
	return errors.Join(err, w.Flush())
}

// sessionStart returns the cursor of the first message that is wanted: the limit's last,
// or with limit 0 the session's first.
func sessionStart(ctx context.Context, snap *transcript.Snapshot, it *transcript.Item, limit int) (string, error) {
	if limit <= 0 {
		return "0", nil
	}
	page, err := snap.Page(ctx, it.Key(), transcript.Query{Limit: limit})
	if err != nil || len(page.Messages) == 0 {
		return "0", err
	}
	return transcript.Cursor(&page.Messages[0]), nil
}

func (p *talkPrinter) sessionHead(it *transcript.Item) {
	p.w.WriteString(p.paint.In(cli.Yellow, "session "+cli.WholeLine(it.Name)) + "\n")
	p.field("Folder", it.Folder)
	p.field("Title", sessionTitle(it))
	p.field("Agent", strings.TrimSpace(programOf(it)+" "+it.Version))
	p.field("Branch", it.Branch)
	p.field("State", doing(it))
	p.field("Updated", cli.Second(it.Updated))
	p.field("Parent", it.Parent)
	p.field("File", it.File)
}

func (p *talkPrinter) sessionMessages(it *transcript.Item, list []session.Message) {
	for i := range list {
		m := &list[i]
		if m.Gap != "" && !p.json {
			p.w.WriteString("\n" + p.paint.In(cli.Red, fmt.Sprintf("-- the line at byte %d cannot be read: ", m.Offset)) + cli.Line(m.Gap) + "\n")
			continue
		}
		m.Mask()
		if p.json {
			p.sessionObject(it, m)
			continue
		}
		shown := m.Message
		if m.From != "" || m.To != "" {
			shown = m.ATSF() // which says so
		}
		p.message(&threads.Entry{Message: shown})
	}
}

// sessionObject writes a message in ATSF's form.
func (p *talkPrinter) sessionObject(it *transcript.Item, m *session.Message) {
	o := printed.SessionEntry{Thread: p.thread, Client: it.Format.Client, Session: it.ID, File: it.File, Offset: m.Offset, From: m.From, To: m.To}
	defer func() { _ = cli.Print(p.w, o) }() // flushing tells
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
	out.ID, out.Time = cmp.Or(out.ID, transcript.Cursor(m)), cmp.Or(out.Time, session.Time(1))
	line, err := atsf.BuildMessage(out)
	if err != nil {
		o.Reason = faultText(err)
		return
	}
	o.Message = bytes.TrimSuffix(line, []byte("\n"))
}
