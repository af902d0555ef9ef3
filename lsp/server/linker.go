package server

import (
	"context"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// linker is the part of a [Panel] that links in texts need.
type linker interface {
	// Locate says where tokens lead: one answer for each, in their order.
	Locate(ctx context.Context, tokens []string) ([]panel.Located, error)
	// Links finds the tokens of a text that lead somewhere, in order.
	Links(ctx context.Context, text string) ([]panel.TextLink, error)
	// References gives one page of the messages that mention a token.
	References(ctx context.Context, p panel.ReferenceParams) (panel.ReferencePage, error)
	// Complete says how an alias, a thread's name or an id goes on.
	Complete(ctx context.Context, p panel.CompleteParams) (panel.Completions, error)
	// Symbols finds threads by their names.
	Symbols(ctx context.Context, query string, limit int) ([]panel.Symbol, error)
	// Outline gives the messages in a document.
	Outline(doc diagnose.Document) []panel.Outlined
}

// lspLocation is LSP's Location.
type lspLocation struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

// location gives a place as the client counts.
func (s *session) location(p *panel.Place) lspLocation {
	column := func(c panel.Column) uint32 {
		switch s.encoding {
		case utf8Encoding:
			return uint32(c.UTF8)
		case utf32Encoding:
			return uint32(c.UTF32)
		default:
			return uint32(c.UTF16)
		}
	}
	line := uint32(p.Line)
	return lspLocation{fileURI(p.Path), span{position{line, column(p.Start)}, position{line, column(p.End)}}}
}

// fileURI is the inverse of folderPath.
func fileURI(path string) string {
	p := filepath.ToSlash(path)
	u := url.URL{Scheme: "file", Path: p}
	switch {
	case strings.HasPrefix(p, "//"): // a Windows share
		host, rest, _ := strings.Cut(p[2:], "/")
		u.Host, u.Path = host, "/"+rest
	case !strings.HasPrefix(p, "/"):
		u.Path = "/" + p // "c:/work"
	}
	return u.String()
}

// lineURI names a line of a file, counted from 1 as editors do.
func lineURI(p *panel.Place) string {
	return fileURI(p.Path) + "#L" + strconv.Itoa(p.Line+1)
}

// threadLink is the address of the thread that a ref is of, or empty. Of a thread
// with a long name there is none.
func threadLink(r panel.Ref) string {
	if name, ok := r.Thread(); ok && name != "" {
		return mail.FormatLink(mail.LinkThread, name)
	}
	return ""
}

// linked makes a link of Markdown of what is Markdown already.
func linked(text, address string) string {
	if address == "" {
		return text
	}
	return "[" + text + "](" + address + ")"
}

// messageLink makes a link of a message's id.
func messageLink(id, text string) string {
	if id == "" {
		return text
	}
	return linked(text, mail.FormatLink(mail.LinkMessage, id))
}

// locateAt gives what the token at a position leads to, nil where nothing is known.
func (s *session) locateAt(ctx context.Context, doc *document, at position) (*panel.Located, error) {
	line := doc.line(at.Line)
	tokens := tokensAt(line, columnOffset(line, at.Character, s.encoding))
	if len(tokens) == 0 {
		return nil, nil
	}
	names := make([]string, len(tokens))
	for i, t := range tokens {
		names[i] = t.text
	}
	found, err := s.panel.Locate(ctx, names)
	if err != nil {
		return nil, err
	}
	for i := range found[:min(len(found), len(tokens))] {
		// A branch is its whole name, and not the end of another one's.
		if l := &found[i]; l.Status != "missing" && (l.Kind != "branch" || !tokens[i].part) {
			return l, nil
		}
	}
	return nil, nil
}
