package tree

import (
	"crypto/sha256"
	"errors"
	"io/fs"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Head is what is known of every file, whatever it means. A format embeds it in what
// it knows of a file. Only the goroutine that looks at the file changes it.
type Head struct {
	// Path is relative to the directory, with "/" between the names.
	Path string
	Stamp
	// Again is set where the stamp may not show the next change.
	Again bool
	// Digest is the SHA-256 of the bytes that were read.
	Digest [sha256.Size]byte
}

// At is the path.
func (h *Head) At() string { return h.Path }

// Want says how much of a file is read.
type Want struct {
	// Limit is the length in bytes of the longest file that is read. A file is only
	// looked at where it is 0.
	Limit int
	// Start has one byte more than Limit read of a longer file.
	Start bool
}

// State is what came of a look at a file.
type State uint8

// The states of a look: the file is not there, is as it was by its stamp, or has to be
// taken in.
const (
	Gone State = iota
	Same
	Looked
)

// Look is a look at a file.
type Look struct {
	Head
	Kind fs.FileMode
	// Data is what was read, in memory that the next look uses again.
	Data []byte
	// Long is set where the file was not read for its length.
	Long bool
	// Err is why the file cannot be read: a *[disk.KindError] where it is no regular file.
	Err error
}

// Reader looks at files, with memory of its own.
type Reader struct{ buf []byte }

// Look looks at a file of a folder. old is what is known of it, or nil. plain tells
// that it was listed as a regular file just now, which saves to ask.
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
