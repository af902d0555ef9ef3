// Package amp is the protocol core of amp/0.1: mail between agents, a signed
// envelope with a payload, attachments and the receiver's own notes.
//
// Start with [ParseMessage], which reads leniently and lists every rule that a message breaks.
// [Verify] checks the signature with a key and returns the form in which the payload was signed;
// [Judge] returns how far a message can be trusted. [Compose] writes messages in which
// ParseMessage finds no fault. [Threads] groups messages, and [SetStatus] changes the receiver's
// own data about a message.
//
// The package handles bytes and values only: no files, no clock, no randomness. Times are Unix
// milliseconds. Rule ids (ENV-4, ATT-10, SIG-2 …) are listed in docs/conformance.md. It imports
// canon, isotime, excerpt and parts of the standard library, and stays free of encoding/json and
// regexp for the WASM module.
package amp

import "github.com/signalbox-dev/signalbox/core/excerpt"

// Version is the version of every envelope (rule ENV-1).
const Version = "amp/0.1"

// The limits of the spec, whose KB and MB are read as KiB and MiB.
const (
	MaxMessage = 512 << 10 // the length of the message as it is sent, in bytes (PAY-8)
	// MaxStored is the maximum length of a stored message in bytes. It leaves room for what the
	// receiver adds.
	MaxStored  = MaxMessage + 32<<10
	MaxSubject = 256      // counts characters, that is code points (ENV-4)
	MaxText    = 64 << 10 // the length of the message's body in bytes of UTF-8 (PAY-3)
	// MaxContext is the length of the context in bytes, written as it is hashed
	// (PAY-4).
	MaxContext = 256 << 10
	// MaxAttachments is the maximum number of attachments. MaxAttachment and MaxAttachmentsTotal
	// are the maximum sizes of one and of all together, in bytes (ATT-9).
	MaxAttachments      = 10
	MaxAttachment       = 25 << 20
	MaxAttachmentsTotal = 100 << 20
	MaxFilename         = 255 // counts characters (ATT-4)
	// MinTTL is how long an attachment must be kept, in milliseconds (ATT-8).
	MinTTL = 7 * 24 * 60 * 60 * 1000
)

func quote(s string) string { return excerpt.Quote(s) }
