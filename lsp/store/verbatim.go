package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// maxOpen is how many logs [Dir.Verbatim] holds open: messages in order of
// time jump between logs, and a directory may have more logs than a process
// may have files.
const maxOpen = 64

// Verbatim writes the lines of messages as they stand in the logs, byte for
// byte, unknown members included (§6, mode raw; rule R1). A line that lacks its
// line end gets one. A line of any length is copied through a fixed buffer.
//
// A message whose line is gone, since its log was rewritten after it was
// found, is an error: what stands there now may be another message.
func (d *Dir) Verbatim(w io.Writer, messages []samp.Found) error {
	open := make(map[string]*os.File)
	closeAll := func() {
		for stem, f := range open {
			f.Close()
			delete(open, stem)
		}
	}
	defer closeAll()
	buf := make([]byte, 16<<10)
	for i := range messages {
		m := &messages[i]
		f := open[m.Stem]
		if f == nil {
			if len(open) == maxOpen {
				closeAll()
			}
			name := samp.LogName(m.Stem)
			var err error
			if f, err = d.openRegular(name); err != nil {
				return err
			}
			open[m.Stem] = f
		}
		if err := copyLine(w, f, m.Offset, buf); err != nil {
			return fmt.Errorf("store: read %q: %w", filepath.Join(d.path, samp.LogName(m.Stem)), disk.Cause(err))
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
			return errors.New("the log was rewritten meanwhile; run it again")
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
