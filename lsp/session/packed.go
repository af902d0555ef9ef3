//go:build !js

package session

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

const (
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
