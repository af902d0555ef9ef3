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

// ReferencePage is one page of references: signed mail first, then mail, task messages
// and agents' threads, each newest first. Complete is set on the last page. A page that
// is not the last may be short or empty, since each call reads a bounded part of the
// files.
type ReferencePage struct {
	References []Reference
	NextCursor string
	Complete   bool
}

// The groups of formats, in the order in which pages list them.
const (
	inLetters = iota
	inSources // the sources, one after the other: inSources plus the index of the source
)

// referenceCursor is the place at which a search goes on.
type referenceCursor struct {
	Format int    `json:"p"`
	Time   int64  `json:"t,omitempty"` // of the last letter listed
	ID     string `json:"i,omitempty"`
	// Place is the source's own cursor. It is empty at the beginning of a source.
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
	// Place is the Next of the previous list, or empty for the first.
	Place string
	Limit int
}

// ReferenceList is one part of the references in a view. Next is the Place of the next
// part, and empty if there is none.
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

// References returns one page of the messages that mention a token. The members that
// identify a message, such as its own id, are no mention. There is no index of
// mentions: each call reads a bounded part of the files.
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
		// The next call goes on in this format, which is not done or reached the bound
		// of one call.
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

// step searches one format and adds what it finds. next is the place to go on at, and
// nil if the format is done.
func (s *referenceSearch) step(ctx context.Context, at referenceCursor) (next *referenceCursor, err error) {
	switch at.Format {
	case inLetters:
		return s.letters(ctx, at)
	default:
		return s.source(ctx, at)
	}
}

// source searches one source and adds what it finds.
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
