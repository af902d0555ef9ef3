package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// Panel has the data that the server shows: the methods for the routes below and for the other
// files. Methods except Configure and Close may be called concurrently. Errors that a client can
// distinguish are a *[panel.Error].
type Panel interface {
	Needs(ctx context.Context, p panel.NeedsParams) (panel.NeedsPage, error)
	Request(ctx context.Context, p panel.RequestParams) (panel.AgentRequest, error)
	Answer(ctx context.Context, p panel.AnswerParams) (panel.Answered, error)
	Agents(ctx context.Context, p panel.AgentsParams) (panel.AgentsPage, error)
	Sessions(ctx context.Context, p panel.SessionsParams) (panel.SessionsPage, error)
	Changes(ctx context.Context, p panel.ChangesParams) (panel.ChangesPage, error)
	ChangeText(ctx context.Context, p panel.ChangeTextParams) (panel.ChangeText, error)
	SetTerminals(ctx context.Context, p panel.TerminalsParams) (panel.TerminalsSet, error)
	Continue(ctx context.Context, p panel.ContinueParams) (panel.Continuing, error)
	InboxLists(ctx context.Context, p panel.InboxListsParams) (panel.InboxLists, error)
	Diff(ctx context.Context, p panel.DiffParams) (panel.Diff, error)
	FileEdits(ctx context.Context, p panel.EditsParams) (panel.Edits, error)
	Asset(ctx context.Context, p panel.AssetParams) (panel.Asset, error)
	ComposePreview(ctx context.Context, d panel.Draft) (panel.ComposePreview, error)
	Archive(ctx context.Context, p panel.ArchiveParams) (panel.Counts, error)
	Undo(ctx context.Context, p panel.UndoParams) (panel.Counts, error)
	Complete(ctx context.Context, p panel.CompleteParams) (panel.Completions, error)
	StreamSearch(ctx context.Context, p panel.SearchParams, found func(panel.SearchPart)) (panel.SearchPage, error)
	commands.Panel
	check.Stores
	linker
	// Show stores a text as a private file and returns its path.
	Show(ctx context.Context, name, text string) (string, error)
	// Configure applies new settings and workspace folders (paths).
	Configure(ctx context.Context, s panel.Settings, folders []string) error
	// Close stops watching. No event is sent after it returns.
	Close() error
}

// methods returns every method. extension/protocolgen reads the entries with route and ask: it
// declares their types in extension/src/protocol.ts.
func (s *session) methods() map[string]dispatch.Method {
	return map[string]dispatch.Method{
		"initialize": {Run: s.initialize, Inline: true},
		"shutdown":   {Run: s.shutdown, Inline: true},

		"initialized":                         {Run: s.initialized, Notification: true},
		"textDocument/didOpen":                {Run: s.didOpen, Notification: true},
		"textDocument/didChange":              {Run: s.didChange, Notification: true},
		"textDocument/didClose":               {Run: s.didClose, Notification: true},
		"workspace/didChangeConfiguration":    {Run: s.didChangeConfiguration, Notification: true},
		"workspace/didChangeWorkspaceFolders": {Run: s.didChangeWorkspaceFolders, Notification: true},

		"workspace/executeCommand": {Prepare: s.prepareCommand},

		"textDocument/hover":          inDocument(s, nil, s.hover),
		"textDocument/codeAction":     inDocument(s, []codeAction{}, s.codeActions),
		"textDocument/documentLink":   inDocument(s, []documentLink{}, s.documentLinks),
		"documentLink/resolve":        {Run: s.resolveDocumentLink},
		"textDocument/definition":     inDocument(s, nil, s.definition),
		"textDocument/references":     {Prepare: s.prepareReferences},
		"textDocument/completion":     inDocument(s, completionList{Items: []completionItem{}}, s.completion),
		"textDocument/documentSymbol": inDocument(s, []documentSymbol{}, s.documentSymbols),
		"textDocument/codeLens":       inDocument(s, []codeLens{}, s.codeLenses),
		"workspace/symbol":            route(s.workspaceSymbol),

		"signalbox/status":          route(s.status),
		"signalbox/needs/list":      ask(s, Panel.Needs),
		"signalbox/needs/request":   ask(s, Panel.Request),
		"signalbox/needs/answer":    ask(s, Panel.Answer),
		"signalbox/agents/list":     ask(s, Panel.Agents),
		"signalbox/changes/list":    ask(s, Panel.Changes),
		"signalbox/changes/text":    ask(s, Panel.ChangeText),
		"signalbox/sessions/all":    ask(s, Panel.Sessions),
		"signalbox/sessions/resume": ask(s, Panel.Continue),
		"signalbox/terminals/set":   ask(s, Panel.SetTerminals),
		"signalbox/inbox/list":      ask(s, Panel.Inbox),
		"signalbox/inbox/lists":     ask(s, Panel.InboxLists),
		"signalbox/thread/get":      ask(s, Panel.Thread),
		"signalbox/thread/diff":     ask(s, Panel.Diff),
		"signalbox/thread/asset":    ask(s, Panel.Asset),
		"signalbox/edit/list":       ask(s, Panel.FileEdits),
		"signalbox/thread/shelve":   ask(s, Panel.Shelve),
		"signalbox/link/resolve":    route(s.linkResolve),
		"signalbox/link/locate":     route(s.linkLocate),
		"signalbox/link/references": route(s.linkReferences),
		"signalbox/link/complete":   ask(s, Panel.Complete),
		"signalbox/compose/context": ask(s, Panel.ComposeContext),
		"signalbox/compose/preview": route(s.composePreview),
		"signalbox/message/send":    ask(s, Panel.Send),
		"signalbox/read/set":        requiring("read", ask(s, Panel.SetRead)),
		"signalbox/undo":            ask(s, Panel.Undo),
		"signalbox/read/all":        ask(s, Panel.MarkMatching),
		"signalbox/message/ack":     ask(s, Panel.Ack),
		"signalbox/mail/archive":    requiring("archived", ask(s, Panel.Archive)),
		"signalbox/attachment/open": ask(s, Panel.OpenAttachment),
		"signalbox/attachment/save": ask(s, Panel.SaveAttachment),

		"signalbox/escalation/list":    ask(s, Panel.Escalations),
		"signalbox/escalation/preview": ask(s, Panel.RespondPreview),
		"signalbox/escalation/respond": ask(s, Panel.Respond),
		"signalbox/task/list":          ask(s, Panel.Tasks),
		"signalbox/task/get":           ask(s, Panel.Task),
		"signalbox/issue/list":         route(s.issueList),
		"signalbox/search":             route(s.search),
	}
}

