package server

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

const (
	// referencesMost bounds what textDocument/references answers, which has no
	// pages, and referencePages how often the files are read for it.
	referencesMost = 500
	referencePages = 8
	// openMost bounds the mentions in open documents.
	openMost = 200
)

type referenceParams struct {
	hoverParams
	Context struct {
		Declaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// prepareReferences is textDocument/references: the messages that mention what is
// under the pointer, and where open documents do; null where nothing known is. With
// the declaration, that comes first.
func (s *session) prepareReferences(params json.RawMessage) (handler, error) {
	p, err := decode[referenceParams](params)
	if err != nil {
		return nil, err
	}
	doc, open := s.docs.get(p.TextDocument.URI), s.docs.texts()
	return func(ctx context.Context, _ json.RawMessage) (any, error) {
		if doc == nil {
			return nil, nil
		}
		found, err := s.locateAt(ctx, doc, p.Position)
		if err != nil || found == nil {
			return nil, err
		}
		list := []lspLocation{}
		if p.Context.Declaration {
			for i := range found.Places {
				list = append(list, s.location(&found.Places[i]))
			}
		}
		list = append(list, s.inOpen(open, found.Token)...)
		q := panel.ReferenceParams{Token: found.Token, Limit: panel.MaxPage}
		for range referencePages {
			page, err := s.panel.References(ctx, q)
			if err != nil {
				return nil, err
			}
			for i := range page.References {
				list = append(list, s.location(&page.References[i].Place))
			}
			if q.Cursor = page.NextCursor; page.Complete || len(list) >= referencesMost {
				break
			}
		}
		list = unrepeated(list)
		return list[:min(len(list), referencesMost)], nil
	}, nil
}

// unrepeated drops what stands before: an open log has its mentions on disk too.
func unrepeated(list []lspLocation) []lspLocation {
	type line struct {
		uri  string
		line uint32
	}
	seen := make(map[line]bool, len(list))
	kept := []lspLocation{}
	for _, l := range list {
		if at := (line{l.URI, l.Range.Start.Line}); !seen[at] {
			seen[at] = true
			kept = append(kept, l)
		}
	}
	return kept
}

// inOpen gives where open documents mention a token.
func (s *session) inOpen(open map[string]*document, token string) (list []lspLocation) {
	for _, uri := range slices.Sorted(maps.Keys(open)) {
		w := walker{doc: open[uri], enc: s.encoding}
		for _, at := range panel.MentionsIn(open[uri].text, token, openMost-len(list)) {
			list = append(list, lspLocation{uri, span{w.position(at.Start), w.position(at.End)}})
		}
	}
	return list
}

// linkReferences is signalbox/link/references.
func (s *session) linkReferences(ctx context.Context, p panel.ReferenceParams) (referencePage, error) {
	if err := checkReferences(p); err != nil {
		return referencePage{}, err
	}
	return s.references(ctx, p)
}

func checkReferences(p panel.ReferenceParams) error {
	if p.Token == "" {
		return badField("token", "is missing")
	}
	if err := checkText("token", p.Token); err != nil {
		return err
	}
	if err := checkLimit(p.Limit); err != nil {
		return err
	}
	return checkText("cursor", p.Cursor)
}

// referencePage is the result of signalbox/link/references.
type referencePage struct {
	Locations  []mentioning `json:"locations"`
	NextCursor string       `json:"nextCursor,omitempty"`
	Complete   bool         `json:"complete"`
}

// mentioning is a message that mentions a token, and where.
type mentioning struct {
	lspLocation
	Message panel.Ref `json:"message"`
	Thread  panel.Ref `json:"thread"`
	Title   string    `json:"title"`
	From    string    `json:"from"`
	Time    int64     `json:"time"`
}

func (s *session) references(ctx context.Context, p panel.ReferenceParams) (referencePage, error) {
	found, err := s.panel.References(ctx, p)
	page := referencePage{Locations: []mentioning{}, NextCursor: found.NextCursor, Complete: found.Complete}
	for i := range found.References {
		r := &found.References[i]
		page.Locations = append(page.Locations, mentioning{s.location(&r.Place), r.Message, r.Thread, r.Title, r.From, r.Time})
	}
	return page, err
}

// referencesCommand is signalbox.references [token or {token, limit?, cursor?}].
func (s *session) referencesCommand(ctx context.Context, args []json.RawMessage) (answered, error) {
	var p panel.ReferenceParams
	var err error
	if isString(args[0]) {
		p.Token, err = argument[string](args[0])
	} else {
		p, err = argument[panel.ReferenceParams](args[0])
	}
	if err == nil {
		err = checkReferences(p)
	}
	if err != nil {
		return answered{}, err
	}
	page, err := s.references(ctx, p)
	return answered{referencesText(p.Token, &page), page}, err
}

func referencesText(token string, p *referencePage) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What mentions %s\n\n", markup.Code(token))
	for i := range p.Locations {
		l := &p.Locations[i]
		fmt.Fprintf(&b, "- %s, %s\n  %s\n", linked(markup.Escape(l.From), threadLink(l.Thread)), panel.When(l.Time), markup.Escape(l.Title))
	}
	switch {
	case !p.Complete:
		b.WriteString("\nThere may be more.\n")
	case len(p.Locations) == 0:
		b.WriteString("Nothing.\n")
	}
	return b.String()
}
