package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// maxOpen is how many logs are kept open to read single lines.
const maxOpen = 64

// Verbatim writes the lines of messages as they stand in the logs, byte for byte, unknown
// members included (§6, mode raw; rule R1). It adds a line end to a line that has none. A
// line of any length is copied through a fixed buffer.
//
// If a log was rewritten after a message was found in it, that is an error: what stands
// there now may be another message.
func (d *Dir) Verbatim(w io.Writer, messages []samp.Found) error {
	return d.copyLines(w, nil, func(yield func(string, int64) bool) {
		for i := range messages {
			if !yield(messages[i].Stem, messages[i].Offset) {
				return
			}
		}
	})
}

// copyLines writes lines, each given by its log's stem and its offset. Some logs may be
// held open.
func (d *Dir) copyLines(w io.Writer, held map[string]*os.File, lines iter.Seq2[string, int64]) error {
	r := lineFiles{dir: d, held: held}
	defer r.close()
	buf := make([]byte, 16<<10)
	for stem, offset := range lines {
		name := samp.LogName(stem)
		f, err := r.file(name)
		if err != nil {
			return err
		}
		if err := copyLine(w, f.File, offset, buf); err != nil {
			return fmt.Errorf("store: read %q: %w", filepath.Join(d.path, name), disk.Cause(err))
		}
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
