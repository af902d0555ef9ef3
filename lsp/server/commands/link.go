package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// links has the methods that the commands about links need.
type links interface {
	Locate(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error)
	References(ctx context.Context, p panel.ReferenceParams) (panel.ReferencePage, error)
}

func (c *Set) linkCommands() map[string]*Command {
	// signalbox.references [token or {token, limit?, cursor?}]
	token := func(p *panel.ReferenceParams) *string { return &p.Token }
	return map[string]*Command{
		"signalbox.link":       {Run: c.linkCommand},
		"signalbox.references": {show(token, c.References, referencesText), "references.md"},
	}
}

// linkCommand is signalbox.link [token or ref]. It returns the address of a message or thread,
// to copy.
func (c *Set) linkCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	address := ""
	if isString(args[0]) {
		token, err := Argument[string](args[0])
		if err == nil {
			err = limits.Params("arguments", token)
		}
		if err != nil {
			return Answer{}, err
		}
		found, err := c.panel.Locate(ctx, []string{token})
		if err != nil {
			return Answer{}, err
		}
		if len(found) == 1 {
			address = found[0].Link
			if found[0].Status == panel.LinkAmbiguous {
				return Answer{}, codec.KindError(panel.Ambiguous, "", "%q names several things", codec.Short(token))
			}
		}
	} else {
		ref, err := c.refArgument(ctx, args[0])
		if err != nil {
			return Answer{}, err
		}
		address = threadLink(ref)
		// The id in such a ref is a file or a line, which a link cannot name.
		if address == "" && ref.Protocol != mail.AMP && ref.Protocol != mail.ATSF {
			if _, id, ok := ref.Message(); ok {
				address = mail.FormatLink(mail.LinkMessage, id)
			}
		}
	}
	if address == "" {
		return Answer{}, codec.KindError(panel.NotFound, "", "there is no message or thread to link to")
	}
	data := struct {
		Link string `json:"link"`
	}{address}
	return Answer{address + "\n", data}, nil
}

func referencesText(q panel.ReferenceParams, p ReferencePage) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What mentions %s\n\n", markup.Code(q.Token))
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

// ReferencePage is the result of signalbox/link/references.
type ReferencePage struct {
	Locations  []mentioning `json:"locations"`
	NextCursor string       `json:"nextCursor,omitempty"`
	Complete   bool         `json:"complete"`
}

// mentioning is a message that mentions a token, and where.
type mentioning struct {
	documents.Location
	Message panel.Ref `json:"message"`
	Thread  panel.Ref `json:"thread"`
	Title   string    `json:"title"`
	From    string    `json:"from"`
	Time    int64     `json:"time"`
}

// References returns one page of the messages that mention a token.
func (c *Set) References(ctx context.Context, p panel.ReferenceParams) (ReferencePage, error) {
	found, err := c.panel.References(ctx, p)
	page := ReferencePage{Locations: []mentioning{}, NextCursor: found.NextCursor, Complete: found.Complete}
	for i := range found.References {
		r := &found.References[i]
		page.Locations = append(page.Locations, mentioning{documents.LocationOf(&r.Place, c.encoding), r.Message, r.Thread, r.Title, r.From, r.Time})
	}
	return page, err
}
