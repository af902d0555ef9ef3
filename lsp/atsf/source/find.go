package source

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// relatedMost is the largest number of other threads with the same name.
	relatedMost = 4
	// searchedMost is the largest number of ids of one text that are searched for in
	// files.
	searchedMost = 8
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
		return nil // a thread has no name: its title may be any text
	}
}

// findThread returns the newest thread with an id or directory name, with the others as
// Related, or nil.
func (v *view) findThread(ctx context.Context, token string) *panel.Target {
	found := v.ByID(token)
	if len(found) == 0 {
		return nil
	}
	it := found[0]
	ref := threadRef(it)
	return &panel.Target{
		Status: panel.LinkFound, Kind: panel.LinkThread, Agent: true, Thread: &ref, Title: title(it), Time: show.Time(it.Updated), Names: names(it),
		Related: links(found[1:], relatedMost),
		Preview: func(most int) string { return v.preview(ctx, it, most) },
		Places:  func() []panel.Place { return v.places(found) },
	}
}

// links returns links to threads, at most that many.
func links(list []*atsfstore.Item, most int) (links []panel.ThreadLink) {
	for _, it := range list[:min(len(list), most)] {
		links = append(links, link(it))
	}
	return links
}

// uuid returns the pattern of message ids (rule M2). Only words of this form are
// searched for in every thread.
var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

// holders returns the threads that contain a message, newest first, as the files are now. There may be several, since a
// fork begins with its parent's messages.
func (v *view) holders(ctx context.Context, id string) []*atsfstore.Item {
	if v.live == nil || !uuid().MatchString(id) {
		return nil
	}
	v.files = files{v.live.Snapshot()} // the message may have been written a moment ago
	list, err := v.FindMessage(ctx, id)
	if err != nil {
		return nil
	}
	return list
}

// findMessage returns the message with an id, in the newest thread that holds it, or
// nil.
func (v *view) findMessage(ctx context.Context, id string) *panel.Target {
	held := v.holders(ctx, id)
	if len(held) == 0 {
		return nil
	}
	it := held[0]
	e, err := v.Entry(ctx, atsfstore.Key{Folder: it.Folder, Name: it.Name}, atsfstore.Query{Around: id})
	if err != nil {
		return nil
	}
	ref, line, m := threadRef(it), lineRef(it, &e), message(it, &e)
	t := &panel.Target{Status: panel.LinkFound, Kind: panel.LinkMessage, Agent: true, Thread: &ref, Message: &line, Time: m.Time, Related: links(held[1:], relatedMost)}
	t.Title, _ = render.Line(m.From+": "+summary(&e), 80)
	t.Preview = func(int) string {
		return headline(&m) + "\n\n" + v.words(it) + "\n\n" + markup.Markdown(m.Text, markup.Options{MaxBytes: show.HoverBody, TopHeading: 4})
	}
	t.Places = func() []panel.Place { return v.linePlaces(ctx, held, id) }
	return t
}

// linePlaces returns the places of a message's lines in the threads that hold it, at
// most [panel.MaxPlaces].
func (v *view) linePlaces(ctx context.Context, held []*atsfstore.Item, id string) (list []panel.Place) {
	for _, it := range held[:min(len(held), panel.MaxPlaces)] {
		e, err := v.Entry(ctx, atsfstore.Key{Folder: it.Folder, Name: it.Name}, atsfstore.Query{Around: id})
		if err != nil {
			continue
		}
		if folder, file, ok := v.file(it, atsf.MessagesName); ok {
			list = append(list, place.InLine(place.Join(folder, file), int(e.Number)-1, e.Message.Raw, id))
		}
	}
	return list
}

// file returns where a thread's file is: its worktree, and the path inside it. ok is false if the
// thread or the worktree is gone or unknown.
func (v *view) file(it *atsfstore.Item, name string) (folder, path string, ok bool) {
	f, ok := v.Folder(it.Folder)
	if !ok || it.Gone || f.Gone {
		return "", "", false
	}
	return f.Path, atsf.DirName + "/" + atsf.ThreadsName + "/" + it.Name + "/" + name, true
}

// places returns the places of threads' thread.json, at most [panel.MaxPlaces]. It
// leaves out threads that are gone.
func (v *view) places(found []*atsfstore.Item) (list []panel.Place) {
	for _, it := range found[:min(len(found), panel.MaxPlaces)] {
		if folder, file, ok := v.file(it, atsf.ThreadName); ok {
			list = append(list, place.InFile(folder, file, it.Thread.ID))
		}
	}
	return list
}

// preview returns Markdown with a thread and its last messages. most is the largest
// number of messages.
func (v *view) preview(ctx context.Context, it *atsfstore.Item, most int) string {
	var b strings.Builder
	b.WriteString("**Agent thread** " + v.words(it) + "\n\n")
	if it.Fault != nil {
		b.WriteString("thread.json: " + markup.Escape(it.Fault.Error()) + "\n\n")
	}
	page, err := v.Page(ctx, atsfstore.Key{Folder: it.Folder, Name: it.Name}, atsfstore.Query{Limit: most})
	if err != nil {
		return b.String() + markup.Escape("the messages cannot be read: "+err.Error())
	}
	for i := range page.Entries {
		e := &page.Entries[i]
		m := message(it, e)
		line, _ := render.Line(summary(e), 160)
		b.WriteString("- " + headline(&m) + ": " + markup.Escape(line) + "\n")
	}
	return b.String()
}

