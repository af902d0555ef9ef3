package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/spf13/pflag"
)

// MaxInput is how many bytes of a body are read. A body above the limit of 65536 characters is
// refused with its length; a body above MaxInput is refused without counting its characters.
const MaxInput = 64 << 20

// bodyHelp is the error for a missing body.
const bodyHelp = `no text: give it as arguments, with -m, or on stdin (echo "text" | signalbox %s)`

// MessageFlag adds -m, the text of a message. what names the text in the help.
func MessageFlag(flags *pflag.FlagSet, lines *[]string, what string) {
	flags.StringArrayVarP(lines, "message", "m", nil, what+", each a `line` of it; - is stdin")
}

// Text returns the text of -m: its lines, or stdin for a single "-".
func (p *Program) Text(lines []string) (string, error) {
	if len(lines) != 1 || lines[0] != "-" {
		return strings.Join(lines, "\n"), nil
	}
	text, err := p.ReadAll()
	return TrimLineEnds(text), err
}

// Body returns a message's text from the arguments, -m or stdin. A single "-" also
// means stdin.
func (o *Options) Body(command string, args, lines []string) (string, error) {
	switch {
	case len(lines) > 0 && len(args) > 0:
		return "", Usage(errors.New("text was given twice: as arguments and with -m"))
	case len(lines) > 0 && !slices.Equal(lines, []string{"-"}):
		return o.Text(lines)
	case len(args) > 0 && !(len(args) == 1 && args[0] == "-"):
		return strings.Join(args, " "), nil
	case len(args) == 0 && len(lines) == 0 && IsTerminal(o.In):
		return "", Usage(fmt.Errorf(bodyHelp, command))
	}
	text, err := o.ReadAll()
	if text = TrimLineEnds(text); text == "" && err == nil {
		// An empty stdin is a mistake: the command that feeds it failed, or there is no
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

// TrimLineEnds removes trailing line ends, which echo and editors add.
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

// ReadInput reads a file that the user named, or stdin for "-". It reads at most one
// byte more than most, so that the caller can tell if the file is too long.
func (o *Options) ReadInput(name string, most int64) ([]byte, error) {
	in := o.In
	if name != "-" {
		f, err := disk.OpenNamed(o.Absolute(name))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, most+1))
}
