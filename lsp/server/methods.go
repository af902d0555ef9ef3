package server

import (
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// register lists every method there is. lsp/server/protocolgen reads the entries
// with route and ask: their types are what extension/src/protocol.ts declares.
func (s *session) register() {
	s.methods = map[string]method{
		"initialize": {run: s.initialize, inline: true},
		"shutdown":   {run: s.shutdown, inline: true},

		"initialized":                         {run: s.initialized, notification: true},
		"textDocument/didOpen":                {run: s.didOpen, notification: true},
		"textDocument/didChange":              {run: s.didChange, notification: true},
		"textDocument/didClose":               {run: s.didClose, notification: true},
		"workspace/didChangeConfiguration":    {run: s.didChangeConfiguration, notification: true},
		"workspace/didChangeWorkspaceFolders": {run: s.didChangeWorkspaceFolders, notification: true},

		"textDocument/hover":       {prepare: s.prepareHover},
		"textDocument/codeAction":  {prepare: s.prepareCodeAction},
		"workspace/executeCommand": {prepare: s.prepareCommand},

		"textDocument/documentLink":   {prepare: s.prepareDocumentLink},
		"documentLink/resolve":        {run: s.resolveDocumentLink},
		"textDocument/definition":     {prepare: s.prepareDefinition},
		"textDocument/references":     {prepare: s.prepareReferences},
		"textDocument/completion":     {prepare: s.prepareCompletion},
		"textDocument/documentSymbol": {prepare: s.prepareDocumentSymbol},
		"textDocument/codeLens":       {prepare: s.prepareCodeLens},
		"workspace/symbol":            route(s.workspaceSymbol),

		"signalbox/status":          route(s.status),
		"signalbox/inbox/list":      ask(s, checkInbox, Panel.Inbox),
		"signalbox/thread/get":      ask(s, checkThread, Panel.Thread),
		"signalbox/thread/diff":     ask(s, checkDiff, Panel.Diff),
		"signalbox/thread/asset":    ask(s, checkAsset, Panel.Asset),
		"signalbox/thread/shelve":   ask(s, checkShelve, Panel.Shelve),
		"signalbox/link/resolve":    route(s.linkResolve),
		"signalbox/link/locate":     route(s.linkLocate),
		"signalbox/link/references": route(s.linkReferences),
		"signalbox/link/complete":   ask(s, checkComplete, Panel.Complete),
		"signalbox/compose/context": ask(s, checkCompose, Panel.ComposeContext),
		"signalbox/compose/preview": route(s.composePreview),
		"signalbox/message/send":    ask(s, checkSend, Panel.Send),
		"signalbox/read/set":        requiring("read", ask(s, checkRead, Panel.SetRead)),
		"signalbox/read/all":        ask(s, checkMark, Panel.MarkMatching),
		"signalbox/message/ack":     ask(s, checkAck, Panel.Ack),
		"signalbox/mail/archive":    requiring("archived", ask(s, checkArchive, Panel.Archive)),
		"signalbox/attachment/open": ask(s, checkAttachment, Panel.OpenAttachment),
		"signalbox/attachment/save": ask(s, checkSave, Panel.SaveAttachment),

		"signalbox/escalation/list":    ask(s, checkEscalations, Panel.Escalations),
		"signalbox/escalation/preview": ask(s, checkResponse, Panel.RespondPreview),
		"signalbox/escalation/respond": ask(s, checkRespond, Panel.Respond),
		"signalbox/task/list":          ask(s, checkTasks, Panel.Tasks),
		"signalbox/task/get":           ask(s, checkTask, Panel.Task),
		"signalbox/issue/list":         route(s.issueList),
		"signalbox/search":             ask(s, checkSearch, Panel.Search),
	}
}

// route is a request with params of type P and a result of type R.
func route[P, R any](run func(context.Context, P) (R, error)) method {
	return method{run: func(ctx context.Context, params json.RawMessage) (any, error) {
		p, err := decode[P](params)
		if err != nil {
			return nil, err
		}
		return run(ctx, p)
	}}
}

// ask is a request that a method of the [Panel] answers once check accepts its params.
func ask[P, R any](s *session, check func(P) error, run func(Panel, context.Context, P) (R, error)) method {
	return route(func(ctx context.Context, p P) (R, error) {
		if err := check(p); err != nil {
			var none R
			return none, err
		}
		return run(s.panel, ctx, p)
	})
}

// requiring refuses params that lack a member whose zero value means something, such
// as false for "read", which would quietly mark as unread.
func requiring(member string, m method) method {
	run := m.run
	m.run = func(ctx context.Context, params json.RawMessage) (any, error) {
		members, err := decode[map[string]json.RawMessage](params)
		if err != nil {
			return nil, err
		}
		if value := members[member]; len(value) == 0 || string(value) == "null" {
			return nil, badField(member, "is missing")
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
