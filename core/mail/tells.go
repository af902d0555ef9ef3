package mail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxTells is the length in bytes of the longest text that may say no more than thanks or
// that something is done. A longer one has something to say.
const maxTells = 400

// TellsOnly reports whether a message wants no reply: it says thanks, that something is done,
// or that it is for information, and asks for nothing. Of a text that is not understood it is
// false, so that nothing which waits for an answer is passed over. The cases that people found
// are in testdata/tells.txt. The text may be any bytes.
func TellsOnly(text string) bool {
	text = strings.TrimSpace(text)
	head := text[:min(len(text), maxTells)]
	informs := begins(firstWords(head), "fyi", "for your information", "for information", "for the record")
	if !informs && len(text) > maxTells || wants(text) {
		return false
	}
	lower := strings.ToLower(head)
	return informs || slices.ContainsFunc(excused(), func(s string) bool { return strings.Contains(lower, s) }) || closes(lower)
}

// firstWords returns the beginning of a text in lower case, without signs before it.
func firstWords(text string) string {
	return strings.ToLower(strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// begins reports whether a text begins with one of some words.
func begins(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(s string) bool {
		rest, ok := strings.CutPrefix(text, s)
		return ok && (rest == "" || !unicode.IsLetter(rune(rest[0])))
	})
}

// excused are phrases by which a writer says that no reply is wanted.
func excused() []string {
	return []string{
		"no reply needed", "no reply necessary", "no reply required", "no need to reply", "no need to answer", "no answer needed",
		"no action needed", "no action required", "nothing for you to do", "just letting you know", "just so you know",
	}
}

// wants reports whether a text asks for something, by signs that need no understanding.
func wants(text string) bool {
	tail := strings.ToLower(text[max(0, len(text)-askedIn):])
	for _, phrase := range excused() {
		tail = strings.ReplaceAll(tail, phrase, "")
	}
	return strings.Contains(tail, optionMark) || slices.ContainsFunc(slices.Concat(questionMarks(), []string{
		"please", "can you", "could you", "would you", "will you", "let me know", "tell me", "need you", "needs you", "need your", "you need",
		"you should", "you must", "you have to", "want you", "i need", "we need", "waiting for you", "wait for you", "when you can", "asap", "urgent",
	}), func(s string) bool { return strings.Contains(tail, s) })
}

// closes reports whether a text, in lower case, ends a conversation: each part of it says
// thanks or that something is done, or begins as a statement does.
func closes(lower string) bool {
	for _, phrase := range []string{"no problem", "no errors", "not needed", "got it", "will do", "sounds good", "you're welcome", "you’re welcome"} {
		lower = strings.ReplaceAll(lower, phrase, "ok")
	}
	if sign := strings.TrimSpace(lower); sign == "+1" || !strings.ContainsFunc(sign, isWord) && strings.ContainsFunc(sign, isEmoji) {
		return true
	}
	closed := false
	parts := strings.FieldsFunc(strings.ReplaceAll(lower, ". ", "\n"), func(r rune) bool { return strings.ContainsRune("\n,;!—–:", r) })
	for i, part := range parts {
		words := strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' })
		if len(words) == 0 {
			continue
		}
		if i == 0 && strings.HasPrefix(lower[len(part):], ":") {
			continue // a label
		}
		done := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(closing(), w) })
		known := slices.Contains(stating(), words[0]) || slices.Contains(closing(), words[0])
		short := len(words) <= maxShort && slices.Contains(closing(), words[len(words)-1]) && !slices.Contains(orders(), words[0])
		if slices.ContainsFunc(words, trouble) || !known && !short {
			return false
		}
		closed = closed || done
	}
	return closed
}

// maxShort is how many words a part has at most that begins in no known way: "login page fixed".
const maxShort = 4

func isEmoji(r rune) bool { return r > 0x2000 && r != utf8.RuneError && unicode.IsSymbol(r) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// closing are words that say thanks, consent, or that something is done.
func closing() []string {
	return []string{
		"thanks", "thank", "thx", "ty", "cheers", "danke", "merci", "gracias", "great", "perfect", "nice", "cool", "ok", "okay", "noted", "understood",
		"agreed", "ack", "acknowledged", "roger", "received", "lgtm",
		"done", "fixed", "finished", "completed", "complete", "merged", "pushed", "deployed", "released", "shipped", "closed", "added", "updated",
		"committed", "rebased", "resolved", "renamed", "removed", "reverted", "published", "passed", "pass", "passes", "green", "erledigt", "fertig",
	}
}

// stating are words with which a part of such a text goes on.
func stating() []string {
	return []string{
		"i", "i'm", "i’m", "i'll", "i’ll", "i've", "i’ve", "we", "we'll", "we’ll", "it", "it's", "it’s", "its", "that", "that's", "that’s", "this", "these",
		"the", "all", "both", "everything", "nothing", "no", "on", "in", "as", "for", "to", "from", "with", "my", "our", "working", "so", "tests",
	}
}

// orders are words that ask somebody to do something where they begin a part.
func orders() []string {
	return []string{
		"fix", "use", "make", "run", "rerun", "change", "look", "send", "give", "take", "try", "do", "don't", "keep", "stop", "start", "move", "see",
		"test", "check", "review", "confirm", "decide", "choose", "approve", "reply", "answer", "help", "tell", "ask", "mark", "get", "have", "ensure", "verify",
		"merge", "rebase", "push", "pull", "deploy", "close", "open", "update", "add", "remove", "write", "read", "let", "wait", "go", "call", "rename",
	}
}

// trouble reports whether a word says that not all is well.
func trouble(w string) bool {
	switch w {
	case "but", "however", "except", "unless", "unsure", "fail", "fails", "failing", "failed", "error", "errors", "broken", "breaks", "crash", "crashes",
		"stuck", "blocked", "missed", "missing", "wrong", "cannot", "not", "never", "yet", "still", "problem", "problems", "need", "needs", "should", "must", "unclear", "instead":
		return true
	}
	return strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t")
}
