package samp

import "strings"

// An id is not signed: anybody can write a message with the id of another one. A token that
// identifies a message is therefore its id or, where needed, its sender and id:
// "alice:89f2c0ffee89f2c0".

// Token returns the token of a message: its id, with its sender if the id was not computed from
// the message and so may belong to another one.
func (f *Found) Token() string {
	if Identify(&f.Record) == FormWrong {
		return f.FullToken()
	}
	return f.Key
}

// FullToken returns the token that is unique even if another sender's message has the same
// id.
func (f *Found) FullToken() string { return f.From + ":" + f.Key }

// Tokens returns a token for each message that matches no other message in the list.
func Tokens(messages []Found) []string {
	list, seen := make([]string, len(messages)), make(map[string]int)
	for i := range messages {
		seen[messages[i].Key]++
	}
	for i := range messages {
		if list[i] = messages[i].Key; seen[messages[i].Key] > 1 {
			list[i] = messages[i].FullToken()
		}
	}
	return list
}

// Matches returns the messages that a token identifies. The first kind with a match wins:
// messages with that id, messages whose id begins with it, or the same two for a token with a
// sender. Matches does not guess between senders: if two messages have the same id, the one whose
// content gives that id may not be the one that was meant.
func Matches(messages []Found, token string) []Found {
	hits := withID(messages, "", token)
	if from, id, ok := strings.Cut(token, ":"); ok && len(hits) == 0 {
		return withID(messages, from, id)
	}
	return hits
}

// withID returns the messages with that id, or if there is none, those whose id begins with it.
// It looks at one sender's messages only, unless from is empty.
func withID(messages []Found, from, id string) (hits []Found) {
	var begun []Found
	for i := range messages {
		switch m := &messages[i]; {
		case from != "" && m.From != from:
		case m.Key == id:
			hits = append(hits, *m)
		case strings.HasPrefix(m.Key, id):
			begun = append(begun, *m)
		}
	}
	if len(hits) == 0 {
		return begun
	}
	return hits
}
