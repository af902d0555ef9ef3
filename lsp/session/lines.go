package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/signalbox-dev/signalbox/core/session"
)

// maxDocument is the length of the longest transcript that is a single JSON document.
const maxDocument = 64 << 20

// lines is a transcript as lines of JSON: the file itself, or the lines made from a packed
// file or a single document. Only one goroutine may use it.
type lines struct {
	io.ReaderAt
	file *os.File
	// known is the length, or -1 if that requires unpacking everything.
	known  int64
	packed *packed
	// fault is the permanent reason why a readable file yields no lines.
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

// document reads a transcript that is a single document.
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
