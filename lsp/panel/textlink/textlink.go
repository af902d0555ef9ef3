// Package textlink finds the mentions of messages, threads and branches in a text. Start
// with [In].
package textlink

import (
	"cmp"
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/mention"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// linkText is how many bytes of a text are searched for links. linksMost is the
	// largest number of links returned.
	linkText  = 1 << 20
	linksMost = 2000
)

// Link is a token in a text that stands for something. Start and End are byte offsets.
type Link struct {
	Start, End  int
	Token, Kind string
}

// In returns the known tokens of a text, in order. A token must match one of
// [mail.LinkPatterns], and known must report that it stands for something. In searches
// the first linkText bytes and returns at most linksMost links.
func In(ctx context.Context, text string, known func(token string) bool) ([]Link, error) {
	text, _ = show.Clip(text, linkText)
	known = memoized(known)
	found := []Link{}
	for from, to := range candidates(text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, re := range linkForms() {
			if !strings.Contains(text[from:to], required()[i].part) {
				continue
			}
			for _, m := range re.FindAllStringSubmatchIndex(text[from:to], -1) {
				start, end := from+m[len(m)-2], from+m[len(m)-1]
				if known(text[start:end]) {
					found = append(found, Link{start, end, text[start:end], required()[i].kind})
				}
			}
		}
		if len(found) >= 2*linksMost {
			break
		}
	}
	// If two links overlap, the one that begins first stays, or the longer one if both begin at
	// the same place.
	slices.SortStableFunc(found, func(a, b Link) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	kept := found[:0]
	for _, l := range found {
		if len(kept) < linksMost && (len(kept) == 0 || l.Start >= kept[len(kept)-1].End) {
			kept = append(kept, l)
		}
	}
	return kept, ctx.Err()
}

// memoized returns a function that calls known once for each token, and stores the answers.
func memoized(known func(token string) bool) func(token string) bool {
	answers := make(map[string]bool)
	return func(token string) bool {
		answer, ok := answers[token]
		if !ok {
			answer = known(token)
			answers[token] = answer
		}
		return answer
	}
}

// linkForms returns the compiled link patterns.
var linkForms = sync.OnceValue(func() []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, p := range mail.LinkPatterns() {
		list = append(list, regexp.MustCompile(p.Pattern))
	}
	return list
})

// requirement is a part that a text must contain for a pattern to match, and the pattern's kind.
type requirement struct{ part, kind string }

// required returns the requirements of the link patterns, in their order. They rule out most words
// without a regular expression, which would be slow over whole texts.
var required = sync.OnceValue(func() []requirement {
	var list []requirement
	for _, p := range mail.LinkPatterns() {
		n := requirement{kind: p.Kind}
		switch has := func(s string) bool { return strings.Contains(p.Pattern, s) }; {
		case has("signalbox:"):
			n.part = "signalbox:"
		case has(`\[thread:`):
			n.part = "[thread:"
		case has("T-["):
			n.part = "T-"
		case has("msg["):
			n.part = "msg"
		case p.Kind == "branch":
			n.part = "/"
		case has("}-["):
			n.part = "-"
		}
		list = append(list, n)
	}
	return list
})

// candidates yields the start and end of each word that may be a link. The range
// includes one character on either side, because the patterns check where a word begins
// and ends.
func candidates(text string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for at := 0; at < len(text); {
			if text[at] == '[' && strings.HasPrefix(text[at:], "[thread:") {
				line := cmp.Or(strings.IndexAny(text[at:], "]\n")+1, len(text)-at)
				if !yield(at, at+line) {
					return
				}
				at += len("[thread:")
				continue
			}
			end, hint := at, false
			for ; end < len(text) && linkChars[text[end]]; end++ {
				hint = hint || text[end] == '/' || '0' <= text[end] && text[end] <= '9'
			}
			// An id of 16 hexadecimal digits may have only letters.
			if size := end - at; size >= shortestLink && (hint || size >= 16) && !yield(max(0, at-1), min(len(text), end+1)) {
				return
			}
			at = end + 1
			if end > 0 && end < len(text) && text[end] == '[' {
				at = end // "[" may begin "[thread:"
				if !strings.HasPrefix(text[end:], "[thread:") {
					at++
				}
			}
		}
	}
}

// shortestLink is the length of the shortest mention: a branch such as "a/b".
const shortestLink = 3

// linkChars marks the bytes that links consist of.
var linkChars = func() (table [256]bool) {
	for c := range table {
		table[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_.:/%;,-", rune(c))
	}
	return table
}()

// Mentions returns the places where a text contains a token as a whole word, in order, at most
// limit. If token is an address, it searches for the token in the address.
func Mentions(text, token string, limit int) (list []Link) {
	if _, name, ok := mail.ParseLink(token); ok {
		token = name
	}
	word, ok := mention.Of(token)
	if !ok {
		return nil
	}
	for _, at := range word.InText(text, limit) {
		list = append(list, Link{Start: at[0], End: at[1], Token: token})
	}
	return list
}
