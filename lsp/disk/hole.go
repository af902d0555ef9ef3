package disk

import (
	"io"
	"os"
	"sort"
)

// A file of 40 gigabytes may take no room on the disk: its holes read as zeros and hold no
// line end. Whoever looks for one passes over them, so that they cost nothing.

// PastHole returns where to read on forwards, behind a part that ends at pos: pos itself,
// or the end of the hole in which it lies. It moves the place of a file that its Seek
// tells.
func PastHole(r io.ReaderAt, part []byte, pos int64) int64 {
	f, ok := r.(*os.File)
	if n := len(part); !ok || n == 0 || part[n-1] != 0 {
		return pos
	}
	return dataAfter(f, pos)
}

// BeforeHole returns where to read on backwards, before a part that begins at pos: pos
// itself, or the beginning of the hole that ends in it.
func BeforeHole(r io.ReaderAt, part []byte, pos int64) int64 {
	f, ok := r.(*os.File)
	if !ok || len(part) == 0 || part[0] != 0 || dataAfter(f, pos-1) < pos {
		return pos
	}
	return int64(sort.Search(int(pos), func(at int) bool { return dataAfter(f, int64(at)) >= pos }))
}
