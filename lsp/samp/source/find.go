package source

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

func (v *view) Find(_ context.Context, by panel.Lookup, token string) *panel.Target {
	switch by {
	case panel.ByID:
		return v.findMessage(token)
	case panel.ByName:
		return v.findThread(token)
	default:
		return nil // the index has every id, and mail has no branches
	}
}

// Routes returns who wrote to whom in a thread.
func (v *view) Routes(_ context.Context, r panel.Ref, alone bool) ([]panel.Route, error) {
	in, err := v.find(r)
	if err != nil {
		return nil, err
	}
	if alone {
		key, ok := keyOf(r)
		if !ok {
			return nil, index.ErrNotFound
		}
		m, err := in.live.Get(key)
		return []panel.Route{{From: m.From, To: m.To}}, err
	}
	_, name, err := v.threadOf(r)
	if err != nil {
		return nil, err
	}
	var list []panel.Route
	for _, r := range in.live.Routes(name) {
		list = append(list, panel.Route{From: r[0], To: r[1]})
	}
	return list, nil
}

// withID returns the messages with an id, or the message from one sender if the token is
// "sender:id". Ids are not signed, so anybody can write a second message with the same id.
func (v *view) withID(token string) (hits []hit) {
	for _, s := range v.stores {
		list := s.live.Find(token)
		if from, id, ok := strings.Cut(token, ":"); ok && len(list) == 0 {
			if m, err := s.live.Get(sampstore.Key{From: from, ID: id}); err == nil {
				list = append(list, m)
			}
		}
		for _, m := range list {
			if m.Err == nil {
				hits = append(hits, hit{s, s.live.Stats().ID, m})
			}
		}
	}
	return hits
}

// findMessage returns the messages with an id, or nil.
func (v *view) findMessage(token string) *panel.Target {
	hits := v.withID(token)
	if len(hits) == 0 {
		return nil
	}
	t := &panel.Target{Status: panel.LinkFound, Kind: panel.LinkMessage, Count: len(hits), Places: func() (list []panel.Place) {
		for i := range hits {
			list = append(list, recordPlace(hits[i].in, &hits[i].m, token))
		}
		return list
	}}
	if len(hits) > 1 {
		t.Status, t.Preview = panel.LinkAmbiguous, func(int) string { return ambiguous(token, hits) }
		for i := range hits {
			m := &hits[i].m
			t.Several = append(t.Several, panel.Several{Message: messageRef(hits[i].id, m), Token: m.From + ":" + m.Key, From: show.Line(m.From), Time: show.Millis(m.TS)})
		}
		return t
	}
	h := hits[0]
	thread, message := threadRef(h.id, h.m.Thread), messageRef(h.id, &h.m)
	t.Time = show.Millis(h.m.TS)
	t.Thread, t.Message, t.Can, t.Preview = &thread, &message, []string{panel.CanReply}, h.preview
	if h.m.Unread {
		t.Can = append(t.Can, panel.CanMarkRead)
	}
	t.Title, _ = render.Line(h.m.From+" → "+h.m.To+": "+h.m.Body, 80)
	return t
}

// findThread returns the thread with a name, or nil. If several directories have one, the
// first directory describes it.
func (v *view) findThread(name string) (found *panel.Target) {
	var in []opened
	for _, s := range v.stores {
		t, err := s.live.ThreadNamed(name)
		if err != nil {
			continue
		}
		if in = append(in, s); found != nil {
			continue
		}
		ref := threadRef(s.live.Stats().ID, t.Name)
		found = &panel.Target{
			Status: panel.LinkFound, Kind: panel.LinkThread, Thread: &ref, Title: titles(s.live, t.Name)[t.Name], Time: show.Millis(t.Last), Can: []string{panel.CanReply},
			Names: panel.NamesIn(t.Name), Preview: func(most int) string { return threadPreview(s.live, &t, most) },
		}
		if t.Unread > 0 {
			found.Can = append(found.Can, panel.CanMarkRead)
		}
	}
	if found != nil {
		found.Places = func() (list []panel.Place) {
			for _, s := range in {
				if m, err := s.live.First(name); err == nil {
					list = append(list, recordPlace(s, &m, name))
				}
			}
			return list
		}
	}
	return found
}

// recordPlace returns the place of a token in a record's line, or the line's place if
// it cannot be read.
func recordPlace(s opened, m *index.Message, token string) panel.Place {
	path := filepath.Join(s.live.Stats().Path, m.File)
	raw, err := s.live.LineOf(m, place.LineBytes)
	if err != nil {
		return panel.Place{Path: path, Line: max(m.Line-1, 0)}
	}
	return place.InLine(path, s.live.NumberOf(m)-1, raw, token)
}

type hit struct {
	in opened
	id string
	m  index.Message
}

// preview returns Markdown with the message and the last other messages of its thread.
// most is the largest number of messages in all.
func (h *hit) preview(most int) string {
	var b strings.Builder
	b.WriteString(headline(&h.m))
	fmt.Fprintf(&b, "\n\n%s", threadWords(h.in.live, h.m.Thread))
	t, err := h.in.live.ThreadNamed(h.m.Thread)
	if err == nil {
		fmt.Fprintf(&b, ", %s", show.Count(t.Count, "message", "messages"))
	}
	fmt.Fprintf(&b, " · %s\n\n", trust(&h.m).Words())
	b.WriteString(markup.Markdown(h.m.Body, markup.Options{MaxBytes: show.HoverBody, TopHeading: 4}))
	if err == nil && t.Count > 1 {
		others := lines(h.in.live, t.Name, most-1, func(m *index.Message) bool { return m.Key != h.m.Key || m.From != h.m.From })
		if others != "" {
			b.WriteString("\n\n---\n\n" + others)
		}
	}
	return b.String()
}

