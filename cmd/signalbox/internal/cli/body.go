package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxInput bounds what is read of a body. A body over the limit of 65536
// characters is refused with its length; one over this is not even counted.
const MaxInput = 64 << 20

// bodyHelp is how to give a body, for the error that asks for one.
const bodyHelp = `no text: give it as arguments, with -m, or on stdin (echo "text" | signalbox %s)`

// Body is a message's text: from the arguments, -m or stdin. "-" as the only
// argument means stdin, too.
func (o *Options) Body(command string, args, lines []string) (string, error) {
	switch {
	case len(lines) > 0 && len(args) > 0:
		return "", Usage(errors.New("text was given twice: as arguments and with -m"))
	case len(lines) > 0:
		return strings.Join(lines, "\n"), nil
	case len(args) > 0 && !(len(args) == 1 && args[0] == "-"):
		return strings.Join(args, " "), nil
	case len(args) == 0 && IsTerminal(o.In):
		return "", Usage(fmt.Errorf(bodyHelp, command))
	}
	text, err := o.ReadAll()
	if text = TrimLineEnds(text); text == "" && err == nil {
		// Nobody pipes nothing on purpose: a command before it failed, or there is no
		// stdin. An empty argument is an empty text.
		err = Usage(fmt.Errorf(bodyHelp, command))
	}
	return text, err
}

// ReadAll reads stdin.
func (p *Program) ReadAll() (string, error) {
	data, err := io.ReadAll(io.LimitReader(p.In, MaxInput+1))
	if err == nil && len(data) > MaxInput {
		err = fmt.Errorf("the text on stdin is longer than %d bytes; a body has at most 65536 characters", MaxInput)
	}
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	return string(data), nil
}

// TrimLineEnds drops the line ends at a text's end, as echo and editors add
// them.
func TrimLineEnds(s string) string {
	for {
		switch {
		case strings.HasSuffix(s, "\r\n"):
			s = s[:len(s)-2]
		case strings.HasSuffix(s, "\n"):
			s = s[:len(s)-1]
		default:
			return s
		}
	}
}