// words returns a line of Markdown with a thread's title, agent, worktree and counts.
func (v *view) words(it *atsfstore.Item) string {
	where := ""
	if f, ok := v.Folder(it.Folder); ok {
		where = " in " + markup.Code(turns.Worktree(&f).Title)
	}
	if it.Gone {
		where += " (gone)"
	}
	st := &it.Thread.Stats
	return fmt.Sprintf("%s · %s%s · %s, %s", markup.Code(show.Short(title(it))), markup.Escape(show.Short(agent(it))), where,
		show.Count(show.Number(st.Messages), "message", "messages"), show.Count(show.Number(st.ToolCalls), "tool call", "tool calls"))
}

// summary returns a line in short. It is not sanitized.
func summary(e *atsfstore.Entry) string {
	if e.Fault != nil {
		return e.Fault.Error()
	}
	return turns.Summary(&e.Message)
}

func headline(m *panel.MessageItem) string {
	if m.Turn.Gap != "" {
		return "**(a gap)**"
	}
	return "**" + markup.Escape(show.Short(m.From)) + "** · " + show.When(m.Time)
}

// commonBranches lists branch names that are common words. A text that contains one usually
// means something else.
var commonBranches = []string{
	"main", "master", "trunk", "dev", "develop", "development", "head", "next", "stable", "staging", "stage", "test", "testing", "prod", "production",
	"release", "releases", "hotfix", "default", "origin", "upstream", "gh-pages", "docs", "wip", "feature", "fix", "backup", "tmp", "temp", "new", "old",
}

// isBranch reports whether a token can be taken as a git branch.
func isBranch(token string) bool {
	return token != "" && len(token) <= 255 && !slices.Contains(commonBranches, strings.ToLower(token)) && !strings.ContainsAny(token, " \t\r\n~^:?*[\\")
}

// branchMost is the largest number of threads shown for a branch.
const branchMost = 10

// findBranch returns the threads that were begun on a branch or are in its worktree, or nil.
// The token must be the branch's whole name.
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
		Related: links(list[1:], relatedMost),
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

// tokens returns the ids and directory names of all threads, and their branches, as a
// set.
func (v *view) tokens() map[string]bool {
	known := make(map[string]bool)
	branch := make(map[string]string, len(v.Folders))
	for i := range v.Folders {
		branch[v.Folders[i].ID] = v.Folders[i].Branch
	}
	for _, it := range v.files.Items {
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
	add := func(it *atsfstore.Item) {
		c.Add(panel.Completion{Text: it.Name, Title: title(it), Kind: panel.CompletionThread, Protocol: string(mail.ATSF), Detail: agent(it), Time: show.Time(it.Updated)})
	}
	items := v.files.Items
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
	for _, it := range v.files.Items {
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

// mentionCursor is where a page of mentions continues: before a line of a thread. Offset 0
// means that the thread was searched to its beginning.
type mentionCursor struct {
	Folder string `json:"f"`
	Name   string `json:"n"`
	Offset int64  `json:"o,omitempty"`
}

// References returns the messages of agents' threads that mention a token in their text or
// tool calls: the thread that changed last first, and its newest message first. If a log is
// longer than a search may read, its end is left out.
func (v *view) References(ctx context.Context, q *panel.ReferenceQuery) (list panel.ReferenceList, err error) {
	var at mentionCursor
	if q.Place != "" && json.Unmarshal([]byte(q.Place), &at) != nil {
		return list, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	left, begun := int64(turns.SearchBudget), q.Place == ""
	for _, it := range v.List {
		before := int64(math.MaxInt64)
		if !begun {
			begun, before = it.Folder == at.Folder && it.Name == at.Name, at.Offset
			if !begun || before == 0 {
				continue
			}
		}
		room := q.Limit - len(list.References)
		found, read := v.mentions(ctx, it, q.Word, before, left, room)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		next := mentionCursor{Folder: it.Folder, Name: it.Name}
		if len(found) > room {
			found = found[1:]
			next.Offset = found[0].offset
		}
		for i := range slices.Backward(found) {
			list.References = append(list.References, found[i].Reference)
		}
		if left -= read; left <= 0 || len(list.References) == q.Limit {
			place, err := json.Marshal(next)
			list.Next = string(place)
			return list, err
		}
	}
	return list, nil
}

type mentioned struct {
	panel.Reference
	offset int64
}

// mentions returns the last mentions in a thread before an offset, in order: at most one more
// than most. A thread that cannot be read has none, since its page shows the error.
func (v *view) mentions(ctx context.Context, it *atsfstore.Item, word *mention.Needle, before, budget int64, most int) (found []mentioned, read int64) {
	folder, file, ok := v.file(it, atsf.MessagesName)
	if !ok {
		return nil, 0
	}
	var start, end int
	has := func(raw []byte) (ok bool) {
		start, end, ok = word.In(raw, "id")
		return ok
	}
	_, read, _ = v.files.Search(ctx, it, 0, budget, has, func(s *atsfstore.Hit) {
		if s.Offset >= before {
			return
		}
		if len(found) > most {
			found = found[1:]
		}
		e := atsfstore.Entry{Message: s.Message, Cursor: s.Cursor}
		title, _ := render.Line(summary(&e), 160)
		found = append(found, mentioned{offset: s.Offset, Reference: panel.Reference{
			Place:   place.Word(place.Join(folder, file), int(s.Number)-1, s.Message.Raw[:start], s.Message.Raw[start:end]),
			Message: lineRef(it, &e), Thread: threadRef(it), Title: title, From: speaker(it, &s.Message), Time: show.Time(s.Message.Time.Millis),
		}})
	})
	return found, read
}
