//go:build darwin || freebsd || linux

package disk

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// dataAfter returns the first offset at or after pos that is not in a hole, or the end of the
// file. If the file system does not report holes, it returns pos.
func dataAfter(f *os.File, pos int64) int64 {
	data, err := f.Seek(pos, unix.SEEK_DATA)
	if errors.Is(err, unix.ENXIO) {
		data, err = f.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return pos
	}
	return max(pos, data)
}
