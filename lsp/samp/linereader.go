package samp

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// LineReader reads single lines and has a few logs open at a time. Messages in order of time
// jump between logs, and a directory may have more logs than a process may open files. A
// LineReader is for one goroutine, which closes it.
type LineReader struct {
	dir *Dir
	// held lists logs that the caller has opened and closes.
	held map[string]*os.File
	open map[string]*lineFile
	buf  []byte
}

// lineFile is an open log and the piece of it that was read last: the next message is usually
// near. The piece begins at the offset begin.
type lineFile struct {
	*os.File
	piece []byte
	begin int64
}

// pieceSize is how much of a log is read at once. Reading a piece costs little more than
// reading a line.
const pieceSize = 16 << 10

// LineReader returns a reader of lines of the directory's logs.
func (d *Dir) LineReader() *LineReader { return &LineReader{dir: d} }

// Close closes the logs.
func (r *LineReader) Close() {
	for name, f := range r.open {
		if r.held[name] == nil {
			f.Close()
		}
		delete(r.open, name)
	}
}

// file returns a log, and opens it if it is not open yet. If maxOpen logs are open, it first closes
// all of them except those that the caller holds: earlier results are then not valid any more.
func (r *LineReader) file(name string) (*lineFile, error) {
	if f, ok := r.open[name]; ok {
		return f, nil
	}
	if len(r.open) == maxOpen {
		r.Close()
	}
	f := r.held[name]
	if f == nil {
		var err error
		if f, err = r.dir.OpenRegular(name); err != nil {
			return nil, err
		}
	}
	if r.open == nil {
		r.open = make(map[string]*lineFile)
	}
	r.open[name] = &lineFile{File: f}
	return r.open[name], nil
}

// Append appends to text the line that begins at an offset of a log. length is the line's
// length with its line end, or 0 if it is unknown.
func (r *LineReader) Append(text []byte, name string, offset, length int64) ([]byte, error) {
	f, err := r.file(name)
	if err != nil {
		return text, err
	}
	if length > 0 && length <= pieceSize {
		line, err := f.near(offset, length)
		return append(text, line...), err
	}
	if length == 0 || length == maxLength {
		end, err := lineread.New().LastEnd(f.File, offset)
		if err != nil {
			return text, err
		}
		length = end - offset
	}
	have := len(text)
	text = slices.Grow(text, int(lineread.Room(length)))
	n, err := f.ReadAt(text[have:have+int(length)], offset)
	return text[:have+n], readError(n, length, err)
}

// near returns a line that fits into a piece. The line is valid until the next call.
func (f *lineFile) near(offset, length int64) ([]byte, error) {
	if at := offset - f.begin; at >= 0 && at+length <= int64(len(f.piece)) {
		return f.piece[at : at+length], nil
	}
	if f.piece == nil {
		f.piece = make([]byte, 0, pieceSize)
	}
	n, err := f.ReadAt(f.piece[:pieceSize], offset)
	f.piece, f.begin = f.piece[:n], offset
	return f.piece[:min(int64(n), length)], readError(n, length, err)
}

// readError returns the error of a read that had to return length bytes, or nil if it did.
func readError(n int, length int64, err error) error {
	switch {
	case int64(n) >= length:
		return nil
	case errors.Is(err, io.EOF):
		return errRewritten
	}
	return err
}
