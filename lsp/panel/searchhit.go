package panel

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

const (
	// snippetChars is the length of a snippet in code points, and snippetBefore
	// about how many bytes of it stand before the first word.
	snippetChars  = 200
	snippetBefore = 48
	// marksMost bounds the marks of one snippet.
	marksMost = 32
)

// mailHit shows a record of a message directory.
func mailHit(id string, m *store.Message, words []needle.Needle) SearchHit {
	title, _ := render.Line(m.Thread, titleChars)
	h := SearchHit{
		Message: messageRef(id, m), Thread: threadRef(id, m.Thread), Protocol: string(mail.SAMP), Group: mailGroup, Title: title,
		From: safe(m.From), To: safe(m.To), Time: millis(m.TS), Unread: m.Unread, Trust: trust(m),
	}
	if m.Suspicious {
		h.Message = mail.Ref{Protocol: mail.SAMP, Store: id, ID: suspectRef(m)}
		h.Thread = h.Message
	}
	h.excerpt(words, m.Body)
	return h
}

// excerpt takes the snippet from the first of some texts that holds a word, else
// from the first that is not empty.
func (h *SearchHit) excerpt(words []needle.Needle, texts ...string) {
	text, at := "", -1
	for i := 0; i < len(texts) && at < 0; i++ {
		if text == "" {
			text = texts[i]
		}
		for j := range words {
			if start, _ := words[j].Find(texts[i], 0); start >= 0 && (at < 0 || start < at) {
				text, at = texts[i], start
			}
		}
	}
	h.Snippet = snippet(text, max(at, 0))
	h.Marks = marksIn(h.Snippet, words)
}

// snippet is one safe line of a text, from a little before a place on.
func snippet(text string, at int) string {
	start := at - snippetBefore
	if start <= 0 {
		line, _ := render.Line(text, snippetChars)
		return line
	}
	for start < at && !utf8.RuneStart(text[start]) {
		start++
	}
	if i := strings.IndexAny(text[start:at], " \t\n"); i >= 0 {
		start += i + 1
	}
	line, _ := render.Line(text[start:], snippetChars-1)
	return "…" + line
}

// marksIn finds the words in what is shown, so that no mark can be wrong where
// characters are shown by their number.
func marksIn(line string, words []needle.Needle) [][2]int {
	var list [][2]int // in bytes, with ends
	for i := range words {
		for from := 0; len(list) < marksMost; {
			start, end := words[i].Find(line, from)
			if start < 0 {
				break
			}
			list = append(list, [2]int{start, end})
			from = end
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	marks := [][2]int{}
	done := 0
	for _, m := range list {
		if start := max(m[0], done); start < m[1] {
			marks = append(marks, [2]int{units(line[:start]), units(line[start:m[1]])})
			done = m[1]
		}
	}
	return marks
}
