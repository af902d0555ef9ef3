package check

import (
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/samp"
)

// Stores knows the files around a document. Its methods may be called from any
// goroutine.
type Stores interface {
	// MessageDirectory returns the open message directory that contains a path, or nil.
	MessageDirectory(path string) MessageDirectory
	// TaskMessages returns the messages of m's task in any order, without the one in
	// the file at path, which is m itself. They need no Raw text and are shared. It
	// returns nil if the task is unknown, and an empty list if m is its only message.
	TaskMessages(path string, m *agn.Message) []agn.Message
	// Trust computes the trust of a signed message from the known keys. ok is false if there
	// is nothing to compute it from.
	Trust(path string, m *amp.Message) (t amp.Trust, ok bool)
}

// MessageDirectory is an open directory of SAMP logs.
type MessageDirectory interface {
	// Stems lists the stems of all logs in byte order of the logs' names.
	Stems() []string
	// HasOriginal reports whether the sender's own log holds the same record.
	HasOriginal(r *samp.Record) bool
}

// NoStores knows no other files: with it only problems in the document itself are found.
type NoStores struct{}

// MessageDirectory returns nil.
func (NoStores) MessageDirectory(string) MessageDirectory { return nil }

// TaskMessages returns nil.
func (NoStores) TaskMessages(string, *agn.Message) []agn.Message { return nil }

// Trust returns false.
func (NoStores) Trust(string, *amp.Message) (t amp.Trust, ok bool) { return t, false }
