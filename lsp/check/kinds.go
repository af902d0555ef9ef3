package check

import (
	"context"
	"path"
	"slices"
	"strings"
)

// kind is a kind of document. To add one, write its file and list it in kinds.
type kind struct {
	// open describes to clients the documents that may be of this kind.
	open []DocumentKind
	// known reports whether a document is of this kind.
	known func(doc *Document, stores Stores) bool
	// check is [Check] for this kind. It may still return nil.
	check func(ctx context.Context, doc *Document, stores Stores, last *Checked) (*Checked, error)
	// fixes is [Fixes] for this kind, or nil. It may return fixes outside the offsets.
	fixes func(ctx context.Context, doc *Document, stores Stores, start, end int) ([]Fix, error)
}

// kinds lists all kinds. A document is of the first one that recognizes it.
var kinds = []kind{agentFileKind, turnsKind, logKind, signedMailKind, taskKind}

// kindOf returns the kind of a document, or nil.
func kindOf(doc *Document, stores Stores) *kind {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.known(doc, stores) })
	if i < 0 {
		return nil
	}
	return &kinds[i]
}

// DocumentKind tells a client which open documents the server can check, so that it
// need not send the others. A document that fits may still be of no known kind.
type DocumentKind struct {
	// Pattern is a glob for the path, as in LSP's document filters.
	Pattern string `json:"pattern"`
	// MaxBytes is the length in UTF-8 of the longest document that is checked.
	MaxBytes int `json:"maxBytes"`
	// Marks lists groups of strings. If there are any, the text holds all strings of
	// one group.
	Marks [][]string `json:"marks"`
	// Within says in how many bytes at the start of the text the marks are looked
	// for. 0 means the whole text.
	Within int `json:"within,omitempty"`
}

// DocumentKinds returns the documents that clients should send.
func DocumentKinds() (list []DocumentKind) {
	for i := range kinds {
		list = append(list, kinds[i].open...)
	}
	return list
}

// holds reports whether a text contains all marks.
func holds(text string, marks []string) bool {
	return !slices.ContainsFunc(marks, func(m string) bool { return !strings.Contains(text, m) })
}

// jsonFile reports whether a document may be JSON, by its name or by the type that the editor
// has for it.
func jsonFile(doc *Document) bool {
	return doc.Language == "json" || doc.Language == "jsonc" || strings.EqualFold(path.Ext(doc.File), ".json")
}
