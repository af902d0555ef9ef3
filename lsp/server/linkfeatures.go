package server

// linkFeatures are a client's capabilities for links, within textDocument's capabilities.
// Absent ones are nil.
type linkFeatures struct {
	DocumentLink   *struct{} `json:"documentLink"`
	Definition     *struct{} `json:"definition"`
	References     *struct{} `json:"references"`
	Completion     *struct{} `json:"completion"`
	CodeLens       *struct{} `json:"codeLens"`
	DocumentSymbol *struct {
		Tree bool `json:"hierarchicalDocumentSymbolSupport"`
	} `json:"documentSymbol"`
}

// linkProviders are the server's capabilities for links.
type linkProviders struct {
	DocumentLink    *resolveOptions    `json:"documentLinkProvider,omitempty"`
	Definition      bool               `json:"definitionProvider,omitempty"`
	References      bool               `json:"referencesProvider,omitempty"`
	Completion      *completionOptions `json:"completionProvider,omitempty"`
	CodeLens        *resolveOptions    `json:"codeLensProvider,omitempty"`
	DocumentSymbol  bool               `json:"documentSymbolProvider,omitempty"`
	WorkspaceSymbol bool               `json:"workspaceSymbolProvider,omitempty"`
}

type resolveOptions struct {
	Resolve bool `json:"resolveProvider"`
}

type completionOptions struct {
	Triggers []string `json:"triggerCharacters"`
}

// offered holds which methods for links a client supports. Others are not announced to it. The
// extension for VS Code uses signalbox/link/* in every file and declines the standard methods.
type offered struct {
	linkFeatures
	symbol bool
}

func offers(p *initializeParams) offered {
	o := offered{p.Capabilities.TextDocument.linkFeatures, p.Capabilities.Workspace.Symbol != nil}
	// Neovim before 0.10 shows lenses without announcing it.
	if o.CodeLens == nil && o.Completion != nil && p.Capabilities.Experimental.Signalbox == nil {
		o.CodeLens = &struct{}{}
	}
	return o
}

// tree reports whether the client supports nested symbols.
func (o *offered) tree() bool { return o.DocumentSymbol != nil && o.DocumentSymbol.Tree }

func (o *offered) providers() linkProviders {
	p := linkProviders{
		Definition: o.Definition != nil, References: o.References != nil, DocumentSymbol: o.DocumentSymbol != nil, WorkspaceSymbol: o.symbol,
	}
	if o.DocumentLink != nil {
		p.DocumentLink = &resolveOptions{Resolve: true}
	}
	if o.CodeLens != nil {
		p.CodeLens = &resolveOptions{}
	}
	if o.Completion != nil {
		p.Completion = &completionOptions{Triggers: []string{":", `"`, "_", "-"}}
	}
	return p
}

// lspCommand is LSP's Command.
type lspCommand struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments"`
}
