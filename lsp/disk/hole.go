package disk

import (
	"io"
	"os"
	"sort"
)

// A file of 40 gigabytes may take no room on the disk: its holes read as zeros and hold no
// line end. A search for line ends skips them, so that they cost nothing.

// PastHole returns where to go on reading forwards after a part that ends at pos: pos itself,
// or the end of the hole that contains it. It changes the file's seek position.
func PastHole(r io.ReaderAt, part []byte, pos int64) int64 {
	f, ok := r.(*os.File)
	if n := len(part); !ok || n == 0 || part[n-1] != 0 {
		return pos
	}
	return dataAfter(f, pos)
}

// BeforeHole returns where to go on reading backwards before a part that begins at pos: pos
// itself, or the beginning of the hole just before it. It changes the file's seek position.
func BeforeHole(r io.ReaderAt, part []byte, pos int64) int64 {
	f, ok := r.(*os.File)
	if !ok || len(part) == 0 || part[0] != 0 || dataAfter(f, pos-1) < pos {
		return pos
	}
	return int64(sort.Search(int(pos), func(at int) bool { return dataAfter(f, int64(at)) >= pos }))
}
