package mail

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of a question's options.
const (
	// MaxOptions is the maximum number of options of a question.
	MaxOptions = 12
	// MaxOption is the maximum length of an option in bytes.
	MaxOption = 200
)

// optionMark begins the line of an option: an item of a Markdown task list, unchecked.
// A program without options shows a list, and a person answers in words.
const optionMark = "- [ ] "

// WithOptions returns the text of a question that offers options: the question, an
// empty line and one item of a task list for each. It refuses options that
// [Options] would not return unchanged.
func WithOptions(question string, options []string) (string, error) {
	if len(options) == 0 {
		return question, nil
	}
	if len(options) == 1 || len(options) > MaxOptions {
		return "", errors.New("a question has 2 to " + strconv.Itoa(MaxOptions) + " options, not " + strconv.Itoa(len(options)))
	}
	text := strings.TrimRight(question, " \t\r\n") + "\n"
	for i, o := range options {
		if err := checkOption(o); err != nil {
			return "", errors.New("option " + strconv.Itoa(i+1) + ": " + err.Error())
		}
		if slices.Contains(options[:i], o) {
			return "", errors.New("option " + strconv.Itoa(i+1) + " stands twice: " + strconv.Quote(o))
		}
		text += "\n" + optionMark + o
	}
	return text, nil
}

func checkOption(o string) error {
	switch {
	case strings.TrimSpace(o) == "":
		return errors.New("it is empty")
	case len(o) > MaxOption:
		return errors.New("it has " + strconv.Itoa(len(o)) + " bytes, and " + strconv.Itoa(MaxOption) + " is the limit")
	case !utf8.ValidString(o):
		return errors.New("it is not valid UTF-8")
	case strings.TrimSpace(o) != o, strings.ContainsAny(o, "\r\n"):
		return errors.New("it must be one line without blanks at its ends")
	}
	return nil
}

// Options divides a message into its question and the answers it offers, in order: the
// items of the task list at the end of its text, if there are 2 to [MaxOptions], none is
// checked and none is repeated. The options of any other message are nil, and its
// question is the whole text. The text may be any bytes.
func Options(text string) (question string, options []string) {
	rest := strings.TrimRight(text, " \t\r\n")
	for {
		head, line := cutLastLine(rest)
		o, ok := strings.CutPrefix(strings.TrimSuffix(line, "\r"), optionMark)
		if !ok {
			break
		}
		o = strings.TrimSpace(o)
		if len(options) == MaxOptions || checkOption(o) != nil || slices.Contains(options, o) {
			return text, nil
		}
		options = append(options, o)
		rest = head
	}
	if len(options) < 2 {
		return text, nil
	}
	slices.Reverse(options)
	return strings.TrimRight(rest, " \t\r\n"), options
}

// Question is the question of a message.
type Question struct {
	// Text is the message without its options, and Line is its line that asks: the last
	// one with words.
	Text, Line string
	// Options are the answers it offers, or nil.
	Options []string
	// Urgent is set if the message begins with "Urgent:".
	Urgent bool
}

// urgentMark begins a question that should not wait. Every reader can read it.
const urgentMark = "urgent:"

// askedTail is how many bytes at the end of a text [Asked] reads. All options and the line
// above them fit into it.
const askedTail = 16 << 10

// Asked returns the question of a message, and whether it asks. It does if it ends in
// options, or if its last line of words ends in a question mark. Lines of quotes and code
// blocks are ignored. The text may be any bytes; only the beginning and end of a long one
// are read.
func Asked(text string) (q Question, asks bool) {
	tail := text[max(0, len(text)-askedTail):]
	before := len(text) - len(tail)
	if !strings.Contains(tail, optionMark) && !slices.ContainsFunc(questionMarks(), func(mark string) bool { return strings.Contains(tail, mark) }) {
		return Question{}, false // most texts
	}
	rest, options := Options(tail)
	q = Question{Text: text[:before+len(rest)], Options: options}
	var inCode bool
	if q.Line, inCode = lastLine(rest, before > 0, fence{}); inCode && before > 0 {
		// The end of a long text may begin within a code block.
		q.Line, _ = lastLine(rest, true, anyFence)
	}
	if len(options) == 0 && !endsInQuestion(q.Line) {
		return Question{}, false
	}
	q.Urgent = len(text) >= len(urgentMark) && strings.EqualFold(text[:len(urgentMark)], urgentMark)
	return q, true
}

// fence is the run of one character that opens a code block. The zero fence is none.
type fence struct {
	char   byte
	length int
}

// anyFence is a fence that any other one closes.
var anyFence = fence{length: 1}

// lastLine returns the last line that has words and is neither in a quote nor in a code block,
// and reports whether the text ends in a code block. open is the code block in which the text
// begins. cut is set if the text's first line may lack its beginning.
func lastLine(text string, cut bool, open fence) (last string, inCode bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		f, info := fenceOf(line)
		switch {
		case open.length > 0:
			if ends := open.char == 0 || f.char == open.char; f.length >= open.length && ends && info == "" {
				open = fence{}
			}
		case f.length > 0 && !cut:
			open = f
		case !strings.HasPrefix(line, ">") && hasWords(line):
			last = line
		}
		cut = false
	}
	return last, open.length > 0
}

// fenceOf returns the fence at the start of a line, or the zero one, and the text after it.
func fenceOf(line string) (f fence, info string) {
	for _, char := range []byte{'`', '~'} {
		rest := strings.TrimLeft(line, string(rune(char)))
		if n := len(line) - len(rest); n >= 3 && (char == '~' || !strings.Contains(rest, "`")) {
			return fence{char, n}, rest
		}
	}
	return fence{}, ""
}

// hasWords reports whether a line has a letter or digit, or ends in a question mark. A rule or
// the end of a table has neither.
func hasWords(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) || endsInQuestion(line)
}

// endsInQuestion reports whether a line ends in a question mark. Brackets, quotation
// marks and the signs of emphasis may follow it.
func endsInQuestion(line string) bool {
	line = strings.TrimRight(line, "*_~)]\"'”’»」』 \t\r")
	return slices.ContainsFunc(questionMarks(), func(mark string) bool { return strings.HasSuffix(line, mark) })
}

func questionMarks() []string { return []string{"?", "？", "؟"} }

func cutLastLine(s string) (before, line string) {
	i := strings.LastIndexByte(s, '\n')
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+1:]
}
