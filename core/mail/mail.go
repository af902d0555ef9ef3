// Package mail is the common model of the mail formats: how a message or thread is referred to,
// and how a text mentions one. Start with [Ref]; [LinkPatterns] and [Mentions] find mentions. It
// imports none of the formats, which import it.
package mail

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Protocol is the name of a format.
type Protocol string

// The formats.
const (
	// SAMP is the Simple Agent Message Protocol, version 1.
	SAMP Protocol = "samp"
	// ATSF is the Agent Thread Storage Format, version 1.x.
	ATSF Protocol = "atsf"
	// AGN is AMP/1.0, the task messages.
	AGN Protocol = "agn"
	// AMP is amp/0.1, signed mail.
	AMP Protocol = "amp"
	// Session is any transcript of an agent's program. It is not one format: core/session has a
	// package for each program.
	Session Protocol = "session"
)

// Ref identifies one message or thread. It is opaque to clients: they store it, compare it as a
// whole and send it back, and never parse it. It is not a path: it is looked up in an index.
type Ref struct {
	// Protocol is the format, such as "samp".
	Protocol Protocol `json:"protocol"`
	// Store identifies one of the open directories.
	Store string `json:"store"`
	// ID identifies a message or thread in it.
	ID string `json:"id"`
}

const (
	threadMark  = "t/"
	digestMark  = "d/"
	messageMark = "m/"
)

// MaxName is the length in bytes of the longest name in a ref. Strangers choose names; a longer
// one is replaced by its digest, so that a list of refs stays small.
const MaxName = 512

// Digest returns the replacement for a long name in a ref: the 64 hexadecimal digits of its
// SHA-256.
func Digest(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// ThreadRef refers to a thread by its name, or by the digest of a long one.
func ThreadRef(p Protocol, store, name string) Ref {
	if len(name) > MaxName {
		return Ref{Protocol: p, Store: store, ID: digestMark + Digest(name)}
	}
	return Ref{Protocol: p, Store: store, ID: threadMark + name}
}

// MessageRef returns the ref of a message. from and id are its sender and id in SAMP, the
// thread's directory and the line in ATSF, whose ids are unique only in a thread, the task and id
// in AMP/1.0, and the mailbox and file in amp/0.1. from must not contain a slash.
func MessageRef(p Protocol, store, from, id string) Ref {
	return Ref{Protocol: p, Store: store, ID: messageMark + from + "/" + id}
}

// Thread returns the name of the ref's thread. For a long name use [Ref.ThreadDigest].
func (r Ref) Thread() (name string, ok bool) { return strings.CutPrefix(r.ID, threadMark) }

// ThreadDigest returns the digest of the long name of the ref's thread.
func (r Ref) ThreadDigest() (digest string, ok bool) { return strings.CutPrefix(r.ID, digestMark) }

// Message returns the sender and id of the ref's message.
func (r Ref) Message() (from, id string, ok bool) {
	rest, ok := strings.CutPrefix(r.ID, messageMark)
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "/")
}

// LinkPattern finds possible mentions of one kind in any text.
type LinkPattern struct {
	// Kind is "message", "thread" or "branch". A branch of git may have threads.
	Kind string `json:"kind"`
	// Pattern is a regular expression in the syntax that JavaScript and RE2 share; Flags are
	// JavaScript's. The mention is its first group or, if it has none, the whole match.
	Pattern string `json:"pattern"`
	Flags   string `json:"flags"`
}

// LinkPatterns returns the patterns of all formats. A match is a mention only if
// it is in the index: 16 hexadecimal digits may also be a commit.
func LinkPatterns() []LinkPattern {
	return []LinkPattern{
		{Kind: KindMessage, Pattern: `\b[0-9a-f]{16}\b`, Flags: "g"},
		// A thread or a message of ATSF.
		{Kind: KindThread, Pattern: `\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`, Flags: "g"},
		// A message of AMP/1.0, and a task. A task's id does not count if it is joined to a
		// word before it, as in a message's id.
		{Kind: KindMessage, Pattern: `\b(?:task_dispatch|task_result|review_request|review_verdict|escalation)-T-[0-9]{4}-[0-9]{3,9}-[0-9]{1,16}\b`, Flags: "g"},
		{Kind: KindThread, Pattern: `(?:^|[^A-Za-z0-9_-])(T-[0-9]{4}-[0-9]{3,9})\b`, Flags: "g"},
		// A message of amp/0.1.
		{Kind: KindMessage, Pattern: `\bmsg[_-][0-9]{1,16}[_-][A-Za-z0-9]{1,64}\b`, Flags: "g"},
		{Kind: KindThread, Pattern: `\[thread:([^\]]+)\]`, Flags: "g"},
		{Kind: KindThread, Pattern: `\b[0-9]{4}-[0-9]{2}-[0-9]{2}-[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]`, Flags: "g"},
		// Links made by FormatLink.
		{Kind: KindMessage, Pattern: `\bsignalbox:\/\/message\/[A-Za-z0-9%_.;,-]*[A-Za-z0-9%-]`, Flags: "g"},
		{Kind: KindThread, Pattern: `\bsignalbox:\/\/thread\/[A-Za-z0-9%_.;,-]*[A-Za-z0-9%-]`, Flags: "g"},
		// A branch of git with a slash in its name. Without one it could be any word.
		{Kind: KindBranch, Pattern: `(?:^|[\s"'(<[\x60])([A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9._-]*[A-Za-z0-9_])+)`, Flags: "g"},
	}
}
