package panel

import (
	"context"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// view is a source's view with its format.
type view struct {
	View
	Format
}

// setSources makes the sources. It is called once.
func (p *Panels) setSources() {
	for _, open := range p.opt.Sources {
		p.sources = append(p.sources, open(Host{Options: &p.opt, Changed: p.announce, Known: p.known, Reach: p.reach}))
	}
}

// views returns what all sources hold now.
func (p *Panels) views(ctx context.Context, away *Shelf) []view {
	list := make([]view, 0, len(p.sources))
	for _, s := range p.sources {
		list = append(list, view{p.opt.Reader.guard(s.View(ctx, away)), s.Format()})
	}
	return list
}

// viewsNow returns the views of all sources with the current shelf.
func (p *Panels) viewsNow(ctx context.Context) []view { return p.views(ctx, p.shelfNow()) }

// having returns the views that can do what only some of them can.
func having[T any](views []view) (list []T) {
	for _, v := range views {
		if t, ok := v.View.(T); ok {
			list = append(list, t)
		}
	}
	return list
}

// serving returns the current view that a ref belongs to. It is an error of kind Unsupported
// if the view cannot do what is asked.
func serving[T any](ctx context.Context, p *Panels, r Ref) (T, error) {
	views := p.viewsNow(ctx)
	t, ok := viewIn(views, r).(T)
	if !ok {
		return t, unserved(views, r)
	}
	return t, nil
}

// viewIn returns the view that a ref belongs to, or nil.
func viewIn(views []view, r Ref) View {
	for _, v := range views {
		if v.Protocol == r.Protocol {
			return v.View
		}
	}
	return nil
}

// eachView calls do for every view that some of the refs belong to, with these refs.
func eachView(views []view, refs []Ref, do func(v View, own []Ref) error) error {
	for _, v := range views {
		var own []Ref
		for _, r := range refs {
			if r.Protocol == v.Protocol {
				own = append(own, r)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := do(v.View, own); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns the error of kind Unsupported for a request that the format does not
// serve.
func (v *view) refuse() error {
	if _, ok := v.View.(Marker); ok {
		return &Error{Kind: Unsupported, Message: v.Format.Thread + " holds nothing of the kind"}
	}
	return &Error{Kind: Unsupported, Message: v.Format.Thread + " is read only here: it has no read marks and takes no mail"}
}

// unserved returns the error of kind Unsupported for a ref whose format does not serve
// the request.
func unserved(views []view, r Ref) error {
	for _, v := range views {
		if v.Protocol == r.Protocol {
			return v.refuse()
		}
	}
	return &Error{Kind: Unsupported, Message: "protocol " + strconv.Quote(show.Line(string(r.Protocol))) + " is not served"}
}

// Panels answers what lsp/check asks about the files around a document.
var _ check.Stores = (*Panels)(nil)

// MessageDirectory returns the open message directory that a path lies in, or nil.
// A directory that is still being indexed is left out.
func (p *Panels) MessageDirectory(path string) check.MessageDirectory {
	if path == "" {
		return nil
	}
	if l := having[Logged](p.viewsNow(context.Background())); len(l) > 0 {
		return l[0].MessageDirectory(path)
	}
	return nil
}

// Trust returns the trust in the text of a signed message, computed from the keys that
// are known here. path is the file of the message. Trust pins no key. ok is false if
// there are no mailboxes.
func (p *Panels) Trust(path string, m *amp.Message) (t amp.Trust, ok bool) {
	if s := having[Signed](p.viewsNow(context.Background())); len(s) > 0 {
		return s[0].Trust(path, m)
	}
	return amp.Trust{}, false
}

// countAll returns the unread messages, the waiting threads and the threads that ask in
// the inbox, over all formats.
func countAll(views []view) (all Counts) {
	for _, v := range views {
		c := v.Counts()
		all.Unread, all.NeedsReply, all.Asks, all.Questions = all.Unread+c.Unread, all.NeedsReply+c.NeedsReply, all.Asks+c.Asks, all.Questions+c.Questions
	}
	return all
}
