package mail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxClosing is the length in bytes of the longest text that may contain only thanks, or only
// that something is done. We assume that a longer text has more content.
const maxClosing = 400

// maxRead is how many bytes of a text are read, half of them at each end.
const maxRead = 2 << 10

// Want is the reaction that a message wants from its reader.
type Want uint8

// The reactions that a message may want.
const (
	// Unsure is for a text that is not understood.
	Unsure Want = iota
	// Nothing is for thanks, reports that something is done, and information.
	Nothing
	// Reply is for a text that asks for something without a question that [Asked] finds.
	Reply
	// Answer is for a text with such a question.
	Answer
)

// WantOf returns the Want of a message. Requests take precedence: a text that thanks and asks
// wants a reply. The cases that people found are in testdata/wants.txt. The text may be any
// bytes.
func WantOf(text string) Want {
	if _, asks := Asked(text); asks {
		return Answer
	}
	if len(text) > maxRead {
		text = text[:maxRead/2] + "\n" + text[len(text)-maxRead/2:]
	}
	text = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(ownWords(text))), "’", "'")
	if strings.Contains(text, optionMark) || slices.ContainsFunc(questionMarks(), func(mark string) bool { return strings.Contains(text, mark) }) {
		return Reply
	}
	if text == "+1" || !strings.ContainsFunc(text, isWord) && strings.ContainsFunc(text, isEmoji) {
		return Nothing
	}
	r := reading{allClosing: true}
	rest := text
	for rest != "" && !r.asks {
		var part string
		at := len(text) - len(rest)
		part, rest = cutPart(rest)
		r.add(part, at, strings.HasPrefix(text[at+len(part):], ":"))
	}
	switch {
	case r.asks:
		return Reply
	case r.informs && (r.mayAsk || r.blocked):
		return Unsure
	case r.informs, len(text) <= maxClosing && (r.excused || r.allClosing && r.closed):
		return Nothing
	case r.mayAsk:
		return Reply
	}
	return Unsure
}

