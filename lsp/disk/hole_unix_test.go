//go:build darwin || freebsd || linux

package disk_test

import (
	"io/fs"
	"syscall"
)

// sparse reports whether a file takes less room than it is long.
func sparse(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Blocks)*512 < info.Size()/2
}
