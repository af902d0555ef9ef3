package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// Limits of the LSP base protocol's framing.
const (
	// maxFrame is the longest content of a frame, in bytes.
	maxFrame = 16 << 20
	// maxDrain is the longest content that is read past. A header that announces
	// more is taken for a mistake, since waiting for it would end the connection.
	maxDrain = 1 << 30
	// maxLine is how much of a header line is looked at, its end. A real header
	// line has some thirty bytes.
	maxLine = 1 << 10
	// maxPeek is how much of an oversized frame is searched for its id.
	maxPeek = 4 << 10
)

// frames cuts a stream into the contents of frames (LSP base protocol). What is
// not a frame is skipped and complained about once, and the next frame is found
// behind it: reading fails only where the stream does.
type frames struct {
	log *slog.Logger
	// complain answers the peer. A nil id is sent as null.
	complain func(id json.RawMessage, e *rpcError)
}

// next gives the content of the next frame of at most maxFrame bytes. The error
// is io.EOF at a clean end, or the stream's.
func (f *frames) next(r *bufio.Reader) ([]byte, error) {
	for {
		n, err := f.header(r)
		if err != nil {
			return nil, err
		}
		if n <= maxFrame {
			return readContent(r, n)
		}
		if err := f.skip(r, n); err != nil {
			return nil, err
		}
	}
}

// readContent lets memory grow with what arrives, so that a header that
// promises much costs nothing.
func readContent(r *bufio.Reader, n int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(n, 64<<10)))
	if _, err := io.CopyN(&buf, r, n); err != nil {
		return nil, unexpected(err)
	}
	return buf.Bytes(), nil
}

// skip reads past an oversized frame, keeping only its beginning.
func (f *frames) skip(r *bufio.Reader, n int64) error {
	head := make([]byte, maxPeek)
	if _, err := io.ReadFull(r, head); err != nil {
		return unexpected(err)
	}
	if _, err := io.CopyN(io.Discard, r, n-maxPeek); err != nil {
		return unexpected(err)
	}
	f.log.Warn("frame is too large", "bytes", n)
	detail := "a frame has at most " + strconv.Itoa(maxFrame) + " bytes"
	f.complain(requestID(head), failKind(panel.TooLarge, detail, "frame of %d bytes is too large", n))
	return nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// block is what is known of a header block while it is being read.
type block struct {
	length  int64 // -1: not seen
	begun   bool  // a header was seen, so a blank line ends the block
	bad     string
	garbage int64 // bytes skipped
}

// header reads header blocks until one announces a content, and gives its length.
func (f *frames) header(r *bufio.Reader) (int64, error) {
	b := block{length: -1}
	for {
		line, n, err := readLine(r)
		if err != nil {
			return 0, err
		}
		if n > 0 {
			f.take(&b, line, n)
			continue
		}
		switch {
		case !b.begun: // a newline after a content is common and harms nobody
		case b.bad == "" && b.length >= 0:
			if b.garbage > 0 {
				f.log.Warn("found the next frame", "skippedBytes", b.garbage)
			}
			return b.length, nil
		default:
			if b.bad == "" {
				b.bad = "no Content-Length"
			}
			f.log.Warn("bad frame header", "fault", b.bad)
			f.complain(nil, failf(codeParse, "frame header: %s", b.bad))
			// Its content, if any, is garbage that has been complained about.
			b = block{length: -1, garbage: 1}
		}
	}
}

// take looks at one line of a header block. Names are case-insensitive, and
// headers other than Content-Length (Content-Type among them: there is only
// UTF-8) say nothing we need.
func (f *frames) take(b *block, line string, n int64) {
	name, value, ok := strings.Cut(line, ":")
	switch {
	case n <= maxLine && ok && isToken(name) && strings.EqualFold(name, lengthName):
		b.begun = true
		length, fault := parseLength(strings.TrimSpace(value))
		if fault == "" && b.length >= 0 && b.length != length && b.garbage == 0 {
			fault = "two different Content-Lengths"
		}
		b.length, b.bad = length, fault
	case n <= maxLine && ok && isToken(name):
		b.begun = true
	default:
		f.skipLine(b, line, n)
	}
}

// skipLine handles a line that is no header: what is left of a content whose
// length was announced too short, or output that does not belong on the stream.
// A Content-Length at its very end begins the next frame. No string inside a
// JSON content can look like that, because JSON has no raw line breaks in
// strings; so what a message says cannot pass for a frame.
func (f *frames) skipLine(b *block, line string, n int64) {
	if b.garbage == 0 {
		f.log.Warn("skipping what is not a frame", "begins", strconv.Quote(line[:min(len(line), 80)]))
		f.complain(nil, failf(codeParse, "expected a frame header"))
	}
	b.garbage += n
	i := strings.LastIndexByte(line, ':')
	if i < len(lengthName) || !strings.EqualFold(line[i-len(lengthName):i], lengthName) {
		return
	}
	if length, fault := parseLength(strings.TrimSpace(line[i+1:])); fault == "" {
		b.begun, b.length, b.bad = true, length, ""
	}
}

const lengthName = "Content-Length"

func parseLength(s string) (n int64, fault string) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1, "Content-Length " + strconv.Quote(s[:min(len(s), 40)]) + " is not a number"
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case s == "":
		return -1, "Content-Length is empty"
	case err != nil || n > maxDrain:
		return -1, "Content-Length " + s[:min(len(s), 40)] + " is out of range"
	}
	return n, ""
}

// isToken reports whether s can be a header's name (RFC 9110, 5.6.2). JSON
// never begins with one.
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

// readLine gives the last maxLine bytes of the next line without its end, and
// the length of all of it.
func readLine(r *bufio.Reader) (line string, n int64, err error) {
	var kept []byte
	for {
		part, err := r.ReadSlice('\n')
		n += int64(len(part))
		kept = append(kept, part...)
		if over := len(kept) - maxLine - len("\r\n"); over > 0 {
			kept = append(kept[:0], kept[over:]...)
		}
		switch {
		case err == nil:
			end := bytes.TrimSuffix(kept[:len(kept)-1], []byte("\r"))
			n -= int64(len(kept) - len(end))
			return string(end[max(0, len(end)-maxLine):]), n, nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && n == 0:
			return "", 0, io.EOF
		default:
			return "", 0, unexpected(err)
		}
	}
}
