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
	// maxUnpacked is the largest length to which a packed transcript is unpacked: a few bytes can
	// expand to terabytes.
	maxUnpacked = 512 << 20
	// packWindow is how far back a packed file may refer, which determines the memory needed to
	// unpack it. keptBack is how much unpacked data is kept, since most reads are near the end.
	packWindow = 8 << 20
	keptBack   = 8 << 20
	// unpackStep is how much is unpacked at once.
	unpackStep = 256 << 10
)

// packed unpacks a file on demand, and starts again if it needs data before the part it keeps.
type packed struct {
	file io.ReaderAt
	size int64
	from *zstd.Decoder
	// buf is the last unpacked data, from offset at on.
	buf []byte
	at  int64
	err error // io.EOF after the last byte
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

// end returns the offset up to which the file was unpacked.
func (p *packed) end() int64 { return p.at + int64(len(p.buf)) }

// step unpacks more, and keeps the data from need on.
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

// length unpacks everything, and returns its length.
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
