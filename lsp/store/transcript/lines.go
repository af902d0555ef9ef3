package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/signalbox-dev/signalbox/core/session"
)

const (
	// maxDocument is the length of the longest transcript that is one JSON document.
	maxDocument = 64 << 20
	// maxUnpacked is the length to which a packed transcript is unpacked: some bytes can stand
	// for terabytes.
	maxUnpacked = 512 << 20
	// packWindow is how far back a packed file may refer, which is memory that unpacking it
	// takes, and keptBack how much of what was unpacked is kept, since most is asked for
	// near its end.
	packWindow = 8 << 20
	keptBack   = 8 << 20
	// unpackStep is how much is unpacked at once.
	unpackStep = 256 << 10
)

// lines is a transcript as lines of JSON: the file, or what stands for it where it is packed
// or one document. It is for one goroutine.
type lines struct {
	io.ReaderAt
	file *os.File
	// known is the length, or -1 where all has to be unpacked to know it.
	known  int64
	packed *packed
	// fault is why a file that can be read makes no lines, and will make none.
	fault error
}

// asLines returns an open file as lines.
func asLines(f *session.Format, file *os.File, size int64) *lines {
	l := &lines{ReaderAt: file, file: file, known: size}
	switch name := file.Name(); {
	case strings.HasSuffix(name, session.Packed):
		l.packed = newPacked(file, size)
		l.ReaderAt, l.known = l.packed, -1
	case strings.HasSuffix(name, session.Document):
		var text []byte
		text, l.fault = document(f, file, size)
		l.ReaderAt, l.known = bytes.NewReader(text), int64(len(text))
	}
	return l
}

// document reads a transcript that is one document.
func document(f *session.Format, file io.ReaderAt, size int64) ([]byte, error) {
	if size > maxDocument {
		return nil, fmt.Errorf("the file is longer than %d MB", maxDocument>>20)
	}
	data := make([]byte, size)
	n, err := file.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	text := f.Place.Lines(data[:n])
	if text == nil {
		return nil, errors.New("the document is broken or no session")
	}
	return text, nil
}

// size returns the length of the lines.
func (l *lines) size() (int64, error) {
	if l.packed != nil && l.known < 0 {
		if l.known, l.fault = l.packed.length(); l.fault != nil {
			l.known = -1
		}
	}
	return l.known, l.fault
}

// Close closes the file.
func (l *lines) Close() {
	if l.packed != nil {
		l.packed.close()
	}
	l.file.Close()
}

// packed unpacks a file as it is asked for, and begins anew for what lies further back than
// it keeps.
type packed struct {
	file io.ReaderAt
	size int64
	from *zstd.Decoder
	// buf are the bytes from at on that were unpacked last.
	buf []byte
	at  int64
	err error // io.EOF behind the last byte
}

func newPacked(file io.ReaderAt, size int64) *packed {
	p := &packed{file: file, size: size}
	p.from, p.err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(packWindow))
	if p.err == nil {
		p.begin()
	}
	return p
}

func (p *packed) begin() {
	p.at, p.buf = 0, p.buf[:0]
	p.err = p.from.Reset(io.NewSectionReader(p.file, 0, p.size))
}

func (p *packed) close() {
	if p.from != nil {
		p.from.Close()
	}
}

// end returns how far it was unpacked.
func (p *packed) end() int64 { return p.at + int64(len(p.buf)) }

// step unpacks some more, and keeps what lies at need or after it.
func (p *packed) step(need int64) {
	if drop := min(need-p.at, int64(len(p.buf))-keptBack); drop > keptBack {
		p.buf = p.buf[:copy(p.buf, p.buf[drop:])]
		p.at += drop
	}
	p.buf = slices.Grow(p.buf, unpackStep)
	n, err := p.from.Read(p.buf[len(p.buf) : len(p.buf)+unpackStep])
	p.buf = p.buf[:len(p.buf)+n]
	switch {
	case p.end() > maxUnpacked:
		p.err = fmt.Errorf("unpacked it is longer than %d MB", maxUnpacked>>20)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		p.err = fmt.Errorf("to unpack it takes more than %d MB", packWindow>>20)
	case err != nil && !errors.Is(err, io.EOF):
		p.err = fmt.Errorf("it cannot be unpacked: %w", err)
	default:
		p.err = err
	}
}

// length unpacks everything, and returns how long it is.
func (p *packed) length() (int64, error) {
	for p.err == nil {
		p.step(p.end())
	}
	if !errors.Is(p.err, io.EOF) {
		return 0, p.err
	}
	return p.end(), nil
}

// ReadAt reads unpacked bytes.
func (p *packed) ReadAt(b []byte, from int64) (int, error) {
	if from < p.at {
		p.begin()
	}
	for p.err == nil && p.end() < from+int64(len(b)) {
		p.step(from)
	}
	n := 0
	if from < p.end() {
		n = copy(b, p.buf[from-p.at:])
	}
	if n < len(b) {
		return n, p.err
	}
	return n, nil
}
