package atsf

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

const (
	// relatedMost bounds the other threads that go by the same name.
	relatedMost = 4
	// searchedMost bounds the ids of one text that are looked for in files.
	searchedMost = 64
)

func (v *view) Find(ctx context.Context, by panel.Lookup, token string) *panel.Target {
	switch by {
	case panel.ByID:
		return v.findThread(ctx, token)
	case panel.ByReading:
		return v.findMessage(ctx, token)
	case panel.ByBranch:
		return v.findBranch(token)
	default:
		return nil // a thread's title is no name
	}
}

// findThread finds threads by their id or directory, the newest first.
func (v *view) findThread(ctx context.Context, token string) *panel.Target {
	found := v.ByID(token)
	if len(found) == 0 {
		return nil
	}
	it := found[0]
	ref := threadRef(it)
	return &panel.Target{
		Status: panel.LinkFound, Kind: panel.LinkThread, Agent: true, Thread: &ref, Title: title(it), Names: names(it),
		Related: links(found[1:]),
		Preview: func(most int) string { return v.preview(ctx, it, most) },
		Places:  func() []panel.Place { return v.places(found) },
	}
}

// links describes other threads, at most some of them.
func links(list []*threads.Item) (links []panel.ThreadLink) {
	for _, it := range list[:min(len(list), relatedMost)] {
		links = append(links, link(it))
	}
	return links
}

// uuid is the form of the ids that messages have (rule M2). Other words are not looked
// for in every thread.
var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

// holders returns the threads that hold a message, the newest first: a fork begins with
// its parent's messages.
func (v *view) holders(ctx context.Context, id string) (list []*threads.Item) {
	if v.live == nil || !uuid().MatchString(id) {
		return nil
	}
	found, err := v.live.FindMessage(ctx, id)
	if err != nil {
		return nil
	}
	v.Snapshot = v.live.Snapshot() // which the search looked at
	for _, h := range found.Hits {
		if it := v.Item(h.Key); it != nil {
			list = append(list, it)
		}
	}
	return list
}

// findMessage finds a message by its id, in the newest thread that has it.
func (v *view) findMessage(ctx context.Context, id string) *panel.Target {
	held := v.holders(ctx, id)
	if len(held) == 0 {
		return nil
	}
	it := held[0]
	e, err := v.Message(ctx, threads.Key{Folder: it.Folder, Name: it.Name}, id)
	if err != nil {
		return nil
	}
	ref, line, m := threadRef(it), lineRef(it, &e), message(it, &e)
	t := &panel.Target{Status: panel.LinkFound, Kind: panel.LinkMessage, Agent: true, Thread: &ref, Message: &line, Related: links(held[1:])}
	t.Title, _ = render.Line(m.From+": "+gist(&e), 80)
	t.Preview = func(int) string {
		return headline(&m) + "\n\n" + v.words(it) + "\n\n" + markup.Markdown(m.Text, markup.Options{MaxBytes: show.HoverBody, TopHeading: 4})
	}
	t.Places = func() []panel.Place { return v.linePlaces(ctx, held, id) }
	return t
}

// linePlaces is where the lines of a message lie.
func (v *view) linePlaces(ctx context.Context, held []*threads.Item, id string) (list []panel.Place) {
	for _, it := range held[:min(len(held), panel.MaxPlaces)] {
		e, err := v.Message(ctx, threads.Key{Folder: it.Folder, Name: it.Name}, id)
		if err != nil {
			continue
		}
		if folder, file, ok := v.file(it, atsf.MessagesName); ok {
			list = append(list, place.InLine(place.Join(folder, file), int(e.Number)-1, e.Message.Raw, id))
		}
	}
	return list
}

// file returns the path of a file of a thread, and the folder that it is in. ok is
// false for a thread that is gone.
func (v *view) file(it *threads.Item, name string) (folder, file string, ok bool) {
	f, ok := v.Folder(it.Folder)
	if !ok || it.Gone || f.Gone {
		return "", "", false
	}
	return f.Path, atsf.DirName + "/" + atsf.ThreadsName + "/" + it.Name + "/" + name, true
}

