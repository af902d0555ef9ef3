package panel

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/render"
)

// MaxSymbols is the largest number of threads in a list of symbols.
const MaxSymbols = 200

// Symbol is a thread in a list of symbols.
type Symbol struct {
	// Name is the thread's name. Detail describes the thread in a few more words.
	Name, Detail string
	Protocol     mail.Protocol
	Thread       Ref
	Time         int64
	// Place is the thread's newest message or, for an agent's thread, the beginning of
	// its log.
	Place Place
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

// CompletionKind is the kind of thing that a [Completion] names.
type CompletionKind string

// The kinds of a [Completion].
const (
	CompletionRecipient CompletionKind = "recipient"
	CompletionThread    CompletionKind = "thread"
	CompletionMessage   CompletionKind = "message"
)

// CompleteParams are the params of signalbox/link/complete. Kind is one of the Complete constants.
// The Prefix of an id has to begin with msg_, T- or four hexadecimal digits. Limit 0 means the
// maximum. Threads with the recipient To come before others.
type CompleteParams struct {
	Kind   CompleteKind `json:"kind"`
	Prefix string       `json:"prefix"`
	To     string       `json:"to,omitempty"`
	Limit  int          `json:"limit,omitempty"`
}

// Completion is one way to complete a prefix.
type Completion struct {
	// Text is inserted. It has no invisible characters, so that it is its own label. A thread
	// also has a Title.
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

// Completions are the result of signalbox/link/complete. The likeliest come first: the recipient's
// threads before others, newest first.
type Completions struct {
	Items []Completion `json:"items"`
	// Incomplete is set if there are more. A longer prefix finds them.
	Incomplete bool `json:"incomplete"`
}

// Completing collects the completions of a prefix. Sources add theirs, and can stop once it is
// full.
type Completing struct {
	CompleteParams
	Completions
	prefix needle.Needle
	seen   map[string]bool // by text
}

// NewCompleting returns an empty collection of completions.
func NewCompleting(q CompleteParams) *Completing {
	c := &Completing{CompleteParams: q, prefix: needle.New(q.Prefix), seen: make(map[string]bool)}
	if c.Limit = MaxCompletions; q.Limit > 0 {
		c.Limit = min(c.Limit, q.Limit)
	}
	c.Items = []Completion{}
	return c
}

// Holds reports whether a text contains the prefix, at its beginning or elsewhere, in
// upper or lower case.
func (c *Completing) Holds(text string) bool { return c.prefix.Empty() || c.prefix.In(text) }

// Add adds an item whose text or title contains the prefix. It leaves out an item whose text is
// empty, longer than [mail.MaxName], already there or not shown exactly as it is.
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
