package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel/outline"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/textlink"
)

// Outline returns the messages in a document, as [outline.Of] does.
func (p *Panels) Outline(doc check.Document) []outline.Entry {
	var list []outline.Source
	for _, s := range p.sources {
		if has, ok := s.(outline.Source); ok {
			list = append(list, has)
		}
	}
	return outline.Of(doc, list...)
}

// Links returns the known tokens of a text, in order, as [textlink.In] does. It reads no
// messages, so a long text is cheap; [Panels.Locate] finds where a link leads.
func (p *Panels) Links(ctx context.Context, text string) ([]textlink.Link, error) {
	views := p.viewsNow(ctx)
	return textlink.In(ctx, text, func(token string) bool {
		if _, name, ok := mail.ParseLink(token); ok {
			token = name
		}
		return token != "" && slices.ContainsFunc(needle.Spellings(token), func(token string) bool {
			return slices.ContainsFunc(views, func(v view) bool { return v.Knows(ctx, token) })
		})
	})
}

// MaxSymbols is the largest number of threads that [Panels.Symbols] returns.
const MaxSymbols = 200

// Symbol is a thread in a list of symbols.
type Symbol struct {
	// Name is the thread's name. Detail describes it in a few more words.
	Name, Detail string
	Protocol     mail.Protocol
	Thread       Ref
	Time         int64
	// Place is the thread's newest message or, for an agent's thread, the beginning of
	// its log.
	Place Place
}

// Symbols returns the threads of all formats whose names hold every word of a query,
// newest first. Upper and lower case are the same. It returns at most limit threads,
// and never more than [MaxSymbols]. A branch finds the threads that agents began on it.
func (p *Panels) Symbols(ctx context.Context, query string, limit int) ([]Symbol, error) {
	if limit <= 0 || limit > MaxSymbols {
		limit = MaxSymbols
	}
	query, _ = show.Clip(query, 256)
	var asked []needle.Needle
	for w := range strings.FieldsSeq(query) {
		asked = append(asked, needle.New(w))
	}
	match := func(names ...string) bool {
		text := strings.Join(names, " ")
		return !slices.ContainsFunc(asked, func(w needle.Needle) bool { return !w.In(text) })
	}
	var list []Symbol
	for _, v := range having[Symbolic](p.viewsNow(ctx)) {
		list = append(list, v.Symbols(match, limit)...)
	}
	slices.SortStableFunc(list, func(a, b Symbol) int { return cmp.Compare(b.Time, a.Time) })
	return list[:min(len(list), limit)], ctx.Err()
}

// MaxCompletions is the most items in one answer to a completion request.
const MaxCompletions = 200

// CompleteKind is the kind of thing to complete.
type CompleteKind string

// The kinds of things to complete.
const (
	CompleteRecipient CompleteKind = "recipient"
	CompleteThread    CompleteKind = "thread"
	CompleteID        CompleteKind = "id"
)

// CompletionKind is what a [Completion] names.
type CompletionKind string

// The kinds of a [Completion].
const (
	CompletionRecipient CompletionKind = "recipient"
	CompletionThread    CompletionKind = "thread"
	CompletionMessage   CompletionKind = "message"
)

// CompleteParams ask how something goes on. Kind is one of the Complete constants;
// an id has to begin with msg_, T- or four hexadecimal digits. Limit 0 means the most.
// Threads with the recipient To come before others.
type CompleteParams struct {
	Kind   CompleteKind `json:"kind"`
	Prefix string       `json:"prefix"`
	To     string       `json:"to,omitempty"`
	Limit  int          `json:"limit,omitempty"`
}

// Completion is one way to go on.
type Completion struct {
	// Text is what is inserted: it holds nothing that cannot be seen, so that it is
	// its own label. A thread has a Title that says more.
	Text  string         `json:"text"`
	Title string         `json:"title,omitempty"`
	Kind  CompletionKind `json:"kind"`
	// Protocol is the format.
	Protocol string `json:"protocol"`
	Detail   string `json:"detail"`
	Time     int64  `json:"time"`
	// With is set for a thread with the recipient.
	With bool `json:"-"`
}

// Completions are ordered by how likely they are meant: the recipient's threads before
// others, the newest first.
type Completions struct {
	Items []Completion `json:"items"`
	// Incomplete is set if there are more: ask again with more of the word.
	Incomplete bool `json:"incomplete"`
}

// Completing collects the completions of a word. Sources add what they have, and can
// stop looking once it is full.
type Completing struct {
	CompleteParams
	Completions
	word needle.Needle // the prefix
	seen map[string]bool
}

// Holds reports whether a text contains the word, at its beginning or elsewhere, in
// upper or lower case.
func (c *Completing) Holds(text string) bool { return c.word.Empty() || c.word.In(text) }

// Add adds an item whose text or title contains the word. It leaves out an item that is empty, longer
// than [mail.MaxName] or already there, and one with characters that cannot be seen as
// they are.
func (c *Completing) Add(it Completion) {
	if it.Text == "" || len(it.Text) > mail.MaxName || c.seen[it.Text] || !c.Holds(it.Text) && !c.Holds(it.Title) {
		return
	}
	if render.Text(it.Text) != it.Text || strings.ContainsAny(it.Text, "\n\t\"\\") {
		return // the user could not see what would be inserted
	}
	c.seen[it.Text] = true
	c.Items = append(c.Items, it)
}

// Full reports whether the limit is reached. If it is, Full sets Incomplete, because
// there may be more items.
func (c *Completing) Full() bool {
	if len(c.Items) < c.Limit {
		return false
	}
	c.Incomplete = true
	return true
}

// Digits reports whether the prefix can be the beginning of an id of hexadecimal digits.
// It needs at least four characters, because too many ids begin with fewer.
func (c *Completing) Digits() bool {
	return len(c.Prefix) >= 4 && strings.Trim(c.Prefix, "0123456789abcdef-") == ""
}

// completeAgents completes the agents and work trees, which say more of themselves than their
// mail does.
func (p *Panels) completeAgents(views []view, c *Completing) {
	list := p.agentsNow(views).reach.Parties()
	for i := range list {
		it := Completion{Text: list[i].Alias, Kind: CompletionRecipient, Protocol: string(mail.SAMP), Detail: show.Line(list[i].About())}
		if s := list[i].Session; s != nil {
			it.Time = show.Time(s.Since)
		}
		c.Add(it)
	}
}

// Complete returns the aliases, thread names or ids that complete a prefix, newest first.
func (p *Panels) Complete(ctx context.Context, q CompleteParams) (Completions, error) {
	c := Completing{CompleteParams: q, word: needle.New(q.Prefix), seen: make(map[string]bool)}
	if c.Limit = MaxCompletions; q.Limit > 0 {
		c.Limit = min(c.Limit, q.Limit)
	}
	c.Items = []Completion{}
	if !slices.Contains([]CompleteKind{CompleteRecipient, CompleteThread, CompleteID}, q.Kind) {
		return c.Completions, &Error{Kind: Malformed, Message: "kind is none of recipient, thread, id", Detail: "kind"}
	}
	views := p.viewsNow(ctx)
	if q.Kind == CompleteRecipient {
		p.completeAgents(views, &c)
	}
	for _, v := range views {
		v.Complete(ctx, &c)
	}
	slices.SortStableFunc(c.Items, func(a, b Completion) int { return cmp.Or(rank(b.With)-rank(a.With), cmp.Compare(b.Time, a.Time)) })
	if len(c.Items) > c.Limit {
		c.Items, c.Incomplete = c.Items[:c.Limit], true
	}
	return c.Completions, ctx.Err()
}
