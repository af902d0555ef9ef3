package server

import (
	"encoding/json"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// The few types of LSP 3.17 that the server uses. They are defined here because
// go.lsp.dev/protocol, which has them all, adds 2.4 MB to the binary and 1.4 ms to every
// start, including the start of the command line.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/

type initializeParams struct {
	ProcessID    *int              `json:"processId"`
	RootPath     string            `json:"rootPath"`
	RootURI      string            `json:"rootUri"`
	Folders      []workspaceFolder `json:"workspaceFolders"`
	Options      json.RawMessage   `json:"initializationOptions"`
	Capabilities struct {
		General struct {
			PositionEncodings []documents.Encoding `json:"positionEncodings"`
		} `json:"general"`
		TextDocument struct {
			Hover struct {
				ContentFormat []string `json:"contentFormat"`
			} `json:"hover"`
			CodeAction struct {
				Literals *struct{} `json:"codeActionLiteralSupport"`
			} `json:"codeAction"`
			linkFeatures
			Diagnostics struct {
				CodeDescription bool `json:"codeDescriptionSupport"`
			} `json:"publishDiagnostics"`
		} `json:"textDocument"`
		Workspace struct {
			Edit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
			Symbol *struct{} `json:"symbol"`
		} `json:"workspace"`
		Window struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
		Experimental struct {
			Signalbox *versions `json:"signalbox"`
		} `json:"experimental"`
	} `json:"capabilities"`
	ClientInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// versions are the major versions of the signalbox/* protocol that a side supports.
type versions struct {
	Min      int      `json:"min"`
	Max      int      `json:"max"`
	Features []string `json:"features"`
	// Documents are the kinds of open documents that the server diagnoses. Clients send none.
	Documents []check.DocumentKind `json:"documents,omitempty"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type serverCapabilities struct {
	PositionEncoding documents.Encoding `json:"positionEncoding"`
	TextDocumentSync textDocumentSync   `json:"textDocumentSync"`
	Hover            bool               `json:"hoverProvider"`
	CodeAction       *actionKinds       `json:"codeActionProvider,omitempty"`
	linkProviders
	ExecuteCommand commandNames `json:"executeCommandProvider"`
	Workspace      struct {
		Folders folderSupport `json:"workspaceFolders"`
	} `json:"workspace"`
	Experimental struct {
		Signalbox versions `json:"signalbox"`
	} `json:"experimental"`
}

// textDocumentSync with Change 2 asks for incremental changes.
type textDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
}

type commandNames struct {
	Commands []string `json:"commands"`
}

type folderSupport struct {
	Supported           bool `json:"supported"`
	ChangeNotifications bool `json:"changeNotifications"`
}

type textDocument struct {
	URI      string `json:"uri"`
	Language string `json:"languageId"`
	Version  int32  `json:"version"`
	Text     string `json:"text"`
}

// documentID is LSP's TextDocumentIdentifier. Params do not embed a type that contains it, since
// errors would show the name of the embedded type.
type documentID struct {
	URI string `json:"uri"`
}

// documentParams identify an open document.
type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

func (p documentParams) uri() string { return p.TextDocument.URI }

// placeParams identify a position in an open document.
type placeParams struct {
	TextDocument documentID         `json:"textDocument"`
	Position     documents.Position `json:"position"`
}

func (p placeParams) uri() string { return p.TextDocument.URI }

// progress is LSP's ProgressParams for a part of a result.
type progress struct {
	Token json.RawMessage `json:"token"`
	Value any             `json:"value"`
}

type hover struct {
	Contents markupContent  `json:"contents"`
	Range    documents.Span `json:"range"`
}

type markupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}
