package mail

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a question's options.
const (
	// MaxOptions is how many options a question offers.
	MaxOptions = 12
	// MaxOption is the length of an option in bytes.
	MaxOption = 200
)

// optionMark begins the line of an option: an item of a Markdown task list, unchecked.
// A reader that knows nothing of options shows a list, and a person answers in words.
const optionMark = "- [ ] "

// WithOptions returns the text of a question that offers options: the question, an
// empty line and one item of a task list for each. It refuses options that
// [Options] would not return as they are.
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
// items of the task list that its text ends in, if there are 2 to [MaxOptions], none is
// checked and none stands twice. The options of any other message are nil, and its
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

func cutLastLine(s string) (before, line string) {
	i := strings.LastIndexByte(s, '\n')
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+1:]
}
