package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxInput bounds what is read of a body. A body over the limit of 65536
// characters is refused with its length; one over this is not even counted.
const maxInput = 64 << 20

// bodyHelp is how to give a body, for the error that asks for one.
const bodyHelp = `no text: give it as arguments, with -m, or on stdin (echo "text" | signalbox %s)`

// body is a message's text: from the arguments, -m or stdin. "-" as the only
// argument means stdin, too.
func (o *options) body(command string, args, lines []string) (string, error) {
	switch {
	case len(lines) > 0 && len(args) > 0:
		return "", usage(errors.New("text was given twice: as arguments and with -m"))
	case len(lines) > 0:
		return strings.Join(lines, "\n"), nil
	case len(args) > 0 && !(len(args) == 1 && args[0] == "-"):
		return strings.Join(args, " "), nil
	case len(args) == 0 && isTerminal(o.in):
		return "", usage(fmt.Errorf(bodyHelp, command))
	}
	text, err := o.readAll()
	if text = trimLineEnds(text); text == "" && err == nil {
		// Nobody pipes nothing on purpose: a command before it failed, or there is no
		// stdin. An empty argument is an empty text.
		err = usage(fmt.Errorf(bodyHelp, command))
	}
	return text, err
}

// readAll reads stdin.
func (p *program) readAll() (string, error) {
	data, err := io.ReadAll(io.LimitReader(p.in, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("the text on stdin is longer than %d bytes; a body has at most 65536 characters", maxInput)
	}
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	return string(data), nil
}

// trimLineEnds drops the line ends at a text's end, as echo and editors add
// them.
func trimLineEnds(s string) string {
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
