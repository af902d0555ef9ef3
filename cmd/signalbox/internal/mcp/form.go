package mcp

import (
	"cmp"
	"context"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// withForms makes clients that show forms use the older handshake. In the protocol's newest
// version a server cannot show a form while a tool waits: the form would end the call, and an
// answer by mail would not close it. Clients of the newest version support the older one too.
func withForms(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if d, ok := req.(*mcp.ServerRequest[*mcp.DiscoverParams]); ok {
			if c := d.ClientCapabilities(); c != nil && c.Elicitation != nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method + " is not offered to clients that show forms: initialize"}
			}
		}
		return next(ctx, method, req)
	}
}

// form also shows a question in the agent's own program, if it can show forms, until end is
// called, which closes the form. The person's answer there is written as their mail, so that
// the question is answered everywhere, and arrives like any answer. If it cannot be written,
// over is called, and end returns the answer.
func (s *server) form(ctx context.Context, session *mcp.ServerSession, in *askIn, asked *samp.Record, over func()) (end func() string) {
	ctx, cancel := context.WithCancel(ctx)
	unwritten := make(chan string, 1)
	go func() {
		defer close(unwritten)
		answer := elicit(ctx, session, in)
		if answer == "" || ctx.Err() != nil {
			return
		}
		if s.Box().AnswerHere(context.WithoutCancel(ctx), asked, answer+answeredIn+program(session)+")") != nil {
			unwritten <- answer
			over()
		}
	}()
	return func() string {
		cancel()
		return <-unwritten
	}
}

// elicit shows a question as a form and returns the answer, or "" if there is none: clients
// without a person close a form at once.
func elicit(ctx context.Context, session *mcp.ServerSession, in *askIn) string {
	r, err := session.Elicit(ctx, &mcp.ElicitParams{Message: in.Question, RequestedSchema: formOf(in.Options)})
	if err != nil || r.Action != "accept" {
		return ""
	}
	words, _ := r.Content["other"].(string)
	answer, _ := r.Content["answer"].(string)
	return cmp.Or(strings.TrimSpace(words), strings.TrimSpace(answer))
}

// formOf returns the form: the options, if there are any, and a line for another answer.
func formOf(options []string) *jsonschema.Schema {
	text := func(title string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Title: title} }
	form := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{"answer": text("Answer")}}
	if len(options) == 0 {
		form.Required = []string{"answer"}
		return form
	}
	for _, option := range options {
		form.Properties["answer"].Enum = append(form.Properties["answer"].Enum, option)
	}
	form.Properties["other"] = text("Another answer")
	form.PropertyOrder = []string{"answer", "other"}
	return form
}

// answeredIn is the beginning of the note on an answer that was given in a form.
const answeredIn = "\n\n(answered in "

// program returns the name of the client.
func program(session *mcp.ServerSession) string {
	if p := session.InitializeParams(); p != nil && p.ClientInfo != nil {
		return cmp.Or(show.Short(p.ClientInfo.Title), show.Short(p.ClientInfo.Name), "a form")
	}
	return "a form"
}
