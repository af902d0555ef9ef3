package show

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
)

// QuestionChars is the largest length of a question in a list, in code points.
const QuestionChars = 200

// Question returns a question as one line: all its [Words] if they fit, otherwise only the line
// that asks.
func Question(q *mail.Question) string {
	words := slices.Collect(Words(excerpt.Head(q.Text, plainBytes)))
	line, cut := render.Line(sentences(words), QuestionChars)
	if len(words) > 0 && !cut && len(q.Text) <= plainBytes {
		return line
	}
	asks := unmarked(q.Line)
	if n := len(words); n > 0 && len(q.Text) <= plainBytes && !slices.Contains(words, asks) {
		asks = words[n-1] // the line is in a table
	}
	line, _ = render.Line(cmp.Or(asks, q.Text), QuestionChars)
	return line
}

// sentences joins lines into one. A line that ends with a letter or digit, such as a heading, gets
// a full stop.
func sentences(lines []string) string {
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		last, _ := utf8.DecodeLastRuneInString(line)
		if i == len(lines)-1 {
			break
		}
		if unicode.IsLetter(last) || unicode.IsDigit(last) {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// Options returns the options of a question. It returns none if a button would show one of them
// differently from what is sent.
func Options(q *mail.Question) []string {
	if slices.ContainsFunc(q.Options, func(o string) bool { return Line(o) != o }) {
		return nil
	}
	return q.Options
}

// Answer returns an answer to a question in one line: the option that it chooses, or its first line
// that is not empty.
func Answer(q *mail.Question, text string) string {
	text = strings.TrimSpace(text)
	if !slices.Contains(q.Options, text) {
		text, _, _ = strings.Cut(text, "\n")
	}
	line, _ := render.Line(text, QuestionChars)
	return line
}
