package panel

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/mention"
)

// ReferenceParams ask for what mentions a token: an id, the name of a thread or
// branch, or an address of one. Limit 0 means the default; Cursor is a
// ReferencePage.NextCursor of the same token.
type ReferenceParams struct {
	Token  string `json:"token"`
	Limit  int    `json:"limit,omitempty"`
	Cursor string `json:"cursor,omitempty"`
}

// Reference is a message that mentions a token.
type Reference struct {
	Place
	Message, Thread Ref
	Title, From     string
	Time            int64
}

// ReferencePage holds signed mail first, then mail, task messages and the threads of
// agents, each newest first. Complete tells that there are no more; a page may be
// short, or empty, and not be the last, since each is bounded in what it reads.
type ReferencePage struct {
	References []Reference
	NextCursor string
	Complete   bool
}

// The formats in the order in which a page has them.
const (
	inLetters = iota
	inSources // one after the other: Source says which
)

// referenceCursor is where a search goes on.
type referenceCursor struct {
	Format int    `json:"p"`
	Time   int64  `json:"t,omitempty"` // of the letter that came last
	ID     string `json:"i,omitempty"`
	// Place is the source's own, empty at its beginning.
	Place string `json:"a,omitempty"`
}

func (c *referenceCursor) String() string {
	data, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func parseReferenceCursor(s string) (c referenceCursor, err error) {
	if s == "" {
		return c, nil
	}
	data, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.Format < 0 {
		return c, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	return c, nil
}

// ReferenceQuery asks a view for messages that mention a token.
type ReferenceQuery struct {
	Token string
	Word  *mention.Needle
	// Place is where an earlier list ended, or empty.
	Place string
	Limit int
}

// ReferenceList is a part of what a view finds. Next is empty if there is no more.
type ReferenceList struct {
	References []Reference
	Next       string
}

// referenceSearch is one call of References.
type referenceSearch struct {
	p     *Panels
	views []Referring
	token string
	word  *mention.Needle
	limit int
	out   []Reference
}

// References finds the messages that mention a token. What stands in a message to
// say what it is, such as its own id, is no mention. Nothing is indexed for it: the
// files are read, a bounded part of them by each call.
func (p *Panels) References(ctx context.Context, q ReferenceParams) (ReferencePage, error) {
	page := ReferencePage{References: []Reference{}, Complete: true}
	token := q.Token
	if _, name, ok := mail.ParseLink(token); ok {
		token = name
	}
	word, ok := mention.Of(token)
	if !ok {
		return page, &Error{Kind: Malformed, Message: fmt.Sprintf("a token has 1 to %d bytes of text", mention.MaxToken), Detail: "token"}
	}
	at, err := parseReferenceCursor(q.Cursor)
	if err != nil {
		return page, err
	}
	s := referenceSearch{p: p, token: token, word: word, limit: PageSize(q.Limit), out: page.References}
	for _, v := range p.viewsNow(ctx) {
		if r, ok := v.View.(Referring); ok {
			s.views = append(s.views, r)
		}
	}
	last := inSources + len(s.views)
	if at.Format >= last {
		return page, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	for at.Format < last {
		next, err := s.step(ctx, at)
		if err != nil {
			return page, err
		}
		page.References = s.out
		// What is left of a format, and what was searched as far as a call may,
		// is for the next one.
		if next != nil {
			page.NextCursor, page.Complete = next.String(), false
			return page, nil
		}
		at = referenceCursor{Format: at.Format + 1}
		if len(s.out) >= s.limit && at.Format < last {
			page.NextCursor, page.Complete = at.String(), false
			return page, nil
		}
	}
	return page, nil
}

// step searches one format. next is nil if that is done.
func (s *referenceSearch) step(ctx context.Context, at referenceCursor) (next *referenceCursor, err error) {
	switch at.Format {
	case inLetters:
		return s.letters(ctx, at)
	default:
		return s.source(ctx, at)
	}
}

// source searches one source.
func (s *referenceSearch) source(ctx context.Context, at referenceCursor) (*referenceCursor, error) {
	found, err := s.views[at.Format-inSources].References(ctx, &ReferenceQuery{s.token, s.word, at.Place, s.limit - len(s.out)})
	if err != nil {
		return nil, err
	}
	s.out = append(s.out, found.References...)
	if found.Next != "" {
		return &referenceCursor{Format: at.Format, Place: found.Next}, nil
	}
	return nil, nil
}
