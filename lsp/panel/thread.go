package panel

import (
	"context"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// unserved returns the error of kind Unsupported for a ref whose format does not serve
// the request.
func (p *Panels) unserved(r Ref) error {
	for _, v := range p.viewsNow(context.Background()) {
		if v.Protocol == r.Protocol {
			return v.refuse()
		}
	}
	return &Error{Kind: Unsupported, Message: "protocol " + strconv.Quote(show.Line(string(r.Protocol))) + " is not served"}
}

// Thread returns one page of a thread's messages: the newest, those before or after a
// cursor, or those beside a message. A message's ref stands for its thread.
func (p *Panels) Thread(ctx context.Context, q ThreadParams) (ThreadPage, error) {
	if q.Side != "" {
		return p.beside(ctx, q)
	}
	if v := p.viewOf(ctx, q.Ref); v != nil {
		return p.sourceThread(ctx, v, q)
	}
	return ThreadPage{}, p.unserved(q.Ref)
}

// sourceThread returns a page of a thread from its source's view, with the revision and
// the related threads of other formats added.
func (p *Panels) sourceThread(ctx context.Context, v View, q ThreadParams) (ThreadPage, error) {
	page, err := v.Thread(ctx, q)
	if err != nil {
		return ThreadPage{}, err
	}
	page.Related = append(page.Related, p.related(p.viewsNow(ctx), q.Ref.Protocol, page.Names)...)
	if page.Related == nil {
		page.Related = []ThreadLink{}
	}
	page.Revision = p.revised()
	return page.ThreadPage, nil
}

// Diff returns both texts of a file that a tool call changed.
func (p *Panels) Diff(ctx context.Context, q DiffParams) (Diff, error) {
	if v, ok := p.viewOf(ctx, q.Ref).(Recorded); ok {
		return v.Diff(ctx, q)
	}
	return Diff{}, p.unserved(q.Ref)
}

// Asset returns an image of a thread after checking its name, digest and first bytes.
func (p *Panels) Asset(ctx context.Context, q AssetParams) (Asset, error) {
	if v, ok := p.viewOf(ctx, q.Ref).(Recorded); ok {
		return v.Asset(ctx, q)
	}
	return Asset{}, p.unserved(q.Ref)
}
