package codec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Limits of the LSP base protocol's framing.
const (
	// MaxFrame is the longest content of a frame, in bytes.
	MaxFrame = 16 << 20
	// maxDrain is the longest content that is skipped, in bytes. A header that
	// announces more is a broken frame.
	maxDrain = 1 << 30
	// maxLine is the longest line of a header, in bytes. Real ones have about thirty.
	maxLine = 1 << 10
	// maxPeek is how many bytes of an oversized frame are searched for its id.
	maxPeek = 4 << 10
)

// ErrFrame is wrapped by the errors for bytes that are not a frame. The start of the
// next frame is then unknown, so the connection ends.
var ErrFrame = errors.New("broken frame")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFrame, fmt.Sprintf(format, args...))
}

// content returns the content of the next frame of at most MaxFrame bytes. Larger
// frames are answered and skipped.
func (s *Stream) content() ([]byte, error) {
	for {
		n, err := readHeader(s.in)
		if err != nil {
			return nil, err
		}
		if n <= MaxFrame {
			return readContent(s.in, n)
		}
		if err := s.skip(n); err != nil {
			return nil, err
		}
	}
}

// readContent reads n bytes. Memory grows with the received bytes, so a header that
// announces a huge content costs nothing.
func readContent(r *bufio.Reader, n int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(n, 64<<10)))
	if _, err := io.CopyN(&buf, r, n); err != nil {
		return nil, unexpected(err)
	}
	return buf.Bytes(), nil
}

// skip reads past an oversized frame and answers it by the id in its beginning.
func (s *Stream) skip(n int64) error {
	head := make([]byte, maxPeek)
	if _, err := io.ReadFull(s.in, head); err != nil {
		return unexpected(err)
	}
	if _, err := io.CopyN(io.Discard, s.in, n-maxPeek); err != nil {
		return unexpected(err)
	}
	s.log.Warn("frame is too large", "bytes", n)
	detail := "a frame has at most " + strconv.Itoa(MaxFrame) + " bytes"
	return s.Write(ReplyError(requestID(head), KindError(panel.TooLarge, detail, "frame of %d bytes is too large", n)))
}

// unexpected turns io.EOF into io.ErrUnexpectedEOF, for an end within a frame.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

const lengthName = "Content-Length"

// readHeader reads the header of a frame and returns the length of its content. Names are
// case-insensitive. Fields other than Content-Length, such as Content-Type, are ignored. Blank
// lines before a header are skipped, since some clients write one after a content.
func readHeader(r *bufio.Reader) (int64, error) {
	length, begun := int64(-1), false
	for {
		line, err := readLine(r)
		switch {
		case err != nil && begun:
			return 0, unexpected(err)
		case err != nil:
			return 0, err
		case line == "" && !begun:
			continue
		case line == "" && length < 0:
			return 0, broken("the header has no %s", lengthName)
		case line == "":
			return length, nil
		}
		begun = true
		name, value, ok := strings.Cut(line, ":")
		if !ok || !isToken(name) {
			return 0, broken("%q is not a header", Short(line))
		}
		if !strings.EqualFold(name, lengthName) {
			continue
		}
		n, err := parseLength(strings.TrimSpace(value))
		if err != nil {
			return 0, err
		}
		if length >= 0 && length != n {
			return 0, broken("the header has two different values for %s", lengthName)
		}
		length = n
	}
}

// parseLength reads the value of a Content-Length.
func parseLength(s string) (int64, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, broken("%s is %q, which is not a number", lengthName, Short(s))
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > maxDrain {
		return 0, broken("%s is %s, which is out of range", lengthName, Short(s))
	}
	return n, nil
}

// isToken reports whether s can be a header's name (RFC 9110, 5.6.2). JSON never
// begins with one.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(c)) {
			return false
		}
	}
	return s != ""
}

// readLine returns the next line of a header without its line end.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	switch {
	case len(line) > maxLine:
		return "", broken("a line of the header is longer than %d bytes", maxLine)
	case err != nil && len(line) > 0:
		return "", unexpected(err)
	case err != nil:
		return "", err
	}
	return string(bytes.TrimSuffix(line[:len(line)-1], []byte("\r"))), nil
}