// route returns a request with params of type P, which it checks, and a result of type R.
func route[P, R any](run func(context.Context, P) (R, error)) dispatch.Method {
	return dispatch.Method{Run: func(ctx context.Context, params json.RawMessage) (any, error) {
		p, err := codec.Decode[P](params)
		if err == nil {
			err = limits.Params("", p)
		}
		if err != nil {
			return nil, err
		}
		return run(ctx, p)
	}}
}

// inDocument returns a request about an open document as it is when the request arrives. Later
// changes do not count. The answer is none if the document is not open.
func inDocument[P interface{ uri() string }, R any](s *session, none any, run func(context.Context, *documents.Document, P) (R, error)) dispatch.Method {
	return dispatch.Method{Prepare: func(params json.RawMessage) (dispatch.Handler, error) {
		p, err := codec.Decode[P](params)
		if err != nil {
			return nil, err
		}
		doc := s.docs.Get(p.uri())
		return func(ctx context.Context, _ json.RawMessage) (any, error) {
			if doc == nil {
				return none, nil
			}
			return run(ctx, doc, p)
		}, nil
	}}
}

// ask returns a request that a method of the [Panel] answers.
func ask[P, R any](s *session, run func(Panel, context.Context, P) (R, error)) dispatch.Method {
	return route(func(ctx context.Context, p P) (R, error) { return run(s.panel, ctx, p) })
}

// requiring makes a member of the params mandatory, because its zero value has a meaning: a missing
// "read" would otherwise mark as unread.
func requiring(member string, m dispatch.Method) dispatch.Method {
	run := m.Run
	m.Run = func(ctx context.Context, params json.RawMessage) (any, error) {
		members, err := codec.Decode[map[string]json.RawMessage](params)
		if err != nil {
			return nil, err
		}
		if value := members[member]; len(value) == 0 || string(value) == "null" {
			return nil, codec.BadField(member, "is missing")
		}
		return run(ctx, params)
	}
	return m
}

func (s *session) status(ctx context.Context, _ struct{}) (panel.Status, error) {
	return s.panel.Status(ctx)
}

func (s *session) issueList(ctx context.Context, _ struct{}) (panel.IssuesPage, error) {
	return s.panel.Issues(ctx)
}

// search is signalbox/search. A client that sends a token gets hits as they are found.
func (s *session) search(ctx context.Context, p panel.SearchParams) (panel.SearchPage, error) {
	if p.PartialResultToken == nil {
		return s.panel.Search(ctx, p)
	}
	if !codec.ValidID(p.PartialResultToken) {
		return panel.SearchPage{}, codec.BadField("partialResultToken", "is neither a string nor a whole number")
	}
	return s.panel.StreamSearch(ctx, p, func(part panel.SearchPart) {
		if ctx.Err() == nil {
			s.notify("$/progress", progress{p.PartialResultToken, part})
		}
	})
}

// composePreview is signalbox/compose/preview. It writes nothing.
func (s *session) composePreview(ctx context.Context, p panel.PreviewParams) (panel.ComposePreview, error) {
	return s.panel.ComposePreview(ctx, p.Draft)
}

// linkResolve is signalbox/link/resolve.
func (s *session) linkResolve(ctx context.Context, p panel.ResolveParams) ([]panel.ResolvedLink, error) {
	return s.panel.Resolve(ctx, p.Refs)
}

// shutdown does nothing, since sent messages are already on disk. The dispatcher refuses every
// later request, and exit closes the connection.
func (s *session) shutdown(context.Context, json.RawMessage) (any, error) {
	return nil, nil
}