// places is where threads lie: nowhere for what is gone.
func (v *view) places(found []*threads.Item) (list []panel.Place) {
	for _, it := range found[:min(len(found), panel.MaxPlaces)] {
		if folder, file, ok := v.file(it, atsf.ThreadName); ok {
			list = append(list, place.InFile(folder, file, it.Thread.ID))
		}
	}
	return list
}

// preview shows a thread and what was said last in it.
func (v *view) preview(ctx context.Context, it *threads.Item, most int) string {
	var b strings.Builder
	b.WriteString("**Agent thread** " + v.words(it) + "\n\n")
	if it.Fault != nil {
		b.WriteString("thread.json: " + markup.Escape(it.Fault.Error()) + "\n\n")
	}
	page, err := v.Page(ctx, threads.Key{Folder: it.Folder, Name: it.Name}, threads.Query{Limit: most})
	if err != nil {
		return b.String() + markup.Escape("the messages cannot be read: "+err.Error())
	}
	for i := range page.Entries {
		e := &page.Entries[i]
		m := message(it, e)
		line, _ := render.Line(gist(e), 160)
		b.WriteString("- " + headline(&m) + ": " + markup.Escape(line) + "\n")
	}
	return b.String()
}

// words says which thread, whose and where.
func (v *view) words(it *threads.Item) string {
	where := ""
	if f, ok := v.Folder(it.Folder); ok {
		where = " in " + markup.Code(group(&f).Title)
	}
	if it.Gone {
		where += " (gone)"
	}
	st := &it.Thread.Stats
	return fmt.Sprintf("%s · %s%s · %s, %s", markup.Code(show.Short(title(it))), markup.Escape(show.Short(agent(it))), where,
		show.Count(show.Number(st.Messages), "message", "messages"), show.Count(show.Number(st.ToolCalls), "tool call", "tool calls"))
}

// gist is a message in one line: what it says and, since an agent may act without a
// word, what it did. It is not sanitized.
func gist(e *threads.Entry) string {
	if e.Fault != nil {
		return e.Fault.Error()
	}
	var parts []string
	for i := range e.Message.Content {
		if b := &e.Message.Content[i]; b.Type == atsf.TypeText && b.Text != "" {
			text, _ := show.Clip(b.Text, show.HoverBody)
			parts = append(parts, text)
		}
	}
	for i := range e.Message.Tools[:min(len(e.Message.Tools), show.HoverMost)] {
		c := &e.Message.Tools[i]
		parts = append(parts, "["+cmp.Or(c.Title, c.Name)+": "+status(c)+"]")
	}
	if len(parts) == 0 && len(e.Message.Content) > 0 {
		parts = append(parts, "["+e.Message.Content[0].Type+"]")
	}
	return strings.Join(parts, " ")
}

func headline(m *panel.MessageItem) string {
	if m.Turn.Gap != "" {
		return "**(a gap)**"
	}
	return "**" + markup.Escape(show.Short(m.From)) + "** · " + show.When(m.Time)
}

// everyday are branches that are words before they are names. A text that has one
// speaks of something else.
var everyday = []string{
	"main", "master", "trunk", "dev", "develop", "development", "head", "next", "stable", "staging", "stage", "test", "testing", "prod", "production",
	"release", "releases", "hotfix", "default", "origin", "upstream", "gh-pages", "docs", "wip", "feature", "fix", "backup", "tmp", "temp", "new", "old",
}

// isBranch reports whether a token can be taken for a branch of git.
func isBranch(token string) bool {
	return token != "" && len(token) <= 255 && !slices.Contains(everyday, strings.ToLower(token)) && !strings.ContainsAny(token, " \t\r\n~^:?*[\\")
}

// branchMost bounds the threads of a branch that are shown.
const branchMost = 10

// findBranch finds the threads that were begun on a branch, or stand in its worktree.
// The token has to be the whole name.
func (v *view) findBranch(token string) *panel.Target {
	if !isBranch(token) {
		return nil
	}
	list := v.Branch(token, branchMost)
	if len(list) == 0 {
		return nil
	}
	ref := threadRef(list[0])
	return &panel.Target{
		Status: panel.LinkFound, Kind: panel.LinkBranch, Agent: true, Thread: &ref, Title: show.Line(token), Count: len(list),
		Related: links(list[1:]),
		Preview: func(int) string {
			var b strings.Builder
			b.WriteString("**Branch** " + markup.Code(show.Short(token)) + " · " + show.Count(len(list), "agent thread", "agent threads") + "\n\n")
			for _, it := range list {
				b.WriteString("- " + v.words(it) + " · " + show.When(show.Time(it.Updated)) + "\n")
			}
			return b.String()
		},
		Places: func() []panel.Place { return v.places(list) },
	}
}