func threadPreview(live *index.Live, t *index.Thread, most int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s", threadWords(live, t.Name), show.Count(t.Count, "message", "messages"))
	if t.Unread > 0 {
		fmt.Fprintf(&b, ", %d unread", t.Unread)
	}
	var who []string
	for _, a := range t.Participants[:min(len(t.Participants), show.ParticipantsMost)] {
		who = append(who, markup.Escape(show.Line(a)))
	}
	fmt.Fprintf(&b, " · %s · last %s\n\n", strings.Join(who, ", "), when(t.Last))
	b.WriteString(lines(live, t.Name, most, func(*index.Message) bool { return true }))
	b.WriteString("\n\nSAMP messages are not signed.")
	return b.String()
}

// threadWords returns a thread's title and name as Markdown.
func threadWords(live *index.Live, name string) string {
	return "**" + markup.Escape(titles(live, name)[name]) + "** · thread " + markup.Code(show.Short(name))
}

// lines returns the last wanted messages of a thread as a Markdown list, one line each,
// oldest first. most is the largest number of messages.
func lines(live *index.Live, name string, most int, wanted func(*index.Message) bool) string {
	page, err := live.Page(name, nil, nil, most+1)
	if err != nil {
		return ""
	}
	var list []string
	for i := range page.Messages {
		m := &page.Messages[i]
		if m.Err == nil && wanted(m) {
			list = append(list, listLine(m, 160))
		}
	}
	if len(list) > most {
		list = list[len(list)-most:]
	}
	return strings.Join(list, "\n")
}

// listLine returns a message as a line of a Markdown list, with its text cut to most
// characters.
func listLine(m *index.Message, most int) string {
	line, _ := render.Line(m.Body, most)
	return "- " + headline(m) + ": " + markup.Escape(line)
}

func headline(m *index.Message) string {
	return "**" + markup.Escape(show.Short(m.From)) + " → " + markup.Escape(show.Short(m.To)) + "** · " + when(m.TS)
}

// when returns a record's time in words.
func when(ts int64) string { return show.When(show.Millis(ts)) }

func ambiguous(token string, hits []hit) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s stands for %d messages:\n\n", markup.Code(show.Short(token)), len(hits))
	for i := range hits[:min(len(hits), show.HoverMost)] {
		b.WriteString(listLine(&hits[i].m, 120) + "\n")
	}
	return b.String()
}

// idForm returns the pattern of ids (§2).
var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{16}$`) })

func (v *view) Knows(_ context.Context, token string) bool {
	for _, s := range v.stores {
		if idForm().MatchString(token) && s.live.Has(token) {
			return true
		}
		if _, err := s.live.ThreadNamed(token); err == nil {
			return true
		}
	}
	return false
}

func (v *view) Complete(_ context.Context, c *panel.Completing) {
	for _, s := range v.stores {
		switch c.Kind {
		case panel.CompleteRecipient:
			for _, party := range s.live.Parties(panel.RecipientsMost) {
				c.Add(completion(panel.CompletionRecipient, party.Alias, "alias", party.Last))
			}
		case panel.CompleteThread:
			completeThread(s.live, c)
		case panel.CompleteID:
			completeID(s.live, c)
		}
	}
}

func completeThread(live *index.Live, c *panel.Completing) {
	list, titled, more := matching(live, func(names ...string) bool { return slices.ContainsFunc(names, c.Holds) }, c.Limit)
	c.Incomplete = c.Incomplete || more
	for i := range list {
		t := &list[i]
		detail, _ := render.Line(t.From+" → "+t.To+", "+show.Count(t.Count, "message", "messages"), 120)
		it := completion(panel.CompletionThread, t.Name, detail, t.Last)
		it.Title, it.With = titled[t.Name], slices.Contains(t.Participants, c.To)
		c.Add(it)
	}
}

func completeID(live *index.Live, c *panel.Completing) {
	if !c.Digits() {
		return
	}
	list, more := live.WithPrefix(c.Prefix, c.Limit)
	c.Incomplete = c.Incomplete || more
	for i := range list {
		if m := &list[i]; m.Err == nil {
			c.Add(completion(panel.CompletionMessage, m.Key, summary(m), m.TS))
		}
	}
}

func completion(kind panel.CompletionKind, text, detail string, ts int64) panel.Completion {
	return panel.Completion{Text: text, Kind: kind, Protocol: string(mail.SAMP), Detail: detail, Time: show.Millis(ts)}
}

// summary returns a line with a message's sender, recipient and text.
func summary(m *index.Message) string {
	line, _ := render.Line(m.From+" → "+m.To+": "+m.Body, 120)
	return line
}

// bothNames returns a thread's title and name, since VS Code shows a symbol only if its text
// contains what was typed.
func bothNames(name, title string) string {
	if name = show.Title(name); name != title {
		return title + " (" + name + ")"
	}
	return title
}

func (v *view) Symbols(match func(names ...string) bool, limit int) (list []panel.Symbol) {
	for _, s := range v.stores {
		stats := s.live.Stats()
		found, titled, _ := matching(s.live, match, limit)
		newest, _, _ := s.live.Ends(found)
		for i := range newest {
			m := &newest[i]
			list = append(list, panel.Symbol{
				Name: bothNames(m.Thread, titled[m.Thread]), Detail: summary(m), Protocol: mail.SAMP, Thread: threadRef(stats.ID, m.Thread), Time: show.Millis(m.TS),
				Place: panel.Place{Path: filepath.Join(stats.Path, m.File), Line: max(s.live.NumberOf(m)-1, 0)},
			})
		}
	}
	return list
}
