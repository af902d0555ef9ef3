package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// documentLink is LSP's DocumentLink. Target is set by documentLink/resolve, since it
// requires reading files.
type documentLink struct {
	Range   documents.Span   `json:"range"`
	Target  string           `json:"target,omitempty"`
	Tooltip string           `json:"tooltip,omitempty"`
	Data    documentLinkData `json:"data"`
}

type documentLinkData struct {
	Token string `json:"token"`
}

// documentLinks is textDocument/documentLink. It returns the known ids and names in a document.
func (s *session) documentLinks(ctx context.Context, doc *documents.Document, _ documentParams) ([]documentLink, error) {
	list := []documentLink{}
	links, err := s.panel.Links(ctx, doc.Text)
	w := doc.Walk(s.encoding)
	for i := range links {
		l := &links[i]
		list = append(list, documentLink{Range: documents.Span{Start: w.Position(l.Start), End: w.Position(l.End)}, Data: documentLinkData{l.Token}})
	}
	return list, err
}

// resolveDocumentLink is documentLink/resolve. It adds the file and line to which the link
// leads. A link whose target no longer exists is returned without one.
func (s *session) resolveDocumentLink(ctx context.Context, params json.RawMessage) (any, error) {
	l, err := codec.Decode[documentLink](params)
	if err == nil {
		err = limits.Params("data", l.Data)
	}
	if err != nil {
		return nil, err
	}
	l.Target = "" // only the server decides where it leads
	found, err := s.panel.Locate(ctx, []string{l.Data.Token})
	for i := range found {
		if len(found[i].Places) > 0 {
			l.Target, l.Tooltip = lineURI(&found[i].Places[0]), found[i].Title
		}
	}
	return l, err
}

// linkLocate is signalbox/link/locate. It returns where tokens lead, for clients that do not
// send their documents.
func (s *session) linkLocate(ctx context.Context, p locateParams) (locatePage, error) {
	answer := locatePage{[]locatedLink{}}
	found, err := s.panel.Locate(ctx, p.Tokens)
	if err != nil {
		return answer, err
	}
	for _, l := range found {
		at := locatedLink{l, []titledLocation{}}
		for i := range l.Places {
			at.Locations = append(at.Locations, titledLocation{documents.LocationOf(&l.Places[i], s.encoding), l.Title})
		}
		answer.Links = append(answer.Links, at)
	}
	return answer, nil
}

// locateParams are the params of signalbox/link/locate.
type locateParams struct {
	Tokens []string `json:"tokens" check:"most 50"`
}

// locatePage is its result: one link for each token, in their order.
type locatePage struct {
	Links []locatedLink `json:"links"`
}

// locatedLink is where one token leads.
type locatedLink struct {
	panel.ResolvedLink
	Locations []titledLocation `json:"locations"`
}

type titledLocation struct {
	documents.Location
	Title string `json:"title"`
}
