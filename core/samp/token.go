package samp

import "strings"

// An id is not signed: anybody can write a message under the id of another one. Whoever
// names a message says its id, or its sender and id, "alice:89f2c0ffee89f2c0".

// Token returns what names a message: its id, with its sender if the id is not made of the
// message and so may be that of another one.
func (f *Found) Token() string {
	if Identify(&f.Record) == FormWrong {
		return f.Chosen()
	}
	return f.Key
}

// Chosen returns what names a message even where another one has its id.
func (f *Found) Chosen() string { return f.From + ":" + f.Key }

// Tokens returns what names each of some messages, that nothing else among them is named by.
func Tokens(messages []Found) []string {
	list, seen := make([]string, len(messages)), make(map[string]int)
	for i := range messages {
		seen[messages[i].Key]++
	}
	for i := range messages {
		if list[i] = messages[i].Key; seen[messages[i].Key] > 1 {
			list[i] = messages[i].Chosen()
		}
	}
	return list
}

// Named returns the messages that a token names: those with an id, else those whose id
// begins with it, else those of a sender. It does not guess between senders: of two with one
// id the one that the id is made of may not be the one that was meant.
func Named(messages []Found, token string) []Found {
	hits := withID(messages, "", token)
	if from, id, ok := strings.Cut(token, ":"); ok && len(hits) == 0 {
		return withID(messages, from, id)
	}
	return hits
}

// withID returns the messages of a sender, or of anybody, with an id or else with one that
// begins so.
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
