package documents

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/agn"
)

const (
	// tokenReach is how many bytes on either side of the pointer are searched,
	// since lines of minified files are huge.
	tokenReach = 512
	// maxToken is the longest token that is looked up, in bytes.
	maxToken = 256
	// idDigits is the length of a SAMP id (spec §2).
	idDigits = 16
)

// Token is a piece of a line that may name a message or thread.
type Token struct {
	Text       string
	Start, End int  // bytes within the line
	Part       bool // it is part of a longer path or name
}

// TokensAt returns the tokens of a line that cover an offset or end at it, most likely
// first. An id is a word of its own. A thread's name may be any text without spaces, so
// longer tokens come first. The panel decides which tokens are known.
func TokensAt(line string, offset int) []Token {
	from, to := max(0, offset-tokenReach), min(len(line), offset+tokenReach)
	for from > 0 && from < offset && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > offset && !utf8.RuneStart(line[to]) {
		to--
	}
	var found []Token
	add := func(start, end int) {
		t := Token{Text: line[start:end], Start: start, End: end, Part: isPart(line, start, end)}
		if start < end && start <= offset && offset <= end && end-start <= maxToken && !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	run := func(start, end int, in func(rune) bool) (int, int) {
		left := strings.LastIndexFunc(line[start:offset], func(r rune) bool { return !in(r) })
		if left >= 0 {
			_, size := utf8.DecodeRuneInString(line[start+left:])
			start += left + size
		}
		if right := strings.IndexFunc(line[offset:end], func(r rune) bool { return !in(r) }); right >= 0 {
			end = offset + right
		}
		return start, end
	}

	if start, end := run(from, to, isWord); isID(line[start:end]) {
		add(start, end)
	}
	start, end := run(from, to, func(r rune) bool { return !unicode.IsSpace(r) })
	add(start, end)
	add(trimMarks(line, start, end))
	// [thread:name] is how a body names its thread (spec §4).
	if name, ok := strings.CutPrefix(strings.TrimLeft(line[start:end], "[("), "thread:"); ok {
		at := start + strings.Index(line[start:end], "thread:") + len("thread:")
		add(trimMarks(line, at, at+len(name)))
	}
	start, end = run(start, end, func(r rune) bool { return !strings.ContainsRune("\"'`()[]{}<>,;|*=", r) })
	add(start, end)
	start, end = trimMarks(line, start, end)
	add(start, end)
	if i := strings.LastIndexAny(line[start:end], ":/#@"); i >= 0 {
		add(start+i+1, end) // "thread:name", "path/name"
	}
	// The id of a task of AMP/1.0 or of its message, including ids in names of files or subtasks.
	start, end = run(from, to, func(r rune) bool { return r == '-' || isWord(r) })
	add(start, end)
	add(start, start+taskPrefix(line[start:end]))
	return found
}

// isPart reports whether a word or name continues on either side of a token.
func isPart(line string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:start])
	after, _ := utf8.DecodeRuneInString(line[end:])
	return start > 0 && (isWord(before) || strings.ContainsRune("/-.\\", before)) || end < len(line) && (isWord(after) || strings.ContainsRune("/-\\", after))
}

// taskPrefix returns the length of the task id at the beginning of a word, or 0.
func taskPrefix(word string) int {
	at := 0
	for range 3 {
		next := strings.IndexByte(word[at:], '-')
		if next < 0 {
			return 0
		}
		at += next + 1
	}
	if !agn.ValidTaskID(word[:at-1]) {
		return 0
	}
	return at - 1
}

// isID reports whether a word is a SAMP id in its written form.
func isID(word string) bool {
	return len(word) == idDigits && strings.Trim(word, "0123456789abcdef") == ""
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// trimMarks removes punctuation and markup around a word.
func trimMarks(line string, start, end int) (int, int) {
	s := strings.TrimLeft(line[start:end], "\"'`([{<*_~|")
	start = end - len(s)
	s = strings.TrimRight(s, "\"'`)]}>*_~|.,;:!?")
	return start, start + len(s)
}
