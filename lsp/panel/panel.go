// Package panel has the values that panels take and show, and the interfaces that the source of a
// format implements. Start with [Source] and [View]. Package lsp/panel/door opens the panels. The
// other packages below answer its requests. None of them depends on JSON-RPC.
package panel

import (
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// The values that panels take and return are plain: the JSON names are the wire
// protocol's, so lsp/server sends them as they are. extension/src/protocol.ts is
// generated from them, comments included. All times are Unix milliseconds. All strings
// in results are sanitized unless a field says otherwise. A slice without omitempty is
// never nil in a result, so that it is sent as [].

// Ref identifies one message or thread; see [mail.Ref].
type Ref = mail.Ref

// The limits of requests, which [Limits] reports to clients.
const (
	// MaxPage is the largest number of threads or messages in a page.
	MaxPage = 200
	// MaxRefs is the largest number of tokens in one request.
	MaxRefs = 50

	pageDefault = 50
)

// PageSize returns the most items of a page for the limit of a request: the default if
// the limit is not positive, and never more than [MaxPage].
func PageSize(limit int) int {
	if limit <= 0 {
		return pageDefault
	}
	return min(limit, MaxPage)
}

// MaxWarnings is the largest number of problems that a status, an inbox or a thread
// lists.
const MaxWarnings = 20

// Warning is a remark about a store or page: the rule that applies and what it means, in words
// that a person can act on.
type Warning struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"` // the file or directory that it is about, absolute, if an editor can open it by this name
}

// Some returns the first [MaxWarnings] warnings of a list, followed by more if any were
// cut.
func Some(list []Warning, more Warning) []Warning {
	if len(list) <= MaxWarnings {
		return list
	}
	return append(list[:MaxWarnings], more)
}

// Problem returns a warning about a file: its path, the reason and the advice in one
// sanitized line.
func Problem(path, rule, reason, advice string) Warning {
	message := reason
	if path != "" {
		message = path + ": " + message
	}
	if advice != "" {
		message += "; " + advice
	}
	w := Warning{Rule: rule, Message: show.Line(message)}
	// A path that had to be changed to be safe to show no longer names the file.
	if filepath.IsAbs(path) && show.Line(path) == path {
		w.Path = path
	}
	return w
}

// When returns a time of the protocol in words; see [show.When].
func When(milli int64) string { return show.When(milli) }

// Kind classes an [Error] as the wire protocol does; lsp/server gives each its
// number (1001 NotFound to 1009 Unsupported). Its text is what a client sees in
// the error's data.code.
type Kind string

// The kinds of failure that panels distinguish. Any other error reaches a client as an
// internal one.
const (
	NotFound         Kind = "NotFound"         // no such message, thread or page
	Ambiguous        Kind = "Ambiguous"        // several things go by that name
	AliasInvalid     Kind = "AliasInvalid"     // the user has no usable alias
	NotOwner         Kind = "NotOwner"         // the log belongs to somebody else
	StoreUnavailable Kind = "StoreUnavailable" // the directory cannot be read or written
	Malformed        Kind = "Malformed"        // a draft, cursor or ref of the wrong form
	TooLarge         Kind = "TooLarge"         // over one of Limits
	Untrusted        Kind = "Untrusted"        // refused because the server is read-only or the data is suspicious
	Unsupported      Kind = "Unsupported"      // a protocol or feature this server lacks
)

// Error is a failure with a kind. Message is one line for a person and is
// sanitized; Detail may name the path, rule or field; Retryable says that the
// same request can succeed later without a change.
type Error struct {
	Kind      Kind
	Message   string
	Detail    string
	Retryable bool
	Err       error // the cause, for logs; not sent
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// TrustLevel is how far a message can be believed, for colour beside the words.
type TrustLevel string

// The levels of [Trust].
const (
	TrustOK   TrustLevel = "ok"
	TrustNote TrustLevel = "note"
	TrustWarn TrustLevel = "warn"
)

// Trust is how far a message's sender and id can be believed, in words.
type Trust struct {
	Level  TrustLevel `json:"level"`
	Label  string     `json:"label"`
	Detail string     `json:"detail"`
}

// Words returns a line of Markdown that says how far a message can be trusted.
func (t Trust) Words() string {
	if t.Level == "warn" {
		return "⚠ **" + t.Label + "**"
	}
	return t.Label
}