func (v *view) Knows(ctx context.Context, token string) bool {
	if v.known == nil {
		v.known = v.tokens()
	}
	if v.known[token] {
		return true
	}
	if v.live == nil || v.searched == searchedMost || !uuid().MatchString(token) {
		return false
	}
	v.searched++
	return len(v.holders(ctx, token)) > 0
}

// tokens returns all ids and directories of threads, and the branches that they belong
// to.
func (v *view) tokens() map[string]bool {
	known := make(map[string]bool)
	branch := make(map[string]string, len(v.Folders))
	for i := range v.Folders {
		branch[v.Folders[i].ID] = v.Folders[i].Branch
	}
	for _, it := range v.Snapshot.Items {
		known[it.Name], known[it.Thread.ID] = true, true
		for _, b := range []string{it.Thread.Context.GitBranch, branch[it.Folder]} {
			if isBranch(b) {
				known[b] = true
			}
		}
	}
	return known
}

func (v *view) Complete(_ context.Context, c *panel.Completing) {
	add := func(it *threads.Item) {
		c.Add(panel.Completion{Text: it.Name, Kind: panel.CompletionThread, Protocol: string(mail.ATSF), Detail: title(it), Time: show.Time(it.Updated)})
	}
	items := v.Snapshot.Items
	switch c.Kind {
	case panel.CompleteThread:
		for _, it := range items[:min(len(items), 10*c.Limit)] {
			add(it)
		}
	case panel.CompleteID:
		for _, it := range items {
			if c.Digits() && strings.HasPrefix(it.Name, c.Prefix) && !c.Full() {
				add(it)
			}
		}
	}
}

func (v *view) Symbols(match func(names ...string) bool, limit int) (list []panel.Symbol) {
	for _, it := range v.Snapshot.Items {
		folder, file, ok := v.file(it, atsf.MessagesName)
		f, _ := v.Folder(it.Folder)
		begun := it.Thread.Context.GitBranch
		if !ok || len(list) >= limit || !match(it.Thread.Title, it.Name, it.Thread.ID, begun, f.Branch) {
			continue
		}
		detail := agent(it)
		if begun != "" {
			detail += " on " + show.Line(begun)
		}
		list = append(list, panel.Symbol{
			Name: title(it), Detail: detail + ", " + show.Count(show.Number(it.Thread.Stats.Messages), "message", "messages"), Protocol: mail.ATSF,
			Thread: threadRef(it), Time: show.Time(it.Updated), Place: panel.Place{Path: place.Join(folder, file)},
		})
	}
	return list
}

// References finds the messages of agents that mention a token in what they wrote and
// did.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (list panel.ReferenceList, err error) {
	var at threads.MentionCursor
	if q.Place != "" && json.Unmarshal([]byte(q.Place), &at) != nil {
		return list, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	found, next, err := v.Mentions(ctx, q.Word, at, q.Limit)
	if err != nil {
		return list, err
	}
	for i := range found {
		m := &found[i]
		folder, file, ok := v.file(m.Item, atsf.MessagesName)
		if !ok {
			continue // a copy of what is gone, which is no file of the user's
		}
		e := threads.Entry{Message: m.Message, Cursor: m.Cursor}
		words, _ := render.Line(gist(&e), 160)
		list.References = append(list.References, panel.Reference{
			Place:   place.Word(place.Join(folder, file), int(m.Number)-1, m.Before, m.Text),
			Message: lineRef(m.Item, &e), Thread: threadRef(m.Item),
			Title: words, From: speaker(m.Item, &m.Message), Time: show.Time(m.Message.Time.Millis),
		})
	}
	if next != nil {
		place, err := json.Marshal(next)
		list.Next = string(place)
		return list, err
	}
	return list, nil
}
