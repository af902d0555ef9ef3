package link

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// referenceCursor is the place at which a search continues.
type referenceCursor struct {
	// View is the index of the view to search, among the views that are [panel.Referring].
	View int `json:"p"`
	// Place is the view's own cursor. It is empty at the beginning of a view.
	Place string `json:"a,omitempty"`
}

// References returns one page of the messages that mention a token. The members that
// identify a message, such as its own id, are not mentions. There is no index of
// mentions: each call reads a bounded part of the files.
func (r Resolver) References(ctx context.Context, q panel.ReferenceParams) (panel.ReferencePage, error) {
	page := panel.ReferencePage{References: []panel.Reference{}, Complete: true}
	token := q.Token
	if _, name, ok := mail.ParseLink(token); ok {
		token = name
	}
	word, ok := mention.Of(token)
	if !ok {
		return page, &panel.Error{Kind: panel.Malformed, Message: fmt.Sprintf("a token has 1 to %d bytes of text", mention.MaxToken), Detail: "token"}
	}
	at, err := panel.ParseOpaque[referenceCursor](q.Cursor)
	if err != nil {
		return page, err
	}
	views := view.Having[panel.Referring](r.ViewsNow(ctx))
	if at.View < 0 || at.View > 0 && at.View >= len(views) {
		return page, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Detail: "cursor"}
	}
	limit := panel.PageSize(q.Limit)
	for ; at.View < len(views); at = (referenceCursor{View: at.View + 1}) {
		if room := limit - len(page.References); room > 0 {
			found, err := views[at.View].References(ctx, &panel.ReferenceQuery{Token: token, Word: word, Place: at.Place, Limit: room})
			if err != nil {
				return page, err
			}
			page.References = append(page.References, found.References...)
			if at.Place = found.Next; at.Place == "" {
				continue
			}
		}
		// The next call continues in this view, which has more or was not searched.
		page.NextCursor, page.Complete = panel.Opaque(at), false
		break
	}
	return page, nil
}
