package client

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Mode is how much of an inbox is asked for. The zero value is what the
// watermark lets through.
type Mode struct{ text string }

// Default shows what the watermark lets through, and moves it.
func Default() Mode { return Mode{} }

// All shows everything.
func All() Mode { return Mode{"all"} }

// Raw shows everything, and every message's line with it.
func Raw() Mode { return Mode{"raw"} }

// Newest shows the newest n messages. The module refuses an n below 1.
func Newest(n int) Mode { return Mode{strconv.Itoa(n)} }

// MarshalJSON writes the mode as the op takes it.
func (m Mode) MarshalJSON() ([]byte, error) {
	switch m.text {
	case "":
		return []byte(`"default"`), nil
	case "all", "raw":
		return json.Marshal(m.text)
	}
	return []byte(m.text), nil
}

// InboxQuery asks for one reader's mail.
type InboxQuery struct {
	// Me is the reader's alias.
	Me      string
	Profile Profile
	Mode    Mode
	// Watermark is nil for a reader who has none.
	Watermark *Watermark
	// Now is the time in Unix seconds, which the watermark never passes.
	Now int64
	// SkipForms leaves [Message.Form] empty and saves the hashing for it.
	SkipForms bool
	Logs      []Log
}

// Message is a record and where it was found.
type Message struct {
	// ID is the effective id.
	ID string
	// TS is in Unix seconds.
	TS int64
	// From, To, Thread and Body are a stranger's text.
	From, To, Thread, Body string
	// Log is the log's file name and Offset the line's first byte in it.
	Log    string
	Offset int64
	// Filing is "own", "copied" or "misfiled", and Form what the stored id
	// turned out to be.
	Filing, Form string
	// Raw is the line without its end, in the raw mode only.
	Raw string
}

// Inbox is one reader's mail out of many logs.
type Inbox struct {
	// Messages are sorted by time, then log, then line. Suspicious are
	// records in somebody else's log that their sender never wrote.
	Messages, Suspicious []Message
	// Older counts what the watermark hides because of its time alone,
	// Replicas records that stood in several places, Lines those that are
	// not blank and Malformed those of them that were found to be no record.
	Older, Replicas, Lines, Malformed int64
	// Watermark is what to store after the messages were shown, or nil.
	Watermark *Watermark
	// Logs are sorted by name.
	Logs []Scan
}

// Scan is what reading one log came to. Complete is its length in bytes up to
// the last line end.
type Scan struct {
	Name                       string
	Lines, Malformed, Complete int64
}

// Inbox filters a directory's logs.
func (s SAMP) Inbox(ctx context.Context, q InboxQuery) (Inbox, error) {
	var box Inbox
	list, data, err := join(abi.SAMPInbox, q.Logs)
	if err = cmp.Or(err, checkText(abi.SAMPInbox, q.Me)); err != nil {
		return box, err
	}
	return box, s.decode(ctx, &box, abi.SAMPInbox, struct {
		Me        string      `json:"me"`
		Profile   Profile     `json:"profile"`
		Mode      Mode        `json:"mode"`
		Forms     bool        `json:"forms"`
		Watermark *Watermark  `json:"watermark"`
		Now       int64       `json:"now"`
		Logs      []logLength `json:"logs"`
	}{q.Me, q.Profile.orDefault(), q.Mode, !q.SkipForms, q.Watermark, q.Now, list}, data)
}

// ReplyQuery asks for the draft of a reply.
type ReplyQuery struct {
	// Me is the writer's alias.
	Me      string
	Body    string
	Profile Profile
	// TS is the reply's time in Unix seconds.
	TS int64
	// ToID names the message to answer; empty means the newest.
	ToID string
	Logs []Log
}

// Draft is a reply that is ready to be appended.
type Draft struct {
	// Target is the message that is answered. It is nil where Tied lists
	// several to choose from, and for an empty inbox.
	Target *Message
	Tied   []Message
	// ID is the new record's, and Line the record with its line end, to be
	// appended to the log of the writer.
	ID, Line string
}

// Reply drafts a reply.
func (s SAMP) Reply(ctx context.Context, q ReplyQuery) (Draft, error) {
	var d Draft
	list, data, err := join(abi.SAMPReply, q.Logs)
	if err = cmp.Or(err, checkText(abi.SAMPReply, q.Me, q.Body, q.ToID)); err != nil {
		return d, err
	}
	return d, s.decode(ctx, &d, abi.SAMPReply, struct {
		Me      string      `json:"me"`
		Body    string      `json:"body"`
		TS      int64       `json:"ts"`
		Profile Profile     `json:"profile"`
		ToID    string      `json:"to_id,omitempty"`
		Logs    []logLength `json:"logs"`
	}{q.Me, q.Body, q.TS, q.Profile.orDefault(), q.ToID, list}, data)
}
