package panel

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// resolveAgent finds the thread of an agent by its id or directory. A mail
// thread of the same name is told of in the preview.
func (p *Panels) resolveAgent(ctx context.Context, link ResolvedLink, most int) (ResolvedLink, bool) {
	now := p.agents()
	found := now.ByID(link.Token)
	if len(found) == 0 {
		return link, false
	}
	it := found[0]
	ref := agentRef(it)
	link.Status, link.Kind, link.Agent, link.Thread, link.Title = "found", "thread", true, &ref, agentTitle(it)
	link.Related = p.mailAbout(it)
	for _, other := range found[1:min(len(found), relatedShown)] {
		link.Related = append(link.Related, agentLink(other))
	}
	link.Preview = within(p.agentPreview(ctx, now, it, most) + relatedWords(link.Related))
	return link, true
}

// uuid is the form of the ids that messages of ATSF have (rule M2). Other words
// are not looked for in every conversation.
var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

func (p *Panels) resolveAgentMessage(ctx context.Context, link ResolvedLink) (ResolvedLink, error) {
	live := p.followed()
	if live == nil || !uuid().MatchString(link.Token) {
		return link, nil
	}
	found, err := live.FindMessage(ctx, link.Token)
	if err != nil || len(found.Hits) == 0 {
		return link, ctx.Err()
	}
	// Forks begin with their parent's messages: the newest that has it is shown,
	// and the others are told of.
	hits := found.Hits
	now := live.Snapshot()
	it := now.Item(hits[0].Key)
	if it == nil {
		return link, nil
	}
	e, err := now.Message(ctx, hits[0].Key, link.Token)
	if err != nil {
		return link, ctx.Err()
	}
	ref, message := agentRef(it), lineRef(it, &e)
	link.Status, link.Kind, link.Agent, link.Thread, link.Message = "found", "message", true, &ref, &message
	for _, h := range hits[1:min(len(hits), relatedShown)] {
		if other := now.Item(h.Key); other != nil {
			link.Related = append(link.Related, agentLink(other))
		}
	}
	m := agentMessage(it, &e)
	link.Title, _ = render.Line(m.From+": "+gist(&e), 80)
	body := markup.Markdown(m.Text, markup.Options{MaxBytes: previewBody, TopHeading: 4})
	link.Preview = within(agentHeadline(&m) + "\n\n" + agentWords(now, it) + "\n\n" + body + relatedWords(link.Related))
	return link, nil
}

// agentPreview shows the thread of an agent and what was said last in it.
func (p *Panels) agentPreview(ctx context.Context, now *threads.Snapshot, it *threads.Item, most int) string {
	var b strings.Builder
	b.WriteString("**Agent thread** " + agentWords(now, it) + "\n\n")
	if it.Fault != nil {
		b.WriteString("thread.json: " + markup.Escape(it.Fault.Error()) + "\n\n")
	}
	page, err := now.Page(ctx, threads.Key{Folder: it.Folder, Name: it.Name}, threads.Query{Limit: most})
	if err != nil {
		return b.String() + markup.Escape("the messages cannot be read: "+err.Error())
	}
	for i := range page.Entries {
		e := &page.Entries[i]
		m := agentMessage(it, e)
		line, _ := render.Line(gist(e), 160)
		b.WriteString("- " + agentHeadline(&m) + ": " + markup.Escape(line) + "\n")
	}
	return b.String()
}

// agentWords says which thread, whose and where.
func agentWords(s *threads.Snapshot, it *threads.Item) string {
	where := ""
	if f, ok := s.Folder(it.Folder); ok {
		where = " in " + markup.Code(folderGroup(&f).Title)
	}
	if it.Gone {
		where += " (gone)"
	}
	st := &it.Thread.Stats
	return fmt.Sprintf("%s · %s%s · %s, %s", markup.Code(shorten(agentTitle(it))), markup.Escape(shorten(agentName(it))), where,
		count(clampCount(st.Messages), "message", "messages"), count(clampCount(st.ToolCalls), "tool call", "tool calls"))
}

// gist is what a message comes to in one line: what it says and, since an agent
// may act without a word, what it did. It is not sanitized.
func gist(e *threads.Entry) string {
	if e.Fault != nil {
		return e.Fault.Error()
	}
	var parts []string
	for i := range e.Message.Content {
		if b := &e.Message.Content[i]; b.Type == atsf.TypeText && b.Text != "" {
			text, _ := clip(b.Text, previewBody)
			parts = append(parts, text)
		}
	}
	for i := range e.Message.Tools[:min(len(e.Message.Tools), previewMost)] {
		c := &e.Message.Tools[i]
		parts = append(parts, "["+cmp.Or(c.Title, c.Name)+": "+status(c)+"]")
	}
	if len(parts) == 0 && len(e.Message.Content) > 0 {
		parts = append(parts, "["+e.Message.Content[0].Type+"]")
	}
	return strings.Join(parts, " ")
}

func agentHeadline(m *MessageItem) string {
	if m.Turn.Gap != "" {
		return "**(a gap)**"
	}
	return "**" + markup.Escape(shorten(m.From)) + "** · " + When(m.Time)
}

// relatedWords tells of threads of the same name.
func relatedWords(links []ThreadLink) string {
	var b strings.Builder
	for _, l := range links {
		kind := "Mail thread"
		if l.Agent {
			kind = "Agent thread"
		}
		fmt.Fprintf(&b, "\n\n%s %s, %s", kind, markup.Code(shorten(l.Title)), count(l.Count, "message", "messages"))
	}
	return b.String()
}
