package server

// register lists every method there is.
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
		"workspace/symbol":            {run: s.workspaceSymbol},

		"signalbox/status":          {run: s.status},
		"signalbox/inbox/list":      {run: s.inboxList},
		"signalbox/thread/get":      {run: s.threadGet},
		"signalbox/thread/diff":     {run: s.threadDiff},
		"signalbox/thread/asset":    {run: s.threadAsset},
		"signalbox/thread/shelve":   {run: s.threadShelve},
		"signalbox/link/resolve":    {run: s.linkResolve},
		"signalbox/link/locate":     {run: s.linkLocate},
		"signalbox/link/references": {run: s.linkReferences},
		"signalbox/link/complete":   {run: s.linkComplete},
		"signalbox/compose/context": {run: s.composeContext},
		"signalbox/compose/preview": {run: s.composePreview},
		"signalbox/message/send":    {run: s.messageSend},
		"signalbox/read/set":        {run: s.readSet},
		"signalbox/message/ack":     {run: s.messageAck},
		"signalbox/mail/archive":    {run: s.mailArchive},
		"signalbox/attachment/open": {run: s.attachmentOpen},
		"signalbox/attachment/save": {run: s.attachmentSave},

		"signalbox/escalation/list":    {run: s.escalationList},
		"signalbox/escalation/preview": {run: s.escalationPreview},
		"signalbox/escalation/respond": {run: s.escalationRespond},
		"signalbox/task/list":          {run: s.taskList},
		"signalbox/task/get":           {run: s.taskGet},
		"signalbox/issue/list":         {run: s.issueList},
		"signalbox/search":             {run: s.search},
	}
}
