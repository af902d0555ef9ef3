// Package engine is the one seam between the commands and the protocol core. A
// command that computes over bytes calls a [Core], and does not know whether
// that is [Native], the packages below core/, or the WebAssembly module, which
// [Open] runs.
//
// This package alone of cmd imports wasm/host. Built with the tag noengine it
// does not, and Open gives [ErrNone].
package engine

import (
	"context"
	"errors"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// ErrNone is what [Open] gives in a program that was built without wazero.
var ErrNone = errors.New("this build has no WASM engine")

// ErrCache is what [Open] wraps where the directory of compiled code cannot be
// used. It can be called again without one.
var ErrCache = errors.New("the directory of compiled code cannot be used")

// Core is what the commands ask of the core. What breaks a rule of its format as
// a whole gives a fault of that format's package; any other error is the
// engine's. Bytes are not changed.
type Core interface {
	// Store is the core for [store.Dir.Use], and Threads for [threads.Dir.Use].
	// nil stands for the packages' own.
	Store() store.Core
	Threads() threads.Core

	// LineID is [samp.LineID].
	LineID(ctx context.Context, line []byte, p samp.Profile) (string, error)
	// Thread is [samp.DeriveThread].
	Thread(ctx context.Context, body, from, date string, p samp.Profile) (thread, rest string, err error)
	// FormOf tells what the stored id is of a message that this core found.
	FormOf(m *samp.Found) samp.Form

	// Mail reads a message of amp/0.1.
	Mail(ctx context.Context, data []byte) (Mail, error)
	// Agent gives the first part of a full address. ok is false for anything else.
	Agent(ctx context.Context, address string) (agent string, ok bool, err error)
	// Key reads a public key.
	Key(ctx context.Context, data []byte) (Key, error)
	// Judge computes the trust in a message.
	Judge(ctx context.Context, m *Mail, known Known) (amp.Trust, error)

	// Task reads a message of AMP/1.0. Of it are set what names it, what it is
	// about, Raw and the findings.
	Task(ctx context.Context, data []byte) (agn.Message, error)
	// TaskPayload checks a payload without its envelope.
	TaskPayload(ctx context.Context, kind string, data []byte) (agn.Findings, error)
	// Ack, Resume and Record read the files of an SSOT.
	Ack(ctx context.Context, data []byte) (agn.Ack, error)
	Resume(ctx context.Context, data []byte) (agn.Resume, error)
	Record(ctx context.Context, data []byte) error
	// CheckTask holds a message against others of its task.
	CheckTask(ctx context.Context, m *agn.Message, history []agn.Message) (agn.Findings, error)

	// Close ends the engine.
	Close() error
}

// Mail is a message of amp/0.1: its ids, parties, times, signature and findings.
type Mail struct {
	amp.Message
	// SignatureID names the signature, as [amp.Message.SignatureID].
	SignatureID string
}

// Key is a public key that was read. The zero Key is none.
type Key struct {
	own  amp.Key
	text []byte
}

// OK tells a key from none.
func (k Key) OK() bool { return k.text != nil }

// Known is what is known when a message is judged.
type Known struct {
	// Key is the sender's, or the zero Key.
	Key Key
	// Nobody tells that the sender's address is none, so that there can be no key,
	// and is not why the message is not trusted.
	Nobody bool
	// Earlier is as in [amp.Known], and Now in Unix milliseconds.
	Earlier map[string]amp.Earlier
	Now     int64
}
