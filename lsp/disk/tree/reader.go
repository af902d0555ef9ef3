package tree

import (
	"crypto/sha256"
	"errors"
	"io/fs"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Head holds the facts about a file that every format needs. A format embeds it in its own
// type. Only the goroutine that looks at the file changes it.
type Head struct {
	// Path is relative to the directory, with "/" between the names.
	Path string
	Stamp
	// Again is set if the stamp may not show the next change.
	Again bool
	// Digest is the SHA-256 of the bytes that were read.
	Digest [sha256.Size]byte
}

// At returns the path.
func (h *Head) At() string { return h.Path }

// Want says how much of a file is read.
type Want struct {
	// Limit is the length in bytes of the longest file that is read. If it is 0, only the
	// stamp of a file is read.
	Limit int
	// Start makes a look read Limit+1 bytes of a longer file.
	Start bool
}

// State is the result of a look at a file.
type State uint8

// The states: the file does not exist, has the same stamp as before, or was looked at anew.
const (
	Gone State = iota
	Same
	Looked
)

// Look is a look at a file.
type Look struct {
	Head
	Kind fs.FileMode
	// Data holds the bytes that were read. The next look uses its memory again.
	Data []byte
	// Long is set if the file was too long to be read.
	Long bool
	// Err is why the file cannot be read: a *[disk.KindError] if it isn't a regular file.
	Err error
}

// Reader looks at files, with a buffer of its own.
type Reader struct{ buf []byte }

// Look looks at a file in a folder. old is what is known of the file, or nil. plain is set if
// it was just listed as a regular file, which saves a system call.
func (r *Reader) Look(f Folder, path string, old *Head, plain bool, want Want) (l Look, state State) {
	l.Path = path
	if !plain || old != nil || want.Limit == 0 {
		i, err := f.Stat(Base(path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return l, Gone
		case err == nil && old != nil && old.Stamp == i.Stamp && !old.Again:
			return l, Same
		case err == nil && !i.Kind.IsRegular():
			err = &disk.KindError{Kind: i.Kind}
		}
		l.Kind, l.Stamp, l.Err = i.Kind, i.Stamp, err
		if l.Long = want.long(i.Size); l.Err != nil || l.Long || want.Limit == 0 {
			return l, Looked
		}
	}
	data, i, err := f.Read(Base(path), r.buf, want.Limit)
	if errors.Is(err, fs.ErrNotExist) {
		return l, Gone
	}
	l.Kind, l.Stamp, l.Err = i.Kind, i.Stamp, err
	if err != nil {
		return l, Looked
	}
	if cap(data) > cap(r.buf) {
		r.buf = data
	}
	l.Again = i.Young()
	if l.Long = want.long(i.Size); !l.Long {
		l.Data, l.Digest = data, sha256.Sum256(data)
	}
	return l, Looked
}

// long reports whether a file of a size is too long to be read.
func (w Want) long(size int64) bool { return w.Limit > 0 && !w.Start && size > int64(w.Limit) }
