package store

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// roomFor is make for what is filled at once. It asks for large pages, without which
// an index is tens of thousands of page faults; where the system has none, the
// memory is as good. T has no pointers.
func roomFor[T any](size int) []T {
	list := make([]T, size)
	if bytes := size * int(unsafe.Sizeof(*new(T))); bytes >= hugePage {
		_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), bytes), unix.MADV_HUGEPAGE)
	}
	return list
}

// hugePage is the size of a large page, or less than that.
const hugePage = 2 << 20
