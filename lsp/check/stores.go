package check

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// Stores knows the files around a document. Its methods may be called from any
// goroutine.
type Stores interface {
	// MessageDirectory returns the open message directory that a path lies in, or nil.
	MessageDirectory(path string) MessageDirectory
	// TaskMessages returns the messages of m's task in any order, without the one in
	// the file at path, which is m itself. They need no Raw text and are shared. It
	// returns nil if the task is unknown, and an empty list if m is its only message.
	TaskMessages(path string, m *agn.Message) []agn.Message
	// Trust judges a signed message by the keys that are known. ok is false if there
	// is nothing to judge by.
	Trust(path string, m *amp.Message) (t amp.Trust, ok bool)
}

// MessageDirectory is an open directory of SAMP logs.
type MessageDirectory interface {
	// Stems lists the stems of all logs in byte order of the logs' names.
	Stems() []string
	// HasOriginal reports whether the sender's own log holds the same record.
	HasOriginal(r *samp.Record) bool
}

// NoStores knows nothing: with it only what the document itself shows is found.
type NoStores struct{}

// MessageDirectory returns nil.
func (NoStores) MessageDirectory(string) MessageDirectory { return nil }

// TaskMessages returns nil.
func (NoStores) TaskMessages(string, *agn.Message) []agn.Message { return nil }

// Trust returns false.
func (NoStores) Trust(string, *amp.Message) (t amp.Trust, ok bool) { return t, false }
