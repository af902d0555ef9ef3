package client

import (
	"cmp"
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// ThreadsQuery asks for the threads of a directory.
type ThreadsQuery struct {
	// Me leaves only mail to one reader. Empty means all mail.
	Me      string
	Profile Profile
	// Limit is how many threads are listed, or 0 for [abi.DefaultFindings].
	Limit int64
	Logs  []Log
}

// MessageThread are the messages of one thread of SAMP.
type MessageThread struct {
	// Thread is its name.
	Thread string
	// Count is that of the messages, each counted once.
	Count int64
	// First is the time of the oldest, in Unix seconds.
	First int64
	// Parties are all who wrote or got one, in order.
	Parties []string
	// Last is the newest.
	Last Message
}

// MessageThreads are those of a directory, that with the newest message first.
type MessageThreads struct {
	Threads []MessageThread
	// More counts the threads beyond the limit, Suspicious the records that are in
	// none since somebody else may have forged them, Replicas those that stood in
	// several places.
	More, Suspicious, Replicas int64
	// Lines and Malformed count those of the logs.
	Lines, Malformed int64
}

// Threads groups the messages of a directory.
func (s SAMP) Threads(ctx context.Context, q ThreadsQuery) (MessageThreads, error) {
	var r MessageThreads
	if err := checkText(abi.SAMPThreads, q.Me); err != nil {
		return r, err
	}
	list, data, err := join(abi.SAMPThreads, q.Logs)
	if err != nil {
		return r, err
	}
	return r, s.decode(ctx, &r, abi.SAMPThreads, struct {
		Me      string      `json:"me,omitempty"`
		Profile Profile     `json:"profile"`
		Limit   int64       `json:"limit"`
		Logs    []logLength `json:"logs"`
	}{q.Me, q.Profile.orDefault(), cmp.Or(q.Limit, abi.DefaultFindings), list}, data)
}
