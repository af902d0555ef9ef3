package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/signalbox-dev/signalbox/core/render"
)

// result is the result of a tool: text for the model, and the same as data for programs.
type result struct {
	text string
	data any
}

// dataKey is the key of the data in a result's metadata. Structured content isn't used:
// Claude Code and Codex show it to the model in place of the text, without the frames that
// separate text from others from ours.
const dataKey = "signalbox/data"

func (s *server) addTools(m *mcp.Server) {
	reads, writes := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(bool)}, &mcp.ToolAnnotations{DestructiveHint: new(bool), OpenWorldHint: new(bool)}
	add(m, "check_mail", "Check mail", writes, `Read your new mail from other agents and the developer, oldest first, and mark it as read. Call it when you begin, after each step of your work, and when told that mail waits.`, s.checkMail)
	add(m, "send_mail", "Send mail", writes, `Send a message to another agent or to the developer, to hand over work or to tell them what they need to know. To ask the developer something and get the answer use ask.`, s.sendMail)
	add(m, "sent_mail", "Sent mail", reads, `List what you sent, the newest first, and what became of it: whether its receiver was told of it, has read it or has answered, or that nobody reads it.`, s.sentMail)
	add(m, "reply", "Reply", writes, `Answer a message that check_mail showed, in its thread.`, s.reply)
	add(m, "ask", "Ask", writes, `Ask the developer (or another agent) a question and wait for the answer. Use it when you are blocked, unsure, or need a decision: nobody sees questions in your terminal. Give options where you can; they are shown as buttons.`, s.ask)
	add(m, "wait_for_mail", "Wait for mail", writes, `Wait until mail comes, and read it, when you have nothing else to do: for an answer, a review, or work from another agent.`, s.waitForMail)
	add(m, "read_thread", "Read a thread", reads, `Read a whole thread of mail, or what another agent did, by the name or id that a message mentions.`, s.readThread)
	add(m, "search_mail", "Search mail", reads, `Find messages, read or not, and what agents said and did, by words, from:NAME, to:NAME, in:BRANCH or thread, client:PROGRAM, tool:NAME, file:PATH, after:DAY and before:DAY.`, s.searchMail)
	add(m, "who", "Who is who", reads, `Tell who you are, who the developer is, and which other agents there are: when each was last heard of, what it is doing, and where.`, s.who)
}

// add adds a tool whose arguments are a struct.
func add[In any](m *mcp.Server, name, title string, hints *mcp.ToolAnnotations, description string, call func(context.Context, *mcp.CallToolRequest, In) (result, error)) {
	schema := schemaOf[In]()
	addTool(m, name, title, hints, description, schema, func(ctx context.Context, req *mcp.CallToolRequest) (result, error) {
		in, err := arguments[In](schema, req.Params.Arguments)
		if err != nil {
			return result{}, err
		}
		return call(ctx, req, in)
	})
}

// addTool adds a tool. A tool's error is a result for the model, and says what to do.
func addTool(m *mcp.Server, name, title string, hints *mcp.ToolAnnotations, description string, schema any, call func(context.Context, *mcp.CallToolRequest) (result, error)) {
	annotations := *hints
	annotations.Title = title
	m.AddTool(&mcp.Tool{Name: name, Title: title, Description: description, Annotations: &annotations, InputSchema: schema},
		func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r, err := call(ctx, req)
			if err != nil {
				var failed mcp.CallToolResult
				// Errors quote files and names that others chose.
				failed.SetError(errors.New(render.Text(err.Error())))
				return &failed, nil
			}
			return &mcp.CallToolResult{
				Meta:    mcp.Meta{dataKey: r.data},
				Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimRight(r.text, "\n")}},
			}, nil
		})
}
