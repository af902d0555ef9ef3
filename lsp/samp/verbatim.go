package samp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// maxOpen is the largest number of logs that are open at once to read single lines.
const maxOpen = 64

// Verbatim writes the lines of messages from the logs, byte for byte, with unknown members
// (§6, mode raw; rule R1). It adds a line end to a line that has none. It copies a line of any
// length through a fixed buffer.
//
// If a log is now shorter than a message's offset, because it was rewritten, Verbatim returns
// an error.
func (d *Dir) Verbatim(w io.Writer, messages []samp.Found) error {
	r := LineReader{dir: d}
	defer r.Close()
	for i := range messages {
		if err := r.copyLine(w, samp.LogName(messages[i].Stem), messages[i].Offset); err != nil {
			return err
		}
	}
	return nil
}

// copyLine writes the line of a log that begins at an offset.
func (r *LineReader) copyLine(w io.Writer, name string, offset int64) error {
	f, err := r.file(name)
	if err != nil {
		return err
	}
	if r.buf == nil {
		r.buf = make([]byte, 16<<10)
	}
	if err := copyLine(w, f.File, offset, r.buf); err != nil {
		return fmt.Errorf("store: read %q: %w", filepath.Join(r.dir.path, name), disk.Cause(err))
	}
	return nil
}

// copyLine copies one line from its first byte to its line end.
func copyLine(w io.Writer, f *os.File, at int64, buf []byte) error {
	for begun := false; ; begun = true {
		n, err := f.ReadAt(buf, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if n == 0 && !begun {
			return errRewritten
		}
		part := buf[:n]
		end := bytes.IndexByte(part, '\n')
		if end >= 0 {
			part = part[:end]
		}
		if _, werr := w.Write(part); werr != nil {
			return werr
		}
		if end >= 0 || err != nil {
			_, werr := w.Write([]byte{'\n'})
			return werr
		}
		at += int64(n)
	}
}
