//go:build !unix

package threads

import (
	"io/fs"
	"os"
)

// inode is not told by a listing here; size and time have to do.
func inode(fs.FileInfo) uint64 { return 0 }

// stampAt is for systems that tell about a file below an open directory.
func stampAt(*os.File, string) (s stamp, ok bool) { return stamp{}, false }
