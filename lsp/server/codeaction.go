package server

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// The kinds of the server's code actions (CodeActionKind).
const (
	quickFix = "quickfix"
	// atMention is the kind of actions on a message or thread that a text mentions.
	atMention = "signalbox"
)

// kinds returns the kinds that are announced to the client. A client that knows signalbox/*
// makes the actions for mentions itself, in every file.
func (s *session) kinds() []string {
	if s.speaks {
		return []string{quickFix}
	}
	return []string{quickFix, atMention}
}

// actionKinds are LSP's CodeActionOptions.
type actionKinds struct {
	Kinds []string `json:"codeActionKinds"`
}

// codeAction is LSP's CodeAction.
type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
	Preferred   bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit,omitzero"`
	Command     *lspCommand   `json:"command,omitempty"`
}

// workspaceEdit has either Documents or Changes. Documents, for clients that support it, has
// the version of the document that the edits are for.
type workspaceEdit struct {
	Documents []documentEdit        `json:"documentChanges,omitempty"`
	Changes   map[string][]textEdit `json:"changes,omitempty"`
}

// documentEdit is LSP's TextDocumentEdit.
type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int32  `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

type textEdit struct {
	Range   documents.Span `json:"range"`
	NewText string         `json:"newText"`
}

type codeActionParams struct {
	TextDocument documentID     `json:"textDocument"`
	Range        documents.Span `json:"range"`
	Context      struct {
		Only []string `json:"only"` // none: all kinds
	} `json:"context"`
}

func (p codeActionParams) uri() string { return p.TextDocument.URI }

// codeActions is textDocument/codeAction. It returns the fixes for faults in a range, and the
// actions on the message or thread that is mentioned at the beginning of the range.
func (s *session) codeActions(ctx context.Context, doc *documents.Document, p codeActionParams) ([]codeAction, error) {
	list := []codeAction{}
	if p.Range.End.Before(p.Range.Start) {
		return list, codec.BadField("range", "ends before it starts")
	}
	if !s.actions {
		return list, nil
	}
	if wanted(p.Context.Only, quickFix) {
		start, end := doc.Offset(p.Range.Start, s.encoding), doc.Offset(p.Range.End, s.encoding)
		fixes, err := check.Fixes(ctx, shownTo(doc), s.panel, start, end)
		for i := range fixes {
			list = append(list, s.action(doc, &fixes[i]))
		}
		if err != nil {
			return list, err
		}
	}
	if s.speaks || !wanted(p.Context.Only, atMention) {
		return list, nil
	}
	if commands.IsDraft(doc.URI) {
		send := submitCommand(doc.URI)
		list = append(list, codeAction{Title: send.Title, Kind: atMention, Command: &send})
	}
	mentioned, err := s.mentionActions(ctx, doc, p.Range.Start)
	return append(list, mentioned...), err
}

// wanted reports whether the kinds that a client asks for include a kind. The empty kind
// includes all others.
func wanted(only []string, kind string) bool {
	return len(only) == 0 || slices.Contains(only, kind) || slices.Contains(only, "")
}

func (s *session) action(doc *documents.Document, f *check.Fix) codeAction {
	a := codeAction{
		Title: f.Title, Kind: quickFix, Preferred: f.Preferred,
		Diagnostics: []diagnostic{s.diagnostic(doc, &f.Diagnostic)},
	}
	edits := make([]textEdit, len(f.Edits))
	for i, e := range f.Edits {
		edits[i] = textEdit{documents.Span{Start: doc.Position(e.Start, s.encoding), End: doc.Position(e.End, s.encoding)}, e.New}
	}
	if !s.versioned {
		a.Edit.Changes = map[string][]textEdit{doc.URI: edits}
		return a
	}
	d := documentEdit{Edits: edits}
	d.TextDocument.URI, d.TextDocument.Version = doc.URI, doc.Version
	a.Edit.Documents = []documentEdit{d}
	return a
}
