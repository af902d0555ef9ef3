package mail

import (
	"iter"
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
)

// The kinds of [LinkPattern] and [Mention].
const (
	KindMessage = "message"
	KindThread  = "thread"
	// KindBranch is a branch of git, and means the threads of its worktree. Only
	// patterns find it.
	KindBranch = "branch"
)

// Mention is a place in a text that may name a message or a thread. As with
// [LinkPatterns], it is a mention only if it is in the index.
type Mention struct {
	// Kind is KindMessage or KindThread.
	Kind string
	// Offset and Length are the place of Token in the text, in bytes.
	Offset, Length int
	// Token is the name or id.
	Token string
}

// Mentions yields the matches of [LinkPatterns], ordered by offset; a thread's name in
// brackets comes before anything else at the same place. It leaves out branches: any
// path looks like one, and only git can tell. It uses no regular expressions, since
// package regexp would be a seventh of the module, and reads the text once, so its time
// is linear in the text. The text may be any bytes.
func Mentions(text string) iter.Seq[Mention] {
	return func(yield func(Mention) bool) {
		f := finder{text: text}
		inWord := false
		for i := range len(text) {
			c := text[i]
			if c == '[' {
				inWord = false
				if !f.bracket(i, yield) {
					return
				}
				continue
			}
			begins := !inWord
			inWord = word(c)
			if begins && inWord && !f.at(i, yield) {
				return
			}
		}
	}
}

// finder holds the ends of the last matches. It does so for patterns whose matches could
// overlap, which they must not.
type finder struct {
	text                    string
	tagEnd, dayEnd, mailEnd int
	// messageEnd and threadEnd are the ends of the last links to a message and to a thread.
	messageEnd, threadEnd int
	// unclosed is set if the rest of the text has no closing bracket.
	unclosed bool
}

const threadTag = "[thread:"

// bracket looks for "[thread:name]".
func (f *finder) bracket(i int, yield func(Mention) bool) bool {
	if i < f.tagEnd || f.unclosed || !strings.HasPrefix(f.text[i:], threadTag) {
		return true
	}
	start := i + len(threadTag)
	n := strings.IndexByte(f.text[start:], ']')
	if n < 0 {
		f.unclosed = true
		return true
	}
	if n == 0 {
		return true
	}
	f.tagEnd = start + n + 1
	return yield(Mention{KindThread, start, n, f.text[start : start+n]})
}

// at looks for mentions that begin with the word at i. Its first letter rules most of them out.
func (f *finder) at(i int, yield func(Mention) bool) bool {
	rest := f.text[i:]
	kind, n := KindMessage, 0
	switch c := rest[0]; {
	case c == 'm':
		if i >= f.mailEnd {
			n = signedMail(rest)
			f.mailEnd = i + n
		}
	case c == 'T':
		// A task is not joined to a name before it.
		if kind = KindThread; i == 0 || f.text[i-1] != '-' {
			n = task(rest)
		}
		if n > 0 && !boundary(rest, n) {
			n = 0
		}
	case c == 's':
		kind, n = f.link(i)
	case c == 't' || c == 'r' || c == 'e' && strings.HasPrefix(rest, "es"):
		n = taskMessage(rest)
	case names.Hexadecimal(c):
		if n = sampID(rest); n == 0 {
			kind, n = KindThread, uuid(rest)
		}
	}
	if n > 0 && !yield(Mention{kind, i, n, rest[:n]}) {
		return false
	}
	if names.Digit(rest[0]) && i >= f.dayEnd {
		if n := derivedThread(rest); n > 0 {
			f.dayEnd = i + n
			return yield(Mention{KindThread, i, n, rest[:n]})
		}
	}
	return true
}

