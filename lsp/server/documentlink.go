package server

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// documentLink is LSP's DocumentLink. Target is left to documentLink/resolve, since
// it takes a look into files.
type documentLink struct {
	Range   span             `json:"range"`
	Target  string           `json:"target,omitempty"`
	Tooltip string           `json:"tooltip,omitempty"`
	Data    documentLinkData `json:"data"`
}

type documentLinkData struct {
	Token string `json:"token"`
}

// prepareDocumentLink is textDocument/documentLink: the ids and names in a document
// that are known. It reads the document in order, as hover does.
func (s *session) prepareDocumentLink(params json.RawMessage) (handler, error) {
	p, err := decode[documentParams](params)
	if err != nil {
		return nil, err
	}
	doc := s.docs.get(p.TextDocument.URI)
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		list := []documentLink{}
		if doc == nil {
			return list, nil
		}
		links, err := s.panel.Links(ctx, doc.text)
		w := walker{doc: doc, enc: s.encoding}
		for i := range links {
			l := &links[i]
			list = append(list, documentLink{Range: span{w.position(l.Start), w.position(l.End)}, Data: documentLinkData{l.Token}})
		}
		return list, err
	}, nil
}

// resolveDocumentLink is documentLink/resolve: it adds the line of the file that the
// link leads to. A link that leads nowhere by now is given back as it came.
func (s *session) resolveDocumentLink(ctx context.Context, params json.RawMessage) (any, error) {
	l, err := decode[documentLink](params)
	if err == nil {
		err = checkText("data.token", l.Data.Token)
	}
	if err != nil {
		return nil, err
	}
	l.Target = "" // it is ours to say where it leads
	found, err := s.panel.Locate(ctx, []string{l.Data.Token})
	if err != nil {
		return nil, err
	}
	for i := range found {
		if len(found[i].Places) > 0 {
			l.Target, l.Tooltip = lineURI(&found[i].Places[0]), found[i].Title
		}
	}
	return l, nil
}

// walker gives positions of offsets that only grow, without beginning anew each time.
type walker struct {
	doc  *document
	enc  encoding
	at   int // where line begins
	line uint32
}

func (w *walker) position(offset int) position {
	offset = min(offset, len(w.doc.text))
	for {
		end := w.at + len(cutLine(w.doc.text[w.at:]))
		if offset <= end || end == len(w.doc.text) {
			return position{w.line, columnOf(w.doc.text[w.at:end], offset-w.at, w.enc)}
		}
		if strings.HasPrefix(w.doc.text[end:], "\r\n") {
			end++
		}
		if offset <= end {
			offset = end + 1 // within a line's end
		}
		w.at = end + 1
		w.line++
	}
}

// linkLocate is signalbox/link/locate: where tokens lead, for clients that do not
// send their documents.
func (s *session) linkLocate(ctx context.Context, p locateParams) (locatePage, error) {
	answer := locatePage{[]locatedLink{}}
	if err := checkTokens(p.Tokens); err != nil {
		return answer, err
	}
	found, err := s.panel.Locate(ctx, p.Tokens)
	if err != nil {
		return answer, err
	}
	for i := range found {
		answer.Links = append(answer.Links, s.locatedLink(&found[i]))
	}
	return answer, nil
}

// locateParams are the params of signalbox/link/locate.
type locateParams struct {
	Tokens []string `json:"tokens"`
}

// locatePage is its result: one link for each token, in their order.
type locatePage struct {
	Links []locatedLink `json:"links"`
}

// locatedLink is where one token leads.
type locatedLink struct {
	Token     string           `json:"token"`
	Status    panel.LinkStatus `json:"status"`
	Kind      panel.LinkKind   `json:"kind,omitempty"`
	Title     string           `json:"title,omitempty"`
	Protocol  mail.Protocol    `json:"protocol,omitempty"`
	Link      string           `json:"link,omitempty"`
	Thread    *panel.Ref       `json:"thread,omitempty"`
	Message   *panel.Ref       `json:"message,omitempty"`
	Locations []titledLocation `json:"locations"`
	Can       []string         `json:"can"`
}

type titledLocation struct {
	lspLocation
	Title string `json:"title"`
}

func (s *session) locatedLink(l *panel.Located) locatedLink {
	w := locatedLink{
		Token: l.Token, Status: l.Status, Kind: l.Kind, Title: l.Title, Protocol: l.Protocol, Link: l.Link,
		Thread: l.Thread, Message: l.Message, Locations: []titledLocation{}, Can: l.Can,
	}
	for i := range l.Places {
		w.Locations = append(w.Locations, titledLocation{s.location(&l.Places[i]), l.Title})
	}
	return w
}

// checkTokens refuses more tokens, or longer ones, than are looked up at once.
func checkTokens(tokens []string) error {
	if len(tokens) > panel.MaxRefs {
		return badField("tokens", "has %d tokens, more than %d", len(tokens), panel.MaxRefs)
	}
	for i, t := range tokens {
		if err := checkText(at("tokens", i), t); err != nil {
			return err
		}
	}
	return nil
}
