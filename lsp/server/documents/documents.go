// Package documents holds the texts that a client has open. It converts LSP's positions
// and URIs to offsets and paths, and back. Start with [New].
package documents

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// maxOpenBytes bounds the text of all open documents together.
const maxOpenBytes = 64 << 20

// Document is one version of an open document. It is immutable, so a request
// keeps its version while later changes arrive.
type Document struct {
	URI      string
	Version  int32
	Language string // LSP's languageId, as the client set it
	Text     string
	// lost is set if the text is not known: it was too large to store, or a change
	// was invalid. The client's next full text resets it.
	lost bool
}

// Set holds the documents that the client has open (textDocument/didOpen to didClose).
type Set struct {
	mu    sync.RWMutex
	open  map[string]*Document // by URI; guarded by mu
	bytes int                  // the cost of all documents; guarded by mu
}

// New returns an empty set.
func New() *Set { return &Set{open: map[string]*Document{}} }

// Get returns the current version of an open document, or nil if there is none or
// its text is not known.
func (d *Set) Get(uri string) *Document {
	d.mu.RLock()
	defer d.mu.RUnlock()
	doc := d.open[uri]
	if doc == nil || doc.lost {
		return nil
	}
	return doc
}

// URIs returns the sorted URIs of all open documents.
func (d *Set) URIs() []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Sorted(maps.Keys(d.open))
}

// Texts returns the open documents whose text is known, by URI.
func (d *Set) Texts() map[string]*Document {
	d.mu.RLock()
	defer d.mu.RUnlock()
	list := make(map[string]*Document, len(d.open))
	for uri, doc := range d.open {
		if !doc.lost {
			list[uri] = doc
		}
	}
	return list
}

// cost returns how many bytes a document counts against [maxOpenBytes].
func cost(doc *Document) int {
	return len(doc.URI) + len(doc.Language) + len(doc.Text) + 128
}

// Put stores a document. If it does not fit, Put fails and the document's text is lost.
func (d *Set) Put(doc *Document) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(doc.URI)
	if d.bytes+cost(doc) <= maxOpenBytes {
		d.open[doc.URI] = doc
		d.bytes += cost(doc)
		return nil
	}
	lost := &Document{URI: doc.URI, Version: doc.Version, Language: doc.Language, lost: true}
	if d.bytes+cost(lost) <= maxOpenBytes {
		d.open[doc.URI] = lost
		d.bytes += cost(lost)
	}
	return fmt.Errorf("server: keep %q: open documents would exceed %d bytes", codec.Short(doc.URI), maxOpenBytes)
}

// Drop removes a document.
func (d *Set) Drop(uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(uri)
}

// remove is [Set.Drop] for callers that hold mu.
func (d *Set) remove(uri string) {
	if old := d.open[uri]; old != nil {
		d.bytes -= cost(old)
		delete(d.open, uri)
	}
}

// Change applies the changes of one textDocument/didChange, in order. It refuses
// changes older than the document: they are for another text.
func (d *Set) Change(uri string, version int32, changes []ContentChange, enc Encoding) error {
	d.mu.RLock()
	old := d.open[uri]
	d.mu.RUnlock()
	switch {
	case old == nil:
		return fmt.Errorf("server: change %q: not open", codec.Short(uri))
	case version < old.Version:
		return fmt.Errorf("server: change %q: version %d comes after %d", codec.Short(uri), version, old.Version)
	}
	next := Document{URI: uri, Version: version, Language: old.Language, Text: old.Text, lost: old.lost}
	var fault error
	for _, c := range changes {
		if err := next.apply(c, enc); err != nil && fault == nil {
			fault = fmt.Errorf("server: change %q: %w", codec.Short(uri), err)
		}
	}
	if err := d.Put(&next); err != nil {
		return err
	}
	return fault
}

// apply replaces a range, or the whole text.
func (doc *Document) apply(c ContentChange, enc Encoding) error {
	if c.Range == nil {
		doc.Text, doc.lost = c.Text, false
		return nil
	}
	if doc.lost {
		return nil
	}
	start, end := doc.Offset(c.Range.Start, enc), doc.Offset(c.Range.End, enc)
	switch {
	case start > end:
		doc.Text, doc.lost = "", true
		return errors.New("range ends before it starts")
	case start+len(c.Text)+len(doc.Text)-end > maxOpenBytes:
		doc.Text, doc.lost = "", true
		return errors.New("document is too large")
	}
	doc.Text = doc.Text[:start] + c.Text + doc.Text[end:]
	return nil
}