// link returns the kind and length of a link by [FormatLink] at i, or "" and 0.
func (f *finder) link(i int) (kind string, length int) {
	s := f.text[i:]
	rest, ok := strings.CutPrefix(s, LinkScheme+"://")
	if !ok {
		return "", 0
	}
	kind, rest, _ = strings.Cut(rest, "/")
	end := &f.threadEnd
	if kind == LinkMessage {
		end = &f.messageEnd
	} else if kind != LinkThread {
		return "", 0
	}
	n := run(rest, len(rest), func(c byte) bool {
		return word(c) || strings.IndexByte("%.;,-", c) >= 0
	})
	// Punctuation that ends a sentence is not part of the link.
	n = len(strings.TrimRight(rest[:n], "_.;,"))
	if n == 0 || i < *end {
		return "", 0
	}
	length = len(s) - len(rest) + n
	*end = i + length
	return kind, length
}

// The following functions return the length of a token at the start of s, or 0.

// sampID matches a record's id: 16 hexadecimal digits without capitals.
func sampID(s string) int {
	const length = 16
	if run(s, length+1, lowerHex) != length || !boundary(s, length) {
		return 0
	}
	return length
}

func uuid(s string) int {
	at := 0
	for i, n := range [...]int{8, 4, 4, 4, 12} {
		if i > 0 {
			if at == len(s) || s[at] != '-' {
				return 0
			}
			at++
		}
		if run(s[at:], n, names.Hexadecimal) != n {
			return 0
		}
		at += n
	}
	if !boundary(s, at) {
		return 0
	}
	return at
}

// taskMessage matches the id of a message of AMP/1.0.
func taskMessage(s string) int {
	for _, kind := range [...]string{"task_dispatch-", "task_result-", "review_request-", "review_verdict-", "escalation-"} {
		if !strings.HasPrefix(s, kind) {
			continue
		}
		at := len(kind)
		n := task(s[at:])
		at += n
		if n == 0 || at == len(s) || s[at] != '-' {
			return 0
		}
		at++
		if n = run(s[at:], 17, names.Digit); n == 0 || n > 16 || !boundary(s, at+n) {
			return 0
		}
		return at + n
	}
	return 0
}

// task matches a task's id without a digit after it.
func task(s string) int {
	const head = len("T-2026-")
	if len(s) < head || s[:2] != "T-" || run(s[2:], 5, names.Digit) != 4 || s[head-1] != '-' {
		return 0
	}
	n := run(s[head:], 10, names.Digit)
	if n < 3 || n > 9 {
		return 0
	}
	return head + n
}

// signedMail matches the id of a message of amp/0.1.
func signedMail(s string) int {
	if !strings.HasPrefix(s, "msg") || len(s) < 4 || !joint(s[3]) {
		return 0
	}
	n := run(s[4:], 17, names.Digit)
	at := 4 + n
	if n == 0 || n > 16 || at == len(s) || !joint(s[at]) {
		return 0
	}
	at++
	n = run(s[at:], 65, names.Alphanumeric)
	if n == 0 || n > 64 || !boundary(s, at+n) {
		return 0
	}
	return at + n
}

// derivedThread matches a name that SAMP derives for a thread: a day and words.
func derivedThread(s string) int {
	at := 0
	for _, n := range [...]int{4, 2, 2} {
		if run(s[at:], n, names.Digit) != n || at+n == len(s) || s[at+n] != '-' {
			return 0
		}
		at += n + 1
	}
	if at == len(s) || !names.Alphanumeric(s[at]) {
		return 0
	}
	end := at + run(s[at:], len(s)-at, func(c byte) bool { return names.Alphanumeric(c) || c == '.' || c == '_' || c == '-' })
	for !names.Alphanumeric(s[end-1]) {
		end--
	}
	if end-at < 2 {
		return 0
	}
	return end
}

// run counts the bytes at the start of s for which is holds, at most limit of them.
func run(s string, limit int, is func(c byte) bool) int {
	n := 0
	for n < len(s) && n < limit && is(s[n]) {
		n++
	}
	return n
}

// boundary reports whether no word continues at n.
func boundary(s string, n int) bool { return n == len(s) || !word(s[n]) }

func word(c byte) bool     { return names.Alphanumeric(c) || c == '_' }
func joint(c byte) bool    { return c == '_' || c == '-' }
func lowerHex(c byte) bool { return names.Digit(c) || 'a' <= c && c <= 'f' }
