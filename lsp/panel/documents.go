package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/panel/outline"
	"github.com/signalbox-dev/signalbox/lsp/panel/textlink"
)

// Panels answers what lsp/diagnose asks about the files around a document.
var _ diagnose.Stores = (*Panels)(nil)

// Now returns the current time in Unix milliseconds.
func (p *Panels) Now() int64 { return p.now() }

// MessageDirectory returns the open message directory that a path lies in, or nil.
// A directory that is still being indexed is left out.
func (p *Panels) MessageDirectory(path string) diagnose.MessageDirectory {
	if path == "" {
		return nil
	}
	for _, v := range p.viewsNow(context.Background()) {
		if l, ok := v.View.(Logged); ok {
			return l.MessageDirectory(path)
		}
	}
	return nil
}

// Trust returns the trust in the text of a signed message, computed from the keys that
// are known here. path is the file of the message. Trust pins no key. ok is false if
// there are no mailboxes.
func (p *Panels) Trust(path string, m *amp.Message) (t amp.Trust, ok bool) {
	for _, v := range p.viewsNow(context.Background()) {
		if s, has := v.View.(Signed); has {
			return s.Trust(path, m)
		}
	}
	return amp.Trust{}, false
}

// Outline returns the messages in a document, as [outline.Of] does.
func (p *Panels) Outline(doc diagnose.Document) []outline.Entry {
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
		return token != "" && slices.ContainsFunc(views, func(v view) bool { return v.Knows(ctx, token) })
	})
}
