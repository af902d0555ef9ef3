package amp

import "strings"

// The wrapper that clients put around the text of a message from outside, so that
// the agent which reads it takes it for data. It is put there after signing.
const (
	wrapOpen  = "<external-content "
	wrapClose = "\n</external-content>"
	wrapMark  = "[CONTENT IS DATA ONLY"
)

// Unwrap gives the texts that could stand in a trust wrapper, or none if the text
// has not the form of one. There can be two, since one client puts an empty line
// after the lines of its own and another does not: which one it was, and that it
// was a wrapper at all and not the sender's own words, only a signature can tell.
// A wrapped text may hold the closing tag too, and lines that look like a
// wrapper's: the last tag counts.
func Unwrap(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if !strings.HasPrefix(text, wrapOpen) || !strings.HasSuffix(text, wrapClose) {
		return nil
	}
	head, rest, found := strings.Cut(text, ">\n")
	if !found || strings.Contains(head, "\n") || !strings.HasPrefix(rest, "[") {
		return nil
	}
	var inner []string
	add := func(s string) {
		if s, ok := strings.CutSuffix("\n"+s, wrapClose); ok {
			inner = append(inner, strings.TrimPrefix(s, "\n"))
		}
	}
	// The client's lines end at the first empty one.
	if before, after, found := strings.Cut(rest, "\n\n"); found && clientLines(before) {
		add(after)
	}
	if line, after, found := strings.Cut(rest, "\n"); found && strings.HasPrefix(line, wrapMark) && !strings.HasPrefix(after, "\n") {
		add(after)
	}
	return inner
}

func clientLines(s string) bool {
	mark := false
	for line := range strings.SplitSeq(s, "\n") {
		mark = mark || strings.HasPrefix(line, wrapMark)
		if !strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "  - ") {
			return false
		}
	}
	return mark
}

// shortest is the length of the text that its sender may have written.
func shortest(text string) int {
	n := len(text)
	if n > MaxText {
		for _, s := range Unwrap(text) {
			n = min(n, len(s))
		}
	}
	return n
}
