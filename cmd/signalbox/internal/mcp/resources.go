package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/core/mail"
)

// addResources adds the inbox as a prompt, for people who type its name, and threads by
// their addresses in messages.
func (s *server) addResources(m *mcp.Server) {
	m.AddPrompt(&mcp.Prompt{Name: "inbox", Title: "Read my mail", Description: "Read what other agents and the developer wrote, and act on it."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{
				Text: "Call check_mail. Tell me in a sentence for each message what it says and what you would do about it, and answer what you can answer.",
			}}}}, nil
		})
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "thread", Title: "A thread", URITemplate: mail.LinkScheme + "://thread/{name}", MIMEType: "text/plain",
		Description: "A thread of mail, by its name.",
	}, s.readResource)
	m.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "message", Title: "The thread of a message", URITemplate: mail.LinkScheme + "://message/{id}", MIMEType: "text/plain",
		Description: "The thread in which a message stands, by the message's id.",
	}, s.readResource)
}

func (s *server) readResource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	_, token, ok := mail.ParseLink(req.Params.URI)
	if !ok {
		return nil, fmt.Errorf("%q is no address of a thread or message: they begin with %s://", req.Params.URI, mail.LinkScheme)
	}
	r, err := s.readThread(ctx, nil, threadIn{Thread: token})
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: req.Params.URI, MIMEType: "text/plain", Text: strings.TrimRight(r.text, "\n"),
	}}}, nil
}
