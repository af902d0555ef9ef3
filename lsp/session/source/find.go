package source

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/core/session"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// relatedMost is the largest number of other sessions with the same id.
const relatedMost = 4

func (v *view) Find(ctx context.Context, by panel.Lookup, token string) *panel.Target {
	if by != panel.ByID {
		return nil
	}
	found := v.ByID(token)
	if len(found) == 0 {
		return nil
	}
	it := found[0]
	ref := threadRef(it)
	t := &panel.Target{
		Status: panel.LinkFound, Kind: panel.LinkThread, Agent: true, Thread: &ref, Title: title(it), Time: show.Time(it.Updated), Names: names(it),
		Preview: func(most int) string { return v.preview(ctx, it, most) },
		Places: func() []panel.Place {
			return []panel.Place{place.InFile(filepath.Dir(it.File), filepath.Base(it.File), it.ID)}
		},
	}
	for _, other := range found[1:min(len(found), 1+relatedMost)] {
		t.Related = append(t.Related, link(other))
	}
	return t
}

// preview returns Markdown with a session and its last messages. most is the largest
// number of messages.
func (v *view) preview(ctx context.Context, it *sessionstore.Item, most int) string {
	var b strings.Builder
	b.WriteString("**Session** " + v.words(it) + "\n\n")
	page, err := v.of(it.Key()).Page(ctx, it.Key(), sessionstore.Query{Limit: most})
	if err != nil {
		return b.String() + markup.Escape("the session cannot be read: "+err.Error())
	}
	for i := range page.Messages {
		m := &page.Messages[i]
		if m.Gap != "" {
			continue
		}
		m.Mask()
		line, _ := render.Line(turns.Summary(&m.Message), 160)
		b.WriteString("- **" + markup.Escape(show.Short(speaker(it, m))) + "** · " + show.When(show.Time(m.Time.Millis)) + ": " + markup.Escape(line) + "\n")
	}
	return b.String()
}

// words returns a line of Markdown with a session's title, program and worktree.
func (v *view) words(it *sessionstore.Item) string {
	where := ""
	if f, ok := v.of(it.Key()).Checkout(it.Checkout); ok {
		where = " in " + markup.Code(turns.Worktree(&f).Title)
	}
	return markup.Code(show.Short(title(it))) + " · " + markup.Escape(show.Short(agent(it))) + where
}

func (v *view) Knows(_ context.Context, token string) bool {
	if v.tokens == nil {
		v.tokens = make(map[string]bool, 2*len(v.files.Items))
		for _, it := range v.files.Items {
			v.tokens[it.Name], v.tokens[it.ID] = true, true
		}
	}
	return token != "" && v.tokens[token]
}

func (v *view) Complete(_ context.Context, c *panel.Completing) {
	if c.Kind != panel.CompleteThread && (c.Kind != panel.CompleteID || !c.Digits()) {
		return
	}
	for _, it := range v.files.Items {
		if !strings.HasPrefix(it.Name, c.Prefix) {
			continue
		}
		if c.Full() {
			return
		}
		c.Add(panel.Completion{Text: show.Line(it.Name), Kind: panel.CompletionThread, Protocol: string(mail.Session), Detail: title(it), Time: show.Time(it.Updated)})
	}
}

// Searches returns one search of all sessions.
func (v *view) Searches(q *query.Query, limit int) []panel.Search {
	if q.Suspicious() {
		return nil // no message of a session is suspicious
	}
	h := v.Search(turns.Search{Query: q, Limit: limit, Budget: turns.SearchBudget, Indexing: v.open && !v.Ready, Trust: ownLog, Gone: lost})
	return []panel.Search{h.Panel("session")}
}

// lost reports whether a session is gone or cannot be read; its page shows why.
func lost(err error) bool {
	_, ok := errors.AsType[*panel.Error](err)
	return ok
}

// conversation is a session that is searched.
type conversation struct {
	view *view
	it   *sessionstore.Item
}

func (c conversation) Head() panel.Head {
	return panel.Head{At: panel.AtMillis(c.it.Updated), Name: c.it.Name, Store: c.it.Format.Client}
}

func (c conversation) Ref() panel.Ref { return threadRef(c.it) }

func (c conversation) Line(cursor string) panel.Ref {
	return mail.MessageRef(mail.Session, c.it.Format.Client, c.it.Name, cursor)
}

func (c conversation) Group() string { return c.it.Checkout }

func (c conversation) Title() string { return title(c.it) }

func (c conversation) Names() []string {
	return append([]string{c.it.Name, c.it.ID}, c.view.aliases(c.it)...)
}

func (c conversation) Places() []string {
	f, _ := c.view.of(c.it.Key()).Checkout(c.it.Checkout)
	return append([]string{c.it.Branch, f.Branch, filepath.Base(f.Path), f.ID, agent(c.it)}, c.view.aliases(c.it)...)
}

func (c conversation) Clients() []string { return []string{c.it.Format.Client, c.it.Format.Title} }

func (c conversation) Speaker(m *atsf.Message) []string {
	if m == nil || m.Role == atsf.RoleAgent {
		return append([]string{agent(c.it)}, c.view.aliases(c.it)...)
	}
	return []string{show.Line(m.Role)}
}

func (c conversation) Read(ctx context.Context, from, most int64, words []needle.Needle, found func(*atsfstore.Hit) bool) (next, read int64, err error) {
	next, read, err = c.view.files.Search(ctx, c.it, from, most, words, func(m *session.Message) bool {
		m.Mask()
		return found(&atsfstore.Hit{Offset: m.Offset, Part: m.Part, Cursor: sessionstore.Cursor(m), Message: m.Message, From: show.Line(m.From)})
	})
	if err != nil {
		err = failures.Failure(err, "search")
	}
	return next, read, err
}

func (c conversation) Root() string {
	f, _ := c.view.of(c.it.Key()).Checkout(c.it.Checkout)
	return f.Path
}

func (c conversation) Folder() string { return c.it.Folder }

func (c conversation) Size() int64 { return c.it.Size }

func (c conversation) Newest(ctx context.Context, most int, each func(string, int64, *atsf.Message)) error {
	page, err := c.view.of(c.it.Key()).Page(ctx, c.it.Key(), sessionstore.Query{Limit: most})
	for i := range page.Messages {
		each(sessionstore.Cursor(&page.Messages[i]), 0, &page.Messages[i].Message)
	}
	return err
}

func (c conversation) Updated() int64 { return c.it.Updated }

func (c conversation) Texts() []string {
	return append(c.view.aliases(c.it), title(c.it), c.it.Name, c.it.ID, agent(c.it), c.it.Branch)
}

func (c conversation) Nested() bool { return c.it.Parent != "" || c.it.Agent != "" }

func (c conversation) Item() panel.ThreadItem { return c.view.threadItem(c.it) }