// cutPart cuts the first part of a text that may be a sentence.
func cutPart(text string) (part, rest string) {
	for i, r := range text {
		switch r {
		case '\n', ',', ';', '!', ':', '—', '–', '。', '！':
			return text[:i], text[i+utf8.RuneLen(r):]
		case '.':
			if strings.HasPrefix(text[i:], ". ") {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// reading is the result of reading the parts of a text so far.
type reading struct {
	// asks is set if the text surely asks for something. mayAsk is set if a part near its
	// beginning tells somebody to do something, or asks without a question mark.
	asks, mayAsk bool
	// informs is set if the text is for information, excused if no reply is wanted, and
	// blocked if its writer cannot go on.
	informs, excused, blocked bool
	// allClosing is set as long as each part gives thanks, reports that something is done, or
	// begins as a statement does. closed is set if a part has a word of thanks or of an end.
	allClosing, closed bool
	words              []string
}

// add reads the next part, which begins at a position of the text. A label ends in a colon.
func (r *reading) add(part string, at int, label bool) {
	r.words = r.words[:0]
	for w := range strings.FieldsFuncSeq(part, func(c rune) bool { return !unicode.IsLetter(c) && c != '\'' }) {
		r.words = append(r.words, w)
	}
	if at == 0 {
		r.cutInformation()
	}
	if r.cutPhrases(); r.asks || len(r.words) == 0 || at > maxClosing {
		return
	}
	r.blocked = r.blocked || slices.ContainsFunc(r.words, func(w string) bool { return w == "blocked" || w == "stuck" })
	r.closed = r.closed || closing.any(r.words)
	switch {
	case label && at == 0 && !trouble.any(r.words):
	case mayAsk(r.words):
		r.mayAsk, r.allClosing = true, false
	default:
		r.allClosing = r.allClosing && isStatement(r.words)
	}
}

// cutInformation sets informs and cuts the phrase if the text begins with one for information.
func (r *reading) cutInformation() {
	words := r.words
	for len(words) > 0 && slices.Contains([]string{"just", "quick", "as", "a", "an", "nur", "only"}, words[0]) {
		words = words[1:]
	}
	if _, n := match(words, informations); n > 0 {
		r.informs, r.words = true, words[n:]
	}
}

// cutPhrases removes the known phrases from the words, and notes their meanings.
func (r *reading) cutPhrases() {
	kept := r.words[:0]
	for i := 0; i < len(r.words); {
		means, n := match(r.words[i:], phrases)
		switch means {
		case courtesy:
			i = len(r.words)
		case request:
			r.asks = true
			return
		case excuse:
			r.excused = true
		case consent:
			kept = append(kept, "ok")
		case blank:
		default:
			kept, n = append(kept, r.words[i]), 1
		}
		i += n
	}
	r.words = kept
}

// match returns the meaning of the table's phrase at the start of words, and the number of its
// words, or 0 and 0 if there is none.
func match(words []string, table func(first string) string) (means byte, length int) {
	if len(words) == 0 {
		return 0, 0
	}
	for list := table(words[0]); list != ""; {
		phrase, more, _ := strings.Cut(list, "|")
		n, fits := 1, true
		for w := range strings.FieldsSeq(phrase[1:]) {
			if fits = n < len(words) && words[n] == w; !fits {
				break
			}
			n++
		}
		if fits {
			return phrase[0], n
		}
		list = more
	}
	return 0, 0
}

// any reports whether one of the words may be of class c.
func (c class) any(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return classOf(w)&c != 0 })
}

// mayAsk reports whether a part tells somebody to do something, or asks without a question mark.
// A report that something is done may begin with the same words: "check passed".
func mayAsk(words []string) bool {
	for len(words) > 1 && slices.Contains([]string{"now", "then", "and", "also", "so", "next", "ok", "okay", "just", "first"}, words[0]) {
		words = words[1:]
	}
	if len(words) < 2 || words[0] == "let" && words[1] == "me" {
		return false
	}
	first := classOf(words[0])
	return first&query != 0 || first&auxiliary != 0 && classOf(words[1])&pronoun != 0 ||
		first&order != 0 && (len(words) > maxShort || !closing.any(words[1:]))
}

// maxShort is the maximum number of words in a report without a known first word, such as "login
// page fixed".
const maxShort = 4

// isStatement reports whether a part gives thanks, reports that something is done, or begins as
// a statement does.
func isStatement(words []string) bool {
	first := classOf(words[0])
	switch {
	case trouble.any(words), first&(query|order) != 0:
		return false
	case len(words) > 2 && words[1] == "to" && classOf(words[2])&order != 0: // "ok to merge" may be a question
		return false
	}
	return first&(closing|stating) != 0 || len(words) <= maxShort && closing.any(words[len(words)-1:])
}

// ownWords returns a text without its signature and quotes: lines of another message, code and
// addresses.
func ownWords(text string) string {
	text, _, _ = strings.Cut(text, "\n--\n")
	text, _, _ = strings.Cut(text, "\n-- \n")
	if !strings.ContainsAny(text, ">`~:") {
		return text
	}
	var b strings.Builder
	open := fence{}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		f, info := fenceOf(trimmed)
		switch {
		case open.length > 0:
			if f.char == open.char && f.length >= open.length && info == "" {
				open = fence{}
			}
		case f.length > 0:
			open = f
		case !strings.HasPrefix(trimmed, ">"):
			withoutAddresses(&b, withoutCode(line))
		}
	}
	return b.String()
}

// withoutCode returns a line with a word in place of code between backquotes.
func withoutCode(line string) string {
	parts := strings.Split(line, "`")
	for i := 1; i+1 < len(parts); i += 2 {
		parts[i] = "it"
	}
	return strings.Join(parts, "")
}

// withoutAddresses writes a line with a word in place of each address.
func withoutAddresses(b *strings.Builder, line string) {
	const ends = " \t\r\n()<>[]\"'"
	for {
		i := strings.Index(line, "://")
		if i < 0 {
			b.WriteString(line)
			return
		}
		b.WriteString(line[:strings.LastIndexAny(line[:i], ends)+1] + "it")
		end := strings.IndexAny(line[i:], ends)
		if end < 0 {
			end = len(line) - i
		}
		word := line[i : i+end]
		line = word[len(strings.TrimRight(word, ".,;!?")):] + line[i+end:]
	}
}

func isEmoji(r rune) bool { return r > 0x2000 && r != utf8.RuneError && unicode.IsSymbol(r) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
